#include "assets/circle_packing.h"

#include <bit>
#include <cassert>
#include <cmath>

#include "assets/lattice_noise.h"

namespace grouser::internal {

CirclePacking::CirclePacking(std::size_t count, double largest)
    : largest_(largest), slots_(std::bit_ceil(2 * count + 16), Slot{0, -1}) {
  circles_.reserve(count);
}

// Level 0 holds radii from largest / 2 to largest, level 1 the next half, and so on: a cell is as wide as
// the largest circle on its level.
double CirclePacking::cell_size(int level) const { return std::ldexp(2 * largest_, -level); }

std::uint64_t CirclePacking::key(int level, std::int64_t i, std::int64_t j) const {
  return lattice_hash(0, i, j, level);
}

// Two cells with the same 64-bit key would share a list, which costs time but is not wrong.
std::size_t CirclePacking::slot_of(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = key & mask;
  while (slots_[slot].first >= 0 && slots_[slot].key != key) slot = (slot + 1) & mask;
  return slot;
}

// A circle as large as those on a level or smaller can only meet circles in its own cell and the eight
// around it, since the sum of the radii is at most a cell's size.
bool CirclePacking::is_free(const Vec2& centre, double radius) const {
  for (int level = 0; level < levels_; ++level) {
    const double size = cell_size(level);
    const std::int64_t i0 = static_cast<std::int64_t>(std::floor(centre.x() / size));
    const std::int64_t j0 = static_cast<std::int64_t>(std::floor(centre.y() / size));
    for (std::int64_t j = j0 - 1; j <= j0 + 1; ++j) {
      for (std::int64_t i = i0 - 1; i <= i0 + 1; ++i) {
        std::int32_t k = slots_[slot_of(key(level, i, j))].first;
        for (; k >= 0; k = circles_[static_cast<std::size_t>(k)].next) {
          const Circle& other = circles_[static_cast<std::size_t>(k)];
          const double dx = centre.x() - other.centre.x(), dy = centre.y() - other.centre.y();
          const double apart = radius + other.radius;
          if (dx * dx + dy * dy < apart * apart) return false;
        }
      }
    }
  }
  return true;
}

void CirclePacking::add(const Vec2& centre, double radius) {
  assert(radius <= largest_);
  int level = levels_ == 0 ? 0 : levels_ - 1;
  while (cell_size(level + 1) >= 2 * radius) ++level;
  levels_ = level + 1;
  const double size = cell_size(level);
  const std::uint64_t cell = key(level, static_cast<std::int64_t>(std::floor(centre.x() / size)),
                                 static_cast<std::int64_t>(std::floor(centre.y() / size)));
  Slot& slot = slots_[slot_of(cell)];
  if (slot.first < 0) ++used_;
  circles_.push_back({centre, radius, slot.first});
  slot = {cell, static_cast<std::int32_t>(circles_.size() - 1)};
  if (2 * used_ > slots_.size()) grow();
}

void CirclePacking::grow() {
  std::vector<Slot> old(2 * slots_.size(), Slot{0, -1});
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.first >= 0) slots_[slot_of(slot.key)] = slot;
  }
}

}  // namespace grouser::internal
