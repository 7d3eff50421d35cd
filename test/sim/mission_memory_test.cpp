#include "sim/mission_memory.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(MissionMove, GoesSmoothlyFromEndToEnd) {
  const MoveMemory move{.is_set = 1, .from = 1, .to = 3, .begin = 10, .duration = 4};
  EXPECT_EQ(position_at(move, 9).value, 1);
  EXPECT_EQ(position_at(move, 9).rate, 0);
  EXPECT_DOUBLE_EQ(position_at(move, 12).value, 2);
  EXPECT_DOUBLE_EQ(position_at(move, 12).rate, 15.0 / 16);  // 15/8 of the mean
  EXPECT_EQ(position_at(move, 99).value, 3);
  constexpr double h = 1e-5;
  for (double t = 10.5; t < 14; t += 0.5) {
    const SignalValue at = position_at(move, t);
    EXPECT_NEAR(at.rate, (position_at(move, t + h).value - position_at(move, t - h).value) / 2 / h,
                1e-8);
    EXPECT_NEAR(at.acceleration,
                (position_at(move, t + h).rate - position_at(move, t - h).rate) / 2 / h, 1e-8);
  }
}

}  // namespace
}  // namespace grouser::internal
