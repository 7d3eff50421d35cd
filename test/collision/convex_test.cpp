#include "collision/convex.h"

#include <gtest/gtest.h>

#include <numbers>

#include "convex_pairs.h"
#include "core/error.h"
#include "geometry/primitives.h"

namespace grouser::internal {
namespace {

TEST(Convex, BoundsOfATurnedBoxAndCylinder) {
  const double root = std::sqrt(0.5);
  const Pose X{Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitY()).toRotationMatrix(),
               Vec3(1, 2, 3)};
  const Aabb box = bounds(BoxShape{{2, 4, 6}}, X);
  EXPECT_NEAR((box.upper - Vec3(1 + 4 * root, 4, 3 + 4 * root)).norm(), 0, 1e-15);
  EXPECT_NEAR((box.lower - Vec3(1 - 4 * root, 0, 3 - 4 * root)).norm(), 0, 1e-15);
  const Aabb cylinder = bounds(CylinderShape{.radius = 1, .length = 4}, X);
  EXPECT_NEAR((cylinder.upper - Vec3(1 + 3 * root, 3, 3 + 3 * root)).norm(), 0, 1e-14);
}

TEST(Convex, BoundsAreWhatSupportMapsReach) {
  CounterRng rng(3);
  for (int k = 0; k < 200; ++k) {
    const Convex solid = random_solid(rng, k % kKinds);
    const Pose X{random_rotation(rng), random_vector(rng)};
    const Aabb box = bounds(solid, X);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 up = Vec3::Unit(axis);
      EXPECT_NEAR(box.upper[axis], support_in_world(solid, X, up)[axis], 1e-14);
      EXPECT_NEAR(box.lower[axis], support_in_world(solid, X, -up)[axis], 1e-14);
    }
  }
}

TEST(Convex, HullMergesTrianglesOfAFace) {
  const HullSolid box(box_mesh({2, 4, 6}));
  ASSERT_EQ(box.faces().size(), 6U);
  for (const HullSolid::Face& face : box.faces()) {
    EXPECT_EQ(face.count, 4);
    EXPECT_EQ(face.normal.cwiseAbs().sum(), 1);
    const auto at = [&](int k) { return box.mesh().vertices[box.corner(face, k)]; };
    EXPECT_GT((at(1) - at(0)).cross(at(2) - at(1)).dot(face.normal), 0);  // anticlockwise
  }
  for (std::size_t v = 0; v < 8; ++v) EXPECT_EQ(box.faces_at(v).size(), 3U);
  EXPECT_EQ(box.inner_radius(), 1);
  EXPECT_NEAR(box.outer_radius(), std::sqrt(14.0), 1e-15);
}

TEST(Convex, FacesOfManyCornersAreThinned) {
  const HullSolid drum(convex_hull(cylinder_mesh(1, 1, {.segments = 60}).vertices));
  ASSERT_EQ(drum.faces().size(), 62U);
  int ends = 0;
  for (const HullSolid::Face& face : drum.faces()) {
    if (face.count == 4) continue;
    EXPECT_EQ(face.count, HullSolid::kMostCorners);
    ++ends;
  }
  EXPECT_EQ(ends, 2);
}

// Tables of vertices hold 15 bits for each. 10 n² + 2 vertices: 32 492 and 33 642.
TEST(Convex, HullOfTooManyVerticesIsRefused) {
  EXPECT_EQ(HullSolid(sphere_mesh(1, 57)).mesh().vertices.size(), 32492U);
  try {
    const HullSolid hull(sphere_mesh(1, 58));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    ASSERT_EQ(error.issues().size(), 1U);
    EXPECT_EQ(error.issues()[0].value, "33642");
    EXPECT_EQ(error.issues()[0].legal, "at most 32767");
  }
}

TEST(Convex, FarthestVertexIsAsFarAsTheSupportMap) {
  CounterRng rng(4);
  for (const int vertices : {4, 7, 8, 9, 40, 100, 300}) {
    const auto hull = random_hull(rng, vertices);
    for (int k = 0; k < 729; ++k) {
      // Half of them where the table's cells meet.
      const auto part = [&](int digit) {
        return std::array{0, 1, 2, 4, -1, -2, -4, 3, -3}[slot(digit % 9)];
      };
      const Vec3 way = k % 2 ? random_vector(rng) : Vec3(part(k), part(k / 9), part(k / 81));
      const double farthest = way.dot(hull->support(way));
      const double found = way.dot(hull->mesh().vertices[hull->farthest_index(way)]);
      EXPECT_NEAR(found, farthest, 1e-12 * way.norm());
    }
  }
}

}  // namespace
}  // namespace grouser::internal
