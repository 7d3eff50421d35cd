#pragma once

#include <string>

#include "contact/contact_system.h"
#include "contact/wheel/terra.h"

namespace grouser::internal {

/// What to tell of TerRA's default parameters where a wheel, its load or gravity [m/s²] are far from what these were
/// set and compared by; nothing if they are not, or if somebody has fitted them.
std::string terra_range_warning(const TerraModel& model, const WheelForm& form,
                                const WheelUse& wheel, double gravity);

}  // namespace grouser::internal
