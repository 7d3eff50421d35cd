#pragma once

#include <cstddef>

namespace grouser::internal {

/// Indexing of nx × ny cells with a ring of one more around them, so that loops may look at the
/// neighbours of every cell without asking whether there are any.
struct PaddedGrid {
  int nx = 0, ny = 0;

  int stride() const { return nx + 2; }
  std::size_t size() const {
    return static_cast<std::size_t>(nx + 2) * static_cast<std::size_t>(ny + 2);
  }
  /// -1 <= i <= nx, -1 <= j <= ny.
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j + 1) * static_cast<std::size_t>(nx + 2) +
           static_cast<std::size_t>(i + 1);
  }
};

}  // namespace grouser::internal
