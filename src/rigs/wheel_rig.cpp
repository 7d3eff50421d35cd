#include "rigs/wheel_rig.h"

#include <algorithm>
#include <cmath>

#include "contact/scm/scm_system.h"
#include "contact/scm/trapped_soil.h"
#include "contact/wheel/wheel_system.h"
#include "geometry/mesh_file.h"
#include "math/angle.h"
#include "rigs/rig_check.h"
#include "rigs/rig_ground.h"
#include "rigs/rig_sweep.h"

namespace grouser::internal {
namespace {

constexpr double kStageMass =
    1;  // of the carriage and its side gauge; carried by their guides [kg]
constexpr double kWheelPart = 0.3;         // of the mass on the slide
constexpr double kSoilBesideWheel = 0.25;  // soil beyond the wheel [m]

// Bodies, and the velocity index of the joint that carries each.
constexpr int kCarriage = 0, kSideGauge = 1, kSlide = 2, kWheel = 3;

double slide_mass(const WheelRigSpec& spec) {
  return spec.load / (spec.gravity * std::cos(spec.slope_deg * kDegree));
}

RigidInertia ball(double mass, double radius) {
  return {.mass = mass, .about_com = 0.4 * mass * radius * radius * Mat3::Identity()};
}

RigidInertia disc(double mass, double radius, double width) {
  const double across = mass * (3 * radius * radius + width * width) / 12;
  return {.mass = mass, .about_com = Vec3(across, mass * radius * radius / 2, across).asDiagonal()};
}

TriMesh wheel_mesh(const WheelRigSpec& spec) {
  return spec.mesh.empty() ? make_wheel(spec.wheel) : read_mesh(spec.mesh).mesh;
}

/// How far a mesh reaches from the axle y [m].
double reach_of(const TriMesh& mesh) {
  double reach = 0;
  for (const Vec3& p : mesh.vertices) reach = std::max(reach, std::hypot(p.x(), p.z()));
  return reach;
}

/// Speeds of the carriage and of the wheel's rim.
struct Speeds {
  double travel = 0, rim = 0;  ///< [m/s]
};

Speeds speeds_of(const WheelRigSpec& spec, const WheelCase& asked) {
  if (!asked.slip) return {.travel = spec.speed, .rim = spec.speed * std::cos(asked.slip_angle)};
  const double s = *asked.slip;
  if (s >= 1) return {.travel = 0, .rim = spec.rim_speed};
  const double along = spec.speed * std::cos(asked.slip_angle);
  return {.travel = spec.speed, .rim = s >= 0 ? along / (1 - s) : along * (1 + s)};
}

Signal ramp_to(double value) {
  Signal signal = TableSignal{.time = {0, kSettleTime, kSettleTime + kRampTime},
                              .value = {0, 0, value},
                              .curve = TableCurve::linear};
  prepare(signal);
  return signal;
}

ModelSpec rig_model(const WheelRigSpec& spec, const WheelCase& asked, double reach) {
  const double mass = slide_mass(spec), r = spec.wheel.radius;
  const double damping = spec.slide_damping > 0 ? spec.slide_damping : spec.load / 0.2;
  const auto guide = [](const char* name, const Vec3& axis) {
    return JointSpec{.name = name, .type = JointType::prismatic, .axis = axis};
  };
  ModelSpec model;
  model.bodies = {
      {"carriage", ball(kStageMass, 0.1), kWorld, guide("travel", Vec3::UnitX())},
      {"side_gauge", ball(kStageMass, 0.1), kCarriage, guide("side", Vec3::UnitY())},
      {"slide", ball((1 - kWheelPart) * mass, r), kSideGauge, guide("slide", Vec3::UnitZ())},
      {"wheel",
       disc(kWheelPart * mass, r, spec.wheel.width),
       kSlide,
       {.name = "axle", .type = JointType::revolute, .axis = Vec3::UnitY()}}};
  model.bodies[kSlide].joint.X_PF.p.z() = reach;
  model.bodies[kSlide].joint.laws = {{.damping = damping}};
  model.bodies[kWheel].joint.X_PF.R =
      Eigen::AngleAxisd(asked.slip_angle, Vec3::UnitZ()).toRotationMatrix();
  model.actuators = {{.name = "travel", .type = ActuatorType::prescribed, .dof = kCarriage},
                     {.name = "side", .type = ActuatorType::prescribed, .dof = kSideGauge}};
  if (asked.slip) {
    model.actuators.push_back({.name = "axle", .type = ActuatorType::prescribed, .dof = kWheel});
  }
  const double lean = spec.slope_deg * kDegree;
  model.gravity = spec.gravity * Vec3(-std::sin(lean), 0, -std::cos(lean));
  return model;
}

void add_contact(const WheelRigSpec& spec, const TriMesh& mesh, World& world) {
  if (!spec.model) {
    const ScmContact contact{
        .body = kWheel, .shape = soil_body(wheel_in_soil(mesh, spec.scm), spec.scm, spec.spacing)};
    world.contacts = {std::make_shared<const ScmSystem>(
        std::vector{contact}, spec.scm, map_of(world.ground), soils_of(world.ground))};
    return;
  }
  WheelModel model = *spec.model;
  if (auto* rheological = std::get_if<RheologicalModel>(&model)) {
    if (rheological->mass == 0) rheological->mass = slide_mass(spec);
  }
  const WheelForm form{
      .radius = spec.wheel.radius,
      .width = spec.wheel.width,
      .grouser_height = spec.wheel.grousers.count > 0 ? spec.wheel.grousers.height : 0};
  const WheelContact contact =
      make_wheel_contact(kWheel, {}, form, model, world.ground->soils, Vec3(0, 0, -spec.gravity));
  world.contacts = {std::make_shared<const WheelSystem>(
      std::vector{contact}, soils_of(world.ground), world.model.gravity())};
}

/// Writes down what the gauges of the rig say. The forces along and across travel are those that the
/// guides do not give: of their effort, inertia aside, weight is the rest.
class Gauges : public Observer {
 public:
  Gauges(const World& world, double reach) : world_(world), reach_(reach) {}

  void on_sample(const Sample& sample) override {
    const Vec3 weight = world_.model.total_mass() * world_.model.gravity();
    const WheelSample& wheel = sample.wheels.front();
    trace.push_back({.time = sample.time,
                     .travel = sample.q[kCarriage],
                     .slip = wheel.slip,
                     .pull = -sample.actuator_effort[0] - weight.x(),
                     .lateral = -sample.actuator_effort[1] - weight.y(),
                     .load = wheel.normal,
                     .torque = wheel.torque,
                     .sinkage = reach_ - sample.X_WB[kWheel].p.z()});
  }

  std::vector<WheelSampleOnRig> trace;

 private:
  const World& world_;
  double reach_;
};

/// Mean depth of the rut's bottom along the middle, over the second half of the way but not under the wheel.
std::optional<double> rut_depth(const ScmSoil& soil, double travel, double reach) {
  const GridSpec& grid = soil.map.grid();
  const int j = static_cast<int>(std::lround((0 - grid.origin.y()) / grid.spacing));
  double sum = 0;
  int count = 0;
  for (int i = 0; i < grid.nx; ++i) {
    const double x = grid.node(i, j).x();
    if (x < travel / 2 || x > travel - reach) continue;
    const SoilMemory column = soil.memory.get(i, j);
    sum += column.sunk - column.deposit;
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

WheelPass summarise(const WheelRigSpec& spec, const WheelCase& asked, double end,
                    const std::vector<WheelSampleOnRig>& trace) {
  using Point = WheelSampleOnRig;
  const double begin = kSettleTime + kRampTime, from = (begin + end) / 2;
  const auto spread = [&](double Point::*value) {
    return spread_of(trace, from, end, [value](const Point& s) { return s.*value; });
  };
  WheelPass pass{.asked = asked};
  pass.slip = spread(&Point::slip);
  pass.pull = spread(&Point::pull);
  pass.lateral = spread(&Point::lateral);
  pass.load = spread(&Point::load);
  pass.torque = spread(&Point::torque);
  pass.sinkage = spread(&Point::sinkage);
  pass.trace = thinned(trace, spec.step, spec.trace_rate_hz,
                       {&Point::time, &Point::travel, &Point::slip, &Point::pull, &Point::lateral,
                        &Point::load, &Point::torque, &Point::sinkage});
  return pass;
}

}  // namespace

WheelSpec smooth_wheel(double radius, double width) {
  WheelSpec wheel;
  wheel.radius = radius;
  wheel.width = width;
  wheel.rim_thickness = 0;
  wheel.grousers.count = 0;
  return wheel;
}

void validate(const WheelRigSpec& spec) {
  IssueList issues;
  check_range(issues, "load", spec.load, 1e-3, 1e6, "N");
  check_range(issues, "speed", spec.speed, 1e-4, 10, "m/s");
  check_range(issues, "rim_speed", spec.rim_speed, 1e-4, 10, "m/s");
  check_range(issues, "distance", spec.distance, 0.01, 1000, "m");
  check_range(issues, "slope_deg", spec.slope_deg, -60, 60, "deg");
  check_range(issues, "gravity", spec.gravity, 1e-4, 1000, "m/s²");
  check_range(issues, "passes", spec.passes, 1, 1000, "");
  check_range(issues, "slide_damping", spec.slide_damping, 0, 1e9, "N s/m");
  if (spec.model && spec.passes > 1) {
    issues.add({.message = "only SCM remembers a rut",
                .field = "passes",
                .value = std::to_string(spec.passes),
                .legal = "1 with another model"});
  }
  check(spec, issues);
  check_range(issues, "trace_rate_hz", spec.trace_rate_hz, 1, 1e6, "Hz");
  issues.throw_if_any();
}

World wheel_rig_world(const WheelRigSpec& spec, const WheelCase& asked) {
  validate(spec);
  IssueList issues;
  if (asked.slip) check_range(issues, "slip", *asked.slip, -1, 1, "");
  check_range(issues, "slip_angle", asked.slip_angle / kDegree, -80, 80, "deg");
  issues.throw_if_any();

  const TriMesh mesh = wheel_mesh(spec);
  const double reach = reach_of(mesh);
  const Speeds speeds = speeds_of(spec, asked);
  const double side = reach + spec.wheel.width + kSoilBesideWheel;
  Model model(rig_model(spec, asked, reach));
  State initial;
  initial.q = model.neutral_positions();
  initial.v = VecX::Zero(model.velocity_size());
  World world{.name = "wheel_rig",
              .scene_file = "rig:wheel",
              .model = std::move(model),
              .initial = std::move(initial)};
  world.ground = make_ground({.soil = spec.soil,
                              .spacing = spec.spacing,
                              .area = {Vec2(-side, -side), Vec2(spec.distance + side, side)}});
  add_contact(spec, mesh, world);
  world.rovers = {{.name = "rig",
                   .chassis = kSlide,
                   .wheels = {{.name = "wheel",
                               .body = kWheel,
                               .drive_dof = kWheel,
                               .radius = spec.wheel.radius,
                               .width = spec.wheel.width}}}};
  world.joint_commands = {{0, TargetQuantity::velocity, ramp_to(speeds.travel)}};
  if (asked.slip) {
    world.joint_commands.push_back(
        {2, TargetQuantity::velocity, ramp_to(speeds.rim / spec.wheel.radius)});
  }
  world.settings.duration = kSettleTime + kRampTime + spec.distance / spec.speed;
  world.settings.integrator = {.method = IntegrationMethod::semi_implicit, .step = spec.step};
  // Between updates of the soil forces change in a saw-tooth: means over all steps are right, means over
  // some are not.
  world.settings.record_rate_hz = 1 / spec.step;
  return world;
}

std::vector<WheelPass> run_wheel(const WheelRigSpec& spec, const WheelCase& asked) {
  const World world = wheel_rig_world(spec, asked);
  const double reach = world.model.joints()[kSlide].X_PF.p.z();
  const State fresh = initial_state(world);
  State start = fresh;
  std::vector<WheelPass> passes;
  for (int k = 1; k <= spec.passes; ++k) {
    Gauges gauges(world, reach);
    const RunReport report = simulate(world, start, {.end_time = world.settings.duration}, gauges);
    WheelPass pass = summarise(spec, asked, world.settings.duration, gauges.trace);
    pass.pass = k;
    const ScmState* left = find_memory<ScmSystem>(world, report.state);
    if (left) pass.rut_depth = rut_depth(left->soil, gauges.trace.back().travel, reach);
    pass.warnings = report.warnings;
    passes.push_back(std::move(pass));
    if (k == spec.passes) break;
    // The wheel is lifted out and set down at the beginning; the soil stays as it is.
    start = fresh;
    if (left == nullptr) continue;
    auto* next = find_memory<ScmSystem>(world, start);
    next->soil = left->soil;
    next->bodies[0].touched = left->bodies[0].touched;
  }
  return passes;
}

std::vector<WheelPass> run_wheel_sweep(const WheelRigSpec& spec,
                                       const std::vector<WheelCase>& cases,
                                       const SweepProgress& progress) {
  auto results = sweep<std::vector<WheelPass>>(
      cases, progress, [&](const WheelCase& asked) { return run_wheel(spec, asked); });
  std::vector<WheelPass> passes;
  for (std::vector<WheelPass>& result : results) {
    std::ranges::move(result, std::back_inserter(passes));
  }
  return passes;
}

}  // namespace grouser::internal
