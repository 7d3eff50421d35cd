#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/spatial.h"

namespace grouser::internal {

/// Two bodies, or a body and the world, that touch at a point or are about to.
struct RigidContact {
  static constexpr int kWorld = -1;

  int body_a = kWorld, body_b = kWorld;
  Vec3 p_Wa =
      Vec3::Zero();  ///< point of body a that touches, at the poses it was looked for at [m]
  Vec3 p_Wb = Vec3::Zero();     ///< that of body b; not read of the world
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of b into a
  double gap = 0;               ///< there, along the normal; negative if they overlap [m]
  double friction = 0;          ///< μ [-], >= 0
  double restitution = 0;       ///< e of Newton's law of impact [-], 0 ... 1
  double rolling = 0;           ///< greatest torque about the tangents over normal force [m], >= 0
  double spinning = 0;          ///< greatest torque about the normal over normal force [m], >= 0
};

/// By what a system knows a point of contact again in the next step, and where it is.
struct RigidPoint {
  std::array<std::int32_t, 5> key = {};
  Vec3 p_W = Vec3::Zero();  ///< [m]
};

/// Contacts of rigid bodies in a step.
struct RigidContacts {
  std::vector<RigidContact> contacts;
  std::vector<RigidPoint> points;  ///< of the same contacts
  std::vector<Wrench> wrenches;    ///< of the same contacts, on the first body at the point

  void clear() {
    contacts.clear();
    points.clear();
    wrenches.clear();
  }
};

}  // namespace grouser::internal
