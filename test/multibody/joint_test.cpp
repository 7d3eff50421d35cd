#include "multibody/joint.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(JointType, CountsAndNames) {
  struct Row {
    JointType type;
    int positions, velocities, quaternion;
    const char* name;
  };
  const Row rows[] = {
      {JointType::fixed, 0, 0, -1, "fixed"},
      {JointType::revolute, 1, 1, -1, "revolute"},
      {JointType::prismatic, 1, 1, -1, "prismatic"},
      {JointType::universal, 2, 2, -1, "universal"},
      {JointType::spherical, 4, 3, 0, "spherical"},
      {JointType::planar, 3, 3, -1, "planar"},
      {JointType::free, 7, 6, 0, "free"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(position_count(row.type), row.positions);
    EXPECT_EQ(velocity_count(row.type), row.velocities);
    EXPECT_EQ(quaternion_offset(row.type), row.quaternion);
    EXPECT_EQ(has_plain_coordinates(row.type), row.quaternion < 0);
    EXPECT_STREQ(to_string(row.type), row.name);
    EXPECT_LE(row.velocities, kMaxJointVelocities);
  }
}

}  // namespace
}  // namespace grouser::internal
