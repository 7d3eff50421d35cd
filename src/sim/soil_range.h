#pragma once

#include <string>
#include <vector>

#include "sim/simulate.h"

namespace grouser::internal {

/// "soil dlr_a: ..." for each wheel that stands on a soil measured with plates or wheels of quite another
/// width, by a factor of more than 1.5; for soils with figures that no soil has, or that do not bear a rover; and for
/// rovers that begin on a slope that the soil cannot hold them on.
std::vector<std::string> soil_range_warnings(const World& world);

}  // namespace grouser::internal
