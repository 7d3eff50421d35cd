#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace grouser::internal {

/// Whether the header of a PLY file makes sense and the file has room for the elements it claims.
/// Says what is wrong; empty if nothing is. `beginning` is the start of a file of `file_bytes`.
std::string guard_ply(std::string_view beginning, std::uint64_t file_bytes,
                      std::uint64_t max_triangles);

}  // namespace grouser::internal
