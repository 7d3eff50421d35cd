#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/aabb.h"

namespace grouser::internal {

/// Indices of three vertices, anticlockwise seen from outside.
using Triangle = std::array<std::int32_t, 3>;

/// An index as standard containers want it.
constexpr std::size_t slot(std::int32_t index) { return static_cast<std::size_t>(index); }

/// A surface of triangles. Plain data: any mesh may stand here, check_mesh() says how good it is.
struct TriMesh {
  std::vector<Vec3> vertices;       ///< [m]
  std::vector<Triangle> triangles;  ///< indices into `vertices`
};

Aabb bounds(const TriMesh& mesh);

/// Half the cross product of two edges: along the outward normal, as long as the area [m²].
Vec3 area_vector(const TriMesh& mesh, std::size_t triangle);

/// The mesh with every vertex p replaced by X p.
TriMesh transformed(const Pose& X, TriMesh mesh);

/// The mesh with coordinates multiplied by the factors, all != 0. A mirroring (negative product)
/// turns the triangles round, so that outside stays outside.
TriMesh scaled(const Vec3& factors, TriMesh mesh);

/// Adds a copy of `more` as a separate piece.
void append(TriMesh& mesh, const TriMesh& more);

}  // namespace grouser::internal
