#include "collision/closed_forms.h"

#include <gtest/gtest.h>

#include <numbers>

#include "collision/expand.h"
#include "convex_pairs.h"
#include "geometry/primitives.h"

namespace grouser::internal {
namespace {

using std::numbers::pi;

Pose turned(double angle, const Vec3& axis, const Vec3& p) {
  return {Eigen::AngleAxisd(angle, axis).toRotationMatrix(), p};
}

template <class A, class B>
Penetration overlap_of(const A& a, const B& b, const Pose& X_AB) {
  Penetration found;
  EXPECT_TRUE(penetrate(a, b, X_AB, found));
  return found;
}

template <class A, class B>
bool overlap(const A& a, const B& b, const Pose& X_AB) {
  Penetration found;
  return penetrate(a, b, X_AB, found);
}

void expect_same(const Penetration& found, const Penetration& expected, double tolerance = 1e-15) {
  EXPECT_NEAR(found.depth, expected.depth, tolerance);
  EXPECT_NEAR((found.normal - expected.normal).norm(), 0, tolerance);
  EXPECT_NEAR((found.on_a - expected.on_a).norm(), 0, tolerance);
  EXPECT_NEAR((found.on_b - expected.on_b).norm(), 0, tolerance);
}

TEST(ClosedForm, SphereOnSphere) {
  const SphereShape A{2}, B{1};
  expect_same(overlap_of(A, B, {.p = {0, 0, 2.5}}), {{0, 0, -1}, 0.5, {0, 0, 2}, {0, 0, 1.5}});
  EXPECT_FALSE(overlap(A, B, {.p = {0, 0, 3}}));  // touching
  EXPECT_EQ(overlap_of(A, B, {}).depth, 3);       // same centre
}

TEST(ClosedForm, SphereOnBox) {
  const SphereShape A{1};
  const BoxShape B{{2, 4, 6}};
  // Over a face, beyond an edge (3-4-5) and a corner (1-2-2), and inside.
  expect_same(overlap_of(A, B, {.p = {-1.75, 0.5, 0.25}}),
              {{1, 0, 0}, 0.25, {-1, 0, 0}, {-0.75, 0, 0}});
  expect_same(overlap_of(A, B, {.p = {-1.3, -2.4, 0}}),
              {{0.6, 0.8, 0}, 0.5, {-0.6, -0.8, 0}, {-0.3, -0.4, 0}});
  EXPECT_NEAR(overlap_of(A, B, {.p = {-1.1, -2.2, -3.2}}).depth, 0.7, 1e-15);
  expect_same(overlap_of(A, B, {.p = {-0.75, 0, 0}}), {{1, 0, 0}, 1.25, {-1, 0, 0}, {0.25, 0, 0}});
  EXPECT_FALSE(overlap(A, B, {.p = {-2, 0, 0}}));
}

TEST(ClosedForm, SphereOnCylinder) {
  const SphereShape A{1};
  const CylinderShape B{.radius = 1, .length = 4};
  expect_same(overlap_of(A, B, {.p = {-1.5, 0, 1}}), {{1, 0, 0}, 0.5, {-1, 0, 0}, {-0.5, 0, 0}});
  expect_same(overlap_of(A, B, {.p = {0.5, 0, -2.5}}), {{0, 0, 1}, 0.5, {0, 0, -1}, {0, 0, -0.5}});
  expect_same(overlap_of(A, B, {.p = {-1.3, 0, -2.4}}),
              {{0.6, 0, 0.8}, 0.5, {-0.6, 0, -0.8}, {-0.3, 0, -0.4}});
  EXPECT_EQ(overlap_of(A, B, {.p = {0.25, 0, 0}}).depth, 1.75);
  EXPECT_EQ(overlap_of(A, B, {}).depth, 2);
  EXPECT_FALSE(overlap(A, B, {.p = {0, 2, 0}}));
}

TEST(ClosedForm, SphereOnCapsule) {
  const SphereShape A{1};
  const CapsuleShape B{.radius = 0.5, .length = 2};
  expect_same(overlap_of(A, B, {.p = {0, 1.25, 0.5}}), {{0, -1, 0}, 0.25, {0, 1, 0}, {0, 0.75, 0}});
  EXPECT_NEAR(overlap_of(A, B, {.p = {0.6, 0, 1.8}}).depth, 0.5, 1e-15);  // 3-4-5 beyond the end
  EXPECT_EQ(overlap_of(A, B, {.p = {0, 0, 0.5}}).depth, 1.5);             // centre on the axis
  EXPECT_FALSE(overlap(A, B, {.p = {0, 0, 2.5}}));
}

TEST(ClosedForm, CapsuleOnCapsule) {
  const CapsuleShape A{.radius = 0.5, .length = 2}, B{.radius = 0.25, .length = 4};
  const Pose crossed = turned(pi / 2, Vec3::UnitX(), {0.7, 0, 0.5});
  expect_same(overlap_of(A, B, crossed), {{-1, 0, 0}, 0.05, {0.5, 0, 0.5}, {0.45, 0, 0.5}}, 1e-15);
  // Parallel: half way along the stretch beside each other, z = -0.5 ... 1.
  EXPECT_NEAR(overlap_of(A, B, {.p = {0.7, 0, 1.5}}).on_a.z(), 0.25, 1e-15);
  // Axes that cross are freed out of their plane; on one line, across it.
  EXPECT_NEAR(std::abs(overlap_of(A, B, turned(pi / 2, Vec3::UnitX(), {0, 0, 0.5})).normal.x()), 1,
              1e-15);
  EXPECT_EQ(overlap_of(A, B, {.p = {0, 0, 1}}).depth, 0.75);
  EXPECT_FALSE(overlap(A, B, {.p = {0, 0, 3.75}}));
}

TEST(ClosedForm, BoxOnBox) {
  const BoxShape A{{2, 2, 2}}, B{{2, 2, 2}};
  EXPECT_EQ(overlap_of(A, B, {.p = {0.5, 0.25, 1.9}}).depth, 2 - 1.9);
  // Turned by 45° about z, its edge dips into a face: reach √2.
  const Penetration edge = overlap_of(A, B, turned(pi / 4, Vec3::UnitZ(), {2.4, 0, 0}));
  EXPECT_NEAR(edge.depth, 1 + std::sqrt(2.0) - 2.4, 1e-15);
  EXPECT_NEAR((edge.normal + Vec3::UnitX()).norm(), 0, 1e-15);
  // Edge on edge along n = (1, 0, 1)/√2: both reach √2 that way.
  const Vec3 n = Vec3(1, 0, 1).normalized(), y = Vec3::UnitY();
  Pose crossed;
  crossed.R << Vec3(1, 0, -1).normalized(), (n + y).normalized(), (n - y).normalized();
  crossed.p = 2.75 * n;
  EXPECT_NEAR(crossed.R.determinant(), 1, 1e-15);
  const Vec3 tip = std::sqrt(2.0) * n;
  expect_same(overlap_of(A, B, crossed),
              {-n, 2 * std::sqrt(2.0) - 2.75, tip, crossed.p - std::sqrt(2.0) * n}, 1e-14);
  EXPECT_FALSE(overlap(A, B, {.p = {2, 0, 0}}));
  EXPECT_EQ(overlap_of(A, B, {}).depth, 2);
}

// Which of two flat faces has the least overlap hangs on rounding; the normal must not.
TEST(ClosedForm, BoxesFlatOnEachOtherKeepOneNormal) {
  const BoxShape box{{0.2, 0.2, 0.1}};
  CounterRng rng(23);
  for (const double tilt : {1e-5, 1e-7, 1e-9}) {
    for (int k = 0; k < 500; ++k) {
      const Vec3 turn = tilt * random_vector(rng).normalized();
      const Vec3 p(1e-9 * rng.normal(), 1e-9 * rng.normal(), 0.1 - 1e-5);
      const Penetration found = overlap_of(box, box, turned(turn.norm(), turn.normalized(), p));
      EXPECT_EQ(found.normal, Vec3(0, 0, -1)) << tilt << " " << k;
      EXPECT_NEAR(found.depth, 1e-5, 0.3 * tilt + 1e-15);
    }
  }
}

TEST(ClosedForm, BoxOnCylinder) {
  const BoxShape A{{2, 2, 2}};
  const CylinderShape B{.radius = 0.5, .length = 2};
  EXPECT_NEAR(overlap_of(A, B, {.p = {0, 0, 1.9}}).depth, 0.1, 1e-15);      // end on face
  EXPECT_NEAR(overlap_of(A, B, {.p = {1.4, 0, 0}}).depth, 0.1, 1e-15);      // side on face
  EXPECT_NEAR(overlap_of(A, B, {.p = {1.24, 1.32, 0}}).depth, 0.1, 1e-15);  // side along edge
  // Its axis along y, over the corner seen that way: the same in another plane.
  const Pose lying = turned(pi / 2, Vec3::UnitX(), {1.24, 0, -1.32});
  EXPECT_NEAR(overlap_of(A, B, lying).depth, 0.1, 1e-15);
  // Tilted by 45° about y, above a face: reaches (half length + radius)/√2 down.
  const Pose tilted = turned(pi / 4, Vec3::UnitY(), {0, 0, 2});
  EXPECT_NEAR(overlap_of(A, B, tilted).depth, 1 + 1.5 / std::sqrt(2.0) - 2, 1e-15);
  EXPECT_FALSE(overlap(A, B, {.p = {1.5, 0, 0}}));
  EXPECT_FALSE(overlap(A, B, {.p = {1.31, 1.41, 0}}));
}

TEST(ClosedForm, CylinderOnCylinder) {
  const CylinderShape A{.radius = 1, .length = 2}, B{.radius = 0.5, .length = 4};
  EXPECT_NEAR(overlap_of(A, B, {.p = {0.3, 0, 2.9}}).depth, 0.1, 1e-15);  // end on end
  EXPECT_NEAR(overlap_of(A, B, {.p = {0.9, 1.12, 0.5}}).depth, 1.5 - std::hypot(0.9, 1.12), 1e-15);
  const Pose crossed = turned(pi / 2, Vec3::UnitX(), {1.4, 0.5, 0.25});
  EXPECT_NEAR(overlap_of(A, B, crossed).depth, 0.1, 1e-15);  // side on side
  const Pose on_end = turned(pi / 2, Vec3::UnitX(), {0, 0, 1.4});
  EXPECT_NEAR(overlap_of(A, B, on_end).depth, 0.1, 1e-15);  // side on end
  // Rim in side: B's axis along x, its end dips radially into A.
  EXPECT_NEAR(overlap_of(A, B, turned(pi / 2, Vec3::UnitY(), {2.9, 0, 0})).depth, 0.1, 1e-15);
  EXPECT_FALSE(overlap(A, B, {.p = {0, 0, 3}}));
  EXPECT_EQ(overlap_of(A, A, {}).depth, 2);
}

// Rim beside rim, 0.09 mm apart: from the nearest direction that is tried first, the overlap falls along a narrow
// valley through zero.
TEST(ClosedForm, CylindersThatAreJustApartDoNotOverlap) {
  const CylinderShape A{.radius = 0.441836, .length = 0.307476};
  const CylinderShape B{.radius = 0.377610, .length = 0.509100};
  const Mat3 R = Quat(0.719260, -0.196938, -0.641384, 0.180297).normalized().toRotationMatrix();
  const Pose X{R, Vec3(0.735051, 0.160263, 0.479668)};
  const Vec3 between = Vec3(-0.956882, -0.090333, -0.276073).normalized();
  EXPECT_LT(overlap_along(between, A, {}, B, X), -8e-5);
  EXPECT_FALSE(overlap(A, B, X));
}

// A polytope does not get close to what is round both ways.
template <class Solid>
constexpr bool kIsBall = std::is_same_v<Solid, SphereShape> || std::is_same_v<Solid, CapsuleShape>;

/// Depths of a closed form and of the polytope that grows, which shares nothing with it but support maps.
template <class A, class B>
void compare_with_expand(int kind_a, int kind_b, int pairs, int allowed_misses) {
  CounterRng rng(17, static_cast<std::uint64_t>(10 * kind_a + kind_b));
  int overlaps = 0, misses = 0;
  for (int k = 0; k < pairs; ++k) {
    const Convex a = random_solid(rng, kind_a), b = random_solid(rng, kind_b);
    const Vec3 way = random_vector(rng).normalized();
    Pose X{random_rotation(rng), Vec3::Zero()};
    X.p = -rng.uniform(0, 1) * overlap_along(way, a, {}, b, X) * way;
    const Difference<A, B> difference{std::get<A>(a), std::get<B>(b), X};
    Penetration closed;
    Portal portal;
    const bool do_overlap = find_portal(difference, portal);
    ASSERT_EQ(penetrate(difference.a, difference.b, X, closed), do_overlap) << k;
    if (!do_overlap) continue;
    ++overlaps;
    const double grown = expand(difference, portal, 1e-9).depth;
    EXPECT_LT(closed.depth, grown * 1.1) << k;
    if (!kIsBall<A> && !kIsBall<B>) {
      EXPECT_GT(closed.depth, grown * (1 - 1e-6)) << k;  // measured 3e-7
    }
    misses += closed.depth > grown * (1 + 1e-7) ? 1 : 0;
    EXPECT_NEAR(overlap_along(closed.normal, a, {}, b, X), closed.depth, 1e-13) << k;  // 4e-14
    EXPECT_NEAR((closed.on_b - closed.on_a - closed.depth * closed.normal).norm(), 0, 1e-14);
  }
  EXPECT_GT(overlaps, pairs / 3);
  EXPECT_LE(misses, allowed_misses);
}

TEST(ClosedForm, AgreesWithTheGrowingPolytope) {
  compare_with_expand<SphereShape, BoxShape>(0, 1, 300, 0);
  compare_with_expand<SphereShape, CylinderShape>(0, 2, 300, 0);
  compare_with_expand<BoxShape, CapsuleShape>(1, 3, 300, 0);
  compare_with_expand<CylinderShape, CapsuleShape>(2, 3, 300, 0);
  compare_with_expand<BoxShape, BoxShape>(1, 1, 5000, 0);
  compare_with_expand<BoxShape, CylinderShape>(1, 2, 5000, 0);
  compare_with_expand<CylinderShape, CylinderShape>(2, 2, 5000, 0);
}

// A hull of a box is a box: points and segments against faces by formula, against vertices by search.
TEST(ClosedForm, HullsOfBoxesAreAsDeepAsBoxes) {
  CounterRng rng(18);
  int overlaps = 0;
  double worst = 0;
  for (int k = 0; k < 6000; ++k) {
    const Convex round = random_solid(rng, k % 2 ? 0 : 3), box = random_solid(rng, 1);
    const auto hull = std::make_shared<const HullSolid>(box_mesh(std::get<BoxShape>(box).size));
    const Pose X_WA{random_rotation(rng), random_vector(rng)};
    Pose X_WB{random_rotation(rng), X_WA.p};
    const Vec3 way = random_vector(rng).normalized();
    X_WB.p -= rng.uniform(0, 1) * overlap_along(way, round, X_WA, box, X_WB) * way;
    ContactPatch one, two;
    const bool do_overlap = find_patch(round, X_WA, box, X_WB, {}, one);
    ASSERT_EQ(find_patch(round, X_WA, hull, X_WB, {}, two), do_overlap) << k;
    if (!do_overlap) continue;
    ++overlaps;
    worst = std::max(worst, std::abs(one.depth - two.depth));
  }
  EXPECT_GT(overlaps, 2000);
  // Measured 1.7e-11: where a capsule's core nearly touches the box, the normal has lost digits.
  EXPECT_LT(worst, 1e-10);
}

TEST(ClosedForm, CapsuleOnBoxAndCylinder) {
  const CapsuleShape B{.radius = 0.5, .length = 2};
  const BoxShape box{{2, 4, 6}};
  const CylinderShape drum{.radius = 1, .length = 4};
  // Its end beyond a corner (1-2-2), its side over an edge (3-4-5), its core inside.
  const Pose corner{.p = {1.1, 2.2, 4.2}};
  EXPECT_NEAR(overlap_of(box, B, corner).depth, 0.2, 1e-14);
  expect_same(overlap_of(box, B, {.p = {1.24, 2.32, 0}}),
              {{-0.6, -0.8, 0}, 0.1, {1, 2, 0}, {0.94, 1.92, 0}}, 1e-14);
  EXPECT_NEAR(overlap_of(box, B, {.p = {0.75, 0, 0}}).depth, 0.25 + 0.5, 1e-14);
  EXPECT_FALSE(overlap(box, B, {.p = {1.5, 0, 0}}));
  // Side by side, end beyond the rim (3-4-5), crossed.
  EXPECT_NEAR(overlap_of(drum, B, {.p = {0.84, 1.12, 0.3}}).depth, 0.1, 1e-14);
  EXPECT_NEAR(overlap_of(drum, B, {.p = {1.24, 0, 3.32}}).depth, 0.1, 1e-14);
  const Pose crossed = turned(pi / 2, Vec3::UnitX(), {1.4, 0.5, 0.25});
  EXPECT_NEAR(overlap_of(drum, B, crossed).depth, 0.1, 1e-14);
  EXPECT_FALSE(overlap(drum, B, {.p = {0, 0, 3.5}}));
}

}  // namespace
}  // namespace grouser::internal
