// Whether a mission did what it was for.
#include <fmt/format.h>

#include "sim/mission.h"
#include "sim/watcher.h"

namespace grouser::internal {
namespace {

/// Everything it tells is in the memory of the mission itself.
class MissionWatcher final : public Watcher {
 public:
  MissionWatcher() : Watcher(AlarmKind::mission_not_done) {}

  std::size_t subject_count() const override { return 0; }
  void look(const WatchInput&, std::span<double>, AlarmBell&) const override {}

  void finish(const World& world, const State& state, std::span<const double> /*memory*/,
              std::vector<Alarm>& alarms) const override {
    const std::string& rover = world.rovers[static_cast<std::size_t>(world.mission.rover)].name;
    for (const ActivityReport& activity : mission_report(world, state)) {
      if (activity.verdict == Verdict::succeeded) continue;
      const bool began = activity.verdict != Verdict::not_started;
      const double time = began ? activity.ended : state.time;
      const char* running = activity.verdict == Verdict::running ? " at the end of the run" : "";
      alarms.push_back({.kind = kind(),
                        .body = rover,
                        .time = time,
                        .last_time = time,
                        .message = fmt::format("activity '{}' of the mission: {}{}", activity.name,
                                               verdict_text(activity), running)});
    }
  }

  /// Never rung while the run goes on.
  std::string subject(const RungAlarm&) const override { return {}; }
  std::string message(const RungAlarm&) const override { return {}; }
};

}  // namespace

void add_mission_watchers(const World& world, Watchers& out) {
  if (world.mission.activities.empty()) return;
  out.push_back(std::make_unique<MissionWatcher>());
}

}  // namespace grouser::internal
