// How rovers stand on the ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "math/angle.h"
#include "sim/contact_sensors.h"
#include "sim/rover_bodies.h"
#include "sim/watcher.h"

namespace grouser::internal {
namespace {

const std::string& body_name(const World& world, int body) {
  return world.model.bodies()[at(body)].name;
}

/// Angle between a chassis' z axis and up, from a limit on.
class TiltWatcher final : public Watcher {
 public:
  TiltWatcher(AlarmKind kind, double limit_deg, const World& world)
      : Watcher(kind), world_(world), limit_(limit_deg * kDegree) {
    up_ = -world.model.gravity().normalized();
    for (std::size_t r = 0; r < world.rovers.size(); ++r) {
      if (has_wheel_contact(world, world.rovers[r])) rovers_.push_back(static_cast<int>(r));
    }
  }

  std::size_t subject_count() const override { return world_.rovers.size(); }

  void look(const WatchInput& input, std::span<double> /*memory*/, AlarmBell& bell) const override {
    for (const int rover : rovers_) {
      const int chassis = world_.rovers[at(rover)].chassis;
      const Vec3 z = input.scratch.dynamics.kinematics.X_WB[at(chassis)].R.col(2);
      const double tilt = std::atan2(z.cross(up_).norm(), z.dot(up_));
      if (tilt >= limit_) bell.ring(rover, tilt);
    }
  }

  std::string subject(const RungAlarm& alarm) const override {
    return world_.rovers[at(alarm.subject)].name;
  }

  std::string message(const RungAlarm& alarm) const override {
    const char* what = kind() == AlarmKind::rolled_over ? "rolled over" : "is tilted";
    return fmt::format("{} {}: its chassis stands up to {:.0f}° from upright", subject(alarm), what,
                       alarm.value * kDegPerRad);
  }

 private:
  const World& world_;
  double limit_;  // [rad]
  Vec3 up_;
  std::vector<int> rovers_;
};

/// Bodies of rovers that are no wheels: by the force of their contact or, without one, by their outline.
class ChassisWatcher final : public Watcher {
 public:
  explicit ChassisWatcher(const World& world) : Watcher(AlarmKind::chassis_contact), world_(world) {
    for (const Rover& rover : world.rovers) {
      for (const int body : chassis_bodies(world.model, rover)) {
        if (ground_of_body(world, body) != GroundContact::none) felt_.push_back(body);
      }
    }
  }

  std::size_t subject_count() const override { return world_.model.bodies().size(); }

  void look(const WatchInput& input, std::span<double> /*memory*/, AlarmBell& bell) const override {
    for (const int body : felt_) {
      const double force = contact_force(world_, body, input.committed, input.scratch).norm();
      if (force > 0) bell.ring(body, force);
    }
    if (!world_.ground) return;
    for (const BodyOutline& outline : world_.outlines) {
      const double depth = depth_of(outline, input);
      if (depth > 0) bell.ring(outline.body, depth, kUnfelt);
    }
  }

  std::string subject(const RungAlarm& alarm) const override {
    return body_name(world_, alarm.subject);
  }

  std::string message(const RungAlarm& alarm) const override {
    if (alarm.detail == kUnfelt) {
      return fmt::format("{} reaches {:.2g} m into the ground, and no contact holds it",
                         subject(alarm), alarm.value);
    }
    return fmt::format("{} touches the ground or a rock, with up to {:.3g} N", subject(alarm),
                       alarm.value);
  }

 private:
  static constexpr double kUnfelt = 1;

  double depth_of(const BodyOutline& outline, const WatchInput& input) const {
    const Pose& X_WB = input.scratch.dynamics.kinematics.X_WB[at(outline.body)];
    double deepest = 0;
    for (const Vec3& point : outline.points) {
      const Vec3 p = X_WB * point;
      deepest = std::max(deepest, world_.ground->map.height(p.x(), p.y()) - p.z());
    }
    return deepest;
  }

  const World& world_;
  std::vector<int> felt_;
};

/// Hubs below the untouched ground.
class BuriedWheelWatcher final : public Watcher {
 public:
  explicit BuriedWheelWatcher(const World& world)
      : Watcher(AlarmKind::wheel_under_ground), world_(world) {
    for (const Rover& rover : world.rovers) {
      for (const Wheel& wheel : rover.wheels) wheels_.push_back(&wheel);
    }
  }

  std::size_t subject_count() const override { return wheels_.size(); }

  void look(const WatchInput& input, std::span<double> /*memory*/, AlarmBell& bell) const override {
    for (std::size_t w = 0; w < wheels_.size(); ++w) {
      const Vec3& hub = input.scratch.dynamics.kinematics.X_WB[at(wheels_[w]->body)].p;
      const double below = world_.ground->map.height(hub.x(), hub.y()) - hub.z();
      const double deeper = input.wheels[w].sinkage - wheels_[w]->radius;
      if (below >= 0 || deeper >= 0) bell.ring(static_cast<int>(w), std::max({0.0, below, deeper}));
    }
  }

  std::string subject(const RungAlarm& alarm) const override {
    return wheels_[at(alarm.subject)]->name;
  }

  std::string message(const RungAlarm& alarm) const override {
    const bool is_soft =
        ground_of_body(world_, wheels_[at(alarm.subject)]->body) == GroundContact::soil;
    return fmt::format("{} is in the ground to its axle and up to {:.2g} m deeper{}",
                       subject(alarm), alarm.value,
                       is_soft ? ": no model of the soil holds so deep" : "");
  }

 private:
  const World& world_;
  std::vector<const Wheel*> wheels_;
};

/// Chassis and wheels beyond the terrain.
class MapWatcher final : public Watcher {
 public:
  explicit MapWatcher(const World& world) : Watcher(AlarmKind::off_map), world_(world) {
    for (const Rover& rover : world.rovers) {
      bodies_.push_back(rover.chassis);
      for (const Wheel& wheel : rover.wheels) bodies_.push_back(wheel.body);
    }
  }

  std::size_t subject_count() const override { return world_.model.bodies().size(); }

  void look(const WatchInput& input, std::span<double> /*memory*/, AlarmBell& bell) const override {
    const Rect domain = world_.ground->map.domain();
    for (const int body : bodies_) {
      const Vec2 p = input.scratch.dynamics.kinematics.X_WB[at(body)].p.head<2>();
      if (domain.contains(p)) continue;
      const Vec2 nearest = p.cwiseMax(domain.lower).cwiseMin(domain.upper);
      bell.ring(body, (p - nearest).norm());
    }
  }

  std::string subject(const RungAlarm& alarm) const override {
    return body_name(world_, alarm.subject);
  }

  std::string message(const RungAlarm& alarm) const override {
    const Rect domain = world_.ground->map.domain();
    return fmt::format(
        "{} left the map, by up to {:.2g} m: the terrain reaches from ({:g}, {:g}) to ({:g}, {:g})",
        subject(alarm), alarm.value, domain.lower.x(), domain.lower.y(), domain.upper.x(),
        domain.upper.y());
  }

 private:
  const World& world_;
  std::vector<int> bodies_;
};

}  // namespace

void add_stance_watchers(const World& world, Watchers& out) {
  if (world.rovers.empty()) return;
  const WatchOptions& options = world.watch;
  if (world.model.gravity().norm() > 0) {
    out.push_back(std::make_unique<TiltWatcher>(AlarmKind::tilted, options.tilt_deg, world));
    out.push_back(
        std::make_unique<TiltWatcher>(AlarmKind::rolled_over, options.roll_over_deg, world));
  }
  out.push_back(std::make_unique<ChassisWatcher>(world));
  if (!world.ground) return;
  out.push_back(std::make_unique<BuriedWheelWatcher>(world));
  out.push_back(std::make_unique<MapWatcher>(world));
}

}  // namespace grouser::internal
