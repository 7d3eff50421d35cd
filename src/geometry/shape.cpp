#include "geometry/shape.h"

#include <numbers>

namespace grouser::internal {
namespace {

Vec3 principal_moments(const BoxShape& box, double mass) {
  const Vec3 s = box.size.cwiseProduct(box.size);
  return mass / 12 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
}

Vec3 principal_moments(const SphereShape& sphere, double mass) {
  return Vec3::Constant(0.4 * mass * sphere.radius * sphere.radius);
}

Vec3 principal_moments(const CylinderShape& cylinder, double mass) {
  const double r2 = cylinder.radius * cylinder.radius;
  const double across = mass * (3 * r2 + cylinder.length * cylinder.length) / 12;
  return {across, across, 0.5 * mass * r2};
}

Vec3 principal_moments(const CapsuleShape& capsule, double mass) {
  const double r = capsule.radius, l = capsule.length;
  const double cylinder_volume = std::numbers::pi * r * r * l;
  const double sphere_volume = 4.0 / 3 * std::numbers::pi * r * r * r;
  const double density = mass / (cylinder_volume + sphere_volume);
  const double mc = density * cylinder_volume, ms = density * sphere_volume;
  // Half-spheres: 2/5 m r² about the sphere's centre; shifted through their own centre of mass.
  const double across =
      mc * (3 * r * r + l * l) / 12 + ms * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
  return {across, across, 0.5 * mc * r * r + 0.4 * ms * r * r};
}

Vec3 principal_moments(const MeshShape&, double) { return Vec3::Zero(); }
Vec3 principal_moments(const MadeShape&, double) { return Vec3::Zero(); }

}  // namespace

RigidInertia solid_inertia(const Shape& shape, double mass) {
  const Vec3 moments =
      std::visit([mass](const auto& solid) { return principal_moments(solid, mass); }, shape);
  return {mass, Vec3::Zero(), moments.asDiagonal()};
}

}  // namespace grouser::internal
