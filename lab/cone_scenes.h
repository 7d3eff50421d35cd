#pragma once

#include <vector>

#include "core/rng.h"
#include "math/spatial.h"

/// Bodies that touch, from which cone_samples.h makes problems.
namespace grouser::internal {

inline constexpr double kConeStep = 0.005;    ///< [s]
inline constexpr double kConeGravity = 9.81;  ///< [m/s²]
inline constexpr int kConeGround = -1;        ///< in place of a body

struct ConeBody {
  double inverse_mass = 1;                  ///< [1/kg]
  Mat3 inverse_inertia = Mat3::Identity();  ///< about the centre, world axes [1/(kg m²)]
  Vec3 center = Vec3::Zero();               ///< [m]
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  ///< [m/s], [rad/s]
};

/// Body a touches body b, or the ground, whose surface has this normal, towards a.
struct ConeTouch {
  int a, b;
  Vec3 point;   ///< [m]
  Vec3 normal;  ///< [-]
};

struct ConeScene {
  std::vector<ConeBody> bodies;
  std::vector<ConeTouch> touches;
};

/// A box on the ground, its base touching at `rows` × `rows` points.
ConeScene box_scene(CounterRng& rng, int rows);

/// Rows of bricks, each over the gap of the two below; the upper rows shorter by `taper` bricks each.
ConeScene wall_scene(CounterRng& rng, int width, int height, int taper);

/// Boxes on each other.
ConeScene tower_scene(CounterRng& rng, int height);

/// Cubes whose masses are 1 and 1e6 in turn, a light or a heavy one at the bottom.
ConeScene alternating_tower_scene(CounterRng& rng, int height);

/// Lumps thrown into a box with a floor and walls so narrow that they overlap a little: each overlap is a
/// contact. As many lumps as give the number of contacts.
ConeScene heap_scene(CounterRng& rng, int contacts);

/// The same with masses that always spread over six decades.
ConeScene mixed_heap_scene(CounterRng& rng, int contacts);

/// A lump that lies in a hollow: each contact has a normal of its own.
ConeScene crowded_body_scene(CounterRng& rng, int contacts);

/// Velocities before the step: at rest, sliding as a whole, or each body on its own; then gravity.
void set_motion(CounterRng& rng, ConeScene& scene);

}  // namespace grouser::internal
