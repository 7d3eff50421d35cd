// Whether rovers that follow a path can, and arrive.
#include <fmt/format.h>

#include <limits>

#include "core/index.h"
#include "sim/watcher.h"

namespace grouser::internal {
namespace {

std::string place_text(const Vec2& place) {
  return fmt::format("({:g}, {:g})", place.x(), place.y());
}

/// Remembers per path: the waypoint that is driven to, how near the chassis came to it, and when.
class WaypointWatcher final : public Watcher {
 public:
  explicit WaypointWatcher(const World& world)
      : Watcher(AlarmKind::waypoint_not_reached), world_(world), layout_(world) {}

  std::size_t memory_size() const override { return kNumbers * world_.path_commands.size(); }
  std::size_t subject_count() const override { return 0; }

  void look(const WatchInput& input, std::span<double> memory, AlarmBell& /*bell*/) const override {
    for (std::size_t p = 0; p < world_.path_commands.size(); ++p) {
      const auto segment = driven_segment(p, input.committed);
      if (!segment) continue;
      const PathCommand& command = world_.path_commands[p];
      const int chassis = world_.rovers[at(command.rover)].chassis;
      const Vec2 place = input.scratch.dynamics.kinematics.X_WB[at(chassis)].p.head<2>();
      const double distance = (place - command.plan.waypoints[*segment]).norm();
      double* numbers = memory.data() + kNumbers * p;
      const double number = static_cast<double>(*segment) + 1;  // 0: none so far
      if (numbers[kWaypoint] == number && distance >= numbers[kNearest]) continue;
      numbers[kWaypoint] = number;
      numbers[kNearest] = distance;
      numbers[kWhen] = input.time;
    }
  }

  void finish(const World& world, const State& state, std::span<const double> memory,
              std::vector<Alarm>& alarms) const override {
    for (std::size_t p = 0; p < world.path_commands.size(); ++p) {
      if (state.memory[layout_.path[p] + MemoryLayout::kProgress + 2] != 0) continue;  // arrived
      const PathCommand& command = world.path_commands[p];
      alarms.push_back({.kind = kind(),
                        .body = world.rovers[at(command.rover)].name,
                        .time = state.time,
                        .last_time = state.time,
                        .message = verdict(p, state, memory.subspan(kNumbers * p, kNumbers))});
    }
  }

  /// Never rung while the run goes on.
  std::string subject(const RungAlarm&) const override { return {}; }
  std::string message(const RungAlarm&) const override { return {}; }

 private:
  static constexpr std::size_t kWaypoint = 0, kNearest = 1, kWhen = 2, kNumbers = 3;

  /// Nothing before it begins and after it is done.
  std::optional<std::size_t> driven_segment(std::size_t p, const State& state) const {
    const double* slice = state.memory.data() + layout_.path[p];
    const auto segment = static_cast<std::size_t>(slice[MemoryLayout::kProgress]);
    const bool drives = slice[MemoryLayout::kTicks] > 0 && slice[MemoryLayout::kProgress + 2] == 0;
    if (!drives || segment >= world_.path_commands[p].plan.waypoints.size()) return std::nullopt;
    return segment;
  }

  std::string verdict(std::size_t p, const State& state, std::span<const double> numbers) const {
    const PathCommand& command = world_.path_commands[p];
    const std::vector<Vec2>& waypoints = command.plan.waypoints;
    const std::string& rover = world_.rovers[at(command.rover)].name;
    const auto segment = driven_segment(p, state);
    if (!segment) {
      return fmt::format(
          "{} never set out on its path, which begins at {:g} s; the run ended at "
          "{:g} s",
          rover, command.start_time, state.time);
    }
    Kinematics kinematics(world_.model);
    forward_kinematics(world_.model, state.q, state.v, kinematics);
    const int chassis = world_.rovers[at(command.rover)].chassis;
    const double left = (kinematics.X_WB[at(chassis)].p.head<2>() - waypoints[*segment]).norm();
    std::string text = fmt::format(
        "{} did not reach waypoint {} of {} at {}: {:.3g} m were left at {:g} s", rover,
        *segment + 1, waypoints.size(), place_text(waypoints[*segment]), left, state.time);
    const bool knows_nearer =
        numbers[kWaypoint] == static_cast<double>(*segment) + 1 && numbers[kNearest] < left;
    if (knows_nearer) {
      text +=
          fmt::format(", {:.3g} m at the nearest, at {:g} s", numbers[kNearest], numbers[kWhen]);
    }
    return text;
  }

  const World& world_;
  MemoryLayout layout_;
};

/// Rovers that are to go sideways on a path and cannot turn their wheels. Missions of such rovers are refused.
class CrabWatcher final : public Watcher {
 public:
  explicit CrabWatcher(const World& world)
      : Watcher(AlarmKind::crab_without_steering), world_(world), crabs_(world.rovers.size()) {
    for (const PathCommand& command : world.path_commands) {
      if (command.plan.mode == SteeringMode::crab) crabs_[at(command.rover)] = 1;
    }
  }

  std::size_t subject_count() const override { return crabs_.size(); }

  void look(const WatchInput& input, std::span<double> /*memory*/, AlarmBell& bell) const override {
    for (std::size_t r = 0; r < crabs_.size(); ++r) {
      if (crabs_[r] == 0) continue;
      int fixed = 0;
      for (const WheelPlan& wheel : input.scratch.rovers[r].wheels) {
        if (!wheel.steerable) ++fixed;
      }
      if (fixed > 0) bell.ring(static_cast<int>(r), fixed);
    }
  }

  std::string subject(const RungAlarm& alarm) const override {
    return world_.rovers[at(alarm.subject)].name;
  }

  std::string message(const RungAlarm& alarm) const override {
    const std::size_t all = world_.rovers[at(alarm.subject)].wheels.size();
    return fmt::format(
        "{} is to drive in crab mode, but {:g} of its {} wheels cannot steer: they are dragged "
        "sideways or hold it back; take 'mode: ackermann' or 'point_turn'",
        subject(alarm), alarm.value, all);
  }

 private:
  const World& world_;
  std::vector<char> crabs_;  // per rover: whether it is asked to
};

}  // namespace

void add_path_watchers(const World& world, Watchers& out) {
  if (world.path_commands.empty()) return;
  out.push_back(std::make_unique<WaypointWatcher>(world));
  out.push_back(std::make_unique<CrabWatcher>(world));
}

}  // namespace grouser::internal
