#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "contact/bbcc/bbcc_force.h"
#include "core/rng.h"
#include "geometry/mass_properties.h"
#include "math/rotation.h"
#include "terrain/raster_field.h"

/// What the tests of body contact share: free bodies, one element each, and a small explicit integrator.
namespace grouser::internal {

struct FreeBody {
  double mass = 1;
  Mat3 inertia =
      Mat3::Identity();  // about the element's origin, which is the centre of mass; its axes
};

/// Bodies 0 ... n - 1 carry the elements 0 ... n - 1; further elements must be fixed.
struct FreeBodies {
  BbccScene scene;
  BbccScratch scratch;
  std::vector<FreeBody> bodies;
  Vec3 gravity = Vec3(0, 0, -9.81);
  std::vector<Pose> X;
  std::vector<Twist> V;
  BbccState state;

  FreeBodies(BbccScene world, std::vector<FreeBody> masses)
      : scene(std::move(world)), scratch(scene), bodies(std::move(masses)) {
    for (const ContactElement& element : scene.elements()) X.push_back(element.X_BE);
    V.resize(X.size());
  }

  /// Symplectic Euler; the state is committed at each step.
  void step(double dt) {
    const BbccForce& force = bbcc_force(scene, X, V, state, scratch);
    bbcc_commit(scratch, state);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const Mat3 inertia = X[b].R * bodies[b].inertia * X[b].R.transpose();
      const Vec3 spin = V[b].angular.cross(inertia * V[b].angular);
      V[b].linear += dt * (force.wrenches[b].force / bodies[b].mass + gravity);
      V[b].angular += dt * inertia.inverse() * (force.wrenches[b].torque - spin);
      X[b].p += dt * V[b].linear;
      const double angle = V[b].angular.norm();
      if (angle > 0) X[b].R = rotation_about(V[b].angular / angle, angle * dt) * X[b].R;
    }
  }

  double kinetic_energy() const {
    double sum = 0;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const Vec3 w = X[b].R.transpose() * V[b].angular;
      sum += 0.5 * bodies[b].mass * V[b].linear.squaredNorm() + 0.5 * w.dot(bodies[b].inertia * w);
    }
    return sum;
  }
  double potential_energy() const {
    double sum = 0;
    for (std::size_t b = 0; b < bodies.size(); ++b) sum -= bodies[b].mass * gravity.dot(X[b].p);
    return sum;
  }
};

inline FreeBody solid_sphere(double mass, double radius) {
  return {mass, 0.4 * mass * radius * radius * Mat3::Identity()};
}
inline FreeBody solid_box(double mass, const Vec3& size) {
  const Vec3 s = size.cwiseAbs2();
  return {mass, mass / 12 * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()).asDiagonal()};
}

/// Hull of random points on an ellipsoid, its centre of mass in the origin.
struct TestRock {
  ContactPart part;
  FreeBody body;
};
inline TestRock make_test_rock(std::uint64_t seed, double size, double density) {
  CounterRng rng(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < 40; ++i) {
    const Vec3 d(rng.normal(), rng.normal(), rng.normal());
    points.push_back(0.5 * size * Vec3(1, 0.85, 0.7).cwiseProduct(d.normalized()));
  }
  const Vec3 centre = std::get<std::shared_ptr<const HullSolid>>(hull_part(points).shape)->centre();
  for (Vec3& p : points) p -= centre;
  TestRock rock{.part = hull_part(points)};
  const SolidProperties solid =
      solid_properties(std::get<std::shared_ptr<const HullSolid>>(rock.part.shape)->mesh());
  rock.body = {density * solid.volume, density * solid.inertia};
  return rock;
}

/// Noise: heights of nodes that are random, on waves.
inline std::shared_ptr<const ElevationMap> noise_map(double half, double spacing) {
  const int n = static_cast<int>(std::lround(2 * half / spacing)) + 1;
  const GridSpec grid{.origin = Vec2::Constant(-half), .spacing = spacing, .nx = n, .ny = n};
  std::vector<double> heights(grid.size());
  CounterRng rng(11);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const Vec2 p = grid.node(i, j);
      heights[grid.index(i, j)] =
          0.15 * std::sin(1.3 * p.x()) * std::cos(1.7 * p.y()) + rng.uniform(-0.1, 0.1) * spacing;
    }
  }
  return std::make_shared<const ElevationMap>(
      std::make_shared<RasterField>(grid, heights, Interpolation::bilinear),
      ElevationMapOptions{.spacing = spacing});
}

}  // namespace grouser::internal
