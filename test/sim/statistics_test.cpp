#include "sim/statistics.h"

#include <gtest/gtest.h>

#include "test_worlds.h"

namespace grouser::internal {
namespace {

World world_with_a_wheel() {
  World world = rover_world();
  world.rovers = {{.name = "rover", .wheels = {{.name = "wheel", .radius = 0.1, .width = 0.1}}}};
  return world;
}

void add(double time, const WheelSample& wheel, RunStatistics& statistics) {
  statistics.add_wheels(time, {&wheel, 1});
}

WheelStatistics result(const RunStatistics& statistics) {
  RunReport report;
  statistics.fill(report);
  return report.wheels.front();
}

// Loads grow from 90 to 110 N and fall back at once, every second: 100 N in the mean.
TEST(RunStatistics, LoadsThatJumpCountOnBothSides) {
  const World world = world_with_a_wheel();
  RunStatistics statistics(world);
  for (int k = 0; k < 5; ++k) {
    add(k, {.normal = 90}, statistics);
    add(k + 1, {.normal = 110}, statistics);
  }
  EXPECT_DOUBLE_EQ(result(statistics).normal_mean, 100);
  EXPECT_DOUBLE_EQ(result(statistics).contact_time, 5);
}

// By hand, with steps of 1 and 3 s: normal (10 + 20)/2 + 3 (20 + 0)/2 = 45 over 4 s; torque² likewise
// (1 + 9)/2 + 3 (9 + 4)/2 = 24.5; slip (0.2 · 1 + 0.5 · 2)/2 + 3 (0.5 · 2)/2 = 2.1 over a way of
// (1 + 2)/2 + 3 · 2/2 = 4.5 m. What has no contact does not count for slip.
TEST(RunStatistics, WheelsAreMeansOverTime) {
  const World world = world_with_a_wheel();
  RunStatistics statistics(world);
  add(2, {.torque = 1, .slip = 0.2, .fastest = 1, .sinkage = 0.01, .normal = 10, .pull = 4},
      statistics);
  add(3, {.torque = -3, .slip = 0.5, .fastest = 2, .sinkage = 0.03, .normal = 20, .lateral = 2},
      statistics);
  add(6, {.torque = 2, .slip = 0.9, .fastest = 7, .sinkage = 0.02, .normal = 0}, statistics);
  const WheelStatistics wheel = result(statistics);
  EXPECT_DOUBLE_EQ(wheel.normal_mean, 45. / 4);
  EXPECT_DOUBLE_EQ(wheel.pull_mean, 0.5 * 4 / 4);             // half a second of 4 N
  EXPECT_DOUBLE_EQ(wheel.lateral_mean, (0.5 + 1.5) * 2 / 4);  // two seconds of 2 N
  EXPECT_DOUBLE_EQ(wheel.torque_rms, std::sqrt(24.5 / 4));
  EXPECT_DOUBLE_EQ(wheel.slip_mean, 2.1 / 4.5);
  EXPECT_DOUBLE_EQ(wheel.contact_time, 0.5 + 0.5 + 1.5);
  EXPECT_EQ(wheel.sinkage_max, 0.03);
}

// Creeps for 1000 s by 0.5 mm/s, which is half a metre, and then drives 0.2 m: only that has slip.
TEST(RunStatistics, AWheelThatStandsHasNoSlip) {
  const World world = world_with_a_wheel();
  RunStatistics statistics(world);
  const WheelSample creeps{.slip = -0.96, .fastest = 5e-4, .normal = 10},
      drives{.slip = 0.2, .fastest = 0.1, .normal = 10};
  add(0, creeps, statistics);
  add(1000, creeps, statistics);
  EXPECT_FALSE(result(statistics).has_slip());
  EXPECT_EQ(result(statistics).slip_mean, 0);
  EXPECT_DOUBLE_EQ(result(statistics).contact_time, 1000);
  add(1000, drives, statistics);
  add(1002, drives, statistics);
  EXPECT_TRUE(result(statistics).has_slip());
  EXPECT_DOUBLE_EQ(result(statistics).slip_mean, 0.2);
  EXPECT_DOUBLE_EQ(result(statistics).way, 0.2);
}

// Put down, it slides 40 mm forward and back and forward again: it stays within its footprint, 50 mm long. Then it is
// dragged 60 mm with its drive locked, which is as much slip as there can be.
TEST(RunStatistics, AWheelThatSettlesHasNoSlip) {
  const World world = world_with_a_wheel();
  RunStatistics statistics(world);
  for (int k = 0; k < 3; ++k) {
    const WheelSample slides{.slip = -1, .fastest = k % 2 == 0 ? 0.4 : -0.4, .normal = 10};
    add(0.1 * k, slides, statistics);
    add(0.1 * (k + 1), slides, statistics);
  }
  EXPECT_FALSE(result(statistics).has_slip());
  add(0.3, {.normal = 10}, statistics);
  for (const double time : {0.3, 0.6}) {
    add(time, {.slip = -1, .fastest = 0.2, .normal = 10}, statistics);
  }
  EXPECT_DOUBLE_EQ(result(statistics).slip_mean, -1);
  EXPECT_DOUBLE_EQ(result(statistics).way, 0.06);
}

// Its drive does 6 J in 4 s; what it brakes is lost.
TEST(RunStatistics, PowerIsTheWorkOfTheDriveOverTime) {
  World world = world_with_a_wheel();
  const std::size_t drive = 1;
  world.rovers[0].wheels[0].drive_dof = world.model.actuators()[drive].dof;
  RunStatistics statistics(world);
  add(1, {}, statistics);
  statistics.add_work(drive, 6);
  statistics.add_work(drive, -2);
  statistics.add_work(0, 10);  // of its steering
  add(5, {}, statistics);
  EXPECT_DOUBLE_EQ(result(statistics).power_mean, 1.5);
  RunReport report;
  statistics.fill(report);
  EXPECT_DOUBLE_EQ(report.energy, 16);
}

// 3 m and 4 m from above; heights do not count.
TEST(RunStatistics, DistanceIsTheWayFromAbove) {
  const World world = world_with_a_wheel();
  RunStatistics statistics(world);
  statistics.move_to({1, 1, 0});
  statistics.move_to({4, 1, 7});
  statistics.move_to({4, -3, 0});
  RunReport report;
  statistics.fill(report);
  EXPECT_DOUBLE_EQ(report.distance, 7);
}

}  // namespace
}  // namespace grouser::internal
