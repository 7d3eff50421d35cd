#include "nonsmooth/load_sharing.h"

#include <gtest/gtest.h>

#include <array>

#include "math/spatial.h"

namespace grouser::internal {
namespace {

struct Leg {
  double x, y, load;
};

/// Table of 8 kg with its centre at the origin; W = H M⁻¹ Hᵀ with rows (1, y, -x).
template <std::size_t n>
std::array<double, n> shared(const std::array<Leg, n>& legs, double least = 0) {
  LoadSharing sharing;
  sharing.begin(n);
  for (const Leg& leg : legs) sharing.add(leg.load, least);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const Vec3 a(1, legs[i].y, -legs[i].x), b(1, legs[j].y, -legs[j].x);
      sharing.set_mobility(i, j, a.cwiseProduct(b).dot(Vec3(1 / 8.0, 1 / 0.7, 1 / 1.3)));
    }
  }
  sharing.share();
  std::array<double, n> result;
  for (std::size_t i = 0; i < n; ++i) result[i] = sharing.load(i);
  return result;
}

TEST(LoadSharing, BoxOnItsFourCornersHasAPlaneOfLoads) {
  // Centre of mass at (0.1, -0.05) from the middle of corners at (±0.5, ±0.25): N = W/4 (1 ± 0.2 ∓ 0.2) of 40 N s.
  // Begun with the front left corner unloaded: 8 N s were moved along (+, -, -, +).
  const std::array<Leg, 4> legs = {
      {{0.4, 0.3, 2}, {0.4, -0.2, 22}, {-0.6, 0.3, 14}, {-0.6, -0.2, 2}}};
  const std::array<double, 4> expected = {10, 14, 6, 10};
  // Force and moments must be the same for the example to be one.
  double force = 0, about_x = 0, about_y = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    force += legs[i].load - expected[i];
    about_x += legs[i].y * (legs[i].load - expected[i]);
    about_y += legs[i].x * (legs[i].load - expected[i]);
  }
  ASSERT_NEAR(force, 0, 1e-12);
  ASSERT_NEAR(about_x, 0, 1e-12);
  ASSERT_NEAR(about_y, 0, 1e-12);
  const std::array<double, 4> found = shared(legs);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

TEST(LoadSharing, ThreeLegsAreDeterminate) {
  const std::array<Leg, 3> legs = {{{1, 0, 3}, {-1, 1, 5}, {-1, -1, 1}}};
  const std::array<double, 3> found = shared(legs);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], legs[i].load, 1e-12);
}

TEST(LoadSharing, NoLegPulls) {
  // Three legs on a line with the load beyond the middle one: equal springs would pull at the far end, as
  // N = 4 + 4.5 x for x = -1, 0, 1. Rotation and force leave one number free.
  const std::array<Leg, 3> legs = {{{-1, 0, 1}, {0, 0, 1}, {1, 0, 10}}};
  const std::array<double, 3> found = shared(legs);
  // Free would be (-0.5, 4, 8.5); the far leg stays at zero, and then force 12 and moment 9 fix the others.
  EXPECT_NEAR(found[0], 0, 1e-12);
  EXPECT_NEAR(found[1], 3, 1e-12);
  EXPECT_NEAR(found[2], 9, 1e-12);
}

TEST(LoadSharing, FrictionKeepsTheLoadItNeeds) {
  const std::array<Leg, 3> legs = {{{-1, 0, 1}, {0, 0, 1}, {1, 0, 10}}};
  const std::array<double, 3> found = shared(legs, 0.5);
  EXPECT_NEAR(found[0], 0.5, 1e-12);
  EXPECT_NEAR(found[1], 2, 1e-12);
  EXPECT_NEAR(found[2], 9.5, 1e-12);
}

}  // namespace
}  // namespace grouser::internal
