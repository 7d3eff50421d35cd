// Soft soil survives a checkpoint with all its bits, and a run goes on from there as if never stopped.
#include <gtest/gtest.h>

#include "record/checkpoint.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"
#include "support/temporary_folder.h"
#include "terrain/flat_field.h"

namespace grouser {
namespace {

class SoilCheckpoint : public TemporaryFolderTest {};

World ball_on_sand() {
  return load_scene_text(R"(
grouser: 1
name: ball
integrator: {method: semi_implicit, step: 0.001}
terrain: {surface: {size: [2, 2], noise: {rms_deviation: 0.02}}, spacing: 0.01, soil: dry_sand}
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
  ASSERT_TRUE(first.resumable.soil);
  EXPECT_GT(first.resumable.soil->soil.displaced, 0);
  save_checkpoint(folder_ / "c.h5", world, first.resumable);
  const State loaded = load_checkpoint(folder_ / "c.h5", world);
  EXPECT_TRUE(loaded.soil->soil.memory == first.resumable.soil->soil.memory);
  EXPECT_TRUE(loaded.soil->soil.map.changes() == first.resumable.soil->soil.map.changes());
  EXPECT_TRUE(loaded.soil->bodies == first.resumable.soil->bodies);
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
  World other = ball_on_sand();
  other.ground = std::make_shared<Ground>(Ground{
      ElevationMap(std::make_shared<FlatField>(FlatOptions{.domain = {Vec2(-1, -1), Vec2(1, 1)}}),
                   {.spacing = 0.02}),
      other.ground->soils,
      {}});
  EXPECT_THROW(load_checkpoint(folder_ / "c.h5", other), Error);
}

}  // namespace
}  // namespace grouser
