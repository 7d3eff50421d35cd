#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Bounds on what a mesh file may cost. All but OBJ are read by Assimp in a child process, so that
/// a file made to crash, hang or eat memory ends in an Error.
struct MeshLimits {
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;
  std::uint64_t max_triangles = 10'000'000;
  std::uint64_t max_memory_bytes = std::uint64_t{4} << 30;  ///< of the child
  double max_seconds = 60;                                  ///< of the child
};

struct MeshFile {
  TriMesh mesh;
  std::vector<std::string> notes;  ///< repairs and what was left out, one line each
};

/// Reads OBJ, STL (text and binary), PLY, DAE, glTF or GLB by the ending of the name; all pieces of
/// the file in one mesh, transforms applied, polygons cut into triangles, then repair_mesh(). Units
/// and axes are the file's own, except that DAE states them: those become metres, z up. OBJ keeps
/// double precision, the others have single precision. Other files that the file names are read
/// only from its own folder and those below it; materials and textures are not needed. Throws
/// Error(io) if the file cannot be opened; Error(input) naming file and reason if it is damaged,
/// empty, not finite, of an unknown kind or beyond the limits.
MeshFile read_mesh(const std::filesystem::path& file, const MeshLimits& limits = {});

/// The mesh as Wavefront OBJ: `comment` in lines beginning with #, then vertices and triangles.
/// Numbers are written so that reading gives back the same doubles: the same mesh, the same bytes.
std::string obj_text(const TriMesh& mesh, std::string_view comment = {});

/// Writes obj_text() to a file that appears only when complete. Throws Error(io).
void write_obj(const std::filesystem::path& file, const TriMesh& mesh,
               std::string_view comment = {});

}  // namespace grouser::internal
