#include "sim/state.h"

#include <bit>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

State sample() {
  State state{.time = 0.5, .memory = {8, -0.0}};
  state.q = Vec3(1, 2, 3);
  state.v = Eigen::Vector2d(4, 5);
  return state;
}

void flip_bit(double& x, int bit) {
  x = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ std::uint64_t{1} << bit);
}

TEST(State, CopyIsEqualAndHasTheSameHash) {
  EXPECT_EQ(sample(), sample());
  EXPECT_EQ(hash(sample()), hash(sample()));
}

TEST(State, EqualityIsBitwise) {
  State a = sample(), b = sample();
  a.q[1] = 0.0;
  b.q[1] = -0.0;
  EXPECT_FALSE(a == b);
  EXPECT_NE(hash(a), hash(b));
  a.q[1] = b.q[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(a, b);
}

TEST(State, AnyBitChangesEqualityAndHash) {
  const State original = sample();
  std::set<std::uint64_t> hashes = {hash(original)};
  const auto try_number = [&](State& state, double& number) {
    for (int bit = 0; bit < 64; ++bit) {
      flip_bit(number, bit);
      EXPECT_FALSE(state == original);
      EXPECT_TRUE(hashes.insert(hash(state)).second);
      flip_bit(number, bit);
    }
  };
  State state = original;
  try_number(state, state.time);
  for (double& x : state.q) try_number(state, x);
  for (double& x : state.v) try_number(state, x);
  for (double& x : state.memory) try_number(state, x);
  EXPECT_EQ(state, original);
  EXPECT_EQ(hashes.size(), 1 + 64 * 8u);
}

TEST(State, WhereANumberStandsMatters) {
  State in_v, in_q, in_memory;
  in_q.q = VecX::Ones(1);
  in_v.v = VecX::Ones(1);
  in_memory.memory = {1};
  EXPECT_FALSE(in_v == in_q);
  EXPECT_FALSE(in_v == in_memory);
  EXPECT_NE(hash(in_q), hash(in_v));
  EXPECT_NE(hash(in_v), hash(in_memory));
}

}  // namespace
}  // namespace grouser::internal
