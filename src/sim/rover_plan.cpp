#include "sim/rover_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "multibody/kinematics.h"

namespace grouser::internal {
namespace {

/// The joint axis of a velocity index at zero positions, in the chassis frame.
Vec3 axis_in_chassis(const Kinematics& kinematics, const Rover& rover, int dof) {
  const Mat3& R_WC = kinematics.X_WB[static_cast<std::size_t>(rover.chassis)].R;
  return R_WC.transpose() * kinematics.S[static_cast<std::size_t>(dof)].angular();
}

double steering_range(const DofLaw& law) {
  const double range = std::min(-law.lower, law.upper);
  return std::clamp(range, 0.0, std::numbers::pi / 2);
}

}  // namespace

int actuator_of_dof(const Model& model, int dof) {
  for (std::size_t a = 0; a < model.actuators().size(); ++a) {
    if (model.actuators()[a].dof == dof) return static_cast<int>(a);
  }
  return -1;
}

RoverPlan plan_rover(const World& world, const Rover& rover) {
  const Model& model = world.model;
  Kinematics kinematics(model);
  forward_kinematics(model, model.neutral_positions(), VecX::Zero(model.velocity_size()),
                     kinematics);
  const Pose X_CW = kinematics.X_WB[static_cast<std::size_t>(rover.chassis)].inverse();
  RoverPlan plan;
  for (const Wheel& wheel : rover.wheels) {
    const Vec3 center = X_CW * centre_of(wheel, kinematics.X_WB);
    WheelPlan seen{.x = center.x(), .y = center.y(), .radius = wheel.radius};
    plan.drive_sign.push_back(
        std::copysign(1.0, axis_in_chassis(kinematics, rover, wheel.drive_dof).y()));
    plan.drive_actuator.push_back(actuator_of_dof(model, wheel.drive_dof));
    plan.steer_sign.push_back(1);
    plan.steer_actuator.push_back(-1);
    if (wheel.steer_dof >= 0) {
      plan.steer_sign.back() =
          std::copysign(1.0, axis_in_chassis(kinematics, rover, wheel.steer_dof).z());
      plan.steer_actuator.back() = actuator_of_dof(model, wheel.steer_dof);
      seen.steerable = plan.steer_actuator.back() >= 0;
      seen.max_steer = steering_range(model.laws()[static_cast<std::size_t>(wheel.steer_dof)]);
    }
    plan.wheels.push_back(seen);
  }
  plan.commands.resize(plan.wheels.size());
  return plan;
}

}  // namespace grouser::internal
