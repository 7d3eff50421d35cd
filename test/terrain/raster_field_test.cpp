#include "terrain/raster_field.h"

#include <chrono>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/parallel.h"
#include "support/allocation_count.h"
#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

const GridSpec kGrid{.origin = {-3, 7}, .spacing = 0.25, .nx = 23, .ny = 31};

class RasterFieldTest : public testing::TestWithParam<Interpolation> {
 protected:
  RasterField random(std::uint64_t seed) const { return random_raster(kGrid, seed, GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(All, RasterFieldTest,
                         testing::Values(Interpolation::bilinear, Interpolation::bicubic),
                         [](const auto& test) {
                           return test.param == Interpolation::bilinear ? "bilinear" : "bicubic";
                         });

TEST_P(RasterFieldTest, GoesThroughItsNodes) {
  const RasterField field = random(1);
  for (int j = 0; j < kGrid.ny; ++j) {
    for (int i = 0; i < kGrid.nx; ++i) {
      const Vec2 node = kGrid.node(i, j);
      EXPECT_EQ(field.at(node.x(), node.y()).height, field.values()[kGrid.index(i, j)]);
    }
  }
}

TEST_P(RasterFieldTest, PlaneIsReproducedUpToTheBorders) {
  const Vec2 slope(0.3, -0.7);
  for (const int n : {2, 3, 4, 17}) {
    GridSpec grid = kGrid;
    grid.nx = n, grid.ny = n + 1;
    std::vector<double> heights;
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i < grid.nx; ++i) heights.push_back(2 + slope.dot(grid.node(i, j)));
    }
    const RasterField field(grid, heights, GetParam());
    CounterRng rng(2);
    for (int k = 0; k < 1000; ++k) {
      const Vec2 p = random_point(rng, grid.rect());
      const SurfacePoint point = field.at(p.x(), p.y());
      EXPECT_NEAR(point.height, 2 + slope.dot(p), 1e-13);      // measured 4e-15
      EXPECT_NEAR((point.gradient - slope).norm(), 0, 1e-12);  // measured 1e-14
    }
  }
}

TEST_P(RasterFieldTest, GradientIsThatOfTheHeight) {
  const RasterField field = random(3);
  // Only inside cells: a bilinear gradient jumps between them.
  const auto near_line = [](const Vec2& p) {
    const Vec2 u = (p - kGrid.origin) / kGrid.spacing;
    return ((u - u.array().round().matrix()).array().abs() < 1e-4).any();
  };
  EXPECT_LT(gradient_defect(field, kGrid.rect(), 4, near_line), 1e-6);  // measured 2e-8
}

TEST_P(RasterFieldTest, RangeIsSafe) {
  // Also beyond the borders, where the nearest point counts.
  const Rect wide{kGrid.rect().lower - Vec2(1, 1), kGrid.rect().upper + Vec2(1, 1)};
  for (std::uint64_t seed = 5; seed < 8; ++seed) {
    EXPECT_LE(range_defect(random(seed), wide, seed), 0);
  }
}

TEST_P(RasterFieldTest, RangeOfASmallPartIsTight) {
  const RasterField field = random(8);
  CounterRng rng(9);
  for (int k = 0; k < 100; ++k) {
    const Vec2 p = random_point(rng, kGrid.rect());
    const HeightRange range = field.range({p, p});
    // What is left is the allowance for rounding.
    EXPECT_NEAR(range.min, field.at(p.x(), p.y()).height, 1e-13);  // measured 1e-14
    EXPECT_NEAR(range.max, field.at(p.x(), p.y()).height, 1e-13);  // measured 1e-14
  }
}

TEST_P(RasterFieldTest, ContinuesLevelBeyondItsBorders) {
  const RasterField field = random(10);
  const Rect rect = field.domain();
  const double y = 8.1;
  const SurfacePoint border = field.at(rect.upper.x(), y);
  const SurfacePoint outside = field.at(rect.upper.x() + 5, y);
  EXPECT_EQ(outside.height, border.height);
  EXPECT_EQ(outside.gradient.x(), 0);
  EXPECT_EQ(outside.gradient.y(), border.gradient.y());
  EXPECT_NE(border.gradient.x(), 0);  // the border itself belongs to the domain
  const SurfacePoint corner = field.at(rect.lower.x() - 1, rect.lower.y() - 1e30);
  EXPECT_EQ(corner.height, field.values()[0]);
  EXPECT_EQ(corner.gradient, Vec2(0, 0));
}

TEST_P(RasterFieldTest, NoNumberInNoNumberOut) {
  const RasterField field = random(11);
  EXPECT_TRUE(std::isnan(field.at(NAN, 8).height));
  EXPECT_TRUE(std::isnan(field.at(0, NAN).gradient.x()));
}

TEST_P(RasterFieldTest, HeightsEqualPointsForAnyNumberOfThreads) {
  const RasterField field = random(12);
  const GridSpec fine{.origin = {-4, 6}, .spacing = 0.07, .nx = 101, .ny = 130};
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    std::vector<double> heights(fine.size());
    field.heights(fine, heights);
    for (int j = 0; j < fine.ny; ++j) {
      for (int i = 0; i < fine.nx; ++i) {
        const Vec2 p = fine.node(i, j);
        ASSERT_EQ(heights[fine.index(i, j)], field.at(p.x(), p.y()).height);
      }
    }
  }
  set_thread_count(0);
}

// Nodes 0, 0, 1, 1 along x: halfway 1/2 by symmetry, a quarter of the way 0.20312 = 13/64 by hand.
TEST(RasterField, BicubicStepHasTheValuesOfCatmullAndRom) {
  const GridSpec grid{.spacing = 2, .nx = 4, .ny = 2};
  const RasterField field(grid, {0, 0, 1, 1, 0, 0, 1, 1});
  EXPECT_DOUBLE_EQ(field.at(3, 1).height, 0.5);
  EXPECT_DOUBLE_EQ(field.at(2.5, 1).height, 13.0 / 64);
  EXPECT_DOUBLE_EQ(field.at(3, 1).gradient.x(), 1.25 / 2);  // 5/4 per cell of 2 m
}

// Between 0, 1, 1, 0 the cubic overshoots to 9/8; bounds made from the nodes alone would miss that.
TEST(RasterField, RangeKnowsTheOvershoot) {
  const GridSpec grid{.spacing = 1, .nx = 4, .ny = 4};
  std::vector<double> heights(16, 0.0);
  for (const std::size_t k : {5, 6, 9, 10}) heights[k] = 1;
  const RasterField field(grid, heights);
  EXPECT_DOUBLE_EQ(field.at(1.5, 1.5).height, 81.0 / 64);
  EXPECT_GE(field.range(grid.rect()).max, 81.0 / 64);
  EXPECT_LE(field.range(grid.rect()).max, 1.5);
}

TEST(RasterField, BicubicGradientIsContinuousAcrossCells) {
  const RasterField field = random_raster(kGrid, 13, Interpolation::bicubic);
  CounterRng rng(14);
  double worst = 0;
  for (int k = 0; k < 500; ++k) {
    const Vec2 node = kGrid.node(1 + static_cast<int>(rng.index(21)), 0);
    const double y = rng.uniform(kGrid.rect().lower.y(), kGrid.rect().upper.y());
    const Vec2 jump =
        field.at(node.x() - 1e-12, y).gradient - field.at(node.x() + 1e-12, y).gradient;
    worst = std::max(worst, jump.cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst, 1e-9);  // measured 3e-10, from a curvature of 100 1/m over 2e-12 m
}

TEST(RasterField, RefusesWhatIsNoRaster) {
  const auto make = [](GridSpec grid, std::vector<double> heights) {
    return issues_of([&] { RasterField(grid, std::move(heights)); });
  };
  const auto both = make({.nx = 1, .ny = -4}, {});
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].field, "nx");
  EXPECT_EQ(both[1].value, "-4");
  EXPECT_EQ(make({.spacing = 0, .nx = 2, .ny = 2}, std::vector<double>(4)).at(0).field, "spacing");
  EXPECT_EQ(make({.spacing = NAN, .nx = 2, .ny = 2}, std::vector<double>(4)).at(0).value, "nan");
  EXPECT_EQ(make({.nx = 2, .ny = 3}, std::vector<double>(5)).at(0).legal, "2 x 3");
  EXPECT_EQ(make({.nx = 2, .ny = 2}, {0, 1, 2, INFINITY}).at(0).field, "heights[1, 1]");
}

TEST(RasterField, AMillionQueriesTakeNoTime) {
  const GridSpec grid{.spacing = 0.1, .nx = 1000, .ny = 1000};
  const RasterField field = random_raster(grid, 15, Interpolation::bicubic);
  CounterRng rng(16);
  std::vector<Vec2> points(1'000'000);
  for (Vec2& p : points) p = random_point(rng, grid.rect());
  double best = INFINITY, sum = 0;
  const std::uint64_t allocations = allocation_count();
  for (int trial = 0; trial < 5; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    for (const Vec2& p : points) {
      const SurfacePoint point = field.at(p.x(), p.y());
      sum += point.height + point.gradient.x() + point.gradient.y();
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  EXPECT_EQ(allocation_count(), allocations);
  EXPECT_TRUE(std::isfinite(sum));
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(best, 0.3);  // [s], measured 0.042 on a quiet machine
#endif
}

}  // namespace
}  // namespace grouser::internal
