#include "multibody/lane.h"

#include <array>

#include <gtest/gtest.h>

#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

Spatial random_spatial(CounterRng& rng) {
  const Vec3 angular = random_vec3(rng);
  return spatial(angular, random_vec3(rng));
}

SpatialInertia random_spatial_inertia(CounterRng& rng) {
  const RigidInertia body = random_inertia(rng);
  return {body.mass, triple(body.mass * body.com), columns(body.about_origin())};
}

TEST(Triple, IsAVectorWithZeroPadding) {
  const Triple a = triple({1, 2, 3}), b = triple({4, 5, 6});
  EXPECT_EQ(a.vec3(), Vec3(1, 2, 3));
  EXPECT_EQ(a[1], 2);
  EXPECT_EQ(dot(a, b), 32);
  EXPECT_EQ(cross(a, b).vec3(), Vec3(-3, 6, -3));
  EXPECT_EQ(cross(a, b)[3], 0);
}

TEST(Columns, AreAMatrix) {
  CounterRng rng(3);
  const MatX random = random_vector(18, rng);
  const Mat3 A = random.reshaped(9, 2).col(0).reshaped(3, 3);
  const Mat3 B = random.reshaped(9, 2).col(1).reshaped(3, 3);
  const Vec3 v(1, 2, 3);
  EXPECT_EQ(columns(A).mat3(), A);
  EXPECT_NEAR(((columns(A) * v).vec3() - A * v).norm(), 0, 1e-14);           // measured 9e-16
  EXPECT_NEAR(((columns(A) * triple(v)).vec3() - A * v).norm(), 0, 1e-14);   // measured 9e-16
  EXPECT_NEAR(((columns(A) * columns(B)).mat3() - A * B).norm(), 0, 1e-14);  // measured 2e-16
  EXPECT_NEAR(((columns(A) * B).mat3() - A * B).norm(), 0, 1e-14);           // measured 2e-16
}

TEST(Spatial, KeepsItsPartsAndZeroPadding) {
  const Spatial V = spatial(Vec3(1, 2, 3), Vec3(4, 5, 6));
  EXPECT_EQ(V.angular(), Vec3(1, 2, 3));
  EXPECT_EQ(V.linear(), Vec3(4, 5, 6));
  EXPECT_EQ(V.top().vec3(), Vec3(1, 2, 3));
  EXPECT_EQ(V.bottom().vec3(), Vec3(4, 5, 6));
  EXPECT_EQ(V.entries(), (std::array<double, 6>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(V.x[3], 0);
  EXPECT_EQ(V.x[7], 0);
  EXPECT_EQ(dot(V, V), 91);
}

/// Kept out of line so that the compiler cannot know the numbers.
[[gnu::noinline]] std::array<double, 6> entries_of_difference(const Spatial& a, const Spatial& b) {
  return Spatial{a.x - b.x}.entries();
}
[[gnu::noinline]] Twist twist_of_difference(const Spatial& a, const Spatial& b) {
  const Spatial difference{a.x - b.x};
  return {difference.angular(), difference.linear()};
}

// GCC 12 with AVX-512 has mixed up the lanes when they were stored side by side.
TEST(Spatial, EntriesStayInPlaceInOptimisedCode) {
  const Spatial a = spatial(Vec3(11, 22, 33), Vec3(44, 55, 66));
  const Spatial b = spatial(Vec3(10, 20, 30), Vec3(40, 50, 60));
  EXPECT_EQ(entries_of_difference(a, b), (std::array<double, 6>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(twist_of_difference(a, b).angular, Vec3(1, 2, 3));
  EXPECT_EQ(twist_of_difference(a, b).linear, Vec3(4, 5, 6));
}

TEST(CrossMotion, HandValue) {
  // Carried by a turn about z, an x axis moves towards y; carried by a slide along x, a turn about
  // z gains the velocity x × z = -y of its reference point.
  const Spatial turn = spatial(Vec3::UnitZ(), Vec3::Zero());
  const Spatial slide = spatial(Vec3::Zero(), Vec3::UnitX());
  EXPECT_EQ(cross_motion(turn, slide).linear(), Vec3::UnitY());
  EXPECT_EQ(cross_motion(slide, turn).linear(), -Vec3::UnitY());
  EXPECT_EQ(cross_motion(slide, turn).angular(), Vec3::Zero());
}

// The power of a load on a motion stays the same when both are carried along.
TEST(CrossForce, IsTheDualOfCrossMotion) {
  CounterRng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Spatial V = random_spatial(rng), S = random_spatial(rng), F = random_spatial(rng);
    EXPECT_NEAR(dot(cross_force(V, F), S) + dot(F, cross_motion(V, S)), 0,
                1e-14);  // measured 5e-16
  }
}

TEST(SpatialInertia, MomentumOfABodyOffTheReferencePoint) {
  // 2 kg at (1, 0, 0) turning at 3 rad/s about z: m r ω along y, m r² ω about z.
  const SpatialInertia I{2, triple({2, 0, 0}), columns(Vec3(0, 2, 2).asDiagonal())};
  const Spatial h = I * spatial(Vec3(0, 0, 3), Vec3::Zero());
  EXPECT_EQ(h.linear(), Vec3(0, 6, 0));
  EXPECT_EQ(h.angular(), Vec3(0, 0, 6));
}

TEST(SpatialMatrix, ActsAsTheInertiaItIsMadeOf) {
  CounterRng rng(2);
  for (int i = 0; i < 100; ++i) {
    SpatialInertia A = random_spatial_inertia(rng);
    const SpatialInertia B = random_spatial_inertia(rng);
    const Spatial V = random_spatial(rng);
    SpatialMatrix M = to_matrix(A);
    M += to_matrix(B);
    A += B;
    const Spatial error{(M * V).x - (A * V).x};
    for (const double entry : error.entries()) EXPECT_NEAR(entry, 0, 1e-14);  // measured 0
    EXPECT_EQ(error.x[3], 0);
    EXPECT_EQ(error.x[7], 0);
  }
}

}  // namespace
}  // namespace grouser::internal
