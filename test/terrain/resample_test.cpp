#include "terrain/resample.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "core/rng.h"

namespace grouser::internal {
namespace {

TEST(Resample, MeanOfThePolygonByHand) {
  // Nodes 0, 0, 4, 0, 0 a metre apart, to 2 m: the mean of the tent over 1 ... 3 is 2.
  PixelGrid grid{5, 2, {1, 1}, {0, 0, 4, 0, 0, 0, 0, 4, 0, 0}};
  grid.spacing.y() = 2;
  const PixelGrid out = resample(grid, 2);
  EXPECT_EQ(out.nx, 3);
  EXPECT_EQ(out.ny, 2);
  EXPECT_EQ(out.heights, (std::vector<double>{0, 2, 0, 0, 2, 0}));
}

TEST(Resample, FinerGoesThroughTheOldNodes) {
  CounterRng rng(1);
  PixelGrid grid{7, 6, {1, 1}, {}};
  for (int k = 0; k < 42; ++k) grid.heights.push_back(rng.uniform());
  const PixelGrid out = resample(grid, 0.25);
  ASSERT_EQ(out.nx, 25);
  ASSERT_EQ(out.ny, 21);
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 7; ++i) {
      EXPECT_EQ(out.heights[static_cast<std::size_t>(4 * j * 25 + 4 * i)],
                grid.heights[static_cast<std::size_t>(j * 7 + i)]);
    }
  }
}

// Noise of unit variance, averaged over 20 x 20 old nodes, has a 400th of it; a filter that picked
// single nodes would keep it all.
TEST(Resample, CoarserAveragesNoiseAway) {
  CounterRng rng(2);
  PixelGrid grid{401, 401, {0.1, 0.1}, {}};
  for (int k = 0; k < 401 * 401; ++k) grid.heights.push_back(rng.normal());
  const PixelGrid out = resample(grid, 2);
  double squares = 0;
  for (int j = 1; j + 1 < out.ny; ++j) {
    for (int i = 1; i + 1 < out.nx; ++i) {
      squares += std::pow(out.heights[static_cast<std::size_t>(j * out.nx + i)], 2);
    }
  }
  const double variance = squares / ((out.nx - 2) * (out.ny - 2));
  EXPECT_NEAR(variance * 400, 1, 0.25);  // measured 0.09 off
}

TEST(Resample, SameBitsForAnyNumberOfThreads) {
  CounterRng rng(3);
  PixelGrid grid{103, 97, {0.3, 0.5}, {}};
  for (int k = 0; k < 103 * 97; ++k) grid.heights.push_back(rng.uniform());
  set_thread_count(1);
  const std::vector<double> one = resample(grid, 0.4).heights;
  set_thread_count(5);
  EXPECT_EQ(resample(grid, 0.4).heights, one);
  set_thread_count(0);
}

}  // namespace
}  // namespace grouser::internal
