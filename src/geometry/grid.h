#pragma once

#include <cstddef>
#include <cstdint>

#include "math/spatial.h"

namespace grouser::internal {

/// Rectangle in the xy plane.
struct Rect {
  Vec2 lower = Vec2::Zero();  ///< [m]
  Vec2 upper = Vec2::Zero();  ///< [m], >= lower

  Vec2 size() const { return upper - lower; }
  Vec2 centre() const { return 0.5 * (lower + upper); }
  bool contains(const Vec2& point) const {
    return (lower.array() <= point.array()).all() && (point.array() <= upper.array()).all();
  }
  Vec2 clamped(const Vec2& point) const { return point.cwiseMax(lower).cwiseMin(upper); }
};

/// Regular grid of nodes in the xy plane: node (i, j) stands at origin + spacing (i, j). Values of
/// nodes are stored row by row, x running fastest.
struct GridSpec {
  Vec2 origin = Vec2::Zero();  ///< of node (0, 0) [m]
  double spacing = 1;          ///< [m], > 0
  int nx = 0, ny = 0;          ///< nodes along x and y

  std::size_t size() const { return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny); }
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(i);
  }
  Vec2 node(int i, int j) const { return origin + spacing * Vec2(i, j); }
  Rect rect() const { return {origin, node(nx - 1, ny - 1)}; }
};

}  // namespace grouser::internal
