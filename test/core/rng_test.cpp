#include "core/rng.h"

#include <vector>

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

using Block = std::array<std::uint32_t, 4>;

// Lines "philox4x32 10" of kat_vectors in the Random123 distribution of Salmon et al.
TEST(Philox, KnownAnswers) {
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The same vectors through the class fix how seed, stream and counter enter the block.
TEST(CounterRng, BitsAreTheFirstHalfOfTheBlock) {
  EXPECT_EQ(CounterRng(0, 0).bits_at(0), 0xe169c58d6627e8d5u);
  const CounterRng pi(0x299f31d0a4093822, 0x0370734413198a2e);
  EXPECT_EQ(pi.bits_at(0x85a308d3243f6a88), 0x94fdccebd16cfe09u);
}

TEST(CounterRng, SequenceEqualsRandomAccess) {
  CounterRng rng(42, 7);
  const CounterRng start = rng;
  for (std::uint64_t k = 0; k < 12; k += 4) {
    EXPECT_EQ(rng.bits(), start.bits_at(k));
    EXPECT_EQ(rng.uniform(), start.uniform_at(k + 1));
    EXPECT_EQ(rng.normal(), start.normal_at(k + 2));
    EXPECT_EQ(rng.index(10), start.index_at(k + 3, 10));
  }
  EXPECT_EQ(rng.position(), 12u);
  EXPECT_NE(rng, start);
  rng.seek(0);
  EXPECT_EQ(rng, start);
}

TEST(CounterRng, SeedsAndStreamsDiffer) {
  EXPECT_NE(CounterRng(1, 0).bits(), CounterRng(2, 0).bits());
  EXPECT_NE(CounterRng(1, 0).bits(), CounterRng(1, 1).bits());
  EXPECT_NE(CounterRng(1, 0).bits(), CounterRng(std::uint64_t{1} << 32, 0).bits());
}

TEST(CounterRng, UniformStaysInItsInterval) {
  CounterRng rng(3);
  for (int i = 0; i < 100000; ++i) {
    const double unit = rng.uniform();
    ASSERT_TRUE(unit >= 0 && unit < 1);
    const double value = rng.uniform(-2, 5);
    ASSERT_TRUE(value >= -2 && value < 5);
  }
}

struct Moments {
  double mean = 0, variance = 0, kurtosis = 0;
};

template <class Draw>
Moments moments(int n, Draw draw) {
  double s1 = 0, s2 = 0, s4 = 0;
  for (int i = 0; i < n; ++i) {
    const double x = draw();
    s1 += x;
    s2 += x * x;
    s4 += x * x * x * x;
  }
  return {s1 / n, s2 / n - (s1 / n) * (s1 / n), s4 / n};
}

// Bounds are five standard errors of each estimate for n = 1e6.
TEST(CounterRng, UniformMoments) {
  CounterRng rng(11);
  const Moments m = moments(1000000, [&] { return rng.uniform() - 0.5; });
  EXPECT_NEAR(m.mean, 0, 5 * std::sqrt(1 / 12.0 / 1e6));              // measured -4.6e-4
  EXPECT_NEAR(m.variance, 1 / 12.0, 5 * std::sqrt(1 / 180.0 / 1e6));  // measured residual -9.3e-5
}

TEST(CounterRng, NormalMoments) {
  CounterRng rng(12);
  const Moments m = moments(1000000, [&] { return rng.normal(); });
  EXPECT_NEAR(m.mean, 0, 5e-3);                      // measured -4.4e-4
  EXPECT_NEAR(m.variance, 1, 5 * std::sqrt(2e-6));   // measured residual -1.7e-4
  EXPECT_NEAR(m.kurtosis, 3, 5 * std::sqrt(96e-6));  // measured residual -2.5e-3
}

// Chi-square with 9 degrees of freedom exceeds 33.7 with probability 1e-4.
TEST(CounterRng, IndexIsEven) {
  CounterRng rng(13);
  std::vector<int> counts(10);
  for (int i = 0; i < 100000; ++i) ++counts.at(rng.index(10));
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 1e4) * (count - 1e4) / 1e4;
  EXPECT_LT(chi_square, 33.7);  // measured 8.0
}

TEST(CounterRng, IndexOfOneIsZero) { EXPECT_EQ(CounterRng(5).index(1), 0u); }

// Draws of neighbouring streams at the same counter must not move together.
TEST(CounterRng, NeighbouringStreamsAreUncorrelated) {
  CounterRng a(14, 0), b(14, 1);
  constexpr int kCount = 100000;
  double sum = 0;
  for (int i = 0; i < kCount; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5) * 12;
  EXPECT_NEAR(sum / kCount, 0, 5 / std::sqrt(kCount));  // measured 2.4e-4
}

}  // namespace
}  // namespace grouser::internal
