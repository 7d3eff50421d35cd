#pragma once

#include <memory>

#include "grouser/simulation.h"
#include "math/rotation.h"
#include "sim/sample.h"
#include "sim/world.h"

/// Between the public face and what stands behind it.
namespace grouser::internal {

/// Looks inside public values.
struct Face {
  static const std::shared_ptr<const World>& of(const grouser::World& world) { return world.held_; }
  static const State& of(const grouser::State& state) { return *state.held_; }
  static grouser::World wrap(World world) {
    return grouser::World(std::make_shared<const World>(std::move(world)));
  }
  static grouser::State wrap(State state) {
    return grouser::State(std::make_unique<State>(std::move(state)));
  }
};

inline grouser::Vec3 plain(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
inline Vec3 inner(const grouser::Vec3& v) { return {v.x, v.y, v.z}; }

inline grouser::Pose plain(const Pose& X) {
  double wxyz[4];
  wxyz_from_rotation(X.R, wxyz);
  return {{wxyz[0], wxyz[1], wxyz[2], wxyz[3]}, plain(X.p)};
}
/// The quaternion's direction counts.
inline Pose inner(const grouser::Pose& X) {
  const double wxyz[4] = {X.orientation.w, X.orientation.x, X.orientation.y, X.orientation.z};
  return {rotation_from_wxyz(wxyz), inner(X.position)};
}

inline grouser::Twist plain(const Twist& V) { return {plain(V.angular), plain(V.linear)}; }
inline Twist inner(const grouser::Twist& V) { return {inner(V.angular), inner(V.linear)}; }
inline grouser::Wrench plain(const Wrench& F) { return {plain(F.torque), plain(F.force)}; }
inline Wrench inner(const grouser::Wrench& F) { return {inner(F.torque), inner(F.force)}; }

inline grouser::ContactSample plain(const ContactReading& reading) {
  return {reading.in_contact, plain(reading.force), plain(reading.torque),
          reading.power,      reading.depth,        plain(reading.point)};
}

/// Throws Error(usage).
[[noreturn]] void refuse_use(const std::string& message);

/// The ground at a point; throws Error(usage) if there is none.
grouser::GroundPoint ground_at(const ElevationMap* map, double x, double y);
std::vector<double> ground_heights(const ElevationMap* map, const GroundWindow& window);

}  // namespace grouser::internal
