#include "rigs/drawbar_rig.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/index.h"
#include "multibody/kinematics.h"
#include "rigs/rig_check.h"
#include "rigs/rig_rover.h"
#include "rigs/rig_steadiness.h"
#include "rigs/rig_sweep.h"

namespace grouser::internal {
namespace {

constexpr double kRope = 5;             // length [m]: the rope stays level while the rover sinks
constexpr double kRopeStiffness = 2e4;  // [N/m]
constexpr double kRopeDamping = 2e3;    // [N s/m]

/// A rope from far behind to the chassis, at the wheels' rear end.
Tether rope_of(const DrawbarSpec& spec, const World& world, const Rover& rover) {
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics);
  double rear = std::numeric_limits<double>::infinity();
  for (const Wheel& wheel : rover.wheels) {
    rear = std::min(rear, kinematics.X_WB[at(wheel.body)].p.x());
  }
  const Vec3 hitch(rear, 0, spec.hitch_height);
  const Pose X_CW = kinematics.X_WB[at(rover.chassis)].inverse();
  return {.name = "rope",
          .a = {.body = kWorld, .p_B = hitch - Vec3(kRope, 0, 0)},
          .b = {.body = rover.chassis, .p_B = X_CW * hitch},
          .stiffness = kRopeStiffness,
          .damping = kRopeDamping,
          .length = kRope,
          .rate = spec.speed,
          .rate_start = kDrawbarSettleTime};
}

class DrawbarGauges : public Observer {
 public:
  explicit DrawbarGauges(int chassis) : chassis_(chassis) {}

  void on_sample(const Sample& sample) override {
    const double x = sample.X_WB[at(chassis_)].p.x();
    if (trace.empty()) start_ = x;
    DrawbarSample now{.time = sample.time,
                      .travel = x - start_,
                      .tension = sample.tether_tension[sample.tether_tension.size() - 1]};
    const double share = 1 / static_cast<double>(sample.wheels.size());
    for (const WheelSample& wheel : sample.wheels) {
      now.slip += share * wheel.slip;
      now.torque += share * wheel.torque;
      now.sinkage += share * wheel.sinkage;
      now.load += wheel.normal;
    }
    trace.push_back(now);
  }

  std::vector<DrawbarSample> trace;

 private:
  int chassis_;
  double start_ = 0;
};

/// The rope's tension counts in parts of itself, or of a tenth of the load.
Steadiness steadiness_of(const World& world, const std::vector<DrawbarSample>& trace, double from,
                         double end) {
  const Wheel& wheel = world.rovers.front().wheels.front();
  const double load = world.model.total_mass() * world.model.gravity().norm();
  const double wheels = static_cast<double>(world.rovers.front().wheels.size());
  Steadiness steadiness(from, end);
  steadiness.compare_slip(trace, [](const DrawbarSample& s) { return s.slip; });
  steadiness.compare("tension", trace, 0.1 * load,
                     [](const DrawbarSample& s) { return s.tension; });
  steadiness.compare("torque", trace, 0.02 * load / wheels * wheel.radius,
                     [](const DrawbarSample& s) { return s.torque; });
  steadiness.compare("sinkage", trace, 0.05 * wheel.radius,
                     [](const DrawbarSample& s) { return s.sinkage; });
  return steadiness;
}

}  // namespace

void validate(const DrawbarSpec& spec) {
  IssueList issues;
  check_rover(issues, spec.rover);
  check_range(issues, "speed", spec.speed, 1e-4, 10, "m/s");
  check_range(issues, "distance", spec.distance, 0.01, 100, "m");
  check_range(issues, "mass", spec.mass, 0, 1e5, "kg");
  check_range(issues, "gravity", spec.gravity, 1e-4, 1000, "m/s²");
  check_range(issues, "hitch_height", spec.hitch_height, 0, 5, "m");
  check_range(issues, "wheel_width", spec.wheel_width, 0, 2, "m");
  check(spec, issues);
  check_range(issues, "trace_rate_hz", spec.trace_rate_hz, 0.1, 1e6, "Hz");
  issues.throw_if_any();
}

World drawbar_world(const DrawbarSpec& spec, double slip) {
  validate(spec);
  IssueList issues;
  check_range(issues, "slip", slip, 0, 0.99, "");
  issues.throw_if_any();
  World world = load_rig_rover(spec.rover);
  if (spec.wheel_width > 0) {
    for (Wheel& wheel : world.rovers.front().wheels) wheel.width = spec.wheel_width;
  }
  const Rover rover = world.rovers.front();
  ModelSpec model = spec_of(world.model);
  model.gravity = Vec3(0, 0, -spec.gravity);
  prescribe_drives(rover, model);
  if (spec.mass > 0) add_ballast(spec.mass, rover, model);
  set_down(rover, spec.grousers.count > 0 ? spec.grousers.height : 0, world);
  model.tethers.push_back(rope_of(spec, world, rover));
  world.model = Model(std::move(model));
  add_soil(spec.soil, spec.spacing, spec.distance, rover, world);
  add_scm(spec.grousers, spec.scm, rover, world);
  drive_wheels(spec.speed / (1 - slip), {kDrawbarSettleTime, kDrawbarRampTime}, rover, world);
  world.settings.duration = kDrawbarSettleTime + kDrawbarRampTime + spec.distance / spec.speed;
  world.settings.integrator = {.method = IntegrationMethod::semi_implicit, .step = spec.step};
  world.settings.record_rate_hz = 1 / spec.step;
  return world;
}

DrawbarRun run_drawbar(const DrawbarSpec& spec, double slip) {
  const World world = drawbar_world(spec, slip);
  const double end = world.settings.duration;
  DrawbarGauges gauges(world.rovers.front().chassis);
  const RunReport report = simulate(world, initial_state(world), {.end_time = end}, gauges);
  const double from = (kDrawbarSettleTime + kDrawbarRampTime + end) / 2;
  const Steadiness steadiness = steadiness_of(world, gauges.trace, from, end);
  std::vector<std::string> warnings = report.warnings;
  std::ranges::copy(steadiness.warnings(), std::back_inserter(warnings));
  const auto spread = [&](double DrawbarSample::*value) {
    return spread_of(gauges.trace, from, end, [value](const DrawbarSample& s) { return s.*value; });
  };
  return {.asked_slip = slip,
          .tension = spread(&DrawbarSample::tension),
          .slip = spread(&DrawbarSample::slip),
          .torque = spread(&DrawbarSample::torque),
          .sinkage = spread(&DrawbarSample::sinkage),
          .load = spread(&DrawbarSample::load),
          .steady = steadiness.is_steady(),
          .trace = thinned(gauges.trace, spec.step, spec.trace_rate_hz,
                           {&DrawbarSample::time, &DrawbarSample::travel, &DrawbarSample::tension,
                            &DrawbarSample::slip, &DrawbarSample::torque, &DrawbarSample::sinkage,
                            &DrawbarSample::load}),
          .warnings = std::move(warnings)};
}

std::vector<DrawbarRun> run_drawbar_sweep(const DrawbarSpec& spec, const std::vector<double>& slips,
                                          const SweepProgress& progress) {
  validate(spec);
  return sweep<DrawbarRun>(slips, progress, [&](double slip) { return run_drawbar(spec, slip); });
}

}  // namespace grouser::internal
