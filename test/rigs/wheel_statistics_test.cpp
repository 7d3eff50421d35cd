// What a run says of its wheels in soft soil.
#include <gtest/gtest.h>

#include "lab/scene_parts.h"
#include "rigs/wheel_rig.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

double load_of_wheels(const RunReport& report) {
  double load = 0;
  for (const WheelStatistics& wheel : report.wheels) load += wheel.normal_mean;
  return load;
}

/// From a state that has come to rest, for some seconds.
RunReport go_on(const World& world, double begin, double end) {
  Observer nobody;
  const RunReport settled = simulate(world, initial_state(world), {.end_time = begin}, nobody);
  return simulate(world, settled.resumable, {.end_time = end}, nobody);
}

World rover_on_sand(double start_time) {
  const Map noise{{"rms_deviation", 0.001}};
  const Map terrain{{"surface", Map{{"size", List{4, 3}}, {"noise", noise}}},
                    {"spacing", 0.02},
                    {"soil", "dry_sand"}};
  const Map path{
      {"waypoints", List{Value(List{1, 0})}}, {"speed", 0.06}, {"start_time", start_time}};
  const Map scene{{"gravity", "mars"},
                  {"integrator", fixed_step("semi_implicit", 0.001)},
                  {"record", Map{{"rate_hz", 20}}},
                  {"terrain", terrain},
                  {"contacts", List{all_wheels_by("scm")}},
                  {"models", List{rover_above_ground("exomars", {-0.5, 0, 0.565})}},
                  {"commands", List{Map{{"path", path}}}}};
  return load_scene_values(scene, "f", ".");
}

TEST(WheelStatistics, LoadsOfAStandingRoverAreItsWeight) {
  const World world = rover_on_sand(100);
  const double weight = world.model.total_mass() * world.model.gravity().norm();
  // Over many of the swings on elastic soil that follow when it is put down. Measured 1.7e-4.
  EXPECT_NEAR(load_of_wheels(go_on(world, 1, 6)) / weight, 1, 1e-3);
}

TEST(WheelStatistics, LoadsOfADrivingRoverAreItsWeight) {
  const World world = rover_on_sand(0.5);
  const double weight = world.model.total_mass() * world.model.gravity().norm();
  EXPECT_NEAR(load_of_wheels(go_on(world, 1.5, 4.5)) / weight, 1, 5e-3);  // measured 8e-5
}

TEST(WheelStatistics, LoadOfAWheelOnTheRigIsWhatWasPutOnIt) {
  WheelRigSpec spec;
  spec.spacing = 0.01;
  spec.distance = 0.6;
  World world = wheel_rig_world(spec, {.slip = 0.2});
  world.settings.record_rate_hz = 20;  // on every fifth tick of the soil's clock
  // From where it sinks no deeper: until then the rig's damper carries a part. Measured 6e-4.
  EXPECT_NEAR(load_of_wheels(go_on(world, 8, world.settings.duration)) / spec.load, 1, 5e-3);
}

}  // namespace
}  // namespace grouser::internal
