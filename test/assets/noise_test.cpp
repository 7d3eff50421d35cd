#include "assets/noise.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assets/lattice_noise.h"
#include "assets/noise_weights.h"
#include "core/parallel.h"
#include "core/rng.h"

namespace grouser::internal {
namespace {

Rect noise_square(double side) { return {Vec2::Constant(-side / 2), Vec2::Constant(side / 2)}; }

/// Heights on a grid, and the RMS of their differences `m` nodes apart along both axes.
struct Samples {
  GridSpec grid;
  std::vector<double> heights;

  Samples(const HeightField& field, double side, int n)
      : grid{.origin = Vec2::Constant(-side / 2), .spacing = side / n, .nx = n, .ny = n},
        heights(grid.size()) {
    field.heights(grid, heights);
  }

  double deviation(int m) const {
    double squares = 0;
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i + m < grid.nx; ++i) {
        const double along = heights[grid.index(i + m, j)] - heights[grid.index(i, j)];
        const double across = heights[grid.index(j, i + m)] - heights[grid.index(j, i)];
        squares += along * along + across * across;
      }
    }
    return std::sqrt(squares / (2.0 * (grid.nx - m) * grid.ny));
  }

  /// Slope of the deviogram in logarithms, by least squares over lags from one to the other [m].
  double exponent(double from, double to) const {
    double n = 0, x_sum = 0, y_sum = 0, xx = 0, xy = 0;
    for (int m = 1; m * grid.spacing <= to; m = std::max(m + 1, m * 6 / 5)) {
      if (m * grid.spacing < from) continue;
      const double x = std::log(m * grid.spacing), y = std::log(deviation(m));
      n += 1;
      x_sum += x;
      y_sum += y;
      xx += x * x;
      xy += x * y;
    }
    return (n * xy - x_sum * y_sum) / (n * xx - x_sum * x_sum);
  }
};

TEST(LatticeNoise, IsZeroAtNodesAndStaysWithinItsBounds) {
  CounterRng rng(1);
  double largest = 0, steepest = 0;
  for (int i = 0; i < 200000; ++i) {
    const NoiseValue n = lattice_noise_gradient(7, rng.uniform(-50, 50), rng.uniform(-50, 50));
    largest = std::max(largest, std::abs(n.value));
    steepest = std::max(steepest, std::hypot(n.dx, n.dy));
  }
  EXPECT_LT(largest, kNoiseBound);  // measured 0.69
  EXPECT_GT(largest, 0.6);
  EXPECT_LT(steepest, kNoiseSlopeBound);  // measured 2.05
  EXPECT_EQ(lattice_noise(7, 3, -5), 0);
}

TEST(LatticeNoise, DerivativesAreThoseOfTheValue) {
  CounterRng rng(2);
  for (int i = 0; i < 1000; ++i) {
    const double x = rng.uniform(-9, 9), y = rng.uniform(-9, 9), h = 1e-5;
    const NoiseValue n = lattice_noise_gradient(3, x, y);
    EXPECT_EQ(n.value, lattice_noise(3, x, y));
    const double dx = (lattice_noise(3, x + h, y) - lattice_noise(3, x - h, y)) / (2 * h);
    const double dy = (lattice_noise(3, x, y + h) - lattice_noise(3, x, y - h)) / (2 * h);
    EXPECT_NEAR(n.dx, dx, 1e-8);  // measured 1.1e-9, of order h²
    EXPECT_NEAR(n.dy, dy, 1e-8);  // measured 1.3e-9
  }
}

// What octave_weights() rests on, against the noise itself.
TEST(NoiseWeights, StructureFunctionIsThatOfTheNoise) {
  CounterRng rng(3);
  constexpr int kSamples = 200000;
  for (const double lag : {0.2, 0.6, 1.0, 3.0}) {
    double squares = 0, variance = 0;
    for (int i = 0; i < kSamples; ++i) {
      const double x = rng.uniform(0, 1000), y = rng.uniform(0, 1000);
      const double here = lattice_noise(5, x, y);
      const double step = lattice_noise(5, x + lag, y) - here;
      squares += step * step / kSamples;
      variance += here * here / kSamples;
    }
    EXPECT_NEAR(squares / noise_structure(lag), 1, 0.02);     // measured 0.003
    EXPECT_NEAR(std::sqrt(variance) / noise_rms(), 1, 0.01);  // measured 0.002
  }
  EXPECT_NEAR(noise_structure(5), 2 * noise_rms() * noise_rms(), 1e-12);  // measured 0
}

class NoiseStatistics : public testing::TestWithParam<double> {};

// Over eight of the longest wavelengths. The slope of the deviogram is taken where the theory promises
// it, from the shortest wavelength to a sixth of the longest.
TEST_P(NoiseStatistics, HurstExponentAndDeviationAreAsAskedFor) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const NoiseSpec spec{.hurst = GetParam(),
                         .rms_deviation = 0.07,
                         .lag = 1,
                         .wavelength = 8,
                         .octaves = 7,
                         .seed = seed};
    const Samples samples(NoiseField(spec, noise_square(64)), 64, 640);
    EXPECT_NEAR(samples.exponent(0.125, 8.0 / 6) / spec.hurst, 1, 0.05);  // measured 0.015
    EXPECT_NEAR(samples.deviation(10) / spec.rms_deviation, 1, 0.05);     // measured 0.002
  }
}

INSTANTIATE_TEST_SUITE_P(Hurst, NoiseStatistics, testing::Values(0.3, 0.5, 0.7, 0.9));

// The smallest surface that a lag allows is still scaled right.
TEST(NoiseField, DeviationHoldsForAllKindsAndSizes) {
  for (const NoiseKind kind : {NoiseKind::fbm, NoiseKind::ridged}) {
    for (const double side : {2.0, 5.0, 40.0}) {
      const NoiseSpec spec{.kind = kind, .hurst = 0.8, .rms_deviation = 0.1, .octaves = 6};
      const Samples samples(NoiseField(spec, noise_square(side)), side, 400);
      const int m = static_cast<int>(std::lround(1 / samples.grid.spacing));
      EXPECT_NEAR(samples.deviation(m) / spec.rms_deviation, 1, 0.05);  // measured 0.001
      double mean = 0;
      for (const double h : samples.heights)
        mean += h / static_cast<double>(samples.heights.size());
      EXPECT_NEAR(mean, 0, 0.1 * spec.rms_deviation);  // measured 0.04 of the deviation
    }
  }
}

TEST(NoiseField, RidgedSurfaceHasSharpCrestsAndRoundValleys) {
  const NoiseSpec spec{.kind = NoiseKind::ridged, .octaves = 1};
  const Samples samples(NoiseField(spec, noise_square(40)), 40, 400);
  double low = 0, high = 0;
  for (const double h : samples.heights) {
    low = std::min(low, h);
    high = std::max(high, h);
  }
  EXPECT_GT(-low, 1.5 * high);  // most of the ground is near the crests: measured 3.0 times
}

TEST(NoiseField, GradientIsThatOfTheHeight) {
  CounterRng rng(4);
  for (const NoiseKind kind : {NoiseKind::fbm, NoiseKind::ridged}) {
    const NoiseField field({.kind = kind, .octaves = 6}, noise_square(10));
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      const double x = rng.uniform(-4.9, 4.9), y = rng.uniform(-4.9, 4.9), h = 1e-6;
      const Vec2 slope(field.at(x + h, y).height - field.at(x - h, y).height,
                       field.at(x, y + h).height - field.at(x, y - h).height);
      worst = std::max(worst, (slope / (2 * h) - field.at(x, y).gradient).norm());
    }
    EXPECT_LT(worst, 1e-6) << static_cast<int>(kind);  // measured 4e-10 and 4e-8
  }
}

TEST(NoiseField, GridsGiveTheSameBitsAsPointsForAnyNumberOfThreads) {
  for (const NoiseKind kind : {NoiseKind::fbm, NoiseKind::ridged}) {
    const NoiseField field({.kind = kind, .wavelength = 3, .octaves = 9, .seed = 5},
                           noise_square(8));
    // Fine, coarse (several cells of the lattice between nodes), and beyond the domain.
    for (const GridSpec& grid : {GridSpec{{-4, -4}, 0.05, 160, 161}, GridSpec{{-4, -4}, 1.5, 6, 6},
                                 GridSpec{{-6, 3}, 0.5, 30, 20}}) {
      std::vector<double> first(grid.size());
      field.heights(grid, first);
      for (int j = 0; j < grid.ny; ++j) {
        for (int i = 0; i < grid.nx; ++i) {
          const Vec2 node = grid.node(i, j);
          ASSERT_EQ(first[grid.index(i, j)], field.at(node.x(), node.y()).height);
        }
      }
      for (const int threads : {1, 2, 5}) {
        set_thread_count(threads);
        std::vector<double> again(grid.size());
        field.heights(grid, again);
        EXPECT_EQ(first, again);
      }
      set_thread_count(0);
    }
  }
}

TEST(NoiseField, RangeIsSafeAndTightensWithTheRectangle) {
  CounterRng rng(6);
  for (const NoiseKind kind : {NoiseKind::fbm, NoiseKind::ridged}) {
    const NoiseField field({.kind = kind, .octaves = 5}, noise_square(10));
    for (int i = 0; i < 300; ++i) {
      const Vec2 corner(rng.uniform(-5, 5), rng.uniform(-5, 5));
      const double side = std::pow(10, rng.uniform(-3, 1));
      const Rect rect{corner, corner + Vec2::Constant(side)};
      const HeightRange range = field.range(rect);
      for (int k = 0; k < 100; ++k) {
        const double h =
            field.at(corner.x() + rng.uniform(0, side), corner.y() + rng.uniform(0, side)).height;
        ASSERT_LE(range.min, h);
        ASSERT_GE(range.max, h);
      }
    }
    const HeightRange point = field.range({{1, 1}, {1.0001, 1.0001}});
    EXPECT_LT(point.max - point.min, 1e-3);
  }
}

TEST(NoiseField, OutsideTheDomainTheHeightOfTheBorderHolds) {
  const NoiseField field({}, noise_square(4));
  EXPECT_EQ(field.at(9, 0.5).height, field.at(2, 0.5).height);
  EXPECT_EQ(field.at(9, 0.5).gradient.x(), 0);
  EXPECT_EQ(field.at(9, 0.5).gradient.y(), field.at(2, 0.5).gradient.y());
  EXPECT_TRUE(std::isnan(field.at(NAN, 0).height));
}

TEST(NoiseField, SeedsDifferAndNoDeviationIsFlat) {
  const NoiseField a({.seed = 1}, noise_square(4)), b({.seed = 2}, noise_square(4));
  EXPECT_NE(a.at(0.3, 0.4).height, b.at(0.3, 0.4).height);
  const NoiseField flat({.rms_deviation = 0}, noise_square(4));
  EXPECT_EQ(flat.at(0.3, 0.4).height, 0);
}

TEST(NoiseField, RefusesALagThatTheSurfaceCannotShow) {
  try {
    const NoiseField field({.lag = 3}, noise_square(4));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("lag: the surface is too small"));
  }
}

}  // namespace
}  // namespace grouser::internal
