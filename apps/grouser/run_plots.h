#pragma once

#include <vector>

#include "record/run_reader.h"
#include "text_files.h"

namespace grouser::internal {

/// Draws a run over time as SVG files: motion.svg (the way seen from above, height, speed and energy) and,
/// if there are wheels, wheels.svg (slip, sinkage, torque and load of each). Throws Error(input) if the
/// run holds no samples.
std::vector<NamedText> run_plots(const RunReader& run);

}  // namespace grouser::internal
