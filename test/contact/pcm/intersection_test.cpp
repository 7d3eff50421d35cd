#include "contact/pcm/intersection.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pcm_testing.h"

namespace grouser::internal {
namespace {

TEST(Intersection, SameBitsAsPenetration) {
  for (const auto frame : {FrameChoice::base, FrameChoice::target}) {
    const PcmScene fast = torus_and_sphere({.frame = frame});
    const PcmScene classic =
        torus_and_sphere({.detection = Detection::intersection, .frame = frame});
    PcmScratch of_fast(fast), of_classic(classic);
    CounterRng rng(1);
    std::size_t touching = 0;
    for (int k = 0; k < 60; ++k) {
      const std::vector<Pose> X = touching_poses(rng);
      std::vector<Twist> V(2);
      for (Twist& v : V) v = {random_vector(rng), 0.2 * random_vector(rng)};
      const PcmForce& a = pcm_force(fast, X, V, of_fast);
      const PcmForce& b = pcm_force(classic, X, V, of_classic);
      ASSERT_EQ(a.contacts.size(), b.contacts.size());
      ASSERT_EQ(std::memcmp(a.wrenches.data(), b.wrenches.data(), 2 * sizeof(Wrench)), 0);
      if (a.contacts.empty()) continue;
      ASSERT_EQ(a.contacts[0].patch.size(), b.contacts[0].patch.size());
      touching += a.contacts[0].patch.size();
    }
    EXPECT_GT(touching, 200u);
  }
}

// Torus on top: the patch is a ring, and the sphere looks through the hole.
TEST(Intersection, SameBitsForARingOfContact) {
  const PcmScene fast = torus_and_sphere();
  const PcmScene classic = torus_and_sphere({.detection = Detection::intersection});
  PcmScratch of_fast(fast), of_classic(classic);
  CounterRng rng(2);
  for (int k = 0; k < 20; ++k) {
    const std::vector<Pose> X = {
        {}, {random_rotation(rng), Vec3(rng.uniform(-0.01, 0.01), 0, rng.uniform(0.815, 0.825))}};
    const std::vector<Twist> V(2);
    const PcmForce& a = pcm_force(fast, X, V, of_fast);
    const PcmForce& b = pcm_force(classic, X, V, of_classic);
    ASSERT_EQ(std::memcmp(a.wrenches.data(), b.wrenches.data(), 2 * sizeof(Wrench)), 0);
    ASSERT_GT(a.wrenches[1].force.z(), 0);
  }
}

TEST(Intersection, SaysWhyItCannot) {
  const TriMesh ball = sphere_mesh(1, 3);
  EXPECT_TRUE(intersection_obstacles(ball).empty());
  EXPECT_TRUE(intersection_obstacles(plane_mesh(1, 4)).empty());  // open, but whole

  TriMesh doubled = ball;
  doubled.triangles.push_back(doubled.triangles[0]);
  EXPECT_THAT(intersection_obstacles(doubled),
              testing::Contains(testing::HasSubstr("more than two triangles")));
  TriMesh collapsed = ball;
  collapsed.triangles.push_back({0, 1, 1});
  EXPECT_THAT(intersection_obstacles(collapsed), testing::Contains(testing::HasSubstr("no area")));
  TriMesh torn = ball;  // one corner comes loose, by a hair
  torn.vertices.push_back(torn.vertices[slot(torn.triangles[0][0])] * (1 - 1e-8));
  torn.triangles[0][0] = static_cast<std::int32_t>(torn.vertices.size()) - 1;
  EXPECT_THAT(intersection_obstacles(torn), testing::Contains(testing::HasSubstr("torn")));
  TriMesh turned = ball;
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_THAT(intersection_obstacles(turned), testing::Contains(testing::HasSubstr("outside")));

  try {
    PcmScene({{.name = "a", .body = 0, .mesh = share(torn)}, {.name = "b", .mesh = share(ball)}},
             {}, {.detection = Detection::intersection});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr("torn"));
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr("surface 'a'"));
  }
}

TEST(CleanSurface, KnowsInsideFromOutside) {
  const CleanSurface torus(torus_mesh(1, 0.3, 32, 16));
  CounterRng rng(3);
  for (int k = 0; k < 500; ++k) {
    const Vec3 p(rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5), rng.uniform(-0.4, 0.4));
    const double distance = std::hypot(std::hypot(p.x(), p.y()) - 1, p.z());
    if (std::abs(distance - 0.3) < 0.02) continue;  // chords
    EXPECT_EQ(torus.contains(p), distance < 0.3);
  }
}

}  // namespace
}  // namespace grouser::internal
