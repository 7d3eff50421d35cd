#include "record/summary.h"

#include <cmath>
#include <string>

#include "core/disk.h"
#include "core/hash.h"
#include "math/angle.h"
#include "record/run_directory.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json wheel_json(const WheelStatistics& wheel) {
  return {{"name", wheel.name},
          {"slip_mean", wheel.has_slip() ? finite(wheel.slip_mean) : Json(nullptr)},
          {"sinkage_max_m", finite(wheel.sinkage_max)},
          {"torque_rms_Nm", finite(wheel.torque_rms)},
          {"normal_mean_N", finite(wheel.normal_mean)},
          {"pull_mean_N", finite(wheel.pull_mean)},
          {"lateral_mean_N", finite(wheel.lateral_mean)},
          {"power_mean_W", finite(wheel.power_mean)}};
}

Json wheels_json(const RunReport& report) {
  Json wheels = Json::array();
  for (const WheelStatistics& wheel : report.wheels) wheels.push_back(wheel_json(wheel));
  return wheels;
}

Json actuators_json(const RunReport& report) {
  Json list = Json::array();
  for (const ActuatorStatistics& actuator : report.actuators) {
    list.push_back({{"name", actuator.name},
                    {"energy_J", finite(actuator.energy)},
                    {"power_mean_W", finite(actuator.power_mean)}});
  }
  return list;
}

Json paths_json(const RunReport& report) {
  Json list = Json::array();
  for (const PathStatistics& path : report.paths) {
    list.push_back({{"rover", path.rover},
                    {"deviation_rms_m", finite(path.deviation_rms)},
                    {"deviation_max_m", finite(path.deviation_max)}});
  }
  return list;
}

Json events_json(const World& world, const RunReport& report) {
  Json events = Json::array();
  for (const EventRecord& event : report.events) {
    events.push_back({{"name", world.events.at(static_cast<std::size_t>(event.event)).name},
                      {"time_s", finite(event.time)}});
  }
  return events;
}

Json alarms_json(const RunReport& report) {
  Json alarms = Json::array();
  for (const Alarm& alarm : report.alarms) {
    alarms.push_back({{"kind", to_string(alarm.kind)},
                      {"body", alarm.body},
                      {"time_s", finite(alarm.time)},
                      {"message", alarm.message},
                      {"last_time_s", finite(alarm.last_time)},
                      {"duration_s", finite(alarm.duration)}});
  }
  return alarms;
}

Json soil_json(const RunReport& report) {
  if (!report.contacts.soil) return nullptr;
  return {{"displaced_m3", finite(report.contacts.soil->displaced)},
          {"volume_error_m3", finite(report.contacts.soil->volume_error)}};
}

Json meshes_json(const RunReport& report) {
  Json list = Json::array();
  for (const PairReport& pair : report.contacts.pairs) {
    list.push_back({{"base", pair.base},
                    {"target", pair.target},
                    {"reason", pair.reason},
                    {"greatest_depth_m", finite(pair.greatest_depth)},
                    {"max_penetration_m", finite(pair.max_penetration)}});
  }
  return list;
}

Json activity_json(const ActivityReport& activity) {
  Json json = {{"name", activity.name},
               {"do", to_string(activity.kind)},
               {"verdict", verdict_text(activity)}};
  if (activity.verdict == Verdict::not_started) return json;
  json.update({{"began_s", finite(activity.began)},
               {"ended_s", finite(activity.ended)},
               {"energy_J", finite(activity.energy)},
               {"tilt_max_deg", finite(activity.tilt_max / kDegree)}});
  if (activity.kind == ActivityKind::drive) {
    json.update({{"planned_m", finite(activity.planned)},
                 {"driven_m", finite(activity.driven)},
                 {"deviation_max_m", finite(activity.deviation_max)},
                 {"goal_error_m", finite(activity.goal_error)},
                 {"slip_max", finite(activity.slip_max)},
                 {"energy_per_m_J", finite(activity.energy / activity.driven)}});
  }
  if (activity.parked > 0) {
    json.update({{"parked_s", finite(activity.parked)},
                 {"parked_from_s", finite(activity.parked_from)},
                 {"parked_to_s", finite(activity.parked_to)}});
  }
  return json;
}

Json mission_json(const RunReport& report) {
  Json list = Json::array();
  for (const ActivityReport& activity : report.mission) {
    list.push_back(activity_json(activity));
    const bool has_charge = report.power && activity.verdict != Verdict::not_started;
    if (has_charge) list.back()["charge_end"] = finite(activity.charge);
  }
  return list;
}

/// Sums since time 0 that balance: what came in, and where it went.
Json power_json(const World& world, const PowerState& power) {
  const double capacity = world.power->spec.battery.capacity;
  return {{"charge", finite(power.stored / capacity)},
          {"charge_min", finite(power.stored_min / capacity)},
          {"solar_J", finite(power.solar)},
          {"solar_unused_J", finite(power.unused)},
          {"battery_J", finite(power.stored_at_start - power.stored)},
          {"unserved_J", finite(power.unserved)},
          {"mechanical_J", finite(power.mechanical)},
          {"motor_losses_J", finite(power.copper + power.gear + power.braked)},
          {"heaters_J", finite(power.heaters)},
          {"loads_J", finite(power.loads)},
          {"payload_J", finite(power.payload)},
          {"battery_losses_J", finite(power.internal + power.charging)},
          {"balance_error", finite(power.balance_error())}};
}

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json summary_json(const World& world, const RunReport& report,
                  const std::filesystem::path& output) {
  const double simulated = report.state.time - report.start_time;
  Json json = {{"scene", world.name},
               {"outcome", to_string(report.outcome)},
               {"sim_time_s", finite(simulated)},
               {"wall_time_s", finite(report.wall_time)},
               {"real_time_factor", finite(simulated / report.wall_time)},
               {"steps", report.steps},
               {"evaluations", report.evaluations},
               {"state_hash", hash_text(hash(report.state))},
               {"warnings", report.warnings},
               {"alarms", alarms_json(report)},
               {"output", output.string()},
               {"wheels", wheels_json(report)},
               {"actuators", actuators_json(report)},
               {"paths", paths_json(report)},
               {"soil", soil_json(report)},
               {"mesh_contacts", meshes_json(report)},
               {"distance_m", finite(report.distance)},
               {"energy_J", finite(report.energy)},
               {"loop_residual_max", finite(report.loop_residual_max)},
               {"start_time_s", finite(report.start_time)},
               {"events", events_json(world, report)}};
  if (!report.mission.empty()) json["mission"] = mission_json(report);
  if (report.power) json["power"] = power_json(world, *report.power);
  return json;
}

std::string to_line(const Json& summary) { return dumped(summary, -1); }

void write_summary(const std::filesystem::path& folder, const Json& summary) {
  AtomicFile file(folder / kSummaryFile);
  file.write(dumped(summary, 2) + "\n");
  file.commit();
}

}  // namespace grouser::internal
