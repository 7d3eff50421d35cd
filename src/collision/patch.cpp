#include "collision/patch.h"

#include <algorithm>
#include <concepts>

#include "collision/clip.h"
#include "collision/closed_forms.h"
#include "collision/expand.h"

namespace grouser::internal {
namespace {

// The depth of polyhedra is exact but for rounding, that of round solids is found to this part of itself.
template <class Solid>
constexpr double kTolerance = 1e-6;
template <>
constexpr double kTolerance<BoxShape> = 1e-9;
template <>
constexpr double kTolerance<HullSolid> = 1e-9;

template <class Solid>
const Solid& solid_of(const Solid& solid) {
  return solid;
}
const HullSolid& solid_of(const std::shared_ptr<const HullSolid>& hull) { return *hull; }

/// Place among the alternatives of a Convex.
template <class Solid, std::size_t at = 0>
constexpr std::size_t rank_of() {
  if constexpr (std::is_same_v<Solid, std::variant_alternative_t<at, Convex>>) {
    return at;
  } else {
    return rank_of<Solid, at + 1>();
  }
}

template <class A, class B>
concept HasClosedForm = requires(const A& a, const B& b, const Pose& X, Penetration& found) {
  { penetrate(a, b, X, found) } -> std::same_as<bool>;
};

template <class A, class B>
bool find_penetration(const A& a, const B& b, const Pose& X_AB, Penetration& found) {
  if constexpr (HasClosedForm<A, B>) {
    return penetrate(a, b, X_AB, found);
  } else {
    const Difference<A, B> difference{a, b, X_AB};
    Portal portal;
    if (!find_portal(difference, portal)) return false;
    found = expand(difference, portal, std::max(kTolerance<A>, kTolerance<B>));
    return found.depth > 0;
  }
}

/// Unit vectors u, v, n, right-handed, without a root or a choice. T. Duff et al., "Building an orthonormal
/// basis, revisited", J. Comput. Graph. Tech. 6 (2017).
struct Axes {
  Point3 u, v, n;

  explicit Axes(const Point3& along) : n(along) {
    const double sign = std::copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    u = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    v = {b, sign + n.y * n.y * a, -n.y};
  }
  Point3 along(const Point3& p) const { return {dot(u, p), dot(v, p), dot(n, p)}; }
  ContactFrame frame() const {
    return {{{{u.x, v.x, n.x}, {u.y, v.y, n.y}, {u.z, v.z, n.z}}}, {0, 0, 0}};
  }
  ContactFrame frame_of(const Pose& X) const {
    const auto column = [&](int k) { return Point3(X.R(0, k), X.R(1, k), X.R(2, k)); };
    return {{along(column(0)), along(column(1)), along(column(2))}, along(X.p)};
  }
};

void set_single_point(const Penetration& found, const Pose& X_WA, ContactPatch& patch) {
  patch.count = 1;
  patch.all[0] = {X_WA * Vec3(0.5 * (found.on_a + found.on_b)), found.depth, 1};
}

void set_points(ClipRegion& region, const Axes& axes, const Pose& X_WA, ContactPatch& patch) {
  reduce(ContactPatch::kMostPoints, region);
  double sum = 0;
  for (int k = 0; k < region.count; ++k) sum += region.weight[slot(k)];
  const Point3 u = product(X_WA.R, axes.u), v = product(X_WA.R, axes.v);
  const Point3 n = product(X_WA.R, axes.n), origin = X_WA.p;
  for (int k = 0; k < region.count; ++k) {
    const ClipPoint& from = region.point[slot(k)];
    const Point3 p = origin + from.u * u + from.v * v + from.middle * n;
    patch.all[slot(k)] = {p, from.depth, region.weight[slot(k)] / sum};
  }
  patch.count = region.count;
}

template <class A, class B>
void set_patch(const A& a, const B& b, const Pose& X_AB, const Pose& X_WA, const Penetration& found,
               bool is_single, ContactPatch& patch) {
  patch.count = 0;
  if (is_single) {
    patch.curvature = curvature_towards(a, Vec3(-found.normal)) +
                      curvature_towards(b, transposed_product(X_AB.R, found.normal));
  } else {
    const Axes axes(found.normal);
    Face face_a, face_b;
    find_face(a, axes.frame(), -1, found.depth, face_a);
    find_face(b, axes.frame_of(X_AB), 1, found.depth, face_b);
    patch.curvature = face_a.curvature + face_b.curvature;
    ClipRegion region;
    clip(face_a, face_b, found.depth, region);
    set_points(region, axes, X_WA, patch);
  }
  if (patch.count == 0) set_single_point(found, X_WA, patch);
}

/// A ball meets whatever it meets in one point.
template <class B>
void set_patch(const SphereShape& a, const B& b, const Pose& X_AB, const Pose& X_WA,
               const Penetration& found, bool, ContactPatch& patch) {
  patch.curvature = 1 / a.radius + curvature_towards(b, transposed_product(X_AB.R, found.normal));
  set_single_point(found, X_WA, patch);
}

template <class A, class B>
bool find_patch_of(const A& a, const Pose& X_WA, const B& b, const Pose& X_WB,
                   const NarrowPhaseOptions& options, ContactPatch& patch) {
  // (ra + rb)² <= 2 (ra² + rb²): far pairs cost no root and no rotation.
  const Vec3 apart = X_WB.p - X_WA.p;
  if (apart.squaredNorm() > 2 * (outer_radius2(a) + outer_radius2(b))) return false;
  const Pose X_AB{X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * apart};
  Penetration found;
  if (!find_penetration(a, b, X_AB, found)) return false;
  patch.normal = X_WA.R * found.normal;
  patch.depth = found.depth;
  set_patch(a, b, X_AB, X_WA, found, options.single_point, patch);
  return true;
}

}  // namespace

bool find_patch(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                const NarrowPhaseOptions& options, ContactPatch& patch) {
  // Each kind of pair has one order, so that both orders give the same.
  if (A.index() > B.index()) {
    if (!find_patch(B, X_WB, A, X_WA, options, patch)) return false;
    patch.normal = -patch.normal;
    return true;
  }
  return std::visit(
      [&]<class SolidA, class SolidB>(const SolidA& a, const SolidB& b) {
        if constexpr (rank_of<SolidA>() <= rank_of<SolidB>()) {
          return find_patch_of(solid_of(a), X_WA, solid_of(b), X_WB, options, patch);
        } else {
          return false;  // never comes here
        }
      },
      A, B);
}

}  // namespace grouser::internal
