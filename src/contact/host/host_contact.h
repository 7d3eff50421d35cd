#pragma once

#include <vector>

#include "contact/rigid_contact.h"
#include "core/hash.h"

namespace grouser::internal {

/// A point where two bodies touch, or a body and the world, as a host found it: at the poses the bodies have when it is
/// given, axes of W.
///
/// Until the host gives others, the contact goes with its bodies: p_a, the point, is fixed to body a; p_b, that of body
/// b opposite it, p_a - gap n, and the normal n are fixed to body b (or to the world). At other poses the gap is
/// n · (p_a - p_b): exact where a corner of a moves over a plane of b, and linear in small motions of any other
/// surfaces: a sphere of radius r that has turned by φ since then finds its gap too large by r (1 - cos φ). Forces of a
/// step act where p_a was from the origin of body a when the step began, so that in the step after the supply they have
/// the arm that the host gave. What rolls takes its p_a along, off the place where it touches: a host whose bodies roll
/// gives contacts anew at each step.
struct HostContact {
  int body_a = 0;                     ///< index of its handle
  int body_b = RigidContact::kWorld;  ///< another one, or the world
  Vec3 point = Vec3::Zero();          ///< on the surface of body a [m]
  Vec3 normal = Vec3::UnitZ();        ///< unit, out of b into a
  double gap = 0;                     ///< along the normal; negative if they overlap [m]
  double friction = 0;                ///< μ [-], >= 0
  double restitution = 0;             ///< e of Newton's law of impact [-], 0 ... 1
};

/// What acted in a contact over the last step.
struct HostContactForce {
  Vec3 point = Vec3::Zero();  ///< where, in W [m]
  /// On body a; on body b the opposite. Axes of W; the impulse over the length of the step [N].
  Vec3 force = Vec3::Zero();

  friend bool operator==(const HostContactForce&, const HostContactForce&) = default;
};

/// A contact that goes with its bodies.
struct HeldContact {
  int body_a = 0, body_b = RigidContact::kWorld;
  Vec3 p_A = Vec3::Zero();   ///< in the frame of body a [m]
  Vec3 p_B = Vec3::Zero();   ///< in that of body b, or in W [m]
  Vec3 n_B = Vec3::UnitZ();  ///< the same
  /// From the origin of body a to the point when the step begins, axes of W [m].
  Vec3 arm_W = Vec3::Zero();
  double friction = 0;     ///< [-]
  double restitution = 0;  ///< [-]

  friend bool operator==(const HeldContact&, const HeldContact&) = default;
};

/// Everything that is kept of a host's contacts. A value: copying it is a snapshot.
struct HostContactState {
  std::vector<HeldContact> contacts;     ///< in the order of supply
  std::vector<HostContactForce> forces;  ///< of the same contacts

  friend bool operator==(const HostContactState&, const HostContactState&) = default;
  /// Adds nothing while there are no contacts.
  void hash(Hasher& hasher) const;
};

}  // namespace grouser::internal
