#include "geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/rng.h"
#include "geometry/primitives.h"
#include "geometry/shape.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

Pose random_turned_pose(CounterRng& rng, double distance) {
  Vec3 axis(rng.normal(), rng.normal(), rng.normal());
  axis.normalize();
  const Mat3 R = rotation_about(axis, rng.uniform(0, std::numbers::pi));
  return {R, distance * Vec3(rng.normal(), rng.normal(), rng.normal())};
}

double relative(const Mat3& actual, const Mat3& expected) {
  return (actual - expected).norm() / expected.norm();
}

TEST(MassProperties, BoxAgreesWithTheShape) {
  const BoxShape shape{{0.3, 0.7, 1.1}};
  const double density = 2700, volume = 0.3 * 0.7 * 1.1;
  for (const int divisions : {1, 4}) {
    const RigidInertia ours = solid_properties(box_mesh(shape.size, divisions)).at_density(density);
    const RigidInertia expected = solid_inertia(shape, density * volume);
    EXPECT_NEAR(ours.mass / expected.mass, 1, 1e-14);                     // measured 4e-15
    EXPECT_NEAR(ours.com.norm(), 0, 1e-15);                               // measured 2e-17
    EXPECT_NEAR(relative(ours.about_com, expected.about_com), 0, 1e-14);  // measured 3e-15
  }
}

// Corner tetrahedron x, y, z >= 0, x/a + y/b + z/c <= 1: V = abc/6, centroid (a, b, c)/4 and
// ∫ x² = V a²/10, ∫ x y = V a b/20.
TEST(MassProperties, TetrahedronHandValues) {
  const double a = 1, b = 2, c = 3, V = 1;
  const TriMesh mesh{{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}},
                     {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}};
  const Vec3 centroid = Vec3(a, b, c) / 4;
  Mat3 second;
  second << a * a / 10, a * b / 20, a * c / 20, a * b / 20, b * b / 10, b * c / 20, a * c / 20,
      b * c / 20, c * c / 10;
  second = V * (second - centroid * centroid.transpose());
  const Mat3 inertia = second.trace() * Mat3::Identity() - second;
  for (const double shift : {0.0, 1000.0}) {  // a kilometre off, the coordinates are still exact
    const SolidProperties solid = solid_properties(transformed({.p = Vec3::Constant(shift)}, mesh));
    EXPECT_NEAR(solid.volume, V, 1e-14);  // measured 0
    EXPECT_NEAR((solid.centroid - Vec3::Constant(shift) - centroid).norm(), 0,
                1e-12);                                       // measured 0
    EXPECT_NEAR(relative(solid.inertia, inertia), 0, 1e-14);  // measured 0
  }
}

TEST(MassProperties, InsideOutIsNegative) {
  TriMesh mesh = box_mesh({1, 2, 3});
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  const SolidProperties solid = solid_properties(mesh);
  EXPECT_NEAR(solid.volume, -6, 1e-14);          // measured 0
  EXPECT_NEAR(solid.centroid.norm(), 0, 1e-15);  // measured 0
}

// A cavity is a piece that faces inward.
TEST(MassProperties, HollowBoxIsTheDifference) {
  TriMesh mesh = box_mesh({2, 2, 2});
  append(mesh, scaled({-1, 1, 1}, box_mesh({1, 1, 1})));
  for (std::size_t i = 12; i < 24; ++i) std::swap(mesh.triangles[i][0], mesh.triangles[i][1]);
  const SolidProperties solid = solid_properties(mesh);
  EXPECT_NEAR(solid.volume, 7, 1e-13);  // measured 0
  // Inertia of a cube of unit density and edge s: s⁵/6.
  EXPECT_NEAR(relative(solid.inertia, (32.0 - 1) / 6 * Mat3::Identity()), 0,
              1e-14);  // measured 2e-16
}

TEST(MassProperties, MoveWithTheMesh) {
  CounterRng rng(7);
  const TriMesh mesh = transformed({.p = {0.1, 0.2, 0.3}}, torus_mesh(1, 0.4, 24, 12));
  const SolidProperties solid = solid_properties(mesh);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Pose X = random_turned_pose(rng, 10);
    const SolidProperties moved = solid_properties(transformed(X, mesh));
    EXPECT_NEAR(moved.volume / solid.volume, 1, 1e-13);                   // measured 3e-15
    EXPECT_NEAR((moved.centroid - X * solid.centroid).norm(), 0, 1e-13);  // measured 4e-15
    EXPECT_NEAR(relative(moved.inertia, X.R * solid.inertia * X.R.transpose()), 0,
                1e-13);  // measured 2e-15
  }
}

/// Errors of volume and inertia, relative to closed forms.
struct Errors {
  double volume, inertia;
};

Errors errors(const TriMesh& mesh, double volume, const Vec3& moments_per_volume) {
  const SolidProperties solid = solid_properties(mesh);
  const Mat3 inertia = volume * Mat3(moments_per_volume.asDiagonal());
  return {std::abs(solid.volume / volume - 1), relative(solid.inertia, inertia)};
}

TEST(MassProperties, SphereConvergesWithSecondOrder) {
  const double r = 0.5;
  const auto at = [&](int divisions) {
    return errors(sphere_mesh(r, divisions), 4.0 / 3 * std::numbers::pi * r * r * r,
                  Vec3::Constant(0.4 * r * r));
  };
  const Errors coarse = at(20), fine = at(40);
  EXPECT_NEAR(std::log2(coarse.volume / fine.volume), 2, 0.02);    // measured 1e-3
  EXPECT_NEAR(std::log2(coarse.inertia / fine.inertia), 2, 0.02);  // measured 2e-3
  EXPECT_LT(fine.volume, 1e-3);                                    // measured 3.5e-4
}

// Torus of radii R and r: V = 2π² R r², about the axis V (R² + 3/4 r²), across V (R²/2 + 5/8 r²).
TEST(MassProperties, TorusConvergesWithSecondOrder) {
  const double R = 1, r = 0.25;
  const double axial = R * R + 0.75 * r * r, across = 0.5 * R * R + 0.625 * r * r;
  const auto at = [&](int segments) {
    return errors(torus_mesh(R, r, 2 * segments, segments),
                  2 * std::numbers::pi * std::numbers::pi * R * r * r, {across, across, axial});
  };
  const Errors coarse = at(32), fine = at(64);
  EXPECT_NEAR(std::log2(coarse.volume / fine.volume), 2, 0.02);    // measured 3e-3
  EXPECT_NEAR(std::log2(coarse.inertia / fine.inertia), 2, 0.02);  // measured 5e-3
  EXPECT_LT(fine.volume, 3e-3);                                    // measured 2e-3
}

TEST(MassProperties, CylinderAndCapsuleConvergeToTheirShapes) {
  const CylinderShape cylinder{0.3, 0.8};
  const CapsuleShape capsule{0.2, 0.5};
  const double vc = std::numbers::pi * 0.09 * 0.8;
  const double vp = std::numbers::pi * 0.04 * 0.5 + 4.0 / 3 * std::numbers::pi * 0.008;
  const auto at = [](const Shape& shape, double volume, const TriMesh& mesh) {
    const Mat3 inertia = solid_inertia(shape, volume).about_com;
    return errors(mesh, volume, inertia.diagonal() / volume);
  };
  const Errors c1 = at(cylinder, vc, cylinder_mesh(0.3, 0.8, {.segments = 64}));
  const Errors c2 = at(cylinder, vc, cylinder_mesh(0.3, 0.8, {.segments = 128, .cap_rings = 3}));
  const Errors p1 = at(capsule, vp, capsule_mesh(0.2, 0.5, 64));
  const Errors p2 = at(capsule, vp, capsule_mesh(0.2, 0.5, 128));
  EXPECT_NEAR(std::log2(c1.inertia / c2.inertia), 2, 0.02);  // measured 1e-3
  EXPECT_NEAR(std::log2(p1.inertia / p2.inertia), 2, 0.02);  // measured 2e-3
  EXPECT_LT(c2.inertia, 1e-3);                               // measured 6e-4
  EXPECT_LT(p2.inertia, 1e-3);                               // measured 9.5e-4
}

TEST(MassProperties, NothingHasNoVolume) {
  EXPECT_EQ(solid_properties({}).volume, 0);
  EXPECT_EQ(solid_properties({{{1, 2, 3}}, {}}).volume, 0);
}

}  // namespace
}  // namespace grouser::internal
