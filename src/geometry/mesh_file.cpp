#include "geometry/mesh_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/disk.h"
#include "core/error.h"
#include "geometry/mesh_guard.h"
#include "geometry/mesh_import.h"
#include "geometry/mesh_repair.h"
#include "geometry/obj_reader.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

// Beyond it fifth powers of lengths, the unit of inertia of volume, leave the doubles.
constexpr double kLargestCoordinate = 1e30;  // [m]

[[noreturn]] void refuse(ErrorKind kind, const fs::path& file, std::string message,
                         std::string value = {}, std::string legal = {}) {
  throw Error(kind, {.message = std::move(message),
                     .file = file.string(),
                     .value = std::move(value),
                     .legal = std::move(legal)});
}

MeshFormat format_of(const fs::path& file) {
  const auto format = mesh_format(file.filename().string());
  if (!format) {
    refuse(ErrorKind::input, file, "unknown kind of mesh file", file.extension().string(),
           ".obj, .stl, .ply, .dae, .gltf, .glb");
  }
  return *format;
}

std::uint64_t size_of(const fs::path& file, const MeshLimits& limits) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) refuse(ErrorKind::io, file, "no such file");
  if (error) refuse(ErrorKind::io, file, "cannot be read: " + error.message());
  if (is_directory(status)) refuse(ErrorKind::io, file, "is a folder, not a file");
  if (!is_regular_file(status)) refuse(ErrorKind::io, file, "is not a regular file");
  const std::uint64_t size = fs::file_size(file, error);
  if (error) refuse(ErrorKind::io, file, "cannot be read: " + error.message());
  if (size == 0) refuse(ErrorKind::input, file, "the file is empty");
  if (size > limits.max_file_bytes) {
    refuse(ErrorKind::input, file, "the file is too large", fmt::format("{} bytes", size),
           fmt::format("at most {} bytes", limits.max_file_bytes));
  }
  return size;
}

/// The first `count` bytes, or fewer if the file has shrunk.
std::string beginning_of(const fs::path& file, std::uint64_t count) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(ErrorKind::io, file, "cannot be read: " + errno_text(errno));
  std::string bytes(count, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (stream.bad()) refuse(ErrorKind::io, file, "cannot be read: " + errno_text(errno));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

void require_finite(const fs::path& file, const TriMesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& v = mesh.vertices[i];
    // Written so that a NaN fails.
    if ((v.array().abs() <= kLargestCoordinate).all()) continue;
    refuse(ErrorKind::input, file, fmt::format("vertex {} is not a finite position", i + 1),
           fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()),
           fmt::format("numbers up to {}", kLargestCoordinate));
  }
}

}  // namespace

MeshFile read_mesh(const fs::path& file, const MeshLimits& limits) {
  const MeshFormat format = format_of(file);
  const std::uint64_t size = size_of(file, limits);
  MeshFile result;
  if (format == MeshFormat::obj) {
    result = read_obj_text(beginning_of(file, size), file.string(), limits.max_triangles);
  } else {
    const std::string beginning = beginning_of(file, std::min<std::uint64_t>(size, kGuardBytes));
    const std::string wrong = guard_mesh(format, beginning, size, limits.max_triangles);
    if (!wrong.empty()) refuse(ErrorKind::input, file, "the file is damaged: it " + wrong);
    result = import_in_child(file, format, limits);
  }
  require_finite(file, result.mesh);
  if (result.mesh.triangles.empty()) refuse(ErrorKind::input, file, "the file holds no triangles");
  for (std::string& repair : repair_mesh(result.mesh)) result.notes.push_back(std::move(repair));
  if (result.mesh.triangles.empty()) {
    refuse(ErrorKind::input, file, "the file holds no triangles that have an area");
  }
  return result;
}

}  // namespace grouser::internal
