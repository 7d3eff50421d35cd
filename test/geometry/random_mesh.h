#pragma once

#include "core/rng.h"
#include "geometry/tri_mesh.h"
#include "math/rotation.h"
#include "support/random.h"

namespace grouser::internal {

inline Vec3 random_point(CounterRng& rng, double extent) {
  const double x = rng.uniform(-extent, extent), y = rng.uniform(-extent, extent);
  return {x, y, rng.uniform(-extent, extent)};
}

/// Loose triangles of about `size` within a cube of half edge `extent`.
inline TriMesh triangle_soup(CounterRng& rng, int count, double extent, double size) {
  TriMesh mesh;
  for (int t = 0; t < count; ++t) {
    const Vec3 centre = random_point(rng, extent);
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(centre + random_point(rng, size));
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

inline Pose random_pose(CounterRng& rng, double extent) {
  const Mat3 R = random_rotation(rng);
  return {R, random_point(rng, extent)};
}

/// Both in one mesh.
inline TriMesh together(TriMesh a, const TriMesh& b) {
  append(a, b);
  return a;
}

}  // namespace grouser::internal
