#include "sim/wheel_speeds.h"

#include "core/index.h"

namespace grouser::internal {

WheelSpeed wheel_speed(const World& world, const Rover& rover, const RoverPlan& plan, std::size_t w,
                       const State& state, const Kinematics& kinematics) {
  const Wheel& wheel = rover.wheels[w];
  const Vec3 up = kinematics.X_WB[at(rover.chassis)].R.col(2);
  const Vec3 axle = plan.drive_sign[w] * kinematics.S[at(wheel.drive_dof)].angular();
  const Vec3& hub = kinematics.X_WB[at(wheel.body)].p;
  const Vec3 velocity = twist_at(world.model, kinematics, wheel.body, hub).linear;
  return {.rim = plan.drive_sign[w] * state.v[wheel.drive_dof] * wheel.radius,
          .ground = velocity.dot(axle.cross(up).normalized())};
}

}  // namespace grouser::internal
