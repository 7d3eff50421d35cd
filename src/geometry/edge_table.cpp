#include "geometry/edge_table.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>

namespace grouser::internal {
namespace {

/// Calls f(low, high, index) for the sides of all triangles.
template <class F>
void for_each_side(const std::vector<Triangle>& triangles, F&& f) {
  std::uint32_t index = 0;
  for (const Triangle& t : triangles) {
    if (!has_repeated_vertex(t)) {
      for (std::uint32_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
        f(low, high, index + k);
      }
    }
    index += 3;
  }
}

}  // namespace

EdgeTable::EdgeTable(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  assert(triangles.size() <= std::numeric_limits<std::uint32_t>::max() / 3);
  // Filed by the lower vertex in linear time; what is left to sort are the few sides of one vertex.
  start_.assign(vertex_count + 2, 0);
  for_each_side(triangles,
                [&](std::int32_t low, std::int32_t, std::uint32_t) { ++start_[slot(low + 2)]; });
  for (std::size_t v = 2; v < start_.size(); ++v) start_[v] += start_[v - 1];
  sides_.resize(start_.back());
  // start_[v + 1] serves as the place for the next side of v and ends up as the start of v + 1.
  for_each_side(triangles, [&](std::int32_t low, std::int32_t high, std::uint32_t index) {
    sides_[start_[slot(low + 1)]++] = {high, index};
  });
  start_.pop_back();
  for (std::size_t v = 0; v + 1 < start_.size(); ++v) {
    std::sort(sides_.begin() + static_cast<std::ptrdiff_t>(start_[v]),
              sides_.begin() + static_cast<std::ptrdiff_t>(start_[v + 1]),
              [](const EdgeSide& a, const EdgeSide& b) {
                return std::tie(a.high, a.index) < std::tie(b.high, b.index);
              });
  }
}

}  // namespace grouser::internal
