#pragma once

#include <string>
#include <vector>

#include "sim/simulate.h"

namespace grouser::internal {

/// "soil dlr_a: ..." for each wheel that stands on a soil measured with plates or wheels of quite another
/// width, by a factor of more than 1.5.
std::vector<std::string> soil_range_warnings(const World& world);

/// For each wheel that sank to its axle, where all models of the soil end. In the order of the report.
std::vector<std::string> depth_warnings(const World& world, const RunReport& report);

}  // namespace grouser::internal
