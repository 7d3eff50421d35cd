#include "geometry/mesh_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "geometry/ply_header.h"

namespace grouser::internal {
namespace {

std::uint32_t u32_at(std::string_view bytes, std::size_t at) {
  // Little endian, whatever the machine.
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

bool is_text(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v';
  });
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");  // and a byte order mark
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

std::string guard_stl(std::string_view beginning, std::uint64_t size, std::uint64_t max_triangles) {
  constexpr std::uint64_t kHeader = 84, kTriangle = 50;
  const bool claims_text = without_blanks(beginning).starts_with("solid");
  const std::uint64_t claimed = beginning.size() >= kHeader ? u32_at(beginning, 80) : 0;
  const bool fits = size >= kHeader && size == kHeader + kTriangle * claimed;
  if (!fits && claims_text && is_text(beginning.substr(0, 512))) return {};
  if (size < kHeader) {
    return fmt::format(
        "is neither text that begins with \"solid\" nor a binary STL, which has at least "
        "{} bytes, not {}",
        kHeader, size);
  }
  const std::uint64_t possible = (size - kHeader) / kTriangle;
  if (claimed > possible) {
    return fmt::format("claims {} triangles, but has room for {}", claimed, possible);
  }
  if (!fits) {
    return fmt::format("claims {} triangles, but goes on for {} bytes after them", claimed,
                       size - kHeader - kTriangle * claimed);
  }
  if (claimed == 0) return "holds no triangles";
  if (claimed > max_triangles) {
    return fmt::format("has {} triangles, more than the {} allowed", claimed, max_triangles);
  }
  return {};
}

std::string guard_glb(std::string_view beginning, std::uint64_t size) {
  constexpr std::uint64_t kHeader = 12, kChunkHeader = 8;
  if (!beginning.starts_with("glTF")) return "does not begin with \"glTF\" as a GLB file does";
  if (size < kHeader + kChunkHeader) return "ends within its header";
  const std::uint64_t length = u32_at(beginning, 8), chunk = u32_at(beginning, 12);
  if (length > size) return fmt::format("claims {} bytes, but has {}", length, size);
  if (kHeader + kChunkHeader + chunk > length) {
    return fmt::format("claims a first chunk of {} bytes, but has room for {}", chunk,
                       length - std::min(length, kHeader + kChunkHeader));
  }
  return {};
}

}  // namespace

std::optional<MeshFormat> mesh_format(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return {};
  std::string ending(file_name.substr(dot + 1));
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (ending == "obj") return MeshFormat::obj;
  if (ending == "stl") return MeshFormat::stl;
  if (ending == "ply") return MeshFormat::ply;
  if (ending == "dae") return MeshFormat::dae;
  if (ending == "gltf") return MeshFormat::gltf;
  if (ending == "glb") return MeshFormat::glb;
  return {};
}

std::string guard_mesh(MeshFormat format, std::string_view beginning, std::uint64_t file_bytes,
                       std::uint64_t max_triangles) {
  switch (format) {
    case MeshFormat::obj:
      return {};  // our own reader looks at every line
    case MeshFormat::stl:
      return guard_stl(beginning, file_bytes, max_triangles);
    case MeshFormat::ply:
      return guard_ply(beginning, file_bytes, max_triangles);
    case MeshFormat::dae:
      return without_blanks(beginning).starts_with('<') ? "" : "is not XML, as a DAE file is";
    case MeshFormat::gltf:
      return without_blanks(beginning).starts_with('{') ? "" : "is not JSON, as a glTF file is";
    case MeshFormat::glb:
      return guard_glb(beginning, file_bytes);
  }
  return {};
}

}  // namespace grouser::internal
