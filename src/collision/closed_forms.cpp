#include "collision/closed_forms.h"

#include <algorithm>

namespace grouser::internal {
namespace {

/// From a point out of a solid, or on to it, the nearest way.
struct WayOut {
  Vec3 normal;      // outward
  double distance;  // from the surface, negative inside
};

/// Out of a solid through the point nearest to `centre`; `inside` if that is the centre itself.
WayOut way_out(const Vec3& centre, const Vec3& nearest, const WayOut& inside) {
  const Vec3 apart = centre - nearest;
  const double distance = apart.norm();
  if (distance == 0) return inside;
  return {apart / distance, distance};
}

WayOut way_out(const Vec3& centre, const BoxShape& box) {
  const Vec3 half = 0.5 * box.size;
  const Vec3 nearest = centre.cwiseMin(half).cwiseMax(-half);
  int axis = 0;
  const double room = (half - centre.cwiseAbs()).minCoeff(&axis);
  return way_out(centre, nearest, {std::copysign(1, centre[axis]) * Vec3::Unit(axis), -room});
}

WayOut way_out(const Vec3& centre, const CylinderShape& cylinder) {
  const double half = 0.5 * cylinder.length, across = centre.head<2>().norm();
  const double scale = across > cylinder.radius ? cylinder.radius / across : 1;
  const Vec3 nearest(scale * centre.x(), scale * centre.y(), std::clamp(centre.z(), -half, half));
  const double above = half - std::abs(centre.z()), beside = cylinder.radius - across;
  if (above < beside) {
    return way_out(centre, nearest, {std::copysign(1, centre.z()) * Vec3::UnitZ(), -above});
  }
  const Vec3 radial =
      across > 0 ? Vec3(centre.x() / across, centre.y() / across, 0) : Vec3(Vec3::UnitX());
  return way_out(centre, nearest, {radial, -beside});
}

/// A is a ball at the origin; `way` leads out of B from there, in B's frame.
bool penetrate_ball(double radius, const WayOut& way, const Mat3& R_AB, Penetration& found) {
  const double depth = radius - way.distance;
  if (depth <= 0) return false;
  const Vec3 normal = R_AB * way.normal;
  found = {normal, depth, -radius * normal, -way.distance * normal};
  return true;
}

template <class Solid>
bool penetrate_ball(const SphereShape& A, const Solid& B, const Pose& X_AB, Penetration& found) {
  const Vec3 centre = -(X_AB.R.transpose() * X_AB.p);
  return penetrate_ball(A.radius, way_out(centre, B), X_AB.R, found);
}

/// The least depth of two balls that roll along segments, from the nearest points of these.
bool penetrate_cores(const Vec3& core_a, double radius_a, const Vec3& core_b, double radius_b,
                     const Vec3& normal_if_same, Penetration& found) {
  const Vec3 apart = core_a - core_b;
  const double distance = apart.norm(), depth = radius_a + radius_b - distance;
  if (depth <= 0) return false;
  const Vec3 normal = distance > 0 ? Vec3(apart / distance) : normal_if_same;
  found = {normal, depth, core_a - radius_a * normal, core_b + radius_b * normal};
  return true;
}

/// Parameters s, t in [-1, 1] of the nearest points s a and c + t b of two segments with the half vectors
/// a and b. Of many, as for parallel segments, the middle.
/// After C. Ericson, Real-Time Collision Detection (2005), 5.1.9.
std::pair<double, double> nearest_on_segments(const Vec3& a, const Vec3& c, const Vec3& b) {
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  const double ac = a.dot(c), bc = b.dot(c);
  const double across = aa * bb - ab * ab;
  const auto s_for = [&](double t) { return std::clamp((ac + t * ab) / aa, -1.0, 1.0); };
  const auto t_for = [&](double s) { return std::clamp((s * ab - bc) / bb, -1.0, 1.0); };
  double s;
  if (across > 1e-14 * aa * bb) {
    s = std::clamp((ac * bb - ab * bc) / across, -1.0, 1.0);
  } else {  // parallel: the middle of the stretch beside each other
    const double reach = std::abs(ab) / aa, middle = ac / aa;
    s = 0.5 * (std::clamp(middle - reach, -1.0, 1.0) + std::clamp(middle + reach, -1.0, 1.0));
  }
  const double t = t_for(s);
  return {s_for(t), t};
}

}  // namespace

bool penetrate(const SphereShape& A, const SphereShape& B, const Pose& X_AB, Penetration& found) {
  return penetrate_cores(Vec3::Zero(), A.radius, X_AB.p, B.radius, Vec3::UnitZ(), found);
}

bool penetrate(const SphereShape& A, const BoxShape& B, const Pose& X_AB, Penetration& found) {
  return penetrate_ball(A, B, X_AB, found);
}

bool penetrate(const SphereShape& A, const CylinderShape& B, const Pose& X_AB, Penetration& found) {
  return penetrate_ball(A, B, X_AB, found);
}

bool penetrate(const SphereShape& A, const CapsuleShape& B, const Pose& X_AB, Penetration& found) {
  const Vec3 axis = X_AB.R.col(2);
  const double half = 0.5 * B.length;
  const Vec3 core = X_AB.p + std::clamp(-axis.dot(X_AB.p), -half, half) * axis;
  return penetrate_cores(Vec3::Zero(), A.radius, core, B.radius, X_AB.R.col(0), found);
}

bool penetrate(const CapsuleShape& A, const CapsuleShape& B, const Pose& X_AB, Penetration& found) {
  const Vec3 a(0, 0, 0.5 * A.length), b = 0.5 * B.length * X_AB.R.col(2);
  const auto [s, t] = nearest_on_segments(a, X_AB.p, b);
  // Axes that cross: out of their plane; on one line: any way across.
  const Vec3 across = a.cross(b);
  const Vec3 normal_if_same =
      across.squaredNorm() > 0 ? Vec3(across.normalized()) : Vec3(Vec3::UnitX());
  return penetrate_cores(s * a, A.radius, X_AB.p + t * b, B.radius, normal_if_same, found);
}

}  // namespace grouser::internal
