#include "sim/mission.h"

#include <fmt/format.h>

#include "math/angle.h"
#include "sim/mission_control.h"
#include "sim/mission_memory.h"

namespace grouser::internal {

const char* to_string(ActivityKind kind) {
  constexpr const char* kNames[] = {"drive", "wait", "joints", "payload", "night"};
  return kNames[static_cast<int>(kind)];
}

const char* to_string(Verdict verdict) {
  constexpr const char* kNames[] = {"not started", "running", "succeeded", "aborted"};
  return kNames[static_cast<int>(verdict)];
}

const char* to_string(AbortReason reason) {
  constexpr const char* kNames[] = {"", "goal missed", "tilt", "slip", "energy", "time", "battery"};
  return kNames[static_cast<int>(reason)];
}

std::string verdict_text(const ActivityReport& report) {
  if (report.verdict != Verdict::aborted) return to_string(report.verdict);
  const char* reason = to_string(report.reason);
  switch (report.reason) {
    case AbortReason::goal:
      return report.kind == ActivityKind::drive
                 ? fmt::format("aborted: {} by {:.3g} m", reason, report.goal_error)
                 : fmt::format("aborted: {}, a joint is off by {:.3g} rad or m", reason,
                               report.goal_error);
    case AbortReason::tilt:
      return fmt::format("aborted: {} of {:.1f}°", reason, report.tilt_max / kDegree);
    case AbortReason::slip:
      return fmt::format("aborted: {} of {:.2f}", reason, report.slip_max);
    case AbortReason::energy:
      return fmt::format("aborted: {} of {:.4g} J", reason, report.energy);
    case AbortReason::battery:
      return fmt::format("aborted: {} at {:.1f} %", reason, 100 * report.charge);
    default:
      break;
  }
  if (report.kind != ActivityKind::drive) return fmt::format("aborted: {}", reason);
  return fmt::format("aborted: {}, {:.3g} m from the goal", reason, report.goal_error);
}

std::vector<ActivityReport> mission_report(const World& world, const State& state) {
  std::vector<ActivityReport> reports;
  if (world.mission.activities.empty()) return reports;
  const MissionSlices slices(world);
  const MissionMemory mission = slices.get(state);
  for (std::size_t k = 0; k < world.mission.activities.size(); ++k) {
    const Activity& activity = world.mission.activities[k];
    ActivityMemory a = slices.activity(state, k);
    if (a.verdict == static_cast<double>(Verdict::running)) {
      a.ended = state.time;
      a.energy = energy_used(world, state) - mission.energy;
      a.charge = state_of_charge(world, state);
      if (mission.parked == 1) {
        a.parked += state.time - mission.looked;
        a.parked_to = state.time;
      }
    }
    reports.push_back({.name = activity.name,
                       .kind = activity.kind,
                       .verdict = static_cast<Verdict>(static_cast<int>(a.verdict)),
                       .reason = static_cast<AbortReason>(static_cast<int>(a.reason)),
                       .began = a.began,
                       .ended = a.ended,
                       .planned = a.planned,
                       .driven = a.driven,
                       .deviation_max = a.deviation,
                       .goal_error = a.goal_error,
                       .tilt_max = a.tilt,
                       .slip_max = a.slip,
                       .energy = a.energy,
                       .charge = a.charge,
                       .parked = a.parked,
                       .parked_from = a.parked_from,
                       .parked_to = a.parked_to});
  }
  return reports;
}

std::vector<std::string> mission_warnings(const World& world, const State& state) {
  std::vector<std::string> warnings;
  constexpr double kLong = 60;  // such a stand should have been parked [s]
  for (const ActivityReport& report : mission_report(world, state)) {
    if (report.verdict == Verdict::aborted) {
      warnings.push_back(fmt::format("mission: '{}' was {}", report.name, verdict_text(report)));
    }
    const bool waits = stands(report.kind) && report.ended - report.began > kLong;
    if (waits && report.parked == 0 && may_park(world)) {
      warnings.push_back(fmt::format(
          "mission: '{}' was never parked: some body or joint stays faster than {:g} m/s or rad/s",
          report.name, world.mission.rest_speed));
    }
  }
  if (!world.mission.activities.empty() && !may_park(world)) {
    warnings.emplace_back(
        "mission: the rover is never parked, since the scene commands something over time or is "
        "stepped by a multistep method");
  }
  const PowerState power = power_state(world, state);
  if (power.unserved > 0) {
    warnings.push_back(fmt::format("power: {:.4g} J were asked for that the battery could not give",
                                   power.unserved));
  }
  return warnings;
}

}  // namespace grouser::internal
