#pragma once

#include <optional>
#include <string>
#include <vector>

#include "power/power_plant.h"
#include "scene/place.h"

namespace grouser::internal {

/// A motor and the actuators it stands behind.
struct MotorData {
  std::string on = "drives";  ///< "drives", "steering", or an actuator
  MotorSpec spec;
  Place place;
};

/// The electrical power of a model; motors of the spec are not used.
struct PowerData {
  PowerSpec spec;
  std::vector<MotorData> motors;
  Place place;
};

}  // namespace grouser::internal
