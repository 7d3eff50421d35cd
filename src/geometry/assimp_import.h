#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// What Assimp makes of a file: all its pieces, transforms applied, in single precision (Assimp's).
/// Nothing about it has been checked but the number of triangles.
struct AssimpMesh {
  TriMesh mesh;
  std::uint64_t left_out = 0;         ///< points and lines
  std::string failure;                ///< why there is no mesh; empty if there is one
  std::vector<std::string> warnings;  ///< Assimp's, the first few: what it mended or ignored
};

struct AssimpOptions {
  std::uint64_t max_file_bytes = 0;  ///< of each file that the file names
  std::uint64_t max_triangles = 0;
  bool is_collada = false;  ///< then the result is in metres, z up
};

/// Reads a file with Assimp: to be called where a crash does no harm. Files that the file names are
/// opened only below its own folder.
AssimpMesh import_with_assimp(const std::filesystem::path& file, const AssimpOptions& options);

}  // namespace grouser::internal
