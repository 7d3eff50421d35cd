// Forces that are stiff beside rigid contacts in one step of time stepping: springs, tethers, wheel models, meshes.
#include <gtest/gtest.h>

#include <cmath>

#include "lab/scene_parts.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

RunReport run(const World& world, double end) {
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = end}, nobody);
}

// Two bodies on a spring of ω h = 45, which begins a millimetre too short: they fall as one would, and the spring comes
// to rest at its length.
TEST(HybridStepping, StiffSpringDoesNotHinderTheFall) {
  const World world = load_scene_text(R"(grouser: 1
gravity: [0, 0, -10]
integrator: {method: moreau_jean, step: 0.005, theta: 1}
models:
  - {name: a, position: [0, 0, 0], tree: {bodies: [{name: a, mass: 2, inertia: [1, 1, 1]}]}}
  - {name: b, position: [0, 0, 1], tree: {bodies: [{name: b, mass: 3, inertia: [1, 1, 1]}]}}
springs: [{name: s, a: {body: a/a}, b: {body: b/b}, stiffness: 1e8, rest_length: 1.001}]
)",
                                      "f", ".");
  const State end = run(world, 1).state;
  EXPECT_NEAR(end.v[5], -10, 1e-9);
  EXPECT_NEAR(end.v[11], -10, 1e-9);
  EXPECT_NEAR(end.q[13] - end.q[6], 1.001, 1e-12);
  // Σ m z = 3 - 5 (½ g t² + ½ g h t), the second term being the method's.
  EXPECT_NEAR(2 * end.q[6] + 3 * end.q[13], 3 - 5 * (5 + 0.025), 1e-9);
}

// A weight falls a millimetre into a tether of ω h = 16 and hangs: -m g/k below its length.
TEST(HybridStepping, StiffTetherCatchesAndHolds) {
  const World world = load_scene_text(R"(grouser: 1
gravity: [0, 0, -10]
integrator: {method: moreau_jean, step: 0.005, theta: 1}
models: [{name: c, position: [1, 0, -0.999], tree: {bodies: [{name: c, mass: 1, inertia: [1, 1, 1]}]}}]
tethers: [{name: t, a: {body: world, position: [1, 0, 0]}, b: {body: c/c}, stiffness: 1e7, length: 1}]
)",
                                      "f", ".");
  const State end = run(world, 1).state;
  EXPECT_NEAR(end.q[6], -1 - 10 / 1e7, 1e-12);
  EXPECT_NEAR(end.v[5], 0, 1e-12);  // measured 4e-14
}

// Two blocks on each other whose layers give way by 3 µm, at steps in which they would fall 250 µm: at rest, where
// the weight is (m + m) g = c A u with c = E (1 - ν)/((1 + ν)(1 - 2ν) b).
TEST(HybridStepping, MeshesRestAtLongSteps) {
  const Map block = body_of("block", 8, box_shape(0.2, 0.2, 0.2));
  const Map elastic{
      {"young", 1e7}, {"poisson", 0.3}, {"thickness", 0.01}, {"damping", 1e5}, {"friction", 0.5}};
  const Map rigid{{"rigid", true}, {"damping", 1e5}, {"friction", 0.5}};
  for (const double h : {0.002, 0.005, 0.01}) {
    const Map scene{{"gravity", List{0, 0, -10}},
                    {"integrator", fixed_step("moreau_jean", h)},
                    {"terrain", level_sand(4, 4, 0.05)},
                    {"models", List{model_of("a", {0.013, 0.021, 0.101}, block),
                                    model_of("b", {0.03, 0.01, 0.303}, block)}},
                    {"contacts", List{Map{{"model", "pcm"},
                                          {"bodies", List{"a/block", "b/block"}},
                                          {"edge_length", 0.02},
                                          {"material", elastic}},
                                      merged(terrain_by("pcm"), {{"material", rigid}})}}};
    const World world = load_scene_values(scene, "f", ".");
    const State end = run(world, 1).state;
    const double depth = 160 / (1e7 * 0.7 / (1.3 * 0.4) / 0.01 * 0.04);
    EXPECT_NEAR(end.q[6], 0.1 - depth, 1e-11) << h;                // measured 5e-13 of 3e-6
    EXPECT_LT(end.v.cwiseAbs().maxCoeff(), 1e-7) << h;             // friction creeps: 1.5e-8
    EXPECT_NEAR(end.q.segment<2>(4).norm(), 0.024698, 1e-5) << h;  // stays where it was
  }
}

World rover(const char* model, const char* method, double h) {
  const Map scene{{"gravity", "mars"},
                  {"integrator", fixed_step(method, h)},
                  {"record", Map{{"rate_hz", 10}}},
                  {"terrain", level_sand(10, 6, 0.05)},
                  {"contacts", List{all_wheels_by(model)}},
                  {"commands", List{drive_by_table({0, 1}, {0, 0.05})}},
                  {"models", List{rover_at("exomars", {-2, 0, 0.565})}}};
  return load_scene_values(scene, "f", ".");
}

// A rover with its servos (10 N m s/rad on 0.02 kg m²) drops, sinks in and drives off, beside steps of half a
// millisecond. Other integrators of fixed step are unstable beyond 4 ms.
TEST(HybridStepping, RoverOnWheelModelsAtLongSteps) {
  for (const char* model : {"terra", "bekker", "bjh", "bwr", "rheological"}) {
    const RunReport fine = run(rover(model, "semi_implicit", 0.0005), 4);
    for (const double h : {0.005, 0.01}) {
      const RunReport coarse = run(rover(model, "moreau_jean", h), 4);
      // Of the first order: relative error / h measured 0.51 1/s at most (bjh).
      EXPECT_NEAR(coarse.distance, fine.distance, 0.6 * h * fine.distance) << model << h;
      EXPECT_NEAR(coarse.state.q[6], fine.state.q[6], 1e-5) << model << h;  // height [m]
      EXPECT_NEAR(coarse.state.v[3], fine.state.v[3], 1e-4) << model << h;  // of 0.04 m/s
    }
  }
}

// Memory of the wheels is written at the end of each step: a run in parts has the same bits.
TEST(HybridStepping, WheelModelsRunInParts) {
  const World world = rover("terra", "moreau_jean", 0.01);
  Observer nobody;
  const State middle = run(world, 1.5).resumable;
  EXPECT_TRUE(simulate(world, middle, {.end_time = 2}, nobody).state == run(world, 2).state);
}

}  // namespace
}  // namespace grouser::internal
