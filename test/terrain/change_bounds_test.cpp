#include "terrain/change_bounds.h"

#include <gtest/gtest.h>

#include "core/rng.h"

namespace grouser::internal {
namespace {

TEST(ChangeBounds, HoldsEveryValueOfAnyPart) {
  constexpr int kNx = 700, kNy = 1300;
  ChangeBounds bounds(kNx, kNy);
  TiledGrid<double> values(kNx, kNy);
  CounterRng rng(1);
  const auto index = [&](int n) { return static_cast<int>(rng.index(static_cast<unsigned>(n))); };
  for (int k = 0; k < 2000; ++k) {
    const int i = index(kNx), j = index(kNy);
    const double value = rng.normal();
    values.set(i, j, value);
    bounds.widen(i, j, value);
  }
  for (int k = 0; k < 200; ++k) {
    const int i0 = index(kNx), i1 = i0 + index(kNx - i0), j0 = index(kNy),
              j1 = j0 + index(kNy - j0);
    const HeightRange range = bounds.range(i0, i1, j0, j1);
    for (int j = j0; j <= j1; j += 1) {
      for (int i = i0; i <= i1; ++i) {
        ASSERT_GE(values.get(i, j), range.min);
        ASSERT_LE(values.get(i, j), range.max);
      }
    }
  }
}

TEST(ChangeBounds, FarFromAChangeIsZero) {
  ChangeBounds bounds(100'000, 100'000);
  bounds.widen(50'000, 50'000, -2);
  const HeightRange far = bounds.range(0, 30'000, 0, 99'999);
  EXPECT_EQ(far.min, 0);
  EXPECT_EQ(far.max, 0);
  const HeightRange near = bounds.range(49'000, 51'000, 50'000, 50'000);
  EXPECT_EQ(near.min, -2);
  EXPECT_EQ(near.max, 0);
  EXPECT_LT(bounds.memory_bytes(), 200'000u);  // measured 75 000
}

}  // namespace
}  // namespace grouser::internal
