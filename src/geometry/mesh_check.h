#pragma once

#include <cstddef>
#include <numbers>
#include <string>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

struct MeshCheckOptions {
  /// Between the normals of neighbours [rad], in (0, π).
  double sharp_angle = std::numbers::pi / 3;
  bool self_intersections = true;  ///< count them too: the slowest of the checks
};

/// What is good and bad about a mesh. Edges are undirected; each is counted once. Triangles that
/// name a vertex twice have no edges.
struct MeshReport {
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::size_t pieces = 0;                ///< connected by shared vertices
  std::size_t degenerate_triangles = 0;  ///< repeated vertex, or area below rounding
  std::size_t duplicate_triangles = 0;   ///< same three vertices as an earlier one
  std::size_t duplicate_vertices = 0;    ///< same position as an earlier one, bit for bit
  std::size_t unused_vertices = 0;
  std::size_t open_edges = 0;     ///< with one triangle
  std::size_t crowded_edges = 0;  ///< with more than two triangles
  std::size_t flipped_edges = 0;  ///< whose two triangles disagree about the outside
  std::size_t sharp_edges = 0;    ///< bent by more than the options' angle
  /// Pairs of triangles that cut each other elsewhere than at what they share, up to a million;
  /// count_self_intersections() says what counts.
  std::size_t self_intersections = 0;
  double volume = 0;  ///< signed: negative if inside out [m³]; 0 unless watertight, oriented
  double area = 0;    ///< [m²]
  double shortest_edge = 0;  ///< [m]
  double longest_edge = 0;   ///< [m]
  Aabb box;

  bool watertight() const { return triangles > 0 && open_edges == 0 && crowded_edges == 0; }
  bool oriented() const { return flipped_edges == 0; }
  /// Closed, consistently oriented outward, and bounding a volume without cutting itself.
  bool solid() const {
    return watertight() && oriented() && volume > 0 && self_intersections == 0 &&
           degenerate_triangles == 0;
  }
};

/// Indices must be in range and coordinates finite.
MeshReport check_mesh(const TriMesh& mesh, const MeshCheckOptions& options = {});

/// The report in plain language: first the verdict, then one line per finding with what it means
/// for the user and how to mend it.
std::string to_text(const MeshReport& report);

}  // namespace grouser::internal
