#include "multibody/elements.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Loop, RowCounts) {
  EXPECT_EQ(row_count({"", BallLoop{}}), 3);
  EXPECT_EQ(row_count({"", HingeLoop{}}), 5);
  EXPECT_EQ(row_count({"", DistanceLoop{}}), 1);
  EXPECT_EQ(row_count({"", CouplingLoop{}}), 1);
}

TEST(ActuatorType, Names) {
  EXPECT_STREQ(to_string(ActuatorType::torque), "torque");
  EXPECT_STREQ(to_string(ActuatorType::velocity), "velocity");
  EXPECT_STREQ(to_string(ActuatorType::position), "position");
  EXPECT_STREQ(to_string(ActuatorType::prescribed), "prescribed");
}

class ActuatorEffort : public testing::Test {
 protected:
  /// Joint at 1, moving at 2; asked for 4 and 5 with a feed-forward of 7.
  double effort(ActuatorType type, double max_effort = kInfinity) const {
    const Actuator actuator{.type = type, .kp = 10, .kd = 100, .max_effort = max_effort};
    const ActuatorTarget target{.position = 4, .velocity = 5, .acceleration = 99, .effort = 7};
    return actuator_effort(actuator, target, 1, 2);
  }
};

TEST_F(ActuatorEffort, HandValues) {
  EXPECT_EQ(effort(ActuatorType::torque), 7);
  EXPECT_EQ(effort(ActuatorType::velocity), 7 + 100 * 3);
  EXPECT_EQ(effort(ActuatorType::position), 7 + 10 * 3 + 100 * 3);
}

TEST_F(ActuatorEffort, SaturatesOnBothSides) {
  EXPECT_EQ(effort(ActuatorType::torque, 3), 3);
  EXPECT_EQ(effort(ActuatorType::velocity, 300), 300);
  EXPECT_EQ(effort(ActuatorType::position, 338), 337);
  const Actuator servo{.type = ActuatorType::position, .kp = 10, .max_effort = 20};
  EXPECT_EQ(actuator_effort(servo, {.position = -4}, 0, 0), -20);
}

// Stall 20 N m, without load 4 rad/s: half of it left at 2 rad/s, all of it against the motion, none of it when hot.
TEST_F(ActuatorEffort, MotorsHaveLessAtSpeed) {
  const Actuator motor{.type = ActuatorType::torque, .stall_effort = 20, .no_load_speed = 4};
  EXPECT_EQ(actuator_effort(motor, {.effort = 99}, 0, 0), 20);
  EXPECT_EQ(actuator_effort(motor, {.effort = 99}, 0, 2), 10);
  EXPECT_EQ(actuator_effort(motor, {.effort = 99}, 0, 5), 0);
  EXPECT_EQ(actuator_effort(motor, {.effort = -99}, 0, 2), -20);
  EXPECT_EQ(actuator_effort(motor, {.effort = 5}, 0, 2), 5);
  EXPECT_EQ(actuator_effort(motor, {.effort = 99, .available = 0.25}, 0, 2), 2.5);
}

class Winch : public testing::Test {
 protected:
  const Tether paying_out_{.length = 2, .rate = 0.5, .rate_start = 1, .rate_end = 3};
  const Tether reeling_in_{.length = 2, .rate = -0.5, .rate_start = 1};
};

using LengthAndRate = std::pair<double, double>;

TEST_F(Winch, PaysOutBetweenItsTimes) {
  EXPECT_EQ(unloaded_length(paying_out_, 0), (LengthAndRate{2, 0}));
  EXPECT_EQ(unloaded_length(paying_out_, 1), (LengthAndRate{2, 0.5}));
  EXPECT_EQ(unloaded_length(paying_out_, 2), (LengthAndRate{2.5, 0.5}));
  EXPECT_EQ(unloaded_length(paying_out_, 3), (LengthAndRate{3, 0}));
  EXPECT_EQ(unloaded_length(paying_out_, 9), (LengthAndRate{3, 0}));
}

TEST_F(Winch, StopsWhenAllIsReeledIn) {
  EXPECT_EQ(unloaded_length(reeling_in_, 3), (LengthAndRate{1, -0.5}));
  EXPECT_EQ(unloaded_length(reeling_in_, 5), (LengthAndRate{0, 0}));
  EXPECT_EQ(unloaded_length(reeling_in_, 7), (LengthAndRate{0, 0}));
}

TEST_F(Winch, StandsStillByDefault) {
  EXPECT_EQ(unloaded_length(Tether{.length = 4}, 100), (LengthAndRate{4, 0}));
}

}  // namespace
}  // namespace grouser::internal
