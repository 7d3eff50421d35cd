#include <gtest/gtest.h>

#include "collision/convex.h"
#include "core/rng.h"
#include "geometry/convex_hull.h"
#include "support/random.h"

namespace grouser::internal {
namespace {

// To the bit: scenes with rocks do not change by how their hulls are made.
TEST(HullSolid, ScaledIsTheHullOfScaledPoints) {
  CounterRng rng(5);
  TriMesh rock;
  for (int k = 0; k < 300; ++k) {
    const Vec3 direction = random_vector(rng).normalized();
    rock.vertices.push_back(rng.uniform(0.9, 1.1) * direction.cwiseProduct(Vec3(0.6, 0.4, 0.3)));
  }
  const HullSolid unit(convex_hull(rock.vertices));
  for (const double factor : {0.137, 0.5, 1.7}) {
    const HullSolid scaled(unit, factor);
    const HullSolid own(convex_hull(internal::scaled(Vec3::Constant(factor), rock).vertices));
    EXPECT_EQ(scaled.mesh().vertices, own.mesh().vertices);
    EXPECT_EQ(scaled.mesh().triangles, own.mesh().triangles);
    EXPECT_EQ(scaled.centre(), own.centre());
    EXPECT_EQ(scaled.inner_radius(), own.inner_radius());
    EXPECT_EQ(scaled.outer_radius(), own.outer_radius());
    ASSERT_EQ(scaled.faces().size(), own.faces().size());
    for (std::size_t f = 0; f < own.faces().size(); ++f) {
      EXPECT_EQ(scaled.faces()[f].normal, own.faces()[f].normal);
      EXPECT_EQ(scaled.corner(scaled.faces()[f], 2), own.corner(own.faces()[f], 2));
    }
    for (int k = 0; k < 2000; ++k) {
      const Point3 direction(random_vector(rng));
      const std::size_t farthest = scaled.farthest_index(direction);
      EXPECT_EQ(farthest, own.farthest_index(direction));
      EXPECT_TRUE(std::ranges::equal(scaled.faces_at(farthest), own.faces_at(farthest)));
    }
  }
}

}  // namespace
}  // namespace grouser::internal
