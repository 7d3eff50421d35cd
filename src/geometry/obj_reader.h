#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "geometry/mesh_file.h"

namespace grouser::internal {

/// Positions and faces of a Wavefront OBJ text, in double precision; polygons are cut into
/// triangles. Texture coordinates, normals, groups and materials are skipped; what else is left out
/// (lines, points, curves, unknown keywords) is noted. Throws Error(input) with the line of each
/// finding, the first ten at most. Nothing is repaired.
MeshFile read_obj_text(std::string_view text, const std::string& file, std::uint64_t max_triangles);

}  // namespace grouser::internal
