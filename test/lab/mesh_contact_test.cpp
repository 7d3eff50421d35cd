#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contact/pcm/pcm_force.h"
#include "contact/pcm/pcm_system.h"
#include "core/parallel.h"
#include "expect_passes.h"
#include "lab/reproduce.h"
#include "lab/scene_parts.h"
#include "record/checkpoint.h"
#include "record/contact_tables.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

/// A plank and a ball fall on rough ground and on each other, seen up to a depth [m].
World falling_meshes(double max_penetration = 0.03) {
  const Map noise{{"rms_deviation", 0.03}, {"seed", 4}};
  const Map plank = model_of("plank", {0, 0, 0.3}, body_of("plank", 2, box_shape(0.3, 0.2, 0.1)));
  const Map ball = model_of("ball", {0.05, 0, 0.6}, body_of("ball", 1, sphere_shape(0.1)));
  const Map material{{"damping", 1e4}, {"friction", 0.6}, {"dead_band", 0.01}};
  const Map bodies{{"model", "pcm"},
                   {"bodies", List{"plank/plank", "ball/ball"}},
                   {"edge_length", 0.03},
                   {"max_penetration", max_penetration},
                   {"material", merged(material, {{"young", 1e5}, {"poisson", 0.3}})}};
  const Map ground = merged(terrain_by("pcm"), {{"material", merged(material, {{"rigid", true}})}});
  const Map scene{
      {"integrator", fixed_step("semi_implicit", 0.0002)},
      {"terrain", Map{{"surface", Map{{"size", List{6, 6}}, {"spacing", 0.05}, {"noise", noise}}},
                      {"spacing", 0.02},
                      {"soil", "dry_sand"}}},
      {"models", List{merged(plank, {{"on_ground", true}, {"rpy_deg", List{10, 20, 0}}}),
                      merged(ball, {{"on_ground", true}})}},
      {"contacts", List{bodies, ground}},
      {"mesh_contact", Map{{"fade_in", 0.001}}}};
  return load_scene_values(scene, "fall", ".");
}

class MeshContacts : public TemporaryFolderTest {};

State run_meshes(const World& world, const State& start, double end) {
  Observer silent;
  return simulate(world, start, {.end_time = end}, silent).state;
}

class LastPatches : public Observer {
 public:
  explicit LastPatches(const World& world) : pcm_(*find_contacts<PcmSystem>(world)) {}

  void on_sample(const Sample& sample) override {
    X_WB = sample.X_WB;
    V_WB = sample.V_WB;
    load = 0;
    for (const PcmContact& contact : pcm_.force(*sample.contact_details[0]).contacts) {
      for (const PatchElement& element : contact.patch) load += element.pressure * element.area;
    }
  }
  std::vector<Pose> X_WB;
  std::vector<Twist> V_WB;
  double load = 0;  ///< of all elements [N]

 private:
  const PcmSystem& pcm_;
};

TEST_F(MeshContacts, FallAndComeToRestOnTheGround) {
  const World world = falling_meshes();
  LastPatches last(world);
  const RunReport report = simulate(world, initial_state(world), {.end_time = 3}, last);
  for (std::size_t b = 0; b < 2; ++b) {
    const Vec3 p = last.X_WB[b].p;
    const double above = p.z() - world.ground->map.height(p.x(), p.y());
    EXPECT_GT(above, 0.04) << b;
    EXPECT_LT(above, 0.3) << b;  // the ball may lie on the plank
  }
  EXPECT_LT(last.V_WB[0].linear.norm(), 0.02);
  EXPECT_GT(last.load, 0.9 * 2 * 9.81);
  EXPECT_FALSE(report.contacts.pairs.empty());
  for (const PairReport& pair : report.contacts.pairs) {
    EXPECT_LT(pair.greatest_depth, pair.max_penetration);
  }
}

TEST_F(MeshContacts, SameBitsForAnyNumberOfThreadsAndAfterACheckpoint) {
  const World world = falling_meshes();
  const int threads = thread_count();
  set_thread_count(1);
  const State whole = run_meshes(world, initial_state(world), 0.6);
  for (const int count : {2, 5}) {
    set_thread_count(count);
    EXPECT_EQ(run_meshes(world, initial_state(world), 0.6), whole);
  }
  set_thread_count(threads);
  const State half = run_meshes(world, initial_state(world), 0.31);
  save_checkpoint(folder_ / "half.h5", world, half);
  EXPECT_EQ(run_meshes(world, load_checkpoint(folder_ / "half.h5", world), 0.6), whole);
}

TEST_F(MeshContacts, SaysWhenLinesWereTooShort) {
  const World world = falling_meshes(0.006);
  Observer silent;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 0.5}, silent);
  EXPECT_THAT(report.warnings,
              testing::Contains(testing::HasSubstr("near the end of their penetration lines")));
}

TEST_F(MeshContacts, WheelsDriveOnTheGround) {
  const World world = load_scene_text(R"(grouser: 1
gravity: mars
integrator: {method: semi_implicit, step: 0.0005}
terrain:
  surface: {size: [6, 4], spacing: 0.05, noise: {rms_deviation: 0.002, seed: 4}}
  soil: dry_sand
  spacing: 0.02
models: [{name: rover, rover: exomars, position: [-1, 0, 0.57], on_ground: true}]
contacts:
  - model: pcm
    wheels: all
    edge_length: 0.02
    max_penetration: 0.02
    material: {young: 1e6, poisson: 0.3, damping: 5e4, friction: 0.7, dead_band: 0.01}
  - {model: pcm, terrain: true, material: {rigid: true, damping: 5e4, friction: 0.7, dead_band: 0.01}}
commands: [{wheels: all, ground_speed: 0.1}]
)",
                                      "drive", ".");
  Observer silent;
  const State settled = run_meshes(world, initial_state(world), 3);
  const RunReport report = simulate(world, settled, {.end_time = 5}, silent);
  EXPECT_NEAR(report.distance, 0.2, 0.01);
  double load = 0;
  for (const WheelStatistics& wheel : report.wheels) load += wheel.normal_mean;
  EXPECT_NEAR(load / (world.model.total_mass() * 3.71), 1, 0.02);
}

TEST_F(MeshContacts, PatchesAsATable) {
  const World world = falling_meshes();
  {
    ContactTables table(world, folder_);
    simulate(world, run_meshes(world, initial_state(world), 2.5), {.end_time = 2.5002}, table);
    table.close();
  }
  std::ifstream file(folder_ / "patches.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line.substr(0, 29), "time [s],base,target,triangle");
  std::size_t rows = 0;
  for (; std::getline(file, line); ++rows) EXPECT_EQ(std::ranges::count(line, ','), 10);
  EXPECT_GT(rows, 2u);
}

TEST(PcmReproductions, SharpEdges) {
  expect_passes("pcm/sharp-edges", {"chamfered target: energy from nowhere"});
}
TEST(LongPcmReproductions, All) {
  expect_passes("pcm/*", {"chamfered target: energy from nowhere", "E 1e6: at rest after"});
}

}  // namespace
}  // namespace grouser::internal
