// How rovers drive, and what their servos can do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/index.h"
#include "sim/rover_bodies.h"
#include "sim/watcher.h"

namespace grouser::internal {
namespace {

/// A wheel that stands on something and is asked for a speed.
struct DrivenWheel {
  double asked = 0;  ///< of its rim [m/s], forward positive
  double rim = 0;    ///< ω r [m/s]
  double hub = 0;    ///< of its centre along the ground, forward positive [m/s]
};

/// The speed of a hub that slip was found from; see WheelSample::fastest.
double hub_speed(const WheelSample& wheel, double rim) {
  if (wheel.fastest != rim) return wheel.fastest;
  return (1 - wheel.slip) * rim;
}

/// What wheel `w` of a rover is asked; nothing without contact or a drive that holds a speed. `slot`: of the rover's
/// first wheel.
std::optional<DrivenWheel> driven_wheel(const WatchInput& input, std::size_t r, std::size_t slot,
                                        std::size_t w) {
  const RoverPlan& plan = input.scratch.rovers[r];
  const WheelSample& sample = input.wheels[slot + w];
  const int drive = plan.drive_actuator[w];
  if (drive < 0 || sample.normal <= 0) return std::nullopt;
  if (input.world.model.actuators()[at(drive)].type == ActuatorType::torque) return std::nullopt;
  const double radius = input.world.rovers[r].wheels[w].radius;
  const double rim = sample.rate * radius;
  return DrivenWheel{plan.drive_sign[w] * input.scratch.targets[at(drive)].velocity * radius, rim,
                     hub_speed(sample, rim)};
}

/// Something that is so for all driven wheels of a rover, and for some time. Remembers per rover for how long.
class DriveWatcher : public Watcher {
 public:
  DriveWatcher(AlarmKind kind, double time, const World& world)
      : Watcher(kind), world_(world), time_(time) {}

  std::size_t memory_size() const override { return world_.rovers.size(); }
  std::size_t subject_count() const override { return world_.rovers.size(); }

  void look(const WatchInput& input, std::span<double> memory, AlarmBell& bell) const override {
    // Ticks lie on the step grid but for rounding.
    constexpr double kRounding = 1e-9;
    std::size_t slot = 0;
    for (std::size_t r = 0; r < world_.rovers.size(); ++r) {
      std::optional<Finding> worst;
      bool is_so = true;
      for (std::size_t w = 0; w < world_.rovers[r].wheels.size(); ++w) {
        const auto wheel = driven_wheel(input, r, slot, w);
        if (!wheel) continue;
        const Finding finding = judge(*wheel);
        is_so = is_so && finding.is_so;
        if (!worst || finding.value > worst->value) worst = finding;
      }
      slot += world_.rovers[r].wheels.size();
      memory[r] = is_so && worst ? memory[r] + input.since : 0;
      if (memory[r] > 0 && memory[r] >= time_ * (1 - kRounding)) {
        bell.ring(static_cast<int>(r), worst->value, worst->detail);
      }
    }
  }

  std::string subject(const RungAlarm& alarm) const override {
    return world_.rovers[at(alarm.subject)].name;
  }

 protected:
  struct Finding {
    bool is_so = false;
    double value = 0, detail = 0;
  };
  double time() const { return time_; }

 private:
  virtual Finding judge(const DrivenWheel& wheel) const = 0;

  const World& world_;
  double time_;  // [s]
};

/// Wheels that are asked to drive and do not get anywhere, be it that they spin or that they do not turn.
class StuckWatcher final : public DriveWatcher {
 public:
  explicit StuckWatcher(const World& world)
      : DriveWatcher(AlarmKind::stuck, world.watch.stuck_time, world),
        progress_(1 - world.watch.stuck_slip) {}

  std::string message(const RungAlarm& alarm) const override {
    const bool spins = alarm.detail > 0.5;
    return fmt::format(
        "{} is stuck: asked to drive at up to {:.3g} m/s, its wheels made less than {:g} % of "
        "their speed for {:g} s; they {}",
        subject(alarm), alarm.value, 100 * progress_, time(),
        spins ? "spin" : "hardly turn: the drives are too weak for where they stand");
  }

 private:
  Finding judge(const DrivenWheel& wheel) const override {
    const double asked = std::abs(wheel.asked);
    const double made = wheel.hub * std::copysign(1, wheel.asked);
    // What goes backwards slides, which is another alarm.
    return {asked >= kStandingSpeed && std::abs(made) < progress_ * asked, asked,
            std::abs(wheel.rim) / std::max(asked, kStandingSpeed)};
  }

  double progress_;  // share of the speed it was asked for [-]
};

/// Wheels that are asked to stand, or to go the other way.
class SlideWatcher final : public DriveWatcher {
 public:
  explicit SlideWatcher(const World& world)
      : DriveWatcher(AlarmKind::sliding, world.watch.slide_time, world),
        speed_(world.watch.slide_speed) {}

  std::string message(const RungAlarm& alarm) const override {
    return fmt::format(
        "{} slides: for {:g} s it went at up to {:.2g} m/s where its wheels were asked to {}",
        subject(alarm), time(), alarm.value,
        alarm.detail >= kStandingSpeed ? "drive the other way" : "stand");
  }

 private:
  Finding judge(const DrivenWheel& wheel) const override {
    const double asked = std::abs(wheel.asked);
    const double back =
        asked < kStandingSpeed ? std::abs(wheel.hub) : -wheel.hub * std::copysign(1, wheel.asked);
    return {back > speed_, back, asked};
  }

  double speed_;  // [m/s]
};

/// Wheels on soil that roll or slide faster than models of slow motion hold.
class SpeedWatcher final : public Watcher {
 public:
  explicit SpeedWatcher(const World& world)
      : Watcher(AlarmKind::too_fast), limit_(world.watch.max_soil_speed) {
    for (const Rover& rover : world.rovers) {
      for (const Wheel& wheel : rover.wheels) {
        wheels_.push_back(&wheel);
        on_soil_.push_back(ground_of_body(world, wheel.body) == GroundContact::soil);
      }
    }
  }

  std::size_t subject_count() const override { return wheels_.size(); }

  void look(const WatchInput& input, std::span<double> /*memory*/, AlarmBell& bell) const override {
    for (std::size_t w = 0; w < wheels_.size(); ++w) {
      const double speed = std::abs(input.wheels[w].fastest);
      if (on_soil_[w] && speed > limit_) bell.ring(static_cast<int>(w), speed);
    }
  }

  std::string subject(const RungAlarm& alarm) const override {
    return wheels_[at(alarm.subject)]->name;
  }

  std::string message(const RungAlarm& alarm) const override {
    return fmt::format(
        "{} goes through soil at up to {:.3g} m/s: models of soil leave out its inertia and hold "
        "below about {:g} m/s",
        subject(alarm), alarm.value, limit_);
  }

 private:
  double limit_;  // [m/s]
  std::vector<const Wheel*> wheels_;
  std::vector<char> on_soil_;
};

/// Actuators that give all they can for a good part of the time. Remembers per actuator for how long.
class ServoWatcher final : public Watcher {
 public:
  explicit ServoWatcher(const World& world) : Watcher(AlarmKind::servo_at_limit), world_(world) {}

  std::size_t memory_size() const override { return world_.model.actuators().size(); }
  std::size_t subject_count() const override { return world_.model.actuators().size(); }

  void look(const WatchInput& input, std::span<double> memory, AlarmBell& bell) const override {
    constexpr double kAtLimit = 0.999, kRounding = 1e-9;
    for (std::size_t a = 0; a < memory.size(); ++a) {
      const Actuator& actuator = world_.model.actuators()[a];
      if (!std::isfinite(actuator.max_effort) || actuator.type == ActuatorType::prescribed)
        continue;
      const double effort = std::abs(input.efforts[static_cast<Eigen::Index>(a)]);
      const bool is_at_limit = effort > 0 && effort >= kAtLimit * actuator.max_effort;
      if (is_at_limit) memory[a] += input.since;
      const double share = input.time > 0 ? memory[a] / input.time : 0;
      const bool is_long = memory[a] >= world_.watch.servo_time * (1 - kRounding);
      if (is_at_limit && is_long && share >= world_.watch.servo_share) {
        bell.ring_anew(static_cast<int>(a), share, memory[a]);
      } else {
        bell.note(static_cast<int>(a), share);
      }
    }
  }

  std::string subject(const RungAlarm& alarm) const override {
    return world_.model.actuators()[at(alarm.subject)].name;
  }

  std::string message(const RungAlarm& alarm) const override {
    const Actuator& actuator = world_.model.actuators()[at(alarm.subject)];
    return fmt::format(
        "{} was at its max_effort of {:g} for {:.0f} % of the time: it does not do "
        "what it is asked",
        actuator.name, actuator.max_effort, 100 * alarm.value);
  }

 private:
  const World& world_;
};

}  // namespace

void add_drive_watchers(const World& world, Watchers& out) {
  if (world.rovers.empty()) return;
  out.push_back(std::make_unique<StuckWatcher>(world));
  out.push_back(std::make_unique<SlideWatcher>(world));
  out.push_back(std::make_unique<SpeedWatcher>(world));
}

void add_servo_watchers(const World& world, Watchers& out) {
  if (!world.model.actuators().empty()) out.push_back(std::make_unique<ServoWatcher>(world));
}

}  // namespace grouser::internal
