#include "run_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/hash.h"

namespace grouser::internal {
namespace {

/// Means are over the whole time of the run, slip over the way that was rolled or slid.
void print_wheels(const RunReport& report) {
  if (report.wheels.empty()) return;
  std::size_t width = 24;
  for (const WheelStatistics& wheel : report.wheels) width = std::max(width, wheel.name.size());
  fmt::print("\n  {:<{}}{:>10}{:>13}{:>11}{:>12}{:>10}{:>10}{:>10}\n", "", width, "slip", "sinkage",
             "torque", "normal", "pull", "lateral", "power");
  fmt::print("  {:<{}}{:>10}{:>13}{:>11}{:>12}{:>10}{:>10}{:>10}\n", "wheel", width, "mean [-]",
             "max [mm]", "rms [Nm]", "mean [N]", "mean [N]", "mean [N]", "mean [W]");
  for (const WheelStatistics& wheel : report.wheels) {
    const std::string slip = wheel.has_slip()         ? fmt::format("{:.3f}", wheel.slip_mean)
                             : wheel.contact_time > 0 ? "stands"
                                                      : "no contact";
    fmt::print("  {:<{}}{:>10}{:>13.1f}{:>11.4g}{:>12.4g}{:>10.3g}{:>10.3g}{:>10.3g}\n", wheel.name,
               width, slip, 1e3 * wheel.sinkage_max, wheel.torque_rms, wheel.normal_mean,
               wheel.pull_mean, wheel.lateral_mean, wheel.power_mean);
  }
}

/// How much of the penetration lines was used, where it was most.
void print_pairs(const RunReport& report) {
  const auto used = [](const PairReport& pair) {
    return pair.greatest_depth / pair.max_penetration;
  };
  const auto worst = std::ranges::max_element(report.contacts.pairs, {}, used);
  if (worst == report.contacts.pairs.end()) return;
  fmt::print("  deepest contact of meshes {:.3g} of {:.3g} m, '{}' and '{}'\n",
             worst->greatest_depth, worst->max_penetration, worst->base, worst->target);
}

void print_alarms(const RunReport& report) {
  for (const Alarm& alarm : report.alarms) {
    fmt::print("  ALARM {} at {:g} s: {}", to_string(alarm.kind), alarm.time, alarm.message);
    if (alarm.last_time > alarm.time) {
      fmt::print(" (for {:.3g} s, last at {:g} s)", alarm.duration, alarm.last_time);
    }
    fmt::print("\n");
  }
}

/// The timeline of a mission.
void print_mission(const RunReport& report) {
  if (report.mission.empty()) return;
  fmt::print("\n  {:<24}{:>10}{:>10}{:>11}{:>11}{:>9}  {}\n", "activity", "from [s]", "to [s]",
             "driven [m]", "used [Wh]", "charge", "");
  for (const ActivityReport& activity : report.mission) {
    if (activity.verdict == Verdict::not_started) {
      fmt::print("  {:<24}{:>51}  not started\n", activity.name, "");
      continue;
    }
    const std::string charge =
        report.power ? fmt::format("{:.1f} %", 100 * activity.charge) : std::string("-");
    const std::string driven = activity.kind == ActivityKind::drive
                                   ? fmt::format("{:.2f}", activity.driven)
                                   : std::string("-");
    fmt::print("  {:<24}{:>10.1f}{:>10.1f}{:>11}{:>11.4g}{:>9}  {}", activity.name, activity.began,
               activity.ended, driven, activity.energy / 3600, charge, verdict_text(activity));
    if (activity.parked > 0) {
      fmt::print(", parked from {:.1f} to {:.1f} s", activity.parked_from, activity.parked_to);
    }
    fmt::print("\n");
  }
}

void print_power(const World& world, const RunReport& report) {
  if (!report.power) return;
  const PowerState& power = *report.power;
  const double capacity = world.power->spec.battery.capacity;
  fmt::print(
      "\n  since time 0 [Wh]: solar {:.4g} ({:.4g} unused), motors {:.4g}, heaters {:.4g}, "
      "loads {:.4g}, payload {:.4g}, battery losses {:.4g}\n",
      power.solar / 3600, power.unused / 3600,
      (power.mechanical + power.copper + power.gear + power.braked) / 3600, power.heaters / 3600,
      power.loads / 3600, power.payload / 3600, (power.internal + power.charging) / 3600);
  fmt::print("  battery {:.1f} %, lowest {:.1f} %; energy balance closed to {:.1e}\n",
             100 * power.stored / capacity, 100 * power.stored_min / capacity,
             power.balance_error());
}

}  // namespace

void print_summary(const World& world, const RunReport& report,
                   const std::filesystem::path& folder) {
  const double simulated = report.state.time - report.start_time;
  fmt::print("{}: {:g} s simulated in {:.3g} s, {:.3g}× real time ({} steps, {})\n", world.name,
             simulated, report.wall_time, simulated / report.wall_time, report.steps,
             to_string(report.outcome));
  print_wheels(report);
  print_mission(report);
  print_power(world, report);
  fmt::print("\n  distance {:.3f} m, motor energy {:.4g} J", report.distance, report.energy);
  if (!world.model.loops().empty())
    fmt::print(", loops closed to {:.1e}", report.loop_residual_max);
  fmt::print("\n");
  if (report.contacts.soil) {
    fmt::print("  soil displaced {:.3g} l, volume error {:.1e} l\n",
               1e3 * report.contacts.soil->displaced, 1e3 * report.contacts.soil->volume_error);
  }
  print_pairs(report);
  for (const EventRecord& event : report.events) {
    fmt::print("  event '{}' at {:.9g} s\n",
               world.events[static_cast<std::size_t>(event.event)].name, event.time);
  }
  print_alarms(report);
  fmt::print("  state hash {}\n  written to {}\n", hash_text(hash(report.state)), folder.string());
}

}  // namespace grouser::internal
