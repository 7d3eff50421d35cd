#include "geometry/triangle_intersection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/rng.h"
#include "geometry/predicates.h"
#include "math/rotation.h"
#include "support/random.h"

namespace grouser::internal {
namespace {

/// Another way to the answer in general position: some side of one goes through the inside of the
/// other.
bool side_goes_through(const TrianglePoints& a, const TrianglePoints& b) {
  const Vec3 normal = (b[1] - b[0]).cross(b[2] - b[0]);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &p = a[i], &q = a[(i + 1) % 3];
    const double hp = normal.dot(p - b[0]), hq = normal.dot(q - b[0]);
    if (hp * hq >= 0) continue;
    const Vec3 x = p + hp / (hp - hq) * (q - p);
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
      inside = inside && normal.dot((b[(k + 1) % 3] - b[k]).cross(x - b[k])) > 0;
    }
    if (inside) return true;
  }
  return false;
}

/// Every order of the corners and of the triangles gives the same answer.
bool cut(const TrianglePoints& a, const TrianglePoints& b) {
  const bool result = triangles_cut(a, b);
  for (const auto& order : {std::array{0, 1, 2}, std::array{1, 2, 0}, std::array{2, 1, 0}}) {
    const TrianglePoints other = {b[order[0]], b[order[1]], b[order[2]]};
    EXPECT_EQ(triangles_cut(a, other), result);
    EXPECT_EQ(triangles_cut(other, a), result);
  }
  return result;
}

TEST(TriangleIntersection, EqualsSidesThroughInsides) {
  CounterRng rng(1);
  int hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const TrianglePoints a = {random_vector(rng), random_vector(rng), random_vector(rng)};
    const TrianglePoints b = {random_vector(rng), random_vector(rng), random_vector(rng)};
    const bool expected = side_goes_through(a, b) || side_goes_through(b, a);
    EXPECT_EQ(cut(a, b), expected);
    hits += expected;
  }
  EXPECT_GT(hits, 2000);
}

TEST(TriangleIntersection, WithACommonCorner) {
  CounterRng rng(2);
  int hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 corner = random_vector(rng);
    const TrianglePoints a = {corner, random_vector(rng), random_vector(rng)};
    const TrianglePoints b = {random_vector(rng), corner, random_vector(rng)};
    // Only the sides opposite the corner can go through an inside.
    const bool expected =
        side_goes_through({a[1], a[2], a[1]}, b) || side_goes_through({b[2], b[0], b[2]}, a);
    EXPECT_EQ(cut(a, b), expected);
    hits += expected;
  }
  EXPECT_GT(hits, 1000);
}

TEST(TriangleIntersection, TouchingIsNotCutting) {
  const TrianglePoints base = {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0, 2, 0)};
  EXPECT_FALSE(cut(base, {Vec3(0.5, 0.5, 0), Vec3(0, 0, 1), Vec3(1, 0, 1)}));      // corner on face
  EXPECT_FALSE(cut(base, {Vec3(0.2, 0.2, 0), Vec3(0.8, 0.2, 0), Vec3(0, 0, 1)}));  // side on face
  EXPECT_FALSE(cut(base, {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0, 0, 1)}));          // common side
  EXPECT_FALSE(cut(base, {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0, -1, 0)}));         // flat neighbour
  EXPECT_FALSE(cut(base, {Vec3(0.5, 0, 0), Vec3(1, 0, 0), Vec3(0, -1, 0)}));       // T-junction
  EXPECT_FALSE(cut(base, {Vec3(1, 1, -1), Vec3(1, 1, 1), Vec3(2, 2, 0)}));         // side on side
  EXPECT_FALSE(cut(base, {Vec3(0, 0, 0), Vec3(-1, 0, 0), Vec3(0, -1, 0)}));        // point to point
}

TEST(TriangleIntersection, OverlapInOnePlaneIsCutting) {
  const TrianglePoints base = {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0, 2, 0)};
  EXPECT_TRUE(cut(base, {Vec3(0.1, 0.1, 0), Vec3(0.4, 0.1, 0), Vec3(0.1, 0.4, 0)}));  // inside
  EXPECT_TRUE(cut(base, {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0.5, 1, 0)}));            // folded over
  EXPECT_TRUE(cut(base, {Vec3(1, -1, 0), Vec3(1, 5, 0), Vec3(0.9, 5, 0)}));  // no corner in either
  EXPECT_FALSE(cut(base, {Vec3(0, 3, 0), Vec3(3, 0, 0), Vec3(3, 3, 0)}));
}

TEST(TriangleIntersection, SidesThatCrossSides) {
  // Seen from above an X; every crossing point lies on sides of both.
  EXPECT_TRUE(cut({Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)},
                  {Vec3(0, -1, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}));
}

// A flat fan of triangles, turned so that rounding bends it: no two of them cut.
TEST(TriangleIntersection, FlatFansDoNotCutHoweverTheyAreTurned) {
  CounterRng rng(3);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const Mat3 R = rotation_about(random_vector(rng).normalized(), rng.uniform(0, 3));
    const Vec3 p = 100 * random_vector(rng);
    std::vector<Vec3> rim;
    for (int i = 0; i < 7; ++i) {
      rim.push_back(R * Vec3(std::cos(0.9 * i), std::sin(0.9 * i), 0) * rng.uniform(0.1, 1) + p);
    }
    for (int i = 0; i < 6; ++i) {
      for (int j = i + 1; j < 6; ++j) {
        ASSERT_FALSE(cut({p, rim[i], rim[i + 1]}, {p, rim[j], rim[j + 1]})) << repeat;
      }
    }
  }
}

TEST(Predicates, OfPointsOnALineOrPlaneAreZero) {
  const double x = 0.1, y = 0.7;
  EXPECT_EQ(orientation(Vec2(0, 0), Vec2(x, y), Vec2(3 * x, 3 * y)),
            orientation(Vec2(0, 0), Vec2(3 * x, 3 * y), Vec2(x, y)) * -1);
  EXPECT_EQ(orientation(Vec2(0, 0), Vec2(x, y), Vec2(4 * x, 4 * y)), 0);
  EXPECT_EQ(orientation(Vec3(1, 1, 1), Vec3(2, 1, 0), Vec3(1, 2, 0), Vec3(0, 1, 2)), 0);
}

// One unit in the last place off the plane is told from zero: plain doubles give any sign.
TEST(Predicates, SeeTheLastBit) {
  CounterRng rng(4);
  for (int i = 0; i < 1000; ++i) {
    // Multiples of 2^-20: the value of this formula is exact.
    const auto number = [&] { return static_cast<double>(rng.index(1 << 20)) * 0x1p-20; };
    const Vec3 a(number(), number(), number()), u(number(), number(), number()),
        v(number(), number(), number());
    const Vec3 on = a + 0.25 * u + 0.5 * v;
    const int up = v.cross(u).z() > 0 ? -1 : 1;
    EXPECT_EQ(orientation(a, a + u, a + v, on), 0);
    EXPECT_EQ(orientation(a, a + u, a + v, on + Vec3(0, 0, 0x1p-50)), up);
    EXPECT_EQ(orientation(a, a + u, a + v, on - Vec3(0, 0, 0x1p-50)), -up);
  }
}

}  // namespace
}  // namespace grouser::internal
