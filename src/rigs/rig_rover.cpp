#include "rigs/rig_rover.h"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "contact/scm/scm_system.h"
#include "contact/scm/trapped_soil.h"
#include "contact/wheel/wheel_system.h"
#include "core/index.h"
#include "core/text.h"
#include "multibody/kinematics.h"
#include "rigs/rig_check.h"
#include "rigs/rig_ground.h"
#include "rigs/wheel_rig.h"
#include "scene/builtin.h"
#include "scene/load_rover.h"
#include "sim/rover_plan.h"

namespace grouser::internal {
namespace {

constexpr double kSoilBesideRover = 0.4;  // soil beyond the wheels' middles [m]

TriMesh rover_wheel(const Wheel& wheel, const GrouserSpec& grousers) {
  WheelSpec spec = smooth_wheel(wheel.radius, wheel.width);
  spec.grousers = grousers;
  return make_wheel(spec);
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
  area.lower.array() -= kSoilBesideRover;
  area.upper.array() += kSoilBesideRover;
  area.upper.x() += travel;
  return area;
}

}  // namespace

void check_rover(IssueList& issues, const std::string& rover) {
  if (!names_rover_file(rover) && !find_builtin("rovers", rover)) {
    std::vector<std::string> names;
    for (const BuiltinEntry& entry : builtin_rovers()) names.push_back(entry.name);
    const auto near = closest_match(rover, names);
    issues.add({.message = "there is no such rover" +
                           (near ? fmt::format("; did you mean '{}'?", *near) : std::string()),
                .field = "rover",
                .value = rover,
                .legal = fmt::format("{}, or a file", fmt::join(names, ", "))});
  }
}

World load_rig_rover(const std::string& rover) {
  World world = load_rover(rover);
  const auto refuse = [&](const char* why) {
    throw Error(ErrorKind::input, Issue{.message = why, .field = "rover", .value = rover});
  };
  if (world.rovers.empty()) {
    refuse("names no wheels: a scene says which they are, in 'wheels' of its model");
  }
  int root = world.rovers.front().chassis;
  while (world.model.joints()[at(root)].parent != kWorld) {
    root = world.model.joints()[at(root)].parent;
  }
  if (world.model.joints()[at(root)].type != JointType::free) {
    refuse("hangs on the world by a joint: a rig needs a free base");
  }
  return world;
}

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

void prescribe_drives(const Rover& rover, ModelSpec& spec) {
  const auto prescribe = [&](const std::string& name, int dof) {
    std::erase_if(spec.actuators, [&](const Actuator& actuator) { return actuator.dof == dof; });
    spec.actuators.push_back({.name = name, .type = ActuatorType::prescribed, .dof = dof});
  };
  for (const Wheel& wheel : rover.wheels) {
    prescribe("rig_" + wheel.name, wheel.drive_dof);
    if (wheel.steer_dof >= 0) prescribe("rig_steer_" + wheel.name, wheel.steer_dof);
  }
}

void add_ballast(double mass, const Rover& rover, ModelSpec& spec) {
  double has = 0;
  for (const BodySpec& body : spec.bodies) has += body.inertia.mass;
  IssueList issues;
  check_range(issues, "mass", mass, has, 1e5, "kg");
  issues.throw_if_any();
  RigidInertia& chassis = spec.bodies[at(rover.chassis)].inertia;
  const double factor = 1 + (mass - has) / chassis.mass;
  chassis.mass *= factor;
  chassis.about_com *= factor;
}

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

void add_soil(const Soil& soil, double spacing, double travel, const Rover& rover, World& world) {
  world.ground =
      make_ground({.soil = soil, .spacing = spacing, .area = area_around(world, rover, travel)});
}

void add_scm(const GrouserSpec& grousers, const ScmOptions& options, const Rover& rover,
             World& world) {
  std::vector<ScmContact> contacts;
  const double spacing = world.ground->map.grid().spacing;
  std::map<std::pair<double, double>, std::shared_ptr<const ScmBody>> shapes;
  for (const Wheel& wheel : rover.wheels) {
    std::shared_ptr<const ScmBody>& shape = shapes[{wheel.radius, wheel.width}];
    if (!shape) {
      shape = soil_body(wheel_in_soil(rover_wheel(wheel, grousers), options), options, spacing);
    }
    contacts.push_back({.body = wheel.body, .X_BS = {}, .shape = shape});
  }
  world.contacts.push_back(std::make_shared<const ScmSystem>(
      std::move(contacts), options, map_of(world.ground), soils_of(world.ground)));
}

void add_wheel_models(const WheelModel& model, double grouser_height, const Rover& rover,
                      World& world) {
  WheelModel loaded = model;
  if (auto* rheological = std::get_if<RheologicalModel>(&loaded)) {
    if (rheological->mass == 0) {
      rheological->mass = world.model.total_mass() / static_cast<double>(rover.wheels.size());
    }
  }
  const Vec3& gravity = world.model.gravity();
  std::vector<WheelContact> contacts;
  for (const Wheel& wheel : rover.wheels) {
    const WheelForm form{
        .radius = wheel.radius, .width = wheel.width, .grouser_height = grouser_height};
    contacts.push_back(
        make_wheel_contact(wheel.body, {}, form, loaded, world.ground->soils, gravity));
  }
  world.contacts.push_back(
      std::make_shared<const WheelSystem>(std::move(contacts), soils_of(world.ground), gravity));
}

void drive_wheels(double rim_speed, const DriveTimes& times, const Rover& rover, World& world) {
  const RoverPlan plan = plan_rover(world, rover);
  world.joint_commands.clear();
  for (std::size_t w = 0; w < rover.wheels.size(); ++w) {
    const double rate = rim_speed / rover.wheels[w].radius;
    Signal signal = TableSignal{.time = {0, times.settle, times.settle + times.ramp},
                                .value = {0, 0, plan.drive_sign[w] * rate},
                                .curve = TableCurve::linear};
    prepare(signal);
    world.joint_commands.push_back(
        {plan.drive_actuator[w], TargetQuantity::velocity, std::move(signal)});
  }
}

}  // namespace grouser::internal
