#pragma once

#include <cmath>
#include <string>

#include "collision/patch.h"
#include "core/rng.h"
#include "geometry/convex_hull.h"
#include "support/random.h"

/// Random solids and pairs of them for the tests of the narrow phase.
namespace grouser::internal {

inline constexpr int kKinds = 5;
inline const char* const kKindNames[kKinds] = {"sphere", "box", "cylinder", "capsule", "hull"};

/// Hull of points near the surface of an ellipsoid with axes of 0.5 ... 1 m: all of them are corners.
inline std::shared_ptr<const HullSolid> random_hull(CounterRng& rng, int vertices) {
  const double x = rng.uniform(0.5, 1), y = rng.uniform(0.5, 1);
  const Vec3 axes(x, y, rng.uniform(0.5, 1));
  std::vector<Vec3> points;
  for (int k = 0; k < vertices; ++k) {
    points.push_back(0.5 * axes.cwiseProduct(random_vector(rng).normalized()));
  }
  return std::make_shared<const HullSolid>(convex_hull(points));
}

/// Of a size between 0.2 and 1 m.
inline Convex random_solid(CounterRng& rng, int kind, int hull_vertices = 40) {
  const double x = rng.uniform(0.2, 1), y = rng.uniform(0.2, 1), z = rng.uniform(0.2, 1);
  if (kind == 0) return SphereShape{.radius = 0.5 * x};
  if (kind == 1) return BoxShape{.size = {x, y, z}};
  if (kind == 2) return CylinderShape{.radius = 0.5 * x, .length = y};
  if (kind == 3) return CapsuleShape{.radius = 0.5 * x, .length = y};
  return random_hull(rng, hull_vertices);
}

/// Farthest point of a solid in W along a direction in W, by the maps of geometry/support.h.
inline Vec3 support_in_world(const Convex& solid, const Pose& X_WS, const Vec3& direction) {
  const Vec3 in_S = X_WS.R.transpose() * direction;
  return X_WS * std::visit(
                    [&](const auto& s) -> Vec3 {
                      if constexpr (requires { s->support(in_S); }) {
                        return s->support(in_S);
                      } else {
                        return support(s, in_S);
                      }
                    },
                    solid);
}

/// By how much the solids overlap along a unit direction: A is free of B once moved so far along it.
inline double overlap_along(const Vec3& n, const Convex& A, const Pose& X_WA, const Convex& B,
                            const Pose& X_WB) {
  return n.dot(support_in_world(B, X_WB, n) - support_in_world(A, X_WA, -n));
}

}  // namespace grouser::internal
