#include "collision/terrain_contact.h"

#include <cmath>

#include <gtest/gtest.h>

#include "collision/collider.h"
#include "core/rng.h"
#include "math/angle.h"
#include "math/rotation.h"
#include "terrain/flat_field.h"
#include "terrain/raster_field.h"

namespace grouser::internal {
namespace {

ElevationMap plane(double slope = 0) {
  return ElevationMap(
      std::make_shared<FlatField>(FlatOptions{.gradient = Vec2(slope, 0),
                                              .domain = {Vec2::Constant(-20), Vec2::Constant(20)}}),
      {.spacing = 0.1});
}

/// Random heights of nodes 0.2 m apart, straight in between: slopes jump at every border.
ElevationMap rough(double height, std::uint64_t seed = 1) {
  const GridSpec grid{.origin = Vec2::Constant(-4), .spacing = 0.2, .nx = 41, .ny = 41};
  CounterRng rng(seed);
  std::vector<double> heights(grid.size());
  for (double& h : heights) h = rng.uniform(-height, height);
  return ElevationMap(std::make_shared<RasterField>(grid, heights, Interpolation::bilinear),
                      {.spacing = 0.1});
}

Convex rock(std::uint64_t seed, int points = 40) {
  CounterRng rng(seed);
  std::vector<Vec3> cloud;
  for (int i = 0; i < points; ++i) {
    const Vec3 d(rng.normal(), rng.normal(), rng.normal());
    cloud.push_back(Vec3(0.3, 0.25, 0.2).cwiseProduct(d.normalized()));
  }
  return hull_part(cloud).shape;
}

TerrainContact contact_at(const Convex& shape, const Pose& X, const ElevationMap& map) {
  TerrainContact contact;
  const Aabb box = bounds(shape, X);
  const double ceiling = map.range({box.lower.head<2>(), box.upper.head<2>()}).max;
  TerrainShape(shape, map).find(X, map, ceiling, contact);
  return contact;
}

/// Σ share δ^1.5 n, and its torque about the origin of the pose: the wrench of a unit stiffness.
Wrench unit_wrench(const TerrainContact& contact, const Vec3& origin) {
  Wrench sum;
  for (const TerrainPoint& point : contact.points) {
    const Vec3 f = point.share * std::pow(point.depth, 1.5) * point.normal;
    sum += {(point.p - origin).cross(f), f};
  }
  return sum;
}

TEST(TerrainContact, SphereOnAPlaneIsExact) {
  for (const double slope : {0.0, 0.5, -1.3}) {
    const ElevationMap map = plane(slope);
    const Vec3 n = Vec3(-slope, 0, 1).normalized();
    for (const double depth : {1e-6, 0.01, 0.3}) {
      const Vec3 foot(0.512, -0.217, 0.512 * slope);
      const TerrainContact contact =
          contact_at(SphereShape{0.4}, {.p = foot + (0.4 - depth) * n}, map);
      ASSERT_EQ(contact.points.size(), 1u);
      EXPECT_NEAR(contact.points[0].depth, depth, 1e-14);       // measured 1e-16
      EXPECT_LT((contact.points[0].normal - n).norm(), 1e-14);  // measured 4e-16
      EXPECT_LT((contact.points[0].p - (foot - 0.5 * depth * n)).norm(), 1e-14);
      EXPECT_EQ(contact.points[0].share, 1);
    }
    EXPECT_TRUE(contact_at(SphereShape{0.4}, {.p = 0.4000001 * n}, map).points.empty());
  }
}

TEST(TerrainContact, BoxOnAPlaneStandsOnFourCorners) {
  const ElevationMap map = plane();
  const Pose X{.R = rotation_about(Vec3::UnitZ(), 0.3), .p = Vec3(1.234, 0.567, 0.19)};
  const TerrainContact contact = contact_at(BoxShape{Vec3(1.5, 0.8, 0.4)}, X, map);
  ASSERT_EQ(contact.points.size(), 4u);
  for (const TerrainPoint& point : contact.points) {
    EXPECT_NEAR(point.depth, 0.01, 1e-15);
    EXPECT_NEAR(point.share, 0.5, 1e-15);
    EXPECT_NEAR(std::abs((X.inverse() * point.p).x()), 0.75, 1e-15);
  }
  const Wrench wrench = unit_wrench(contact, X.p);
  EXPECT_NEAR(wrench.force.z(), 2e-3, 1e-15);
  EXPECT_LT(wrench.torque.norm(), 1e-16);
}

TEST(TerrainContact, CylinderLiesOnTwoPointsAndStandsOnFour) {
  const ElevationMap map = plane();
  const Convex cylinder = CylinderShape{0.5, 1};
  const Pose lying{.R = rotation_about(Vec3::UnitX(), 90 * kDegree), .p = Vec3(0.3, 0, 0.48)};
  const TerrainContact on_side = contact_at(cylinder, lying, map);
  ASSERT_EQ(on_side.points.size(), 2u);
  for (const TerrainPoint& point : on_side.points) EXPECT_NEAR(point.depth, 0.02, 1e-14);
  const TerrainContact on_end = contact_at(cylinder, {.p = Vec3(0, 0, 0.49)}, map);
  ASSERT_EQ(on_end.points.size(), 4u);
  EXPECT_LT(unit_wrench(on_end, Vec3::Zero()).torque.norm(), 1e-15);
  const TerrainContact capsule = contact_at(CapsuleShape{0.5, 1}, lying, map);
  ASSERT_EQ(capsule.points.size(), 2u);
  EXPECT_NEAR(capsule.points[0].depth, 0.02, 1e-14);
}

// Corners stand on flat ground, a bump rises under the middle: it counts by what it rises above the
// corners' level, and fully once the corners are lifted off.
TEST(TerrainContact, ABumpUnderAFaceIsFound) {
  ElevationMap map = plane();
  map.set_change(200, 200, 0.05);
  ASSERT_EQ(map.height(0, 0), 0.05);
  const Convex box = BoxShape{Vec3(1.6, 1.6, 0.4)};
  const auto deepest = [&](double z) {
    double depth = 0;
    for (const TerrainPoint& point : contact_at(box, {.p = Vec3(0, 0, 0.2 + z)}, map).points) {
      if (point.p.head<2>().norm() < 0.1) depth = std::max(depth, point.depth);
    }
    return depth;
  };
  EXPECT_NEAR(deepest(-0.01), 0.05, 1e-12);
  EXPECT_NEAR(deepest(0.02), 0.03, 1e-12);
  EXPECT_EQ(deepest(0.06), 0);
  const Pose X{.p = Vec3(0, 0, 0.54)};
  EXPECT_FALSE(contact_at(CylinderShape{0.8, 1}, {.p = X.p}, map).points.empty());
  const Pose lying{.R = rotation_about(Vec3::UnitX(), 90 * kDegree), .p = Vec3(0, 0, 0.53)};
  EXPECT_NEAR(contact_at(CylinderShape{0.5, 1.6}, lying, map).points.at(0).depth, 0.02, 1e-14);
}

// A ball between two walls of 45 degrees touches both, although its lowest point hangs free.
TEST(TerrainContact, ABallInAValleyTouchesBothWalls) {
  const GridSpec grid{.origin = Vec2(-2, -2), .spacing = 2, .nx = 3, .ny = 3};
  const std::vector<double> heights = {2, 0, 2, 2, 0, 2, 2, 0, 2};
  const ElevationMap map(std::make_shared<RasterField>(grid, heights, Interpolation::bilinear),
                         {.spacing = 0.02});
  // Walls z = |x|; the centre at height c is c/√2 away from them.
  const double depth = 0.01, c = (0.5 - depth) * std::sqrt(2.0);
  const TerrainContact contact = contact_at(SphereShape{0.5}, {.p = Vec3(0, 0, c)}, map);
  double left = 0, right = 0;
  for (const TerrainPoint& point : contact.points) {
    double& side = point.p.x() < 0 ? left : right;
    side = std::max(side, point.depth);
    EXPECT_NEAR(std::abs(point.normal.x()), std::sqrt(0.5), 1e-13);  // measured 8e-15
  }
  EXPECT_NEAR(left, depth, 1e-15);
  EXPECT_NEAR(right, depth, 1e-15);
  const Wrench wrench = unit_wrench(contact, Vec3(0, 0, c));
  EXPECT_GT(wrench.force.z(), 0);
  EXPECT_NEAR(wrench.force.x() / wrench.force.z(), 0, 1e-14);
}

/// The largest change of the wrench within a stride, looked for where it is: in the half that changes more,
/// again and again, down to 5 nm. A jump stays as it is, a steep slope does not.
double largest_jump(const TerrainShape& shape, const ElevationMap& map, Pose X, Vec3 stride) {
  const auto wrench_at = [&](const Vec3& p) {
    TerrainContact contact;
    shape.find({X.R, p}, map, 100, contact);
    return unit_wrench(contact, X.p);
  };
  const auto change = [](const Wrench& a, const Wrench& b) {
    return (a.force - b.force).norm() + (a.torque - b.torque).norm();
  };
  Vec3 low = X.p, high = X.p + stride;
  Wrench at_low = wrench_at(low), at_high = wrench_at(high);
  for (int i = 0; i < 20; ++i) {
    const Vec3 middle = 0.5 * (low + high);
    const Wrench at_middle = wrench_at(middle);
    const bool first = change(at_low, at_middle) > change(at_middle, at_high);
    (first ? high : low) = middle;
    (first ? at_high : at_low) = at_middle;
  }
  return change(at_low, at_high);
}

TEST(TerrainContact, ForceIsContinuousOverCells) {
  const ElevationMap map = rough(0.05);
  const std::vector<Convex> shapes = {SphereShape{0.3}, BoxShape{Vec3(0.5, 0.3, 0.4)},
                                      CylinderShape{0.3, 0.2}, CapsuleShape{0.2, 0.3}, rock(4)};
  CounterRng rng(9);
  for (const Convex& shape : shapes) {
    const TerrainShape on_map(shape, map);
    double jump = 0, largest = 0;
    for (int path = 0; path < 20; ++path) {
      Pose X{.R = rotation_from_rpy(Vec3(rng.uniform(0, 6), rng.uniform(0, 6), rng.uniform(0, 6))),
             .p = Vec3(rng.uniform(-2, 2), rng.uniform(-2, 2), 0)};
      X.p.z() = map.height(X.p.x(), X.p.y()) + 0.2;
      const Vec3 stride = 5e-3 * Vec3(rng.normal(), rng.normal(), 0.2 * rng.normal()).normalized();
      for (int i = 0; i < 40; ++i, X.p += stride) {
        jump = std::max(jump, largest_jump(on_map, map, X, stride));
        largest = std::max(largest, unit_wrench(contact_at(shape, X, map), X.p).force.norm());
      }
    }
    EXPECT_LT(jump, 5e-7 * largest) << shape.index();  // measured 7e-8 over 5 nm
  }
}

TEST(TerrainContact, PotentialOfCornersIsTheirForce) {
  const ElevationMap map = plane(0.3);
  const Convex shape = rock(2);
  const TerrainShape on_map(shape, map);
  const Pose X{.R = rotation_from_rpy(Vec3(1, 2, 3)), .p = Vec3(0.1, 0.2, 0.2)};
  const auto at = [&](const Pose& pose) {
    TerrainContact contact;
    on_map.find(pose, map, 100, contact);
    return contact;
  };
  const auto energy = [&](const Pose& pose) {
    double sum = 0;
    for (const TerrainPoint& point : at(pose).points) sum += std::pow(point.depth, 5);
    return 0.4 * std::sqrt(sum);
  };
  ASSERT_GE(at(X).points.size(), 3u);
  const Wrench wrench = unit_wrench(at(X), X.p);
  constexpr double h = 1e-6;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 e = Vec3::Unit(axis);
    const double force = (energy({X.R, X.p - h * e}) - energy({X.R, X.p + h * e})) / (2 * h);
    EXPECT_NEAR(force, wrench.force[axis], 5e-12);  // measured 7e-13
    const double torque =
        (energy({rotation_about(e, -h) * X.R, X.p}) - energy({rotation_about(e, h) * X.R, X.p})) /
        (2 * h);
    EXPECT_NEAR(torque, wrench.torque[axis], 1e-11);  // measured 2e-12
  }
}

TEST(TerrainContact, BeyondTheMapGroundGoesOn) {
  const ElevationMap map = plane(0.1);
  EXPECT_NEAR(map.height(100, 0), 2, 1e-12);
  const TerrainContact contact = contact_at(SphereShape{0.5}, {.p = Vec3(100, 0, 2.4)}, map);
  ASSERT_EQ(contact.points.size(), 1u);
  EXPECT_NEAR(contact.points[0].depth, 0.1, 1e-12);
  EXPECT_FALSE(contact_at(rock(1), {.p = Vec3(20, 20, 1.9)}, map).points.empty());
}

}  // namespace
}  // namespace grouser::internal
