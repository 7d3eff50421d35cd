#include "terrain/elevation_map.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/allocation_count.h"
#include "terrain/flat_field.h"
#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

const Rect kKilometre{{-500, -500}, {500, 500}};

std::shared_ptr<const HeightField> flat(const Rect& domain) {
  return std::make_shared<FlatField>(FlatOptions{.height = 2, .domain = domain});
}

std::size_t resident_bytes() {
  std::size_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

class ElevationMapTest : public testing::TestWithParam<Interpolation> {
 protected:
  // Random changes around the corner where four tiles meet, and at the border of the map.
  ElevationMap changed_map() const {
    const auto base = std::make_shared<CountedHills>(Rect{{-1, -2}, {0.713, 1}}, 0.3, 2.0);
    ElevationMap map(base, {.spacing = 0.01, .interpolation = GetParam()});
    CounterRng rng(1);
    for (int j = 40; j < 90; ++j) {
      for (int i = 0; i < 80; ++i) map.set_change(i, j, rng.uniform(-0.05, 0.05));
    }
    return map;
  }
  const Rect changed_{{-1.1, -1.7}, {0, -1}};
};

INSTANTIATE_TEST_SUITE_P(All, ElevationMapTest,
                         testing::Values(Interpolation::bilinear, Interpolation::bicubic),
                         [](const auto& test) {
                           return test.param == Interpolation::bilinear ? "bilinear" : "bicubic";
                         });

TEST_P(ElevationMapTest, IsTheBasePlusTheChangeAtTheNodes) {
  const ElevationMap map = changed_map();
  for (int j = 30; j < 100; ++j) {
    for (int i = 0; i < 90; ++i) {
      const Vec2 p = map.grid().node(i, j);
      EXPECT_NEAR(map.height(p.x(), p.y()), map.base().at(p.x(), p.y()).height + map.change(i, j),
                  1e-13);  // measured 2e-15, the node's place being rounded
    }
  }
}

// The changes as a raster of their own are an independent way to the same surface: no tiles there.
TEST_P(ElevationMapTest, EqualsTheSumOfTwoFields) {
  const ElevationMap map = changed_map();
  const GridSpec& grid = map.grid();
  std::vector<double> values;
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) values.push_back(map.change(i, j));
  }
  const RasterField change(grid, values, GetParam());
  CounterRng rng(2);
  for (int k = 0; k < 5000; ++k) {
    const Vec2 p = random_point(rng, k % 2 ? changed_ : map.domain());
    const SurfacePoint base = map.base().at(p.x(), p.y());
    const Vec2 inside = map.domain().clamped(p);
    const SurfacePoint change_point = change.at(inside.x(), inside.y());
    const Vec2 slope = continued_gradient(map.domain(), p.x(), p.y(), change_point.gradient);
    EXPECT_NEAR(map.height(p.x(), p.y()), base.height + change_point.height, 1e-13);        // 2e-15
    EXPECT_NEAR((map.at(p.x(), p.y()).gradient - base.gradient - slope).norm(), 0, 1e-11);  // 4e-13
  }
}

TEST_P(ElevationMapTest, IsContinuousAcrossTiles) {
  const ElevationMap map = changed_map();
  const double border = map.grid().node(64, 0).x();
  for (double y = -1.7; y < -1; y += 0.00137) {
    EXPECT_NEAR(map.height(border - 1e-12, y), map.height(border + 1e-12, y), 1e-10);  // 9e-12
    if (GetParam() == Interpolation::bilinear) continue;
    const Vec2 jump = map.at(border - 1e-12, y).gradient - map.at(border + 1e-12, y).gradient;
    EXPECT_NEAR(jump.norm(), 0, 1e-7);  // measured 9e-9, from the curvature over 2e-12 m
  }
}

TEST_P(ElevationMapTest, GradientIsThatOfTheHeight) {
  const ElevationMap map = changed_map();
  const auto near_line = [&](const Vec2& p) {
    const Vec2 u = (p - map.grid().origin) / map.grid().spacing;
    return ((u - u.array().round().matrix()).array().abs() < 2e-3).any() ||
           ((p - map.domain().lower).array().abs() < 1e-4).any();
  };
  // Cubics of 0.1 m over 10 mm cells have a large third derivative: 1e-5 m is a long way there.
  const double tolerance = GetParam() == Interpolation::bilinear ? 1e-6 : 1e-3;
  EXPECT_LT(gradient_defect(map, changed_, 3, near_line), tolerance);  // measured 2e-8 and 2e-5
}

TEST_P(ElevationMapTest, RangeIsSafe) {
  const ElevationMap map = changed_map();
  EXPECT_LE(range_defect(map, changed_, 4), 0);
  EXPECT_LE(range_defect(map, {{-2, -3}, {2, 2}}, 5), 0);
}

TEST_P(ElevationMapTest, ContinuesLevelBeyondItsBorders) {
  const ElevationMap map = changed_map();
  const SurfacePoint border = map.at(-1, -1.5), outside = map.at(-3, -1.5);
  EXPECT_EQ(outside.height, border.height);
  EXPECT_EQ(outside.gradient.x(), 0);
  EXPECT_EQ(outside.gradient.y(), border.gradient.y());
  EXPECT_TRUE(std::isnan(map.height(NAN, 0)));
}

TEST(ElevationMap, ASquareKilometreOpensAtOnce) {
  const std::size_t resident = resident_bytes();
  const auto start = std::chrono::steady_clock::now();
  const ElevationMap map(flat(kKilometre), {.spacing = 0.005});
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(map.grid().nx, 200'001);
  EXPECT_LT(time.count(), 0.05);                       // [s], measured 0.00002
  EXPECT_LT(map.memory_bytes(), 1'000'000u);           // measured 155 000
  EXPECT_LT(resident_bytes(), resident + 10'000'000);  // measured 0.2 MB
  EXPECT_EQ(map.height(499.9, -499.9), 2);
}

TEST(ElevationMap, MemoryFollowsTheChanges) {
  ElevationMap map(flat(kKilometre), {.spacing = 0.005});
  const std::size_t before = map.memory_bytes();
  // A straight rut of 10 m, 0.1 m wide: 2000 x 20 nodes, in at most 33 x 2 tiles of 32 KB.
  for (int i = 0; i < 2000; ++i) {
    for (int j = 0; j < 20; ++j) map.set_change(100'000 + i, 100'000 + j, -0.02);
  }
  EXPECT_LE(map.changes().tile_count(), 66u);
  EXPECT_LT(map.memory_bytes(), before + 66 * 32'768 + 500'000);
  const std::uint64_t allocations = allocation_count();
  for (int i = 0; i < 2000; ++i) map.set_change(100'000 + i, 100'005, -0.03);
  EXPECT_EQ(allocation_count(), allocations);
  EXPECT_DOUBLE_EQ(map.height(5, 0.02), 2 - 0.02);
}

TEST(ElevationMap, CopyIsASnapshot) {
  ElevationMap map(flat({{0, 0}, {10, 10}}));
  map.set_change(5, 5, -0.1);
  const ElevationMap snapshot = map;
  map.set_change(5, 5, -0.2);
  EXPECT_DOUBLE_EQ(snapshot.height(0.05, 0.05), 1.9);
  EXPECT_DOUBLE_EQ(map.height(0.05, 0.05), 1.8);
  EXPECT_FALSE(snapshot.changes() == map.changes());
  map.set_change(5, 5, -0.1);
  EXPECT_TRUE(snapshot.changes() == map.changes());
  EXPECT_EQ(snapshot.changes().hash(), map.changes().hash());
}

TEST(ElevationMap, GridCoversADomainThatIsNoMultipleOfTheSpacing) {
  const ElevationMap map(flat({{0, 0}, {1.005, 0.001}}), {.spacing = 0.01});
  EXPECT_EQ(map.grid().nx, 102);
  EXPECT_EQ(map.grid().ny, 2);
  EXPECT_EQ(map.domain().upper.x(), 1.005);
}

TEST(ElevationMap, RefusesWhatIsNoMap) {
  EXPECT_EQ(issues_of([] { ElevationMap(nullptr); }).at(0).field, "base");
  EXPECT_EQ(issues_of([] { ElevationMap(flat(infinite_rect())); }).at(0).field, "base");
  for (const double spacing : std::initializer_list<double>{0, -1, NAN, INFINITY, 1e-9}) {
    const auto issues = issues_of([&] { ElevationMap(flat(kKilometre), {.spacing = spacing}); });
    ASSERT_EQ(issues.size(), 1u);
    EXPECT_EQ(issues[0].field, "spacing");
  }
}

}  // namespace
}  // namespace grouser::internal
