#include <fmt/format.h>

#include <array>
#include <string_view>

#include "geometry/mesh_check.h"
#include "geometry/self_intersection.h"

namespace grouser::internal {
namespace {

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string volume_text(double volume) {
  if (volume >= 1) return fmt::format("{:.4g} m³", volume);
  if (volume >= 1e-3) return fmt::format("{:.4g} dm³", volume * 1e3);
  if (volume >= 1e-6) return fmt::format("{:.4g} cm³", volume * 1e6);
  return fmt::format("{:.4g} mm³", volume * 1e9);
}

std::string not_closed_verdict(const MeshReport& r) {
  std::string why;
  if (r.open_edges > 0) why += counted(r.open_edges, "open edge", "open edges");
  if (r.crowded_edges > 0) {
    if (!why.empty()) why += " and ";
    why += counted(r.crowded_edges, "edge", "edges") + " with more than two triangles";
  }
  return fmt::format(
      "This mesh is not a closed solid: {}; its volume, mass and inertia cannot be computed.", why);
}

std::string verdict(const MeshReport& r) {
  if (r.triangles == 0) return "This mesh is empty: it has no triangles.";
  if (!r.watertight()) return not_closed_verdict(r);
  if (!r.oriented()) {
    return fmt::format(
        "This mesh is closed, but its triangles disagree about the outside along {}; its volume, "
        "mass "
        "and inertia cannot be computed.",
        counted(r.flipped_edges, "edge", "edges"));
  }
  if (r.volume < 0) {
    return fmt::format("This mesh is closed, but inside out: its volume is -{}.",
                       volume_text(-r.volume));
  }
  if (r.volume == 0) return "This mesh is closed, but encloses no volume.";
  if (r.self_intersections > 0) {
    return fmt::format(
        "This mesh is closed, but cuts itself in {}; its volume of {} counts overlaps more than "
        "once.",
        counted(r.self_intersections, "pair of triangles",
                r.self_intersections < kMaxSelfIntersections ? "pairs of triangles"
                                                             : "or more pairs of triangles"),
        volume_text(r.volume));
  }
  if (r.degenerate_triangles > 0) {
    return fmt::format("This mesh is a closed solid of {}, but has {} without area.",
                       volume_text(r.volume),
                       counted(r.degenerate_triangles, "triangle", "triangles"));
  }
  return fmt::format("This mesh is a closed solid of {}.", volume_text(r.volume));
}

struct Finding {
  std::size_t count;
  std::string_view one, many;
  std::string_view meaning;  // what it means for the user and how to mend it
};

auto findings(const MeshReport& r) {
  return std::array{
      Finding{
          r.open_edges, "open edge", "open edges",
          "the rim of a hole or of a sheet without thickness; fill holes in the program that made "
          "the mesh, or use the convex hull"},
      Finding{
          r.crowded_edges, "crowded edge", "crowded edges",
          "more than two triangles meet there, so that inside and outside are not defined; remove "
          "inner walls, or keep apart what only touches"},
      Finding{r.flipped_edges, "flipped edge", "flipped edges",
              "neighbours face opposite ways; make the normals agree (reading a file does so for "
              "closed pieces)"},
      Finding{r.self_intersections, "self-intersection", "self-intersections",
              "triangles cut each other; unite the parts that overlap"},
      Finding{r.degenerate_triangles, "degenerate triangle", "degenerate triangles",
              "without area and normal; removed on reading a file where that leaves no hole"},
      Finding{r.duplicate_triangles, "duplicate triangle", "duplicate triangles",
              "with the vertices of an earlier one; dropped on reading a file"},
      Finding{
          r.duplicate_vertices, "duplicate vertex", "duplicate vertices",
          "where an earlier one stands, so that triangles meeting there are not connected; joined "
          "on reading a file"},
      Finding{r.unused_vertices, "unused vertex", "unused vertices",
              "in no triangle; harmless, dropped on reading a file"},
      Finding{r.sharp_edges, "sharp edge", "sharp edges",
              "the surface bends strongly; no defect, but contact forces change abruptly there"},
  };
}

}  // namespace

std::string to_text(const MeshReport& report) {
  std::string text = verdict(report) + "\n";
  text += fmt::format("- {}, {}, {}\n", counted(report.triangles, "triangle", "triangles"),
                      counted(report.vertices, "vertex", "vertices"),
                      counted(report.pieces, "connected piece", "connected pieces"));
  if (report.triangles == 0) return text;
  const Vec3 size = report.box.size();
  text += fmt::format("- extent {:.4g} x {:.4g} x {:.4g} m, area {:.4g} m²\n", size.x(), size.y(),
                      size.z(), report.area);
  text +=
      fmt::format("- edges from {:.3g} to {:.3g} m\n", report.shortest_edge, report.longest_edge);
  if (report.volume < 0) {
    text += "- inside out: its normals point inward; turn all triangles round\n";
  }
  for (const Finding& finding : findings(report)) {
    if (finding.count == 0) continue;
    text += fmt::format("- {}: {}\n", counted(finding.count, finding.one, finding.many),
                        finding.meaning);
  }
  return text;
}

}  // namespace grouser::internal
