#include "collision/mpr.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>

#include "collision/expand.h"
#include "convex_pairs.h"
#include "geometry/primitives.h"

#ifdef GROUSER_WITH_LIBCCD
#include <ccd/ccd.h>
#include <ccd/vec3.h>
#endif

namespace grouser::internal {
namespace {

TEST(Mpr, BoxesByHand) {
  const BoxShape A{{2, 2, 2}}, B{{1, 1, 1}};
  Portal portal;
  for (const double x : {0.0, 0.5, 1.0, 1.4999}) {
    EXPECT_TRUE(find_portal(Difference<BoxShape, BoxShape>{A, B, {.p = {x, 0.1, 0.2}}}, portal));
  }
  for (const double x : {1.5001, 2.0, 100.0}) {
    EXPECT_FALSE(find_portal(Difference<BoxShape, BoxShape>{A, B, {.p = {x, 0.1, 0.2}}}, portal));
  }
}

TEST(Mpr, ThePortalHoldsTheOrigin) {
  CounterRng rng(1);
  for (int k = 0; k < 1000; ++k) {
    const auto A = random_hull(rng, 30), B = random_hull(rng, 30);
    const Difference<HullSolid, HullSolid> difference{
        *A, *B, {random_rotation(rng), 0.3 * random_vector(rng)}};
    Portal portal;
    if (!find_portal(difference, portal)) continue;
    const auto& [v0, v1, v2, v3] = portal.corner;
    const auto side = [](const Vec3& p, const Vec3& q, const Vec3& r) {
      return (q - p).cross(r - p).dot(
          p);  // of the plane p q r, outward; positive if the origin is inside
    };
    EXPECT_GE(side(v1.w, v2.w, v3.w), 0);
    EXPECT_GE(side(v0.w, v2.w, v1.w), -1e-12);
    EXPECT_GE(side(v0.w, v3.w, v2.w), -1e-12);
    EXPECT_GE(side(v0.w, v1.w, v3.w), -1e-12);
  }
}

TEST(Mpr, ExpandFindsTheDepthOfBoxes) {
  const BoxShape A{{2, 2, 2}}, B{{1, 1, 1}};
  const Difference<BoxShape, BoxShape> difference{A, B, {.p = {1.25, 0.1, 0.2}}};
  Portal portal;
  ASSERT_TRUE(find_portal(difference, portal));
  const Penetration found = expand(difference, portal, 1e-9);
  EXPECT_NEAR(found.depth, 0.25, 1e-15);
  EXPECT_NEAR((found.normal + Vec3::UnitX()).norm(), 0, 1e-15);
  EXPECT_NEAR(found.on_a.x(), 1, 1e-15);
  EXPECT_NEAR(found.on_b.x(), 0.75, 1e-15);
}

// A hull of a box is a box.
TEST(Mpr, HullsOfBoxesAreAsDeepAsBoxes) {
  CounterRng rng(2);
  int overlaps = 0;
  for (int k = 0; k < 2000; ++k) {
    const Convex A = random_solid(rng, 1), B = random_solid(rng, 1);
    const Pose X_WA{random_rotation(rng), Vec3::Zero()};
    Pose X_WB{random_rotation(rng), Vec3::Zero()};
    const Vec3 way = random_vector(rng).normalized();
    X_WB.p = -rng.uniform(0, 1) * overlap_along(way, A, X_WA, B, X_WB) * way;
    const auto hull_of = [](const Convex& box) -> Convex {
      return std::make_shared<const HullSolid>(box_mesh(std::get<BoxShape>(box).size));
    };
    ContactPatch boxes, hulls;
    const bool do_overlap = find_patch(A, X_WA, B, X_WB, {}, boxes);
    ASSERT_EQ(find_patch(hull_of(A), X_WA, hull_of(B), X_WB, {}, hulls), do_overlap);
    if (!do_overlap) continue;
    ++overlaps;
    EXPECT_NEAR(boxes.depth, hulls.depth, 1e-13);  // measured
    EXPECT_NEAR((boxes.normal - hulls.normal).norm(), 0, 1e-9) << k;
  }
  EXPECT_GT(overlaps, 700);
}

#ifdef GROUSER_WITH_LIBCCD

struct Placed {
  const Convex* solid;
  Pose X_WS;
};

// libccd's growing polytope has no cap and for some pairs never ends. Once it has asked this many times, both
// solids shrink to points, which ends it.
constexpr int kMostQuestions = 20000;
int questions = 0;

void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
  const auto* placed = static_cast<const Placed*>(object);
  const Vec3 p = ++questions > kMostQuestions
                     ? placed->X_WS.p
                     : support_in_world(*placed->solid, placed->X_WS,
                                        {direction->v[0], direction->v[1], direction->v[2]});
  ccdVec3Set(point, p.x(), p.y(), p.z());
}

void ccd_centre(const void* object, ccd_vec3_t* point) {
  const Vec3& p = static_cast<const Placed*>(object)->X_WS.p;
  ccdVec3Set(point, p.x(), p.y(), p.z());
}

ccd_t ccd_settings() {
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = ccd_support;
  ccd.center1 = ccd.center2 = ccd_centre;
  ccd.max_iterations = 100;
  ccd.epa_tolerance = 1e-8;
  ccd.mpr_tolerance = 1e-9;
  return ccd;
}

struct Comparison {
  int overlaps = 0, other_decisions = 0, same = 0, less = 0, more = 0, no_answer = 0;
  double deepest_other = 0, most_more = 0, worst_overlap = 0;
};

double overlap(const Placed& a, const Placed& b, const Vec3& n) {
  return overlap_along(n, *a.solid, a.X_WS, *b.solid, b.X_WS);
}

/// Whether both find an overlap; ours into `patch`.
bool compare_decisions(const Placed& a, const Placed& b, ContactPatch& patch, Comparison& seen) {
  const ccd_t ccd = ccd_settings();
  questions = 0;
  const bool do_overlap = find_patch(*a.solid, a.X_WS, *b.solid, b.X_WS, {}, patch);
  if (do_overlap != (ccdGJKIntersect(&a, &b, &ccd) != 0)) {
    // Its two methods differ on some round solids up to 5 mm deep; ours then agrees with its MPR.
    ++seen.other_decisions;
    ccd_real_t depth;
    ccd_vec3_t way, point;
    if (do_overlap != (ccdMPRPenetration(&a, &b, &ccd, &depth, &way, &point) == 0)) {
      seen.deepest_other = std::max(seen.deepest_other, do_overlap ? patch.depth : depth);
    }
    return false;
  }
  if (!do_overlap) return false;
  ++seen.overlaps;
  // It does free A.
  seen.worst_overlap =
      std::max(seen.worst_overlap, std::abs(overlap(a, b, patch.normal) - patch.depth));
  return true;
}

/// libccd's depth is that of the polytope inside the difference at which it stopped, hence too small for
/// round solids: what counts is the overlap along its direction, which A must move to be free.
void compare_depths(const Placed& a, const Placed& b, const ContactPatch& patch, Comparison& seen) {
  const ccd_t ccd = ccd_settings();
  ccd_real_t depth;
  ccd_vec3_t way, point;
  Vec3 n = Vec3::Zero();
  questions = 0;
  if (ccdGJKPenetration(&a, &b, &ccd, &depth, &way, &point) == 0 && questions < kMostQuestions) {
    n = {way.v[0], way.v[1], way.v[2]};
  }
  if (!(n.norm() > 0.5)) {
    ++seen.no_answer;
    return;
  }
  n.normalize();
  const double ratio = patch.depth / std::min(overlap(a, b, n), overlap(a, b, -n)) - 1;
  ++(ratio > 1e-6 ? seen.more : ratio < -1e-6 ? seen.less : seen.same);
  seen.most_more = std::max(seen.most_more, ratio);
}

/// Decisions of all pairs, and depths of each `depth_every`th.
void compare_kinds(int pairs, int depth_every) {
  CounterRng hull_rng(6);
  std::vector<Convex> hulls;
  for (int k = 0; k < 50; ++k) hulls.push_back(random_solid(hull_rng, 4));
  for (int i = 0; i < kKinds; ++i) {
    for (int j = i; j < kKinds; ++j) {
      CounterRng rng(7, static_cast<std::uint64_t>(kKinds * i + j));
      const auto solid = [&](int kind) {
        return kind == 4 ? hulls[rng.index(hulls.size())] : random_solid(rng, kind);
      };
      Comparison seen;
      for (int k = 0; k < pairs; ++k) {
        const Convex A = solid(i), B = solid(j);
        const Placed a{&A, {random_rotation(rng), random_vector(rng)}};
        Placed b{&B, {random_rotation(rng), a.X_WS.p}};
        const Vec3 way = random_vector(rng).normalized();
        const double least = rng.uniform() < 0.3 ? 0 : 0.85;
        b.X_WS.p -= rng.uniform(least, 1) * overlap_along(way, A, a.X_WS, B, b.X_WS) * way;
        ContactPatch patch;
        if (compare_decisions(a, b, patch, seen) && k % depth_every == 0) {
          compare_depths(a, b, patch, seen);
        }
      }
      std::cout << fmt::format(
                       "{}-{}: {} overlaps, {} other decisions (none deeper than {:.1e} m by its "
                       "MPR), depth same {}, ours "
                       "less {}, more {} (by {:.1e}), none of libccd's {}; overlap off by {:.1e}",
                       kKindNames[i], kKindNames[j], seen.overlaps, seen.other_decisions,
                       seen.deepest_other, seen.same, seen.less, seen.more, seen.most_more,
                       seen.no_answer, seen.worst_overlap)
                << std::endl;
      const std::string name = std::string(kKindNames[i]) + "-" + kKindNames[j];
      EXPECT_GT(seen.overlaps, pairs / 4) << name;
      EXPECT_LE(seen.other_decisions, 1 + pairs / 1000) << name;  // 56 of 100,000 for balls
      EXPECT_LT(seen.deepest_other, 1e-9) << name;                // measured: none
      EXPECT_LT(seen.worst_overlap, 1e-11) << name;  // measured 2.3e-12, for box and cylinder
      EXPECT_EQ(seen.more, 0) << name;
    }
  }
}

// What was measured with 100,000 pairs of each kind, depths of every fifth:
// - Decisions differ from libccd's GJK for 56 pairs of balls, 13 other pairs with round solids on both sides;
//   its own MPR agrees with ours on all of them.
// - Polyhedra: the same depth to 2e-13, but for 0.5 % of the pairs in which libccd stops early, at more.
// - Round solids: in most pairs libccd's direction costs more than ours by over 1e-6, since its polytope of
//   points nears a round surface slowly. Ours frees A: see worst_overlap.
// - Ours is never more by 1e-6.
// - libccd has no answer for 4 pairs of balls.
TEST(Mpr, AgreesWithLibccd) { compare_kinds(300, 1); }

TEST(LongMpr, AgreesWithLibccd) { compare_kinds(100000, 5); }

#endif

}  // namespace
}  // namespace grouser::internal
