#include <gtest/gtest.h>

#include <algorithm>

#include "contact/bbcc/bbcc_system.h"
#include "core/parallel.h"
#include "lab/scene_parts.h"
#include "record/checkpoint.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

/// A box and a ball, at a height [m], fall on hard, rough ground and on each other.
World falling_world(double ball_height = 0.9) {
  const Map noise{{"rms_deviation", 0.03}, {"seed", 4}},
      material{{"young", 1e6}, {"friction", 0.8}};
  const Map box = model_of("box", {0, 0, 0.5}, body_of("box", 2, box_shape(0.3, 0.2, 0.1)));
  const Map ball = model_of("ball", {0.05, 0, ball_height}, body_of("ball", 1, sphere_shape(0.1)));
  const Map scene{
      {"integrator", fixed_step("semi_implicit", 0.0002)},
      {"terrain", Map{{"surface", Map{{"size", List{6, 6}}, {"spacing", 0.05}, {"noise", noise}}},
                      {"soil", "dry_sand"}}},
      {"models", List{merged(box, {{"on_ground", true}, {"rpy_deg", List{20, 30, 0}}}),
                      merged(ball, {{"on_ground", true}})}},
      {"contacts", List{body_contacts({"box/box", "ball/ball"}, material),
                        merged(terrain_by("bbcc"), {{"material", material}})}}};
  return load_scene_values(scene, "fall", ".");
}

class BodyContacts : public TemporaryFolderTest {};

State run(const World& world, const State& start, double end) {
  Observer silent;
  return simulate(world, start, {.end_time = end}, silent).state;
}

class Last : public Observer {
 public:
  void on_sample(const Sample& sample) override {
    X_WB = sample.X_WB;
    V_WB = sample.V_WB;
  }
  std::vector<Pose> X_WB;
  std::vector<Twist> V_WB;
};

TEST_F(BodyContacts, FallAndComeToRestOnTheGround) {
  const World world = falling_world();
  Last last;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 4}, last);
  EXPECT_FALSE(find_memory<BbccSystem>(world, report.state)->touches.empty());
  for (std::size_t b = 0; b < 2; ++b) {
    const Vec3 p = last.X_WB[b].p;
    const double above = p.z() - world.ground->map.height(p.x(), p.y());
    EXPECT_GT(above, 0.04) << b;
    EXPECT_LT(above, 0.3) << b;  // the ball may lie on the box
  }
  EXPECT_LT(last.V_WB[0].linear.norm(), 0.02);
}

TEST_F(BodyContacts, SameBitsInPartsFromCheckpointsAndOnAnyThreads) {
  const World world = falling_world();
  const State whole = run(world, initial_state(world), 0.6);
  const State half = run(world, initial_state(world), 0.4);
  EXPECT_FALSE(find_memory<BbccSystem>(world, half)->touches.empty());
  save_checkpoint(folder_ / "half.h5", world, half);
  const State read = load_checkpoint(folder_ / "half.h5", world);
  EXPECT_EQ(read, half);
  set_thread_count(5);
  EXPECT_EQ(hash(run(world, read, 0.6)), hash(whole));
  set_thread_count(0);
}

TEST_F(BodyContacts, WarnOfBodiesThatBeginInEachOther) {
  const World world = falling_world(0.5);
  Observer silent;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 0.001}, silent);
  // Also the step is warned of: bodies this deep in each other are too stiff for it.
  EXPECT_EQ(std::ranges::count_if(report.warnings,
                                  [](const std::string& warning) {
                                    return warning.starts_with("box/box and ball/ball overlap by");
                                  }),
            1);
  EXPECT_LE(report.warnings.size(), 2U);
}

TEST_F(BodyContacts, WheelsCarryTheWeightOfARoverOnHardGround) {
  const World world = load_scene_text(R"(grouser: 1
integrator: {method: semi_implicit, step: 0.0005}
terrain: {surface: {size: [6, 6], spacing: 0.1, noise: {rms_deviation: 0}}, soil: dry_sand}
models: [{name: rover, rover: exomars, position: [0, 0, 0.58], on_ground: true}]
contacts:
  - {model: bbcc, wheels: all, group: rover, material: {young: 1e6, restitution: 0.3}}
  - {model: bbcc, terrain: true, material: {young: 1e6}}
)",
                                      "rover", ".");
  Observer silent;
  const State settled = run(world, initial_state(world), 3);
  const RunReport report = simulate(world, settled, {.end_time = 4}, silent);
  double load = 0;
  for (const WheelStatistics& wheel : report.wheels) load += wheel.normal_mean;
  EXPECT_NEAR(load / (world.model.total_mass() * 9.80665), 1, 1e-3);
}

}  // namespace
}  // namespace grouser::internal
