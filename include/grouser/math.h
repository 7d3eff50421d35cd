#pragma once

/// Vectors, poses and loads as plain numbers: their layout depends on no other library and on no compiler flag.
namespace grouser {

struct Vec3 {
  double x = 0, y = 0, z = 0;

  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// A rotation, as a unit quaternion.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;

  friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

/// Where a body stands: the rotation of its axes and its origin, in another frame.
struct Pose {
  Quaternion orientation = {};
  Vec3 position = {};  ///< [m]

  friend bool operator==(const Pose&, const Pose&) = default;
};

/// How a body moves: its angular velocity and the velocity of its origin.
struct Twist {
  Vec3 angular = {};  ///< [rad/s]
  Vec3 linear = {};   ///< [m/s]

  friend bool operator==(const Twist&, const Twist&) = default;
};

/// A force and its torque about the point where it acts.
struct Wrench {
  Vec3 torque = {};  ///< [N m]
  Vec3 force = {};   ///< [N]

  friend bool operator==(const Wrench&, const Wrench&) = default;
};

}  // namespace grouser
