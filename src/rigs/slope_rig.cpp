#include "rigs/slope_rig.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "math/angle.h"
#include "rigs/rig_check.h"
#include "rigs/rig_rover.h"
#include "rigs/rig_steadiness.h"
#include "rigs/rig_sweep.h"

namespace grouser::internal {
namespace {

constexpr DriveTimes kTimes{.settle = 1.5, .ramp = 0.5};

/// What a rover does on a slope; of the wheels, means.
struct SlopeSample {
  double time = 0;     // [s]
  double x = 0;        // of the chassis [m]
  double slip = 0;     // of a stretch: from the sample before [-]
  double sinkage = 0;  // [m]
  double torque = 0;   // [N m]
};

/// The second half of the drive.
class SlopeGauges : public Observer {
 public:
  SlopeGauges(const Rover& rover, double rim_speed, double from)
      : chassis_(static_cast<std::size_t>(rover.chassis)), rim_speed_(rim_speed), from_(from) {}

  void on_sample(const Sample& sample) override {
    if (sample.time < from_) return;
    SlopeSample now{.time = sample.time, .x = sample.X_WB[chassis_].p.x()};
    if (!trace.empty() && now.time > trace.back().time) {
      now.slip = 1 - (now.x - trace.back().x) / (now.time - trace.back().time) / rim_speed_;
    }
    const double share = 1 / static_cast<double>(sample.wheels.size());
    for (const WheelSample& wheel : sample.wheels) {
      now.sinkage += share * wheel.sinkage;
      now.torque += share * wheel.torque;
    }
    trace.push_back(now);
    if (trace.size() == 2) trace.front().slip = now.slip;  // none before it
  }

  double speed() const {
    return (trace.back().x - trace.front().x) / (trace.back().time - trace.front().time);
  }
  double mean(double SlopeSample::*value) const {
    double sum = 0;
    for (const SlopeSample& sample : trace) sum += sample.*value;
    return sum / static_cast<double>(trace.size());
  }

  std::vector<SlopeSample> trace;

 private:
  std::size_t chassis_;
  double rim_speed_, from_;
};

/// Sinkage counts in parts of itself or of 5 % of the radius, torque of itself or of 2 % of load times radius.
template <class Trace>
Steadiness steadiness_on_slope(const Trace& trace, double radius, double load, double from,
                               double end) {
  Steadiness steadiness(from, end);
  steadiness.compare_slip(trace, [](const auto& s) { return s.slip; });
  steadiness.compare("sinkage", trace, 0.05 * radius, [](const auto& s) { return s.sinkage; });
  steadiness.compare("torque", trace, 0.02 * load * radius, [](const auto& s) { return s.torque; });
  return steadiness;
}

std::vector<std::string> with_warnings(std::vector<std::string> warnings,
                                       const Steadiness& steadiness) {
  std::ranges::copy(steadiness.warnings(), std::back_inserter(warnings));
  return warnings;
}

SlopeRun run_rover(const SlopeSpec& spec, double slope_deg) {
  const World world = slope_world(spec, slope_deg);
  const double begin = kTimes.settle + kTimes.ramp, end = world.settings.duration;
  const Rover& rover = world.rovers.front();
  SlopeGauges gauges(rover, spec.rim_speed, (begin + end) / 2);
  const RunReport report = simulate(world, initial_state(world), {.end_time = end}, gauges);
  const double load =
      world.model.total_mass() * spec.gravity / static_cast<double>(rover.wheels.size());
  const Steadiness steadiness =
      steadiness_on_slope(gauges.trace, rover.wheels.front().radius, load, (begin + end) / 2, end);
  return {.slope_deg = slope_deg,
          .slip = 1 - gauges.speed() / spec.rim_speed,
          .sinkage = gauges.mean(&SlopeSample::sinkage),
          .torque = gauges.mean(&SlopeSample::torque),
          .steady = steadiness.is_steady(),
          .warnings = with_warnings(report.warnings, steadiness)};
}

WheelPass wheel_at(const SlopeSpec& spec, double slope_deg, double slip) {
  WheelRigSpec rig;
  static_cast<RigResolution&>(rig) = spec;
  rig.soil = spec.soil;
  rig.model = spec.model;
  rig.wheel = spec.wheel;
  rig.wheel.grousers = spec.grousers;
  rig.load = spec.mass * spec.gravity * std::cos(slope_deg * kDegree);
  rig.gravity = spec.gravity;
  rig.slope_deg = slope_deg;
  rig.speed = spec.rim_speed * (slip < 0 ? 1 : 1 - slip);
  rig.distance = spec.distance * (slip < 0 ? 1 : 1 - slip);
  return run_wheel(rig, {.slip = slip}).front();
}

/// The slip at which the pull is the weight along the slope.
SlopeRun run_single_wheel(const SlopeSpec& spec, double slope_deg) {
  constexpr int kHalvings = 10;
  const double needed = spec.mass * spec.gravity * std::sin(slope_deg * kDegree);
  double low = -0.5, high = kMostSlip;
  WheelPass best = wheel_at(spec, slope_deg, high);
  const bool climbs = best.pull.mean >= needed;
  for (int k = 0; climbs && k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    WheelPass there = wheel_at(spec, slope_deg, middle);
    if (there.pull.mean < needed) {
      low = middle;
    } else {
      high = middle;
      best = std::move(there);
    }
  }
  const double begin = kSettleTime + kRampTime, end = best.trace.back().time;
  const double load = spec.mass * spec.gravity * std::cos(slope_deg * kDegree);
  const Steadiness steadiness =
      steadiness_on_slope(best.trace, spec.wheel.radius, load, (begin + end) / 2, end);
  return {.slope_deg = slope_deg,
          .slip = high,
          .sinkage = best.sinkage.mean,
          .torque = best.torque.mean,
          .climbs = climbs,
          .steady = steadiness.is_steady(),
          .warnings = with_warnings(best.warnings, steadiness)};
}

}  // namespace

void validate(const SlopeSpec& spec) {
  IssueList issues;
  if (!spec.rover.empty()) check_rover(issues, spec.rover);
  check_range(issues, "mass", spec.mass, spec.rover.empty() ? 1e-3 : 0, 1e5, "kg");
  check_range(issues, "rim_speed", spec.rim_speed, 1e-4, 10, "m/s");
  check_range(issues, "distance", spec.distance, 0.05, 1000, "m");
  check_range(issues, "gravity", spec.gravity, 1e-4, 1000, "m/s²");
  check(spec, issues);
  issues.throw_if_any();
}

World slope_world(const SlopeSpec& spec, double slope_deg) {
  World world = load_rig_rover(spec.rover);
  const Rover rover = world.rovers.front();
  ModelSpec model = spec_of(world.model);
  const double lean = slope_deg * kDegree;
  model.gravity = spec.gravity * Vec3(-std::sin(lean), 0, -std::cos(lean));
  prescribe_drives(rover, model);
  if (spec.mass > 0) add_ballast(spec.mass, rover, model);
  const double height = spec.grousers.count > 0 ? spec.grousers.height : 0;
  set_down(rover, height, world);
  world.model = Model(std::move(model));
  add_soil(spec.soil, spec.spacing, spec.distance, rover, world);
  if (spec.model) {
    add_wheel_models(*spec.model, height, rover, world);
  } else {
    add_scm(spec.grousers, spec.scm, rover, world);
  }
  drive_wheels(spec.rim_speed, kTimes, rover, world);
  world.settings.duration = kTimes.settle + kTimes.ramp + spec.distance / spec.rim_speed;
  world.settings.integrator = {.method = IntegrationMethod::semi_implicit, .step = spec.step};
  world.settings.record_rate_hz = 50;
  return world;
}

SlopeRun run_slope(const SlopeSpec& spec, double slope_deg) {
  validate(spec);
  IssueList issues;
  check_range(issues, "slope", slope_deg, -60, 60, "deg");
  issues.throw_if_any();
  return spec.rover.empty() ? run_single_wheel(spec, slope_deg) : run_rover(spec, slope_deg);
}

std::vector<SlopeRun> run_slope_sweep(const SlopeSpec& spec, const std::vector<double>& slopes_deg,
                                      const SweepProgress& progress) {
  validate(spec);
  return sweep<SlopeRun>(slopes_deg, progress,
                         [&](double slope) { return run_slope(spec, slope); });
}

}  // namespace grouser::internal
