#include "lab/multibody_reproductions.h"

#include <algorithm>
#include <cmath>

#include "lab/scene_parts.h"
#include "multibody/balance.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

struct Balance {
  double energy = 0;
  Wrench momentum;  ///< angular about the centre of mass
};

Balance balance_of(const World& world, const State& state) {
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, state.q, state.v, kinematics);
  return {kinetic_energy(world.model, kinematics, state.v.data()) +
              potential_energy(world.model, kinematics, state.q.data(), state.time),
          momentum(world.model, kinematics).shifted(center_of_mass(world.model, kinematics))};
}

double relative_change(const Vec3& after, const Vec3& before) {
  return (after - before).norm() / before.norm();
}

RunReport run_scene(const World& world, double end) {
  Observer silent;
  return simulate(world, initial_state(world), {.end_time = end}, silent);
}

std::vector<ReproductionRow> tumbling() {
  World world = load_builtin_scene("tumbling");
  world.initial.v.tail<3>() = Vec3(0.1, 0, 0.05);  // so that there is linear momentum to keep
  world.settings.integrator = {.method = IntegrationMethod::rk4, .step = 5e-4};
  world.settings.record_rate_hz = 1;
  const Balance before = balance_of(world, initial_state(world));
  const Balance after = balance_of(world, run_scene(world, 1000).state);
  return {
      {.quantity = "energy drift over 1000 s, relative",
       .unit = "-",
       .expected = 0,
       .ours = after.energy / before.energy - 1,
       .tolerance = 1e-9},
      {.quantity = "linear momentum drift, relative",
       .unit = "-",
       .expected = 0,
       .ours = relative_change(after.momentum.force, before.momentum.force),
       .tolerance = 1e-12},
      {.quantity = "angular momentum drift, relative",
       .unit = "-",
       .expected = 0,
       .ours = relative_change(after.momentum.torque, before.momentum.torque),
       .tolerance = 1e-12},
  };
}

std::vector<ReproductionRow> pendulum() {
  World world = load_builtin_scene("pendulum");
  world.settings.integrator = {.method = IntegrationMethod::rk4, .step = 1e-4};
  world.settings.record_rate_hz = 1;
  const Balance before = balance_of(world, initial_state(world));
  const Balance after = balance_of(world, run_scene(world, 20).state);
  return {{.quantity = "energy drift over 20 s, relative",
           .unit = "-",
           .expected = 0,
           .ours = (after.energy - before.energy) / std::abs(before.energy),
           .tolerance = 1e-9}};
}

std::vector<ReproductionRow> loops(const char* scene) {
  World world = load_builtin_scene(scene);
  world.settings.record_rate_hz = 10;
  return {{.quantity = "largest loop residual over 60 s",
           .unit = "m, rad",
           .expected = 0,
           .ours = run_scene(world, 60).loop_residual_max,
           .tolerance = 1e-10}};
}

std::vector<ReproductionRow> four_bar() { return loops("four_bar"); }
std::vector<ReproductionRow> differential() { return loops("rocker_differential"); }

std::vector<ReproductionRow> exomars() {
  const World world =
      load_scene_values(Map{{"models", List{rover_at("exomars", {0, 0, 0})}}}, "exomars", ".");
  Kinematics kinematics(world.model);
  const Model& model = world.model;
  forward_kinematics(model, model.neutral_positions(), VecX::Zero(model.velocity_size()),
                     kinematics);
  double front = -1e9, rear = 1e9, track = 0, height = 0;
  for (const Wheel& wheel : world.rovers.at(0).wheels) {
    const Vec3 p = centre_of(wheel, kinematics.X_WB);
    front = std::max(front, p.x());
    rear = std::min(rear, p.x());
    track = std::max(track, p.y());
    height = p.z();
  }
  const double digit = 1e-6;
  return {
      {.quantity = "mass",
       .unit = "kg",
       .paper = 64.6,
       .ours = model.total_mass(),
       .tolerance = 1e-9},
      {.quantity = "degrees of freedom",
       .unit = "-",
       .paper = 21,
       .ours = static_cast<double>(model.velocity_size()),
       .tolerance = 0},
      {.quantity = "front wheel centre x",
       .unit = "m",
       .paper = 0.7225,
       .ours = front,
       .tolerance = digit},
      {.quantity = "rear wheel centre x",
       .unit = "m",
       .paper = -0.6375,
       .ours = rear,
       .tolerance = digit},
      {.quantity = "wheel centre y",
       .unit = "m",
       .paper = 0.601203,
       .ours = track,
       .tolerance = digit},
      {.quantity = "wheel centre z",
       .unit = "m",
       .paper = -0.44975,
       .ours = height,
       .tolerance = digit},
  };
}

}  // namespace

std::vector<Reproduction> multibody_reproductions() {
  return {
      {"multibody/tumbling", "free asymmetric body: energy and momentum", tumbling},
      {"multibody/pendulum", "chaotic six-link pendulum: energy", pendulum},
      {"multibody/four_bar", "four-bar linkage closed by a hinge", four_bar},
      {"multibody/differential", "rocker-bogie with differential", differential},
      {"rover/exomars", "ExoMars-like chassis, INRIA report RT-448", exomars},
  };
}

}  // namespace grouser::internal
