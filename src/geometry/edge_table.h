#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// One side of a triangle, filed under its edge.
struct EdgeSide {
  std::int32_t high;    ///< larger vertex of the edge
  std::uint32_t index;  ///< 3 × triangle + corner at which the side starts

  std::size_t triangle() const { return index / 3; }
};

/// The sides of all triangles, grouped by undirected edge: by the lower vertex, then the higher
/// one, then the triangle. Triangles that name a vertex twice have no edges and are left out.
class EdgeTable {
 public:
  explicit EdgeTable(const std::vector<Triangle>& triangles, std::size_t vertex_count);

  /// Calls f(low, high, sides) once per edge, in order.
  template <class F>
  void for_each_edge(F&& f) const {
    for (std::size_t low = 0; low + 1 < start_.size(); ++low) {
      for (std::size_t i = start_[low]; i < start_[low + 1];) {
        std::size_t end = i + 1;
        while (end < start_[low + 1] && sides_[end].high == sides_[i].high) ++end;
        f(static_cast<std::int32_t>(low), sides_[i].high,
          std::span<const EdgeSide>(&sides_[i], end - i));
        i = end;
      }
    }
  }

 private:
  std::vector<EdgeSide> sides_;
  std::vector<std::size_t> start_;  // sides_[start_[v]] is the first side whose lower vertex is v
};

/// Whether the side runs from the lower vertex of its edge to the higher one.
inline bool runs_up(const std::vector<Triangle>& triangles, const EdgeSide& side) {
  return triangles[side.triangle()][side.index % 3] != side.high;
}

inline bool has_repeated_vertex(const Triangle& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

}  // namespace grouser::internal
