#include "geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

/// ∫ f dx over [a, b] by Gauss and Legendre with three points: exact for polynomials to degree 5.
template <class F>
double integral(F&& f, double a, double b) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a), node = half * std::sqrt(0.6);
  return half * (5 * f(middle - node) + 8 * f(middle) + 5 * f(middle + node)) / 9;
}

/// Moments (Ixx, Iyy, Izz) per density of a body of revolution about z, slice by slice: a disc of
/// radius ρ has the moments ρ²/4 across and ρ²/2 along per mass. `breaks` part the outline where
/// ρ²(z) changes from one polynomial, of degree 2 at most, to another.
template <class F>
Vec3 revolved_moments(F&& radius_squared, const std::vector<double>& breaks, double mass) {
  double volume = 0, across = 0, along = 0;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const auto sum = [&](auto&& per_area) {
      return integral(
          [&](double z) {
            const double rho2 = radius_squared(z);
            return std::numbers::pi * rho2 * per_area(z, rho2);
          },
          breaks[i], breaks[i + 1]);
    };
    volume += sum([](double, double) { return 1.0; });
    across += sum([](double z, double rho2) { return rho2 / 4 + z * z; });
    along += sum([](double, double rho2) { return rho2 / 2; });
  }
  return mass / volume * Vec3(across, across, along);
}

void expect_moments(const Shape& shape, double mass, const Vec3& moments) {
  const RigidInertia inertia = solid_inertia(shape, mass);
  EXPECT_EQ(inertia.mass, mass);
  EXPECT_EQ(inertia.com, Vec3::Zero());
  const Mat3 expected = moments.asDiagonal();
  const double error = (inertia.about_com - expected).cwiseAbs().maxCoeff();
  EXPECT_NEAR(error / moments.maxCoeff(), 0, 1e-14);  // measured 6e-16
  EXPECT_STREQ(physical_defect(inertia), "");
}

TEST(SolidInertia, Box) {
  // 12 kg/12 times the sums of squares of the edges.
  expect_moments(BoxShape{{1, 2, 3}}, 12, {13, 10, 5});
}

TEST(SolidInertia, Sphere) {
  expect_moments(SphereShape{2}, 5, Vec3::Constant(8));  // 2/5 m r²
  expect_moments(SphereShape{0.7}, 3,
                 revolved_moments([](double z) { return 0.49 - z * z; }, {-0.7, 0.7}, 3));
}

TEST(SolidInertia, Cylinder) {
  expect_moments(CylinderShape{2, 6}, 4, {16, 16, 8});  // m (3 r² + l²)/12 and m r²/2
  expect_moments(CylinderShape{0.3, 0.8}, 2,
                 revolved_moments([](double) { return 0.09; }, {-0.4, 0.4}, 2));
}

TEST(SolidInertia, CapsuleEqualsNumericalIntegration) {
  for (const double length : {0.01, 0.5, 3.0}) {
    for (const double radius : {0.1, 0.8}) {
      const double half = length / 2;
      const auto radius_squared = [&](double z) {
        const double beyond = std::max(0.0, std::abs(z) - half);
        return radius * radius - beyond * beyond;
      };
      expect_moments(
          CapsuleShape{radius, length}, 7,
          revolved_moments(radius_squared, {-half - radius, -half, half, half + radius}, 7));
    }
  }
}

TEST(SolidInertia, CapsuleWithoutLengthIsASphere) {
  expect_moments(CapsuleShape{0.5, 0}, 2, Vec3::Constant(0.2));  // 2/5 · 2 · 1/4
}

TEST(SolidInertia, ThinCapsuleIsARod) {
  const Mat3 I = solid_inertia(CapsuleShape{1e-6, 2}, 3).about_com;
  EXPECT_NEAR(I(0, 0), 1, 1e-5);   // m l²/12, to the order of radius/length; measured 2e-06
  EXPECT_NEAR(I(2, 2), 0, 1e-11);  // measured 2e-12
}

TEST(SolidInertia, MeshHasNone) {
  const RigidInertia inertia = solid_inertia(MeshShape{}, 3);
  EXPECT_EQ(inertia.mass, 3);
  EXPECT_EQ(inertia.about_com, Mat3::Zero());
}

}  // namespace
}  // namespace grouser::internal
