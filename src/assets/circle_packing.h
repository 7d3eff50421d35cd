#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/spatial.h"

namespace grouser::internal {

/// Circles in the plane that do not overlap, found by place. Circles are kept in square grids, one per
/// power of two of their size, so that a test looks at the few that can be near, whatever the spread of
/// sizes. Circles must be added largest first.
class CirclePacking {
 public:
  /// `count`: about how many circles will come; `largest`: the first radius [m], > 0.
  CirclePacking(std::size_t count, double largest);

  /// Whether the circle overlaps none of those added.
  bool is_free(const Vec2& centre, double radius) const;
  void add(const Vec2& centre, double radius);

 private:
  struct Circle {
    Vec2 centre;
    double radius;
    std::int32_t next;  // in the same cell; -1 = none
  };
  struct Slot {
    std::uint64_t key;
    std::int32_t first;  // circle; -1 = slot is free
  };
  std::uint64_t key(int level, std::int64_t i, std::int64_t j) const;
  std::size_t slot_of(std::uint64_t key) const;
  double cell_size(int level) const;
  void grow();

  double largest_;
  int levels_ = 0;  // in use: all circles are on one of them
  std::vector<Circle> circles_;
  std::vector<Slot> slots_;  // open addressing, a power of two of them
  std::size_t used_ = 0;
};

}  // namespace grouser::internal
