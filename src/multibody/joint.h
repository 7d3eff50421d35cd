#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "math/spatial.h"

namespace grouser::internal {

/// How a body moves relative to its parent. F is the joint's frame fixed in the parent, M the frame
/// of the child body; at zero position M = F.
///
/// | type      | positions q                    | velocities v                                   |
/// |-----------|--------------------------------|------------------------------------------------|
/// | fixed     | –                              | –                                              |
/// | revolute  | angle about `axis` [rad]       | its rate [rad/s]                               |
/// | prismatic | travel along `axis` [m]        | its rate [m/s]                                 |
/// | universal | angle about `axis`, then about the carried `axis2` [rad] | their rates [rad/s]  |
/// | spherical | quaternion (w, x, y, z) of R_FM | angular velocity of M in F, axes of F [rad/s] |
/// | planar    | x, y [m], angle about z [rad]  | their rates                                    |
/// | free      | quaternion, position p_FM [m]  | angular [rad/s], linear velocity of M's origin [m/s], axes of F |
///
/// A free joint hangs on the world only, with F = W.
enum class JointType : std::uint8_t {
  fixed,
  revolute,
  prismatic,
  universal,
  spherical,
  planar,
  free,
};

inline constexpr int kMaxJointVelocities = 6;

constexpr int position_count(JointType type) {
  constexpr int kCounts[] = {0, 1, 1, 2, 4, 3, 7};
  return kCounts[static_cast<int>(type)];
}

constexpr int velocity_count(JointType type) {
  constexpr int kCounts[] = {0, 1, 1, 2, 3, 3, 6};
  return kCounts[static_cast<int>(type)];
}

/// True where v = dq/dt coordinate by coordinate (no quaternion).
constexpr bool has_plain_coordinates(JointType type) {
  return position_count(type) == velocity_count(type);
}

/// Where a joint's quaternion begins within its q, or -1.
constexpr int quaternion_offset(JointType type) {
  return type == JointType::spherical || type == JointType::free ? 0 : -1;
}

const char* to_string(JointType type);

/// Passive behaviour of one degree of freedom. "Force" is torque [N m] and the coordinate [rad] for
/// rotations, force [N] and [m] for translations.
struct DofLaw {
  double armature = 0;           ///< rotor inertia seen at the joint [kg m²] or [kg], >= 0
  double stiffness = 0;          ///< spring towards `rest` [N m/rad] or [N/m], >= 0
  double rest = 0;               ///< position of the unloaded spring [rad] or [m]
  double damping = 0;            ///< [N m s/rad] or [N s/m], >= 0
  double friction = 0;           ///< Coulomb friction force [N m] or [N], >= 0
  double friction_speed = 1e-2;  ///< v_f of friction · tanh(v / v_f), > 0 [rad/s] or [m/s]
  double lower = -std::numeric_limits<double>::infinity();  ///< end stop [rad] or [m]
  double upper = std::numeric_limits<double>::infinity();   ///< end stop [rad] or [m]
  double stop_stiffness = 1e4;  ///< of the end stops [N m/rad] or [N/m], > 0
  double stop_damping = 1e2;    ///< of the end stops, while pressed [N m s/rad] or [N s/m], >= 0
};

/// A joint as an author describes it.
struct JointSpec {
  std::string name;
  JointType type = JointType::fixed;
  Pose X_PF;                   ///< joint frame in the parent body
  Vec3 axis = Vec3::UnitZ();   ///< unit, in F (revolute, prismatic, universal's first)
  Vec3 axis2 = Vec3::UnitY();  ///< unit, in F at zero position (universal's second)
  std::vector<DofLaw> laws;    ///< one per velocity; one for all; or none
};

}  // namespace grouser::internal
