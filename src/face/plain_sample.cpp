#include "face/plain_sample.h"

#include "core/index.h"
#include "face/face.h"

namespace grouser::internal {
namespace {

void copy(const VecX& from, std::vector<double>& to) {
  to.assign(from.data(), from.data() + from.size());
}

grouser::WheelSample plain(const WheelSample& wheel) {
  return {.rate = wheel.rate,
          .steer = wheel.steer,
          .torque = wheel.torque,
          .slip = wheel.slip,
          .slip_angle = wheel.slip_angle,
          .sinkage = wheel.sinkage,
          .normal = wheel.normal,
          .pull = wheel.pull,
          .lateral = wheel.lateral,
          .power = wheel.power};
}

grouser::WheelReport plain(const WheelStatistics& wheel) {
  return {.name = wheel.name,
          .slip_mean = wheel.has_slip() ? std::optional(wheel.slip_mean) : std::nullopt,
          .sinkage_max = wheel.sinkage_max,
          .torque_rms = wheel.torque_rms,
          .normal_mean = wheel.normal_mean,
          .pull_mean = wheel.pull_mean,
          .lateral_mean = wheel.lateral_mean,
          .power_mean = wheel.power_mean};
}

}  // namespace

void fill(const Sample& sample, grouser::Sample& out) {
  out.time = sample.time;
  copy(sample.q, out.q);
  copy(sample.v, out.v);
  out.bodies.clear();
  for (std::size_t b = 0; b < sample.X_WB.size(); ++b) {
    out.bodies.push_back({plain(sample.X_WB[b]), plain(sample.V_WB[b])});
  }
  out.actuators.clear();
  for (Eigen::Index a = 0; a < sample.actuator_effort.size(); ++a) {
    out.actuators.push_back({sample.actuator_effort[a], sample.actuator_power[a]});
  }
  out.rovers.clear();
  for (const RoverSample& rover : sample.rovers) {
    const Vec3& rpy = rover.attitude;
    out.rovers.push_back({rpy.x(), rpy.y(), rpy.z(), rover.path_deviation});
  }
  out.wheels.clear();
  for (const WheelSample& wheel : sample.wheels) out.wheels.push_back(plain(wheel));
  out.contacts.clear();
  for (const ContactReading& contact : sample.contacts) out.contacts.push_back(plain(contact));
  copy(sample.spring_force, out.spring_forces);
  copy(sample.tether_tension, out.tether_tensions);
  out.kinetic_energy = sample.kinetic_energy;
  out.potential_energy = sample.potential_energy;
  out.loop_residual = sample.loop_residual;
}

grouser::Outcome plain(Outcome outcome) {
  switch (outcome) {
    case Outcome::completed:
      return grouser::Outcome::completed;
    case Outcome::completed_with_alarms:
      return grouser::Outcome::completed_with_alarms;
    case Outcome::stopped_by_event:
      return grouser::Outcome::stopped_by_event;
    case Outcome::stopped_by_alarm:
      return grouser::Outcome::stopped_by_alarm;
    case Outcome::interrupted:
      break;
  }
  return grouser::Outcome::interrupted;
}

grouser::Report plain(const World& world, const RunReport& report) {
  grouser::Report out{.outcome = plain(report.outcome),
                      .start_time = report.start_time,
                      .time = report.state.time,
                      .wall_time = report.wall_time,
                      .steps = report.steps,
                      .distance = report.distance,
                      .energy = report.energy,
                      .loop_residual = report.loop_residual_max,
                      .warnings = report.warnings};
  for (const WheelStatistics& wheel : report.wheels) out.wheels.push_back(plain(wheel));
  for (const EventRecord& event : report.events) {
    out.events.push_back({world.events[at(event.event)].name, event.time});
  }
  for (const Alarm& alarm : report.alarms) {
    out.alarms.push_back({to_string(alarm.kind), alarm.body, alarm.time, alarm.last_time,
                          alarm.duration, alarm.message});
  }
  return out;
}

}  // namespace grouser::internal
