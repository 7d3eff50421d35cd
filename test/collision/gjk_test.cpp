#include "collision/gjk.h"

#include <gtest/gtest.h>

#include "collision/mpr.h"
#include "convex_pairs.h"
#include "geometry/primitives.h"

namespace grouser::internal {
namespace {

TEST(Gjk, PointAndBoxByHand) {
  const HullSolid box(box_mesh({2, 4, 6}));
  Nearest nearest;
  const auto at = [&](const Vec3& p, double limit) {
    return find_nearest(Difference<PointCore, HullSolid>{{}, box, {.p = -p}}, limit, nearest);
  };
  ASSERT_EQ(at({3, 0.5, 0.25}, 9), Apart::near);  // over a face
  EXPECT_NEAR(nearest.distance, 2, 1e-15);
  EXPECT_NEAR((Vec3(nearest.at.w) - Vec3(-2, 0, 0)).norm(), 0, 1e-14);
  ASSERT_EQ(at({4, 6, 0}, 9), Apart::near);  // beyond an edge, 3-4-5
  EXPECT_NEAR(nearest.distance, 5, 1e-14);
  ASSERT_EQ(at({2, 4, 5}, 9), Apart::near);  // beyond a corner, 1-2-2
  EXPECT_NEAR(nearest.distance, 3, 1e-14);
  EXPECT_EQ(at({2, 4, 5}, 2.9), Apart::far);
  EXPECT_EQ(at({0.5, 1, 2}, 9), Apart::not_at_all);
  EXPECT_EQ(at({0, 0, 0}, 9), Apart::not_at_all);
}

TEST(Gjk, SegmentAndBoxByHand) {
  const HullSolid box(box_mesh({2, 4, 6}));
  Nearest nearest;
  // Along z beside an edge along z, from z = 1 to z = 3: half the way beside it.
  const Difference<SegmentCore, HullSolid> beside{{2}, box, {.p = {-4, -6, -4}}};
  ASSERT_EQ(find_nearest(beside, 9, nearest), Apart::near);
  EXPECT_NEAR(nearest.distance, 5, 1e-14);
  EXPECT_LE(nearest.at.a.z, 0);  // at its lower half
  const Difference<SegmentCore, HullSolid> through{{20}, box, {.p = {0.5, 0.5, 0}}};
  EXPECT_EQ(find_nearest(through, 9, nearest), Apart::not_at_all);
}

// The nearest points' direction is that of a plane between the solids: nothing of the difference is nearer.
TEST(Gjk, DistanceIsThatOfASeparatingPlane) {
  CounterRng rng(21);
  int found = 0;
  for (int k = 0; k < 2000; ++k) {
    const auto A = random_hull(rng, 30), B = random_hull(rng, 30);
    const Difference<HullSolid, HullSolid> difference{
        *A, *B, {random_rotation(rng), 0.8 * random_vector(rng)}};
    Nearest nearest;
    Portal portal;
    const Apart apart = find_nearest(difference, 100, nearest);
    ASSERT_EQ(apart == Apart::not_at_all, find_portal(difference, portal)) << k;
    if (apart != Apart::near) continue;
    ++found;
    EXPECT_NEAR(norm(nearest.at.w), nearest.distance, 5e-14) << k;  // measured 1.9e-14
  }
  EXPECT_GT(found, 500);
}

}  // namespace
}  // namespace grouser::internal
