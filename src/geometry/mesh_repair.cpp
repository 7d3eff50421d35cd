#include "geometry/mesh_repair.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "geometry/edge_table.h"
#include "geometry/mesh_compact.h"
#include "geometry/mesh_duplicates.h"
#include "geometry/mesh_orientation.h"
#include "geometry/mesh_slivers.h"

namespace grouser::internal {
namespace {

class Notes {
 public:
  /// "joined 1 vertex at the same position"
  void add(std::string_view verb, std::size_t count, std::string_view one, std::string_view many,
           std::string_view rest) {
    if (count > 0)
      lines_.push_back(fmt::format("{} {} {}{}", verb, count, count == 1 ? one : many, rest));
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

/// Whether two triangles of the same vertices face the same way: one is a rotation of the other.
bool face_alike(const Triangle& s, const Triangle& t) {
  return s == t || s == Triangle{t[1], t[2], t[0]} || s == Triangle{t[2], t[0], t[1]};
}

std::vector<Triangle> kept(const std::vector<Triangle>& triangles, const std::vector<bool>& keep) {
  std::vector<Triangle> result;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    if (keep[i]) result.push_back(triangles[i]);
  }
  return result;
}

std::size_t bad_edges(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  std::size_t count = 0;
  EdgeTable(triangles, vertex_count).for_each_edge([&](std::int32_t, std::int32_t, auto sides) {
    count += sides.size() != 2;
  });
  return count;
}

/// Of triangles on the same vertices, the first stays. Where solids touch, though, the two walls
/// between them face each other and are both too many: if the surface is closed better without such
/// pairs, they go.
void drop_repeated_triangles(TriMesh& mesh, Notes& notes) {
  const std::vector<std::int32_t> first = first_with_vertices(mesh.triangles);
  const std::size_t count = mesh.triangles.size();
  std::vector<bool> is_first(count);
  std::vector<int> surplus(count, 0);  // of the first of a group: those that face alike - others
  for (std::size_t i = 0; i < count; ++i) {
    is_first[i] = first[i] == static_cast<std::int32_t>(i);
    surplus[slot(first[i])] +=
        face_alike(mesh.triangles[i], mesh.triangles[slot(first[i])]) ? 1 : -1;
  }
  std::vector<Triangle> singles = kept(mesh.triangles, is_first);
  if (singles.size() == count) return;

  std::vector<bool> is_wanted(count);
  for (std::size_t i = 0; i < count; ++i) is_wanted[i] = is_first[i] && surplus[i] != 0;
  std::vector<Triangle> without_walls = kept(mesh.triangles, is_wanted);
  const std::size_t vertices = mesh.vertices.size();
  const bool has_walls = without_walls.size() < singles.size() && !without_walls.empty() &&
                         bad_edges(without_walls, vertices) < bad_edges(singles, vertices);
  const std::size_t walls = has_walls ? 2 * (singles.size() - without_walls.size()) : 0;
  mesh.triangles = std::move(has_walls ? without_walls : singles);
  notes.add("dropped", count - mesh.triangles.size() - walls, "triangle", "triangles",
            " that repeated another");
  notes.add("dropped", walls, "triangle", "triangles", " of inner walls, where solids touch");
}

}  // namespace

std::vector<std::string> repair_mesh(TriMesh& mesh) {
  Notes notes;
  notes.add("joined", join_vertices(mesh), "vertex", "vertices", " at the same position");
  notes.add("removed", remove_degenerate_triangles(mesh), "degenerate triangle",
            "degenerate triangles", "");
  drop_repeated_triangles(mesh, notes);
  const OrientationRepair orientation = orient_outward(mesh);
  notes.add("turned", orientation.turned_triangles, "triangle", "triangles",
            orientation.turned_pieces > 0
                ? fmt::format(" to face outward ({} of the closed pieces inside out)",
                              orientation.turned_pieces)
                : " to face outward");
  notes.add("left", orientation.undecided_pieces, "closed piece", "closed pieces",
            " facing inward: too many to tell cavities from pieces inside out");
  notes.add("dropped", drop_unused_vertices(mesh), "unused vertex", "unused vertices", "");
  return notes.take();
}

}  // namespace grouser::internal
