#pragma once

#include <memory>

#include "contact/pcm/pcm_force.h"
#include "core/rng.h"
#include "geometry/primitives.h"
#include "support/random.h"

/// Meshes and poses that the tests of mesh contact share.
namespace grouser::internal {

using MeshPointer = std::shared_ptr<const TriMesh>;

inline MeshPointer share(TriMesh mesh) { return std::make_shared<const TriMesh>(std::move(mesh)); }

/// A square of the plane z = 0, of (2 n)² squares of two triangles each, seen from above.
inline TriMesh plane_mesh(double half, int n) {
  TriMesh mesh;
  for (int j = -n; j <= n; ++j) {
    for (int i = -n; i <= n; ++i) mesh.vertices.push_back(Vec3(half * i / n, half * j / n, 0));
  }
  const int row = 2 * n + 1;
  for (int j = 0; j < 2 * n; ++j) {
    for (int i = 0; i < 2 * n; ++i) {
      const int a = j * row + i;
      mesh.triangles.push_back({a, a + 1, a + row + 1});
      mesh.triangles.push_back({a, a + row + 1, a + row});
    }
  }
  return mesh;
}

/// The torus and the sphere of the paper; the torus is the base.
inline PcmScene torus_and_sphere(const PcmOptions& options = {}, double max_penetration = 0.03) {
  const LayerMaterial material{.young = 1e6, .poisson = 0.4, .thickness = 0.01, .damping = 1e4};
  return PcmScene(
      {{.name = "torus",
        .body = 0,
        .mesh = share(torus_mesh(1, 0.3, 64, 32)),
        .material = material,
        .role = ContactRole::base,
        .max_penetration = max_penetration},
       {.name = "sphere", .body = 1, .mesh = share(sphere_mesh(1, 5)), .material = material}},
      {}, options);
}

/// A place of the sphere in which it is up to `deepest` [m] in the torus, both turned at random.
inline std::vector<Pose> touching_poses(CounterRng& rng, double deepest = 0.025) {
  const double angle = rng.uniform(0, 6.28), depth = rng.uniform(0, deepest);
  const double tilt = rng.uniform(-3, 3);
  const Vec3 out(std::cos(angle), std::sin(angle), 0);
  // Outside the tube, in the direction of `tilt`; towards the hole the sphere would touch elsewhere too.
  const Vec3 way = std::cos(0.4 * tilt) * out + std::sin(0.4 * tilt) * Vec3::UnitZ();
  const Pose X_WT{random_rotation(rng), random_vector(rng)};
  return {X_WT, X_WT * Pose{random_rotation(rng), out + (1.3 - depth) * way}};
}

}  // namespace grouser::internal
