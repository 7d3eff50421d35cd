#include "terrain/no_data_fill.h"

#include <chrono>
#include <cmath>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace grouser::internal {
namespace {

constexpr int kNx = 61, kNy = 47;

template <class F>
std::vector<double> sampled(int nx, int ny, F&& f) {
  std::vector<double> heights;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) heights.push_back(f(i, j));
  }
  return heights;
}

// A large hole in the middle, a notch at the border is left out, and scattered nodes.
std::vector<double> with_holes(std::vector<double> heights, int nx, int ny) {
  CounterRng rng(1);
  for (int j = 1; j < ny - 1; ++j) {
    for (int i = 1; i < nx - 1; ++i) {
      const bool middle = i > nx / 5 && i < nx * 3 / 5 && j > ny / 4 && j < ny * 3 / 4;
      if (middle || rng.uniform() < 0.1) heights[static_cast<std::size_t>(j * nx + i)] = NAN;
    }
  }
  return heights;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

// These are harmonic for the five-point formula too, so that a filled hole must restore them.
TEST(FillHarmonic, RestoresHarmonicSurfaces) {
  const auto plane = [](int i, int j) { return 4500 + 0.3 * i - 0.2 * j; };
  const auto saddle = [](int i, int j) { return 0.01 * (i * i - j * j); };
  const auto twist = [](int i, int j) { return 0.01 * i * j; };
  const auto cubic = [](int i, int j) { return 1e-4 * (i * i * i - 3.0 * i * j * j); };
  for (const auto& original : {sampled(kNx, kNy, plane), sampled(kNx, kNy, saddle),
                               sampled(kNx, kNy, twist), sampled(kNx, kNy, cubic)}) {
    std::vector<double> heights = with_holes(original, kNx, kNy);
    const FillReport report = fill_harmonic(heights, kNx, kNy);
    EXPECT_TRUE(report.converged);
    EXPECT_GT(report.filled, 500u);
    EXPECT_LT(report.iterations, 40);                        // measured 12
    EXPECT_LT(largest_difference(heights, original), 1e-9);  // measured 2e-11
  }
}

TEST(FillHarmonic, BorderReflects) {
  // Known only along x = 0 and the far corner's column: nothing varies along y.
  std::vector<double> heights(kNx * kNy, NAN);
  for (int j = 0; j < kNy; ++j) {
    heights[static_cast<std::size_t>(j * kNx)] = 1;
    heights[static_cast<std::size_t>(j * kNx + kNx - 1)] = 2;
  }
  fill_harmonic(heights, kNx, kNy);
  for (int j = 0; j < kNy; ++j) {
    for (int i = 0; i < kNx; ++i) {
      EXPECT_NEAR(heights[static_cast<std::size_t>(j * kNx + i)], 1 + i / (kNx - 1.0),
                  1e-9);  // measured 1e-12
    }
  }
}

TEST(FillHarmonic, OneNodeMakesAPlane) {
  std::vector<double> heights(kNx * kNy, NAN);
  heights[77] = -3.5;
  EXPECT_EQ(fill_harmonic(heights, kNx, kNy).filled, static_cast<std::size_t>(kNx * kNy - 1));
  for (const double height : heights) EXPECT_EQ(height, -3.5);
}

TEST(FillHarmonic, NothingToDo) {
  std::vector<double> heights(12, 1.5);
  EXPECT_EQ(fill_harmonic(heights, 4, 3).filled, 0u);
  EXPECT_EQ(heights, std::vector<double>(12, 1.5));
}

TEST(FillHarmonic, LargeHolesAreFilledInNoTime) {
  constexpr int kN = 500;
  CounterRng rng(2);
  std::vector<double> heights = sampled(kN, kN, [&](int i, int j) {
    const bool hole = i > 50 && i < 320 && j > 100 && j < 380;  // 30 % of all
    return hole ? NAN : std::sin(0.05 * i) + std::cos(0.03 * j) + 0.1 * rng.uniform();
  });
  const auto start = std::chrono::steady_clock::now();
  const FillReport report = fill_harmonic(heights, kN, kN);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.filled, 74'000u);
#ifdef NDEBUG
  EXPECT_LT(time.count(), 1);  // [s], measured 0.14
#endif
}

TEST(FillNearest, FindsTheNearestOfAll) {
  CounterRng rng(3);
  std::vector<double> heights(kNx * kNy, NAN);
  for (int k = 0; k < 60; ++k) heights[rng.index(heights.size())] = k;
  const std::vector<double> original = heights;
  const FillReport report = fill_nearest(heights, kNx, kNy);
  EXPECT_GE(report.filled, heights.size() - 60);
  for (int j = 0; j < kNy; ++j) {
    for (int i = 0; i < kNx; ++i) {
      int nearest = 1 << 30, chosen = 1 << 30;
      for (int y = 0; y < kNy; ++y) {
        for (int x = 0; x < kNx; ++x) {
          const double value = original[static_cast<std::size_t>(y * kNx + x)];
          if (std::isnan(value)) continue;
          const int distance = (x - i) * (x - i) + (y - j) * (y - j);
          nearest = std::min(nearest, distance);
          if (value == heights[static_cast<std::size_t>(j * kNx + i)]) {
            chosen = std::min(chosen, distance);
          }
        }
      }
      ASSERT_EQ(chosen, nearest);
    }
  }
}

}  // namespace
}  // namespace grouser::internal
