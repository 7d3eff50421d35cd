#pragma once

#include "contact/pcm/pcm_system.h"
#include "sim/world.h"

/// The example scenes of the paper on mesh contact (Hippmann, "Polygonal contact model revisited", 2023), for
/// reproductions and benchmarks.
namespace grouser::internal {

/// A sphere of 500 triangles falls on a torus of 4096, the base, and comes to rest in it. Section 4.1.
struct TorusSphere {
  double young = 1e6;  ///< [Pa]
  PcmOptions options;
};
World torus_sphere_world(const TorusSphere& example = {});

/// Six spheres of 500 triangles bounce in a container of four triangles, an inverted pyramid, each cut into
/// four `subdivisions` times. Section 4.2. Assumed, since the paper does not say: how many, how large,
/// where they start.
World bubbles_world(int subdivisions, const PcmOptions& options = {});

/// The Scout rover: three modules on elastic joints, six rimless wheels of three feet of 570 triangles
/// each, on fractal ground of 32 768 triangles. Section 4.3. Assumed: the split of masses, joints, feet of
/// radius 0.16 m, and how rough the ground is.
World scout_world(const PcmOptions& options = {});

/// The meshes of one of these worlds.
inline const PcmScene& pcm_scene(const World& world) {
  return find_contacts<PcmSystem>(world)->scene();
}

}  // namespace grouser::internal
