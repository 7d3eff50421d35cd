#include "contact/wheel/wheel_frame.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {

WheelGround ground_under(const ElevationMap& map, const WheelForm& wheel, const Pose& X_WS) {
  const Vec2 axle = X_WS.R.col(1).head<2>(), middle = X_WS.p.head<2>();
  const double level = axle.norm();
  // With an upright axle any direction will do: nothing is carried then.
  const Vec2 left = level > 1e-6 ? Vec2(axle / level) : Vec2(0, 1);
  const Vec2 ahead(left.y(), -left.x());
  const Vec2 fore = 0.5 * wheel.radius * ahead, aside = 0.5 * wheel.width * left;
  const auto height = [&](const Vec2& p) { return map.height(p.x(), p.y()); };
  const double front = height(middle + fore), rear = height(middle - fore);
  const double port = height(middle + aside), starboard = height(middle - aside);
  const Vec2 slope =
      (front - rear) / wheel.radius * ahead + (port - starboard) / wheel.width * left;
  return {.point = Vec3(middle.x(), middle.y(), (front + rear + port + starboard) / 4),
          .normal = Vec3(-slope.x(), -slope.y(), 1) / std::sqrt(1 + slope.squaredNorm())};
}

WheelFrame wheel_frame(const WheelForm& wheel, const Pose& X_WS, const Twist& V_WS,
                       const WheelGround& ground, const Vec3& up) {
  WheelFrame frame;
  frame.axle = X_WS.R.col(1);
  frame.normal = ground.normal;
  const Vec3 across = frame.axle.cross(frame.normal);
  const double upright = across.norm();  // cosine of the camber
  frame.heading = upright > 1e-6 ? Vec3(across / upright) : Vec3(X_WS.R.col(0));
  frame.side = frame.normal.cross(frame.heading);
  WheelMotion& motion = frame.motion;
  motion.depth = wheel.radius * upright - (X_WS.p - ground.point).dot(frame.normal);
  motion.depth_rate = -V_WS.linear.dot(frame.normal);
  motion.rim = wheel.radius * V_WS.angular.dot(frame.axle);
  motion.travel = V_WS.linear.dot(frame.heading);
  motion.side = V_WS.linear.dot(frame.side);
  motion.climb = frame.heading.dot(up);
  frame.radius = wheel.radius - 0.5 * std::max(motion.depth, 0.0);
  return frame;
}

Wrench wrench_of(const WheelFrame& frame, const WheelReaction& reaction) {
  return {.torque = reaction.lateral * frame.radius * frame.heading - reaction.torque * frame.axle,
          .force = reaction.pull * frame.heading + reaction.lateral * frame.side +
                   reaction.normal * frame.normal};
}

}  // namespace grouser::internal
