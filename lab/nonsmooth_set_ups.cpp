#include "lab/nonsmooth_set_ups.h"

#include <cmath>

#include "lab/scene_parts.h"

namespace grouser::internal {
namespace {

/// A body of 1 kg on a slab whose top is z = 0.
World on_slab(Map shape, double height, double incline, double step, Map material) {
  const Map block = model_of("block", {0, 0, height}, body_of("block", 1, std::move(shape)));
  const Map scene{
      {"gravity", inclined_gravity(9.81, incline)},
      {"integrator", fixed_step("moreau_jean", step)},
      {"record", Map{{"rate_hz", 1 / step}}},
      {"models", List{slab("slab", 100, 40, 2), block}},
      {"contacts", List{body_contacts({"slab/slab", "block/block"}, std::move(material))}}};
  return load_scene_values(scene, "nonsmooth", ".");
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
  return tracked(on_slab(box_shape(0.2, 0.2, 0.2), 0.1, incline, 0.005,
                         {{"restitution", 0}, {"friction", kBlockFriction}}),
                 end);
}

BodyTrack bouncing_sphere(double end) {
  return tracked(on_slab(sphere_shape(kBounceRadius), 1 + kBounceRadius, 0, 1e-4,
                         {{"restitution", kBounceRestitution}, {"friction", 0}}),
                 end);
}

Track turning_ball(double incline, double v, double w, double end) {
  // Both bodies are of the material, and what they have adds up.
  constexpr double kArm = 0.5 * kTurningLength;
  const Roller roller{.shape = sphere_shape(0.5),
                      .integrator = fixed_step("moreau_jean", 0.005),
                      .rate_hz = 200,
                      .restitution = 0,
                      .material = {{"rolling_friction", kArm}, {"spinning_friction", kArm}},
                      .incline = incline,
                      .v = Vec3(v, 0, 0),
                      .w = Vec3(0, v / BbccTable1::kRadius, w)};
  return {roller.world(), end};
}

StepRun drive_at_step(double friction) {
  const Map step{{"name", "step"},
                 {"mass", 1e4},
                 {"shape", merged(box_shape(10, 4, 2), {{"position", List{6.2, 0, -0.9}}})},
                 {"joint", Map{{"type", "fixed"}, {"parent", "floor"}}}};
  const Map floor{{"name", "floor"},
                  {"mass", 1e4},
                  {"shape", merged(box_shape(20, 4, 2), {{"position", List{0, 0, -1}}})}};
  const Map ground{
      {"name", "floor"}, {"base", "fixed"}, {"tree", Map{{"bodies", List{floor, step}}}}};
  const Map material{{"restitution", 0.1}, {"friction", friction}};
  const Map speed{{"times", List{0, 2, 2.5}}, {"values", List{0, 0, 0.1}}};
  const Map scene{{"gravity", List{0, 0, -3.69}},
                  {"integrator", fixed_step("moreau_jean", 0.002)},
                  {"record", Map{{"rate_hz", 500}}},
                  {"models", List{ground, rover_at("exomars", {0, 0, 0.62})}},
                  {"contacts", List{body_contacts({"floor/floor", "floor/step"}, material),
                                    wheel_contacts(material)}},
                  {"commands", List{Map{{"wheels", "all"}, {"ground_speed", speed}}}}};
  const World world = load_scene_values(scene, "nonsmooth", ".");
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
