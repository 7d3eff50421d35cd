#include "contact/scm/trapped_soil.h"

#include <algorithm>
#include <cmath>

#include "geometry/convex_hull.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_query.h"
#include "geometry/mesh_refine.h"

namespace grouser::internal {
namespace {

/// Of the radius: deeper hollows do not hold their soil.
constexpr double kDeep = 0.25;
/// Of the radius: what is less is rounding, or the chords of a round profile.
constexpr double kShallow = 1e-3;
/// Faces that look this much along the axle are sides, not tread.
constexpr double kSideways = 0.7;
/// Longest edge of the hull over the radius when depths are looked for.
constexpr double kEdge = 0.1;

double radius_of(const TriMesh& wheel) {
  double most = 0;
  for (const Vec3& p : wheel.vertices) most = std::max(most, std::hypot(p.x(), p.z()));
  return most;
}

/// How far the tread lies below its hull, at most, towards the axle [m].
double hollow_depth(const TriMesh& hull, const MeshQuery& wheel, double radius) {
  double deepest = 0;
  const TriMesh fine = refined(hull, kEdge * radius);
  for (const auto& t : fine.triangles) {
    const Vec3 &a = fine.vertices[static_cast<std::size_t>(t[0])],
               &b = fine.vertices[static_cast<std::size_t>(t[1])],
               &c = fine.vertices[static_cast<std::size_t>(t[2])];
    if (std::abs((b - a).cross(c - a).normalized().y()) > kSideways) continue;
    const Vec3 middle = (a + b + c) / 3, inward(-middle.x(), 0, -middle.z());
    // From a little outside: the hull may be the wheel's own surface there.
    const double outside = kShallow * radius;
    const Vec3 from = middle - outside * inward.normalized();
    const auto hit = wheel.ray_cast(from, inward, 2 * radius);
    deepest = std::max(deepest, hit ? hit->distance - outside : radius);
  }
  return deepest;
}

}  // namespace

TriMesh with_trapped_soil(const TriMesh& wheel) {
  const MeshReport report = check_mesh(wheel, {.self_intersections = false});
  if (!report.watertight() || !report.oriented() || report.volume <= 0) return wheel;
  TriMesh hull = convex_hull(wheel.vertices);
  const double radius = radius_of(wheel);
  const double depth = hollow_depth(hull, MeshQuery(wheel), radius);
  return depth > kShallow * radius && depth <= kDeep * radius ? hull : wheel;
}

TriMesh wheel_in_soil(const TriMesh& wheel, const ScmOptions& options) {
  return options.horizontal == ScmOptions::Horizontal::paper ? wheel : with_trapped_soil(wheel);
}

}  // namespace grouser::internal
