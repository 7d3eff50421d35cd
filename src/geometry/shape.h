#pragma once

#include <memory>
#include <string>
#include <variant>

#include "math/spatial.h"

namespace grouser::internal {

struct TriMesh;

struct BoxShape {
  Vec3 size = Vec3::Ones();  ///< edge lengths along x, y, z [m], > 0
};
struct SphereShape {
  double radius = 1;  ///< [m], > 0
};
/// Centred at the origin, along z.
struct CylinderShape {
  double radius = 1;  ///< [m], > 0
  double length = 1;  ///< [m], > 0
};
/// Cylinder along z with half-spheres at both ends; `length` without them.
struct CapsuleShape {
  double radius = 1;  ///< [m], > 0
  double length = 1;  ///< [m], > 0
};
struct MeshShape {
  std::string file;           ///< resolved path
  Vec3 scale = Vec3::Ones();  ///< [-]
};

/// A mesh that was made, not read from a file.
struct MadeShape {
  std::shared_ptr<const TriMesh> mesh;
};

using Shape =
    std::variant<BoxShape, SphereShape, CylinderShape, CapsuleShape, MeshShape, MadeShape>;

/// Mass properties of the homogeneous solid of the given mass [kg], about its own frame.
/// A mesh has none here: returns zero inertia.
RigidInertia solid_inertia(const Shape& shape, double mass);

}  // namespace grouser::internal
