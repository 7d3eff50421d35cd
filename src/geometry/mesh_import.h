#pragma once

#include <filesystem>

#include "geometry/mesh_file.h"
#include "geometry/mesh_guard.h"

namespace grouser::internal {

/// Reads a file with Assimp in a child process, within the limits. Indices are in range;
/// coordinates may be anything. Throws Error(input) if the child fails, whichever way.
MeshFile import_in_child(const std::filesystem::path& file, MeshFormat format,
                         const MeshLimits& limits);

}  // namespace grouser::internal
