#include "contact/pcm/detection.h"

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "pcm_testing.h"
#include "support/allocation_count.h"

namespace grouser::internal {
namespace {

struct Hit {
  double depth;
  bool active;
};

/// One line against all triangles, by solving o + t d = a + u (b - a) + v (c - a) as it stands.
std::optional<Hit> nearest_hit(const Vec3& o, const Vec3& d, double reach, const TriMesh& mesh,
                               const Pose& X) {
  std::optional<Hit> best;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = X * mesh.vertices[slot(t[0])];
    Mat3 m;
    m.col(0) = X * mesh.vertices[slot(t[1])] - a;
    m.col(1) = X * mesh.vertices[slot(t[2])] - a;
    m.col(2) = -d;
    if (std::abs(m.determinant()) < 1e-15) continue;
    const Vec3 s = m.inverse() * (o - a);
    if (s.x() < 0 || s.y() < 0 || s.x() + s.y() > 1 || s.z() < 0 || s.z() > reach) continue;
    if (!best || s.z() < best->depth) best = Hit{s.z(), m.col(0).cross(m.col(1)).dot(d) > 0};
  }
  return best;
}

ContactElements detect(const BaseSurface& base, const TargetSurface& target, const Pose& X_TB,
                       DetectionFrame frame) {
  ContactElements elements;
  DetectionScratch scratch;
  elements.begin(base);
  detect_penetration(base, target, X_TB, frame, ~0U, elements, scratch);
  elements.mark(scratch.found);
  elements.finish();
  return elements;
}

TEST(Detection, FindsWhatTryingAllPairsFinds) {
  CounterRng rng(1);
  const auto torus = share(torus_mesh(1, 0.3, 48, 24));
  const auto ball = share(sphere_mesh(1, 6));
  const BaseSurface base(torus, 0.05);
  const TargetSurface target(ball);
  std::size_t found = 0;
  for (int k = 0; k < 30; ++k) {
    const std::vector<Pose> X = touching_poses(rng, 0.08);
    const Pose X_TB = X[1].inverse() * X[0];
    const ContactElements elements = detect(base, target, X_TB, DetectionFrame::target);
    std::vector<std::int32_t> expected;
    for (std::size_t t = 0; t < torus->triangles.size(); ++t) {
      const BaseElement& e = base.elements()[t];
      const auto hit = nearest_hit(e.centre, -e.normal, 0.05, *ball, X_TB.inverse());
      if (!hit || !hit->active) continue;
      const auto triangle = static_cast<std::int32_t>(t);
      expected.push_back(triangle);
      EXPECT_NEAR(elements.depth(triangle), hit->depth, 1e-13);  // measured 5e-15
    }
    ASSERT_EQ(std::vector(elements.active().begin(), elements.active().end()), expected);
    found += expected.size();
  }
  EXPECT_GT(found, 200u);
}

TEST(Detection, FrameChangesRoundingOnly) {
  CounterRng rng(2);
  const BaseSurface base(share(torus_mesh(1, 0.3, 64, 32)), 0.03);
  const TargetSurface target(share(sphere_mesh(1, 5)));
  for (int k = 0; k < 50; ++k) {
    const std::vector<Pose> X = touching_poses(rng);
    const Pose X_TB = X[1].inverse() * X[0];
    const ContactElements a = detect(base, target, X_TB, DetectionFrame::target);
    const ContactElements b = detect(base, target, X_TB, DetectionFrame::base);
    ASSERT_TRUE(std::ranges::equal(a.active(), b.active()));
    for (const std::int32_t t : a.active()) ASSERT_NEAR(a.depth(t), b.depth(t), 1e-14);
  }
}

// Lines straight at edges and corners: each must hit some triangle.
TEST(Detection, NoLineSlipsBetweenTriangles) {
  CounterRng rng(3);
  const auto ball = share(sphere_mesh(1, 3));
  const TargetSurface target(ball);
  TriMesh needles;  // small triangles inside, whose lines point at the target's edges and corners
  for (int k = 0; k < 4000; ++k) {
    const Triangle& t = ball->triangles[rng.index(ball->triangles.size())];
    const Vec3 &a = ball->vertices[slot(t[0])], &b = ball->vertices[slot(t[1])];
    const double s = k % 4 == 0 ? 0 : rng.uniform(0, 1);
    const Vec3 at = (1 - s) * a + s * b;
    const Vec3 from = at - 0.02 * (at + 0.15 * random_vector(rng)).normalized();
    const Vec3 along = (at - from).normalized(), e = along.unitOrthogonal(), f = along.cross(e);
    const auto first = static_cast<std::int32_t>(needles.vertices.size());
    for (const double angle : {0.0, -2.1, -4.2}) {  // clockwise seen from outside: looks inward
      needles.vertices.push_back(from + 1e-3 * (std::cos(angle) * e + std::sin(angle) * f));
    }
    needles.triangles.push_back({first, first + 1, first + 2});
  }
  const BaseSurface base(share(std::move(needles)), 0.05);
  for (int k = 0; k < 10; ++k) {
    const Pose X{random_rotation(rng), random_vector(rng)};
    // The needles move with the ball, through another frame.
    const TargetSurface moved(share(transformed(X, *ball)));
    for (const auto frame : {DetectionFrame::base, DetectionFrame::target}) {
      EXPECT_EQ(detect(base, moved, X, frame).active().size(), base.elements().size());
    }
  }
}

TEST(Detection, UncleanMeshesStillWork) {
  // Torn apart at every edge, with doubled, collapsed and thin triangles.
  const TriMesh clean = sphere_mesh(1, 5);
  TriMesh torn;
  for (const Triangle& t : clean.triangles) {
    const auto first = static_cast<std::int32_t>(torn.vertices.size());
    for (const std::int32_t v : t) torn.vertices.push_back(clean.vertices[slot(v)]);
    torn.triangles.push_back({first, first + 1, first + 2});
  }
  const TriMesh pieces = torn;
  append(torn, pieces);                    // everything twice
  torn.triangles.push_back({0, 0, 1});     // no triangle
  torn.triangles.push_back({0, 1, 1503});  // from one piece to another: thin or flat
  const BaseSurface base(share(torus_mesh(1, 0.3, 64, 32)), 0.03);
  const TargetSurface good(share(clean)), bad(share(torn));
  CounterRng rng(4);
  for (int k = 0; k < 20; ++k) {
    const std::vector<Pose> X = touching_poses(rng);
    const Pose X_TB = X[1].inverse() * X[0];
    const ContactElements a = detect(base, good, X_TB, DetectionFrame::target);
    const ContactElements b = detect(base, bad, X_TB, DetectionFrame::target);
    ASSERT_TRUE(std::ranges::equal(a.active(), b.active()));
    for (const std::int32_t t : a.active()) ASSERT_EQ(a.depth(t), b.depth(t));
  }
  // As base, only triangles with an area count.
  EXPECT_EQ(BaseSurface(share(torn), 0.03).elements()[2 * clean.triangles.size()].area, 0);
}

TEST(Detection, OutsideAndRearSidesAreNoContact) {
  // Fig. 4 of the paper. The line of a base triangle that stands outside the target meets it from outside;
  // that of one inside meets the near wall, not the far one.
  TriMesh plate;
  plate.vertices = {Vec3(-0.1, -0.1, 0), Vec3(0.2, -0.1, 0), Vec3(-0.1, 0.2, 0)};
  plate.triangles = {{0, 1, 2}};  // looks up; its line points down
  const BaseSurface base(share(plate), 5);
  const TargetSurface box(share(box_mesh(Vec3(1, 1, 1))));
  const auto at = [&](double z) {
    return detect(base, box, {Mat3::Identity(), Vec3(0, 0, z)}, DetectionFrame::target);
  };
  EXPECT_TRUE(at(0.7).active().empty());
  const ContactElements inside = at(-0.4);
  ASSERT_EQ(inside.active().size(), 1u);
  EXPECT_NEAR(inside.depth(0), 0.1, 1e-15);
  EXPECT_TRUE(at(-0.7).active().empty());
}

}  // namespace
}  // namespace grouser::internal
