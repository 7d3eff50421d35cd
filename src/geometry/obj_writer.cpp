#include <fmt/format.h>

#include <iterator>

#include "core/disk.h"
#include "core/long_task.h"
#include "geometry/mesh_file.h"

namespace grouser::internal {

std::string obj_text(const TriMesh& mesh, std::string_view comment) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  while (!comment.empty()) {
    const std::size_t end = comment.find('\n');
    fmt::format_to(out, "# {}\n", comment.substr(0, end));
    comment.remove_prefix(end == std::string_view::npos ? comment.size() : end + 1);
  }
  LongTask task("writing a mesh", mesh.vertices.size() + mesh.triangles.size());
  for (const Vec3& v : mesh.vertices) {
    task.advance();
    // The shortest text of a double that reads back as the same double.
    fmt::format_to(out, "v {} {} {}\n", v.x(), v.y(), v.z());
  }
  for (const auto& [a, b, c] : mesh.triangles) {
    task.advance();
    fmt::format_to(out, "f {} {} {}\n", a + 1, b + 1, c + 1);
  }
  return fmt::to_string(text);
}

void write_obj(const std::filesystem::path& file, const TriMesh& mesh, std::string_view comment) {
  AtomicFile out(file);
  out.write(obj_text(mesh, comment));
  out.commit();
}

}  // namespace grouser::internal
