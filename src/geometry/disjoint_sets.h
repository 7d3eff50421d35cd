#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Groups of 0 ... n - 1 that only ever merge. The root of a group is its lowest member, so that
/// the result does not depend on the order of merging.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  std::int32_t root(std::int32_t i) {
    while (parent_[slot(i)] != i) {
      parent_[slot(i)] =
          parent_[slot(parent_[slot(i)])];  // halves the path for those who come later
      i = parent_[slot(i)];
    }
    return i;
  }

  void merge(std::int32_t i, std::int32_t j) {
    i = root(i);
    j = root(j);
    if (i > j) std::swap(i, j);
    parent_[slot(j)] = i;
  }

 private:
  std::vector<std::int32_t> parent_;
};

}  // namespace grouser::internal
