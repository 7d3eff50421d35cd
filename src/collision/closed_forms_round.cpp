#include <algorithm>

#include "collision/closed_forms.h"
#include "collision/expand.h"
#include "collision/gjk.h"

/// Balls and capsules are points and segments with a radius around them. While these cores are outside the
/// other solid, the depth is the radius less their distance; inside, the radius more than their depth.
namespace grouser::internal {
namespace {

/// Cores that touch to this part of the solids' size have no direction from one to the other.
constexpr double kTouching = 1e-9;

/// A segment c + t s, -1 <= t <= 1, and its point that is nearest to a solid.
struct Segment {
  Point3 c, s;

  Point3 at(double t) const { return c + t * s; }
};

/// From a solid's nearest point to a point outside, or zero.
Point3 from_solid(const BoxShape& box, const Point3& p) {
  const auto beyond = [](double x, double half) { return x - std::clamp(x, -half, half); };
  return {beyond(p.x, 0.5 * box.size.x()), beyond(p.y, 0.5 * box.size.y()),
          beyond(p.z, 0.5 * box.size.z())};
}

Point3 from_solid(const CylinderShape& cylinder, const Point3& p) {
  const double half = 0.5 * cylinder.length, across = std::sqrt(p.x * p.x + p.y * p.y);
  const double beside = across > cylinder.radius ? 1 - cylinder.radius / across : 0;
  return {beside * p.x, beside * p.y, p.z - std::clamp(p.z, -half, half)};
}

/// Second derivative along s of half the square of the distance, at p, which is `apart` from the solid.
double bend(const BoxShape&, const Point3&, const Point3& apart, const Point3& s) {
  return (apart.x != 0 ? s.x * s.x : 0) + (apart.y != 0 ? s.y * s.y : 0) +
         (apart.z != 0 ? s.z * s.z : 0);
}

double bend(const CylinderShape& cylinder, const Point3& p, const Point3& apart, const Point3& s) {
  double sum = apart.z != 0 ? s.z * s.z : 0;
  if (apart.x != 0 || apart.y != 0) {
    const double across2 = p.x * p.x + p.y * p.y, part = cylinder.radius / std::sqrt(across2);
    const double radial = p.x * s.x + p.y * s.y;
    sum += (1 - part) * (s.x * s.x + s.y * s.y) + part * radial * radial / across2;
  }
  return sum;
}

/// Of the segment's point nearest to the solid: Newton's method, which halves what is left where it fails. The
/// slope only grows along the segment.
template <class Solid>
double nearest_on(const Solid& solid, const Segment& segment) {
  constexpr int kMostSteps = 60;
  constexpr double kLastStep = 1e-12;
  const auto slope = [&](double t) { return dot(from_solid(solid, segment.at(t)), segment.s); };
  const double at_low = slope(-1), at_high = slope(1);
  if (at_low == 0 && at_high == 0) return 0;  // all along the solid, or in it
  if (at_low >= 0) return -1;
  if (at_high <= 0) return 1;
  double low = -1, high = 1, t = 0;
  for (int k = 0; k < kMostSteps; ++k) {
    const Point3 p = segment.at(t), apart = from_solid(solid, p);
    const double rise = dot(apart, segment.s);
    if (rise == 0) break;
    (rise < 0 ? low : high) = t;
    const double curve = bend(solid, p, apart, segment.s);
    double next = curve > 0 ? t - rise / curve : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = std::abs(next - t);
    t = next;
    if (step < kLastStep) break;
  }
  return t;
}

/// Least overlap of cores that touch or overlap.
template <class A, class B>
Penetration overlap_of_cores(const Difference<A, B>& difference) {
  Portal portal;
  if (find_portal(difference, portal)) return expand(difference, portal, 1e-9);
  const Point3 normal = normalized(portal.outward);
  const DifferencePoint reached = difference(normal);
  const double depth = dot(reached.w, normal);
  return {normal, depth, reached.a, reached.a + depth * normal};
}

/// A solid and the capsule B.
template <class Solid>
bool penetrate_capsule(const Solid& A, const CapsuleShape& B, const Pose& X_AB,
                       Penetration& found) {
  const Segment core{X_AB.p, Vec3(0.5 * B.length * X_AB.R.col(2))};
  const Point3 p = core.at(nearest_on(A, core)), apart = from_solid(A, p);
  const double distance = norm(apart);
  if (distance >= B.radius) return false;
  const Difference<Solid, SegmentCore> cores{A, {B.length}, X_AB};
  if (distance > kTouching * cores.size()) {
    // Cores close to each other leave little of the normal's digits; the depth is that along it.
    const Point3 normal = -1 / distance * apart, on_a = p - apart;
    const double depth = B.radius + dot(cores(normal).w, normal);
    found = {normal, depth, on_a, on_a + depth * normal};
    return depth > 0;
  }
  found = overlap_of_cores(cores);
  found.depth += B.radius;
  found.on_b = found.on_a + found.depth * found.normal;
  return found.depth > 0;
}

/// A rounded core and a hull.
template <class Core>
bool penetrate_hull(const Core& core, double radius, const HullSolid& B, const Pose& X_AB,
                    Penetration& found) {
  const Difference<Core, HullSolid> cores{core, B, X_AB};
  Nearest nearest;
  const Apart apart = find_nearest(cores, radius, nearest);
  if (apart == Apart::far) return false;
  if (apart == Apart::near) {
    const Point3 normal = -1 / norm(nearest.at.w) * nearest.at.w;
    found = {normal, -nearest.distance, nearest.at.a, Vec3::Zero()};
  } else {
    found = overlap_of_cores(cores);
  }
  found.depth += radius;
  found.on_a -= radius * found.normal;
  found.on_b = found.on_a + found.depth * found.normal;
  return found.depth > 0;
}

}  // namespace

bool penetrate(const BoxShape& A, const CapsuleShape& B, const Pose& X_AB, Penetration& found) {
  return penetrate_capsule(A, B, X_AB, found);
}

bool penetrate(const CylinderShape& A, const CapsuleShape& B, const Pose& X_AB,
               Penetration& found) {
  return penetrate_capsule(A, B, X_AB, found);
}

bool penetrate(const SphereShape& A, const HullSolid& B, const Pose& X_AB, Penetration& found) {
  return penetrate_hull(PointCore{}, A.radius, B, X_AB, found);
}

bool penetrate(const CapsuleShape& A, const HullSolid& B, const Pose& X_AB, Penetration& found) {
  return penetrate_hull(SegmentCore{A.length}, A.radius, B, X_AB, found);
}

}  // namespace grouser::internal
