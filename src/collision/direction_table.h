#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/lanes.h"
#include "collision/point3.h"

/// Which of many points lies farthest along a direction: all directions are cut into cells, each of which
/// lists the few points that are farthest somewhere in it.
namespace grouser::internal {

class DirectionTable {
 public:
  static constexpr std::size_t kMostPoints = 32767;

  DirectionTable() = default;
  /// No more than kMostPoints, at least one.
  explicit DirectionTable(std::span<const Vec3> points);
  /// The same table and marks with points `factor` > 0 times as far out: directions do not care.
  DirectionTable(const DirectionTable& like, double factor);

  Point3 point(std::size_t k) const { return {points_[k][0], points_[k][1], points_[k][2]}; }

  /// What is kept beside a point, so that who has found the point has that as well.
  std::uint64_t mark(std::size_t k) const { return std::bit_cast<std::uint64_t>(points_[k][3]); }
  void set_mark(std::size_t k, std::uint64_t mark) { points_[k][3] = std::bit_cast<double>(mark); }

  /// Number of a point farthest along a direction, but for 1e-12 of its distance from the origin.
  std::size_t farthest(const Point3& direction) const {
    const auto [x, y, z] = direction;
    const std::size_t c = cell_of(x, y, z);
    const Cell& cell = cells_[c];
    const Double4 &p0 = points_[cell[0] & ~kHasMore], &p1 = points_[cell[1]];
    const Double4 &p2 = points_[cell[2]], &p3 = points_[cell[3]];
    // x, y and z of the four side by side.
    const Double4 xz_01 = __builtin_shufflevector(p0, p1, 0, 4, 2, 6);
    const Double4 xz_23 = __builtin_shufflevector(p2, p3, 0, 4, 2, 6);
    const Double4 y_01 = __builtin_shufflevector(p0, p1, 1, 5, 3, 7);
    const Double4 y_23 = __builtin_shufflevector(p2, p3, 1, 5, 3, 7);
    const Double4 along = x * __builtin_shufflevector(xz_01, xz_23, 0, 1, 4, 5) +
                          y * __builtin_shufflevector(y_01, y_23, 0, 1, 4, 5) +
                          z * __builtin_shufflevector(xz_01, xz_23, 2, 3, 6, 7);
    // The lowest bits give way to the place in the list, so that one maximum finds both.
    constexpr std::uint64_t kPlace = 3;
    const auto bits = lanes_as<Bits4>(along);
    auto best_of = lanes_as<Double4>((bits & ~kPlace) | Bits4{0, 1, 2, 3});
    const Double4 twos = __builtin_shufflevector(best_of, best_of, 2, 3, 0, 1);
    best_of = best_of > twos ? best_of : twos;
    const Double4 ones = __builtin_shufflevector(best_of, best_of, 1, 0, 3, 2);
    best_of = best_of > ones ? best_of : ones;
    const double most = best_of[0];
    const std::size_t best = cell[std::bit_cast<std::uint64_t>(most) & kPlace] & ~kHasMore;
    return cell[0] & kHasMore ? farther(c, direction, best, most) : best;
  }

 private:
  // Signs, orders (not all of which can be), sizes.
  static constexpr std::size_t kCells = 8 * 8 * 9;
  static constexpr std::uint16_t kHasMore = 0x8000;

  /// Repeated if there are fewer; the first one has a bit set if there are more.
  using Cell = std::array<std::uint16_t, 4>;

  /// By signs, by the order of sizes, and by whether each size is more than a half and a quarter of the next
  /// larger one. In integers, whose order is that of positive doubles, and in which adding one to the
  /// exponent doubles: quicker than a division, and without branches, which would be mispredicted.
  static std::size_t cell_of(double x, double y, double z) {
    constexpr std::uint64_t kSign = 1ULL << 63, kTwice = 1ULL << 52;
    const auto bx = std::bit_cast<std::uint64_t>(x), by = std::bit_cast<std::uint64_t>(y),
               bz = std::bit_cast<std::uint64_t>(z);
    const std::uint64_t ax = bx & ~kSign, ay = by & ~kSign, az = bz & ~kSign;
    const std::uint64_t low = std::min(ax, ay), high = std::max(ax, ay);
    const std::uint64_t least = std::min(low, az), most = std::max(high, az);
    const std::uint64_t middle = std::max(low, std::min(high, az));
    const auto bit = [](bool is, int place) { return static_cast<std::uint64_t>(is) << place; };
    const std::uint64_t octant = (bx >> 63) | (by >> 63) << 1 | (bz >> 63) << 2;
    const std::uint64_t order = bit(ax < ay, 3) | bit(ay < az, 4) | bit(ax < az, 5);
    const std::uint64_t part = bit(middle + kTwice > most, 0) + bit(middle + 2 * kTwice > most, 0);
    const std::uint64_t rest =
        bit(least + kTwice > middle, 0) + bit(least + 2 * kTwice > middle, 0);
    return (octant | order) + 64 * (part + 3 * rest);
  }
  std::size_t farther(std::size_t cell, const Point3& direction, std::size_t best,
                      double most) const;
  void fill_cell(std::span<const Vec3> points, const std::array<Vec3, 4>& corners);

  std::vector<Double4, Eigen::aligned_allocator<Double4>> points_;  // none across two cache lines
  std::vector<Cell> cells_;
  // Of the cells with more than four, in which they come after more_begin_[cell].
  std::vector<std::uint16_t> more_;
  std::vector<std::uint32_t> more_begin_, more_end_;
};

}  // namespace grouser::internal
