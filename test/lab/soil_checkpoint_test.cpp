// Soft soil survives a checkpoint with all its bits, and a run goes on from there as if never stopped.
#include <gtest/gtest.h>

#include "contact/scm/scm_system.h"
#include "record/checkpoint.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

class SoilCheckpoint : public TemporaryFolderTest {};

World ball_on_sand(const std::string& spacing = "0.01") {
  return load_scene_text(R"(
grouser: 1
name: ball
integrator: {method: semi_implicit, step: 0.001}
terrain: {surface: {size: [2, 2], noise: {rms_deviation: 0.02}}, soil: dry_sand, spacing: )" +
                             spacing + R"(}
contacts: [{model: scm, bodies: [ball]}]
models:
  - name: m
    on_ground: true
    position: [-0.2, 0, 0.1]
    velocity: [0.3, 0.05, 0]
    tree: {bodies: [{name: ball, mass: 5, shape: {sphere: {radius: 0.1}}}]}
)",
                         "f", ".");
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
  const World other = ball_on_sand("0.02");
  EXPECT_THROW(load_checkpoint(folder_ / "c.h5", other), Error);
}

}  // namespace
}  // namespace grouser::internal
