#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/place.h"
#include "sim/mission.h"
#include "sim/onboard.h"

namespace grouser::internal {

struct JointMoveData {
  std::string joint;                   ///< or its actuator
  std::optional<double> position;      ///< [rad] or [m]
  std::optional<double> position_deg;  ///< [deg]
  double duration = 5;                 ///< [s]
  bool together = false;
  Place place;
};

/// An activity with names; its moves are not used.
struct ActivityData {
  Activity law;
  std::vector<JointMoveData> moves;
  std::optional<double> goal_within, time_max;  ///< defaults follow from the activity
  Place place;
};

/// An on-board controller; its rover is not used.
struct OnboardData {
  std::string rover;  ///< empty: the only one
  OnboardControl law;
  Place place;
};

struct MissionData {
  std::string rover;  ///< empty: the only one
  Mission law;        ///< its activities are not used
  std::vector<ActivityData> activities;
  Place place;
};

}  // namespace grouser::internal
