#include "lab/nonsmooth_set_ups.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/load_scene.h"

namespace grouser::internal {
namespace {

/// A body of 1 kg on a slab whose top is z = 0.
World on_slab(const std::string& shape, double height, double incline, double step,
              const std::string& material) {
  return load_scene_text(fmt::format(R"(grouser: 1
gravity: [{:.17g}, 0, {:.17g}]
integrator: {{method: moreau_jean, step: {}}}
record: {{rate_hz: {}}}
models:
  - name: slab
    base: fixed
    tree:
      bodies:
        - {{name: slab, mass: 1e4, shape: {{box: [100, 40, 2], position: [0, 0, -1]}}}}
  - name: block
    position: [0, 0, {:.17g}]
    tree:
      bodies:
        - {{name: block, mass: 1, shape: {{{}}}}}
contacts:
  - {{model: bbcc, bodies: [slab/slab, block/block], material: {{{}}}}}
)",
                                     9.81 * std::sin(incline), -9.81 * std::cos(incline), step,
                                     1 / step, height, shape, material),
                         "nonsmooth", ".");
}

BodyTrack tracked(const World& world, double end) {
  BodyTrack track;
  simulate(world, initial_state(world), {.end_time = end}, track);
  return track;
}

double slope_torque(double k) {
  const double t = 0.005 * k;
  if (t <= 50) return 0;
  if (t <= 100) return 885;
  if (t < 138.365) return 50 + 0.08 * k;
  if (t <= 180) return 885;
  if (t < 200) return 50 + 0.08 * (k - 50);
  return 10000;
}

}  // namespace

void BodyTrack::on_sample(const Sample& sample) {
  time.push_back(sample.time);
  position.push_back(sample.X_WB.back().p);
  velocity.push_back(sample.V_WB.back().linear);
  fastest.push_back(sample.v.cwiseAbs().maxCoeff());
}

BodyTrack block_on_incline(double incline, double end) {
  return tracked(on_slab("box: [0.2, 0.2, 0.2]", 0.1, incline, 0.005,
                         fmt::format("restitution: 0, friction: {}", kBlockFriction)),
                 end);
}

BodyTrack bouncing_sphere(double end) {
  return tracked(on_slab(fmt::format("sphere: {{radius: {}}}", kBounceRadius), 1 + kBounceRadius, 0,
                         1e-4, fmt::format("restitution: {}, friction: 0", kBounceRestitution)),
                 end);
}

Track turning_ball(double incline, double v, double w, double end) {
  // Both bodies are of the material, and what they have adds up.
  const Roller roller{.shape = "sphere: {radius: 0.5}",
                      .integrator = "method: moreau_jean, step: 0.005",
                      .rate_hz = 200,
                      .restitution = 0,
                      .material = fmt::format(", rolling_friction: {0}, spinning_friction: {0}",
                                              0.5 * kTurningLength),
                      .incline = incline,
                      .v = Vec3(v, 0, 0),
                      .w = Vec3(0, v / BbccTable1::kRadius, w)};
  return {roller.world(), end};
}

StepRun drive_at_step(double friction) {
  const World world = load_scene_text(fmt::format(R"(grouser: 1
gravity: [0, 0, -3.69]
integrator: {{method: moreau_jean, step: 0.002}}
record: {{rate_hz: 500}}
models:
  - name: floor
    base: fixed
    tree:
      bodies:
        - {{name: floor, mass: 1e4, shape: {{box: [20, 4, 2], position: [0, 0, -1]}}}}
        - name: step
          mass: 1e4
          shape: {{box: [10, 4, 2], position: [6.2, 0, -0.9]}}
          joint: {{type: fixed, parent: floor}}
  - {{name: rover, rover: exomars, position: [0, 0, 0.62]}}
contacts:
  - {{model: bbcc, bodies: [floor/floor, floor/step], material: {{restitution: 0.1, friction: {0}}}}}
  - {{model: bbcc, wheels: all, group: rover, material: {{restitution: 0.1, friction: {0}}}}}
commands:
  - {{wheels: all, ground_speed: {{times: [0, 2, 2.5], values: [0, 0, 0.1]}}}}
)",
                                                  friction),
                                      "nonsmooth", ".");
  StepRun run;
  run.report = simulate(world, initial_state(world), {.end_time = 30}, run.track);
  return run;
}

RoverStepper slope_rover() {
  return {rover_b(0.02),
          {.friction = 0.3,
           .steering_stiffness = 15000,
           .steering_damping = 15000,
           .torque = slope_torque}};
}

RoverStepper held_rover() {
  return {
      rover_a(kHoldSlope),
      {.friction = 0.8, .steering_stiffness = 15, .steering_damping = 15, .torque = [](double k) {
         return 0.87072 + (k <= 6000 ? 0 : 1e-6 * k);
       }}};
}

}  // namespace grouser::internal
