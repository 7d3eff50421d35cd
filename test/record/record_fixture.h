#pragma once

#include <cmath>
#include <memory>
#include <string>

#include "contact/scm/scm_system.h"
#include "sim/contact_sensors.h"
#include "sim/sample.h"
#include "sim/world.h"
#include "support/temporary_folder.h"
#include "terrain/flat_field.h"

namespace grouser::internal {

using RecordTest = TemporaryFolderTest;

/// A free trunk with an arm, a slider, a drive and a ball joint, and one of everything else.
inline World small_world() {
  const RigidInertia inertia{.mass = 2, .about_com = Mat3::Identity()};
  const auto body = [&](std::string name, int parent, std::string joint, JointType type) {
    return BodySpec{.name = "rover/" + name,
                    .inertia = inertia,
                    .parent = parent,
                    .joint = {.name = "rover/" + joint, .type = type}};
  };
  ModelSpec spec;
  spec.bodies = {body("trunk", kWorld, "base", JointType::free),
                 body("arm", 0, "shoulder", JointType::revolute),
                 body("slider", 0, "rail", JointType::prismatic),
                 body("head", 1, "neck", JointType::spherical),
                 body("wheel", 0, "axle", JointType::revolute)};
  spec.actuators = {{.name = "rover/drive", .type = ActuatorType::velocity, .dof = 11, .kd = 1},
                    {.name = "rover/push", .type = ActuatorType::torque, .dof = 7}};
  spec.springs = {{.name = "rover/spring", .a = {0, Vec3::Zero()}, .b = {1, Vec3::UnitX()}}};
  spec.tethers = {{.name = "rope", .a = {kWorld, Vec3::Zero()}, .b = {0, Vec3::UnitZ()}}};
  spec.loops = {{.name = "gear", .law = CouplingLoop{.terms = {{6, 1}, {11, 2}}}}};
  spec.gravity = Vec3(0, 0, -3.71);
  World world{.name = "small",
              .scene_file = "scenes/small.yaml",
              .scene_text = "name: small # größer\n",
              .model = Model(spec)};
  world.initial.q = world.model.neutral_positions();
  world.initial.v = VecX::Zero(world.model.velocity_size());
  world.rovers = {
      {.name = "rover",
       .chassis = 0,
       .wheels = {
           {.name = "rover/wheel", .body = 4, .drive_dof = 11, .radius = 0.1, .width = 0.1}}}};
  world.visuals = {{.body = 0, .shape = BoxShape{.size = Vec3(1, 2, 3)}},
                   {.body = 4, .shape = MeshShape{.file = "wheel.obj"}}};
  world.events = {{.name = "stretched"}, {.name = "landed", .stop = true}};
  world.settings.seed = 18446744073709551615u;
  return world;
}

/// Numbers that differ in every place and from row to row, without rounding to play a part.
inline Sample test_sample(const World& world, int row) {
  const Model& model = world.model;
  const auto count = [](const auto& list) { return static_cast<Eigen::Index>(list.size()); };
  const double base = 0.125 * row;
  const auto ramp = [&](Eigen::Index size, double offset) {
    return VecX(VecX::LinSpaced(size, offset, offset + static_cast<double>(size) - 1).array() +
                base);
  };
  Sample sample;
  sample.time = 0.02 * row;
  sample.q = ramp(model.position_size(), 100);
  sample.v = ramp(model.velocity_size(), 200);
  for (int i = 0; i < model.body_count(); ++i) {
    sample.X_WB.push_back(
        {Eigen::AngleAxisd(0.01 * row, Vec3::UnitZ()).toRotationMatrix(), Vec3(i, base, -i)});
    sample.V_WB.push_back({Vec3(i, 1, base), Vec3(base, i, 2)});
  }
  sample.actuator_effort = ramp(count(model.actuators()), 300);
  sample.actuator_power = ramp(count(model.actuators()), 350);
  sample.spring_force = ramp(count(model.springs()), 400);
  sample.tether_tension = ramp(count(model.tethers()), 500);
  sample.loop_force = ramp(model.loop_row_count(), 600);
  for (const Rover& rover : world.rovers) {
    sample.rovers.push_back({.attitude = Vec3(base, base + 1, base + 2)});
    for (std::size_t i = 0; i < rover.wheels.size(); ++i) {
      sample.wheels.push_back({.rate = base,
                               .steer = base + 1,
                               .torque = base + 2,
                               .slip = base + 3,
                               .sinkage = base + 4,
                               .normal = base + 5,
                               .pull = base + 6,
                               .lateral = base + 7,
                               .slip_angle = base + 8,
                               .power = base + 9});
    }
  }
  for (std::size_t c = 0; c < contact_sensors(world).size(); ++c) {
    const double x = base + static_cast<double>(c);
    sample.contacts.push_back({.in_contact = c % 2 == 0,
                               .force = Vec3(x, x + 1, x + 2),
                               .torque = Vec3(x + 3, x + 4, x + 5),
                               .power = x + 6,
                               .depth = x + 7,
                               .point = Vec3(x + 8, x + 9, x + 10)});
  }
  sample.kinetic_energy = base + 6;
  sample.potential_energy = base + 7;
  sample.loop_residual = base + 8;
  return sample;
}

/// The small world on level ground around the origin; wheel and arm press into its soil.
inline World soil_world(double size, double spacing) {
  World world = small_world();
  const Vec2 half = Vec2::Constant(0.5 * size);
  const auto field = std::make_shared<FlatField>(FlatOptions{.domain = {-half, half}});
  world.ground = std::make_shared<const Ground>(Ground{
      .map = ElevationMap(field, {.spacing = spacing}), .soils = SoilMap(Soil{}), .rocks = {}});
  const std::vector<ScmContact> contacts = {{.body = 4}, {.body = 1}};
  world.contacts = {std::make_shared<const ScmSystem>(contacts, ScmOptions{}, map_of(world.ground),
                                                      soils_of(world.ground))};
  return world;
}

/// Samples of a soil that the tests dig in.
struct DugSoil {
  explicit DugSoil(const World& of) : world(of), state{ScmSoil(of.ground->map), {}} {}

  void dig(int i, int j, double change) { state.soil.map.set_change(i, j, change); }
  /// The cells differ from sample to sample; all numbers are the same in single precision.
  Sample sample(double time) const {
    Sample sample = test_sample(world, 0);
    sample.time = time;
    sample.ground = &state.soil.map;
    for (int k = 0; k < 3; ++k) {
      const double x = k + 4 * time;
      sample.soil_cells.push_back({.contact = k == 0 ? 1 : 0,
                                   .position = Vec3(x, x + 0.25, x + 0.5),
                                   .sinkage = x + 1,
                                   .pressure = x + 2,
                                   .shear = x + 3,
                                   .normal = x + 4});
    }
    return sample;
  }

  const World& world;
  ScmState state;
};

}  // namespace grouser::internal
