#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace grouser::internal {

enum class MeshFormat { obj, stl, ply, dae, gltf, glb };

/// By the ending of the name, in whatever case.
std::optional<MeshFormat> mesh_format(std::string_view file_name);

/// How much of the beginning of a file guard_mesh() wants to see.
inline constexpr std::size_t kGuardBytes = 1 << 16;

/// What the beginning of a file gives away before anything is allocated: a wrong kind of file, or
/// numbers of things for which the file has no room. Empty if nothing is wrong so far.
std::string guard_mesh(MeshFormat format, std::string_view beginning, std::uint64_t file_bytes,
                       std::uint64_t max_triangles);

}  // namespace grouser::internal
