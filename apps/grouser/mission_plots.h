#pragma once

#include <optional>

#include "record/run_reader.h"
#include "render/figure.h"

namespace grouser::internal {

/// Timeline of a mission, state of charge and electrical power over time; nothing if the run has neither.
std::optional<Figure> mission_figure(const RunReader& run);

}  // namespace grouser::internal
