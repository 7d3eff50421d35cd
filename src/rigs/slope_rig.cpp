#include "rigs/slope_rig.h"

#include <cmath>

#include "math/angle.h"
#include "rigs/rig_check.h"
#include "rigs/rig_rover.h"
#include "rigs/rig_sweep.h"

namespace grouser::internal {
namespace {

constexpr DriveTimes kTimes{.settle = 1.5, .ramp = 0.5};

/// Means over the second half of the drive.
class SlopeGauges : public Observer {
 public:
  SlopeGauges(const Rover& rover, double from)
      : chassis_(static_cast<std::size_t>(rover.chassis)), from_(from) {}

  void on_sample(const Sample& sample) override {
    const double x = sample.X_WB[chassis_].p.x();
    if (sample.time < from_) return;
    if (count_ == 0) {
      begin_ = sample.time;
      start_ = x;
    }
    end_ = sample.time;
    stop_ = x;
    count_ += 1;
    const double share = 1 / static_cast<double>(sample.wheels.size());
    for (const WheelSample& wheel : sample.wheels) {
      sinkage_ += share * wheel.sinkage;
      torque_ += share * wheel.torque;
    }
  }

  double speed() const { return (stop_ - start_) / (end_ - begin_); }
  double sinkage() const { return sinkage_ / count_; }
  double torque() const { return torque_ / count_; }

 private:
  std::size_t chassis_;
  double from_, begin_ = 0, end_ = 0, start_ = 0, stop_ = 0, count_ = 0, sinkage_ = 0, torque_ = 0;
};

SlopeRun run_rover(const SlopeSpec& spec, double slope_deg) {
  const World world = slope_world(spec, slope_deg);
  const double begin = kTimes.settle + kTimes.ramp, end = world.settings.duration;
  SlopeGauges gauges(world.rovers.front(), (begin + end) / 2);
  const RunReport report = simulate(world, initial_state(world), {.end_time = end}, gauges);
  return {.slope_deg = slope_deg,
          .slip = 1 - gauges.speed() / spec.rim_speed,
          .sinkage = gauges.sinkage(),
          .torque = gauges.torque(),
          .warnings = report.warnings};
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
  return {.slope_deg = slope_deg,
          .slip = high,
          .sinkage = best.sinkage.mean,
          .torque = best.torque.mean,
          .climbs = climbs,
          .warnings = best.warnings};
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
