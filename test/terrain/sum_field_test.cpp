#include "terrain/sum_field.h"

#include <cmath>

#include <gtest/gtest.h>

#include "terrain/flat_field.h"
#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

using Fields = std::vector<std::shared_ptr<const HeightField>>;

std::shared_ptr<RasterField> raster(const GridSpec& grid, std::uint64_t seed) {
  return std::make_shared<RasterField>(random_raster(grid, seed, Interpolation::bicubic));
}

const GridSpec kFirst{.origin = {0, 0}, .spacing = 0.5, .nx = 21, .ny = 21};
const GridSpec kSecond{.origin = {2, -3}, .spacing = 0.3, .nx = 41, .ny = 31};

TEST(SumField, AddsInOrderToTheBit) {
  const auto a = raster(kFirst, 1), b = raster(kFirst, 2), c = raster(kSecond, 3);
  const SumField sum(Fields{a, b, c});
  CounterRng rng(4);
  for (int k = 0; k < 1000; ++k) {
    const Vec2 p = random_point(rng, sum.domain());
    const SurfacePoint pa = a->at(p.x(), p.y()), pb = b->at(p.x(), p.y()), pc = c->at(p.x(), p.y());
    const SurfacePoint ps = sum.at(p.x(), p.y());
    EXPECT_EQ(ps.height, (pa.height + pb.height) + pc.height);
    EXPECT_EQ(ps.gradient, Vec2((pa.gradient + pb.gradient) + pc.gradient));
  }
  EXPECT_LE(range_defect(sum, {{-2, -5}, {14, 12}}, 5), 0);
}

TEST(SumField, IsDefinedWhereAllTermsAre) {
  const auto plane = std::make_shared<FlatField>(FlatOptions{.gradient = {1, 1}});
  const SumField sum(Fields{raster(kFirst, 1), plane, raster(kSecond, 3)});
  EXPECT_EQ(sum.domain().lower, Vec2(2, 0));
  EXPECT_EQ(sum.domain().upper.x(), 10);
  EXPECT_DOUBLE_EQ(sum.domain().upper.y(), 6);
  // Beyond, the nearest point of the sum's domain counts for every term, though the plane goes on.
  EXPECT_EQ(sum.at(-5, 3).height, sum.at(2, 3).height);
  EXPECT_EQ(sum.at(-5, 3).gradient.x(), 0);
  EXPECT_EQ(sum.at(-5, 3).gradient.y(), sum.at(2, 3).gradient.y());
}

TEST(SumField, RefusesEmptyNullAndApart) {
  EXPECT_EQ(issues_of([] { SumField(Fields{}); }).size(), 1u);
  EXPECT_EQ(issues_of([] {
              SumField(Fields{raster(kFirst, 1), nullptr});
            })
                .at(0)
                .field,
            "fields[1]");
  GridSpec away = kFirst;
  away.origin = {100, 0};
  EXPECT_EQ(issues_of([&] {
              SumField(Fields{raster(kFirst, 1), raster(away, 2)});
            })
                .at(0)
                .field,
            "fields[1]");
}

TEST(SumField, GridsAreAsPointsToTheBit) {
  const auto plane = std::make_shared<FlatField>(FlatOptions{.gradient = {0.1, -0.2}});
  const SumField sum(Fields{raster(kFirst, 1), plane, raster(kSecond, 3)});
  const GridSpec inside{.origin = {3, 1}, .spacing = 0.13, .nx = 20, .ny = 17};
  const GridSpec beyond{.origin = {-3, -1.5}, .spacing = 0.31, .nx = 40, .ny = 17};
  for (const GridSpec& grid : {inside, beyond}) {
    std::vector<double> heights(grid.size());
    sum.heights(grid, heights);
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i < grid.nx; ++i) {
        const Vec2 node = grid.node(i, j);
        EXPECT_EQ(heights[grid.index(i, j)], sum.at(node.x(), node.y()).height);
      }
    }
  }
}

}  // namespace
}  // namespace grouser::internal
