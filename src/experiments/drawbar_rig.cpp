#include "experiments/drawbar_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "core/text.h"
#include "experiments/rig_check.h"
#include "experiments/rig_ground.h"
#include "experiments/rig_sweep.h"
#include "experiments/wheel_rig.h"
#include "multibody/kinematics.h"
#include "scene/builtin.h"
#include "scene/load_scene.h"
#include "sim/rover_plan.h"

namespace grouser {
namespace {

constexpr double kRope = 5;             // length [m]: the rope stays level while the rover sinks
constexpr double kRopeStiffness = 2e4;  // [N/m]
constexpr double kRopeDamping = 2e3;    // [N s/m]
constexpr double kSideOfSoil = 0.4;     // soil beyond the wheels' middles [m]

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// What a model was built from.
ModelSpec spec_of(const Model& model) {
  ModelSpec spec;
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const Body& body = model.bodies()[b];
    const Joint& joint = model.joints()[b];
    JointSpec carried{.name = body.joint_name,
                      .type = joint.type,
                      .X_PF = joint.X_PF,
                      .axis = joint.axis,
                      .axis2 = joint.axis2};
    for (int k = 0; k < joint.nv; ++k) carried.laws.push_back(model.laws()[at(joint.v + k)]);
    spec.bodies.push_back({body.name, body.inertia, joint.parent, std::move(carried)});
  }
  spec.loops = model.loops();
  spec.actuators = model.actuators();
  spec.springs = model.springs();
  spec.tethers = model.tethers();
  spec.gravity = model.gravity();
  return spec;
}

World load_rover(const std::string& name) {
  return load_scene_text(fmt::format("grouser: 1\n"
                                     "name: drawbar\n"
                                     "models:\n"
                                     "  - {{name: rover, rover: {}, position: [0, 0, 0]}}\n",
                                     name),
                         "rig:drawbar", {});
}

/// Wheels turn exactly as told: a servo would give way under load.
void prescribe_drives(const Rover& rover, ModelSpec& spec) {
  for (const Wheel& wheel : rover.wheels) {
    const auto drives = [&](const Actuator& actuator) { return actuator.dof == wheel.drive_dof; };
    std::erase_if(spec.actuators, drives);
    spec.actuators.push_back(
        {.name = "rig_" + wheel.name, .type = ActuatorType::prescribed, .dof = wheel.drive_dof});
  }
}

/// Puts mass on the chassis until the rover has that in all.
void add_ballast(double mass, double has, RigidInertia& chassis) {
  const double factor = 1 + (mass - has) / chassis.mass;
  chassis.mass *= factor;
  chassis.about_com *= factor;
}

TriMesh rover_wheel(const Wheel& wheel, const GrouserSpec& grousers) {
  WheelSpec spec = smooth_wheel(wheel.radius, wheel.width);
  spec.grousers = grousers;
  return make_wheel(spec);
}

/// Sets the rover down with its lowest wheel on the ground. `outside` reaches beyond the wheels' radius.
void set_down(const Rover& rover, double outside, World& world) {
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Wheel& wheel : rover.wheels) {
    lowest = std::min(lowest, kinematics.X_WB[at(wheel.body)].p.z() - wheel.radius - outside);
  }
  int root = rover.chassis;
  while (world.model.joints()[at(root)].parent != kWorld) {
    root = world.model.joints()[at(root)].parent;
  }
  world.initial.q[world.model.joints()[at(root)].q + 6] -=
      lowest;  // free joint: quaternion, position
}

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

Rect area_around(const World& world, const Rover& rover, double travel) {
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics);
  Rect area{Vec2::Constant(std::numeric_limits<double>::infinity()),
            Vec2::Constant(-std::numeric_limits<double>::infinity())};
  for (const Wheel& wheel : rover.wheels) {
    const Vec2 middle = kinematics.X_WB[at(wheel.body)].p.head<2>();
    area.lower = area.lower.cwiseMin(middle);
    area.upper = area.upper.cwiseMax(middle);
  }
  area.lower.array() -= kSideOfSoil;
  area.upper.array() += kSideOfSoil;
  area.upper.x() += travel;
  return area;
}

void add_soil(const DrawbarSpec& spec, const Rover& rover, World& world) {
  world.ground = make_ground({.soil = spec.soil,
                              .spacing = spec.spacing,
                              .area = area_around(world, rover, spec.distance)});
  world.scm = spec.scm;
  std::map<std::pair<double, double>, std::shared_ptr<const ScmBody>> shapes;
  for (const Wheel& wheel : rover.wheels) {
    std::shared_ptr<const ScmBody>& shape = shapes[{wheel.radius, wheel.width}];
    if (!shape) shape = soil_body(rover_wheel(wheel, spec.grousers), spec.spacing);
    world.soil_contacts.push_back({.body = wheel.body, .shape = shape});
  }
}

void command_wheels(const DrawbarSpec& spec, double slip, const Rover& rover, World& world) {
  const RoverPlan plan = plan_rover(world, rover);
  world.joint_commands.clear();
  for (std::size_t w = 0; w < rover.wheels.size(); ++w) {
    const double rate = spec.speed / (1 - slip) / rover.wheels[w].radius;
    Signal signal =
        TableSignal{.time = {0, kDrawbarSettleTime, kDrawbarSettleTime + kDrawbarRampTime},
                    .value = {0, 0, plan.drive_sign[w] * rate},
                    .curve = TableCurve::linear};
    prepare(signal);
    world.joint_commands.push_back(
        {plan.drive_actuator[w], TargetQuantity::velocity, std::move(signal)});
  }
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

}  // namespace

void validate(const DrawbarSpec& spec) {
  IssueList issues;
  if (!find_builtin("rovers", spec.rover)) {
    std::vector<std::string> names;
    for (const BuiltinEntry& entry : builtin_rovers()) names.push_back(entry.name);
    const auto near = closest_match(spec.rover, names);
    issues.add({.message = "there is no such rover" +
                           (near ? fmt::format("; did you mean '{}'?", *near) : std::string()),
                .field = "rover",
                .value = spec.rover,
                .legal = fmt::format("{}", fmt::join(names, ", "))});
  }
  check_range(issues, "speed", spec.speed, 1e-4, 10, "m/s");
  check_range(issues, "distance", spec.distance, 0.01, 100, "m");
  check_range(issues, "mass", spec.mass, 0, 1e5, "kg");
  check_range(issues, "gravity", spec.gravity, 1e-4, 1000, "m/s²");
  check_range(issues, "hitch_height", spec.hitch_height, 0, 5, "m");
  check(spec, issues);
  check_range(issues, "trace_rate_hz", spec.trace_rate_hz, 0.1, 1e6, "Hz");
  issues.throw_if_any();
}

World drawbar_world(const DrawbarSpec& spec, double slip) {
  validate(spec);
  IssueList issues;
  check_range(issues, "slip", slip, 0, 0.99, "");
  issues.throw_if_any();
  World world = load_rover(spec.rover);
  const Rover rover = world.rovers.front();
  ModelSpec model = spec_of(world.model);
  model.gravity = Vec3(0, 0, -spec.gravity);
  prescribe_drives(rover, model);
  const double has = world.model.total_mass();
  if (spec.mass > 0) {
    check_range(issues, "mass", spec.mass, has, 1e5, "kg");
    issues.throw_if_any();
    add_ballast(spec.mass, has, model.bodies[at(rover.chassis)].inertia);
  }
  set_down(rover, spec.grousers.count > 0 ? spec.grousers.height : 0, world);
  model.tethers.push_back(rope_of(spec, world, rover));
  world.model = Model(std::move(model));
  world.soil_contacts.clear();
  add_soil(spec, rover, world);
  command_wheels(spec, slip, rover, world);
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
  const auto spread = [&](double DrawbarSample::*value) {
    return spread_of(gauges.trace, from, end, [value](const DrawbarSample& s) { return s.*value; });
  };
  return {.asked_slip = slip,
          .tension = spread(&DrawbarSample::tension),
          .slip = spread(&DrawbarSample::slip),
          .torque = spread(&DrawbarSample::torque),
          .sinkage = spread(&DrawbarSample::sinkage),
          .load = spread(&DrawbarSample::load),
          .trace = thinned(gauges.trace, spec.step, spec.trace_rate_hz,
                           {&DrawbarSample::time, &DrawbarSample::travel, &DrawbarSample::tension,
                            &DrawbarSample::slip, &DrawbarSample::torque, &DrawbarSample::sinkage,
                            &DrawbarSample::load}),
          .warnings = report.warnings};
}

std::vector<DrawbarRun> run_drawbar_sweep(const DrawbarSpec& spec, const std::vector<double>& slips,
                                          const SweepProgress& progress) {
  validate(spec);
  return sweep<DrawbarRun>(slips, progress, [&](double slip) { return run_drawbar(spec, slip); });
}

}  // namespace grouser
