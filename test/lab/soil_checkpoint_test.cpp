// Soft soil survives a checkpoint with all its bits, and a run goes on from there as if never stopped.
#include <gtest/gtest.h>

#include "contact/scm/scm_system.h"
#include "lab/scene_parts.h"
#include "record/checkpoint.h"
#include "sim/simulate.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

class SoilCheckpoint : public TemporaryFolderTest {};

World ball_on_sand(double spacing = 0.01) {
  const Map noise{{"rms_deviation", 0.02}};
  const Map ball = model_of("m", {-0.2, 0, 0.1}, body_of("ball", 5, sphere_shape(0.1)));
  const Map scene{
      {"integrator", fixed_step("semi_implicit", 0.001)},
      {"terrain", Map{{"surface", Map{{"size", List{2, 2}}, {"noise", noise}}},
                      {"soil", "dry_sand"},
                      {"spacing", spacing}}},
      {"contacts", List{Map{{"model", "scm"}, {"bodies", List{"ball"}}}}},
      {"models", List{merged(ball, {{"on_ground", true}, {"velocity", List{0.3, 0.05, 0}}})}}};
  return load_scene_values(scene, "f", ".");
}

TEST_F(SoilCheckpoint, KeepsEveryBit) {
  const World world = ball_on_sand();
  Observer nobody;
  const RunReport first = simulate(world, initial_state(world), {.end_time = 0.3}, nobody);
  const ScmState* saved = find_memory<ScmSystem>(world, first.resumable);
  ASSERT_NE(saved, nullptr);
  EXPECT_GT(saved->soil.displaced, 0);
  save_checkpoint(folder_ / "c.h5", world, first.resumable);
  const State loaded = load_checkpoint(folder_ / "c.h5", world);
  const ScmState* read = find_memory<ScmSystem>(world, loaded);
  EXPECT_TRUE(read->soil.memory == saved->soil.memory);
  EXPECT_TRUE(read->soil.map.changes() == saved->soil.map.changes());
  EXPECT_TRUE(read->bodies == saved->bodies);
  EXPECT_TRUE(loaded == first.resumable);
  EXPECT_EQ(hash(loaded), hash(first.resumable));

  const RunReport whole = simulate(world, initial_state(world), {.end_time = 0.6}, nobody);
  const RunReport second = simulate(world, loaded, {.end_time = 0.6}, nobody);
  EXPECT_TRUE(second.state == whole.state);
}

TEST_F(SoilCheckpoint, OfAnotherGroundIsRefused) {
  const World world = ball_on_sand();
  const State state = initial_state(world);
  save_checkpoint(folder_ / "c.h5", world, state);
  const World other = ball_on_sand(0.02);
  EXPECT_THROW(load_checkpoint(folder_ / "c.h5", other), Error);
}

}  // namespace
}  // namespace grouser::internal
