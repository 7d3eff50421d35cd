#pragma once

#include <string>

#include "record/run_reader.h"

namespace grouser::internal {

/// A run as one HTML page that needs nothing else, neither files nor network: where it came from and how it went, what
/// the program warned of, each wheel, pictures, curves over time, and the scene. `summary` is the text of its
/// summary.json, empty if there is none. Throws Error(input) if the run holds no samples.
std::string run_report(const RunReader& run, const std::string& summary);

}  // namespace grouser::internal
