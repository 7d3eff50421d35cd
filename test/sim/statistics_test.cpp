#include "sim/statistics.h"

#include <gtest/gtest.h>

#include "test_worlds.h"

namespace grouser {
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
  add(2, {.torque = 1, .slip = 0.2, .fastest = 1, .sinkage = 0.01, .normal = 10}, statistics);
  add(3, {.torque = -3, .slip = 0.5, .fastest = 2, .sinkage = 0.03, .normal = 20}, statistics);
  add(6, {.torque = 2, .slip = 0.9, .fastest = 7, .sinkage = 0.02, .normal = 0}, statistics);
  const WheelStatistics wheel = result(statistics);
  EXPECT_DOUBLE_EQ(wheel.normal_mean, 45. / 4);
  EXPECT_DOUBLE_EQ(wheel.torque_rms, std::sqrt(24.5 / 4));
  EXPECT_DOUBLE_EQ(wheel.slip_mean, 2.1 / 4.5);
  EXPECT_DOUBLE_EQ(wheel.contact_time, 0.5 + 0.5 + 1.5);
  EXPECT_EQ(wheel.sinkage_max, 0.03);
}

}  // namespace
}  // namespace grouser
