#include "collision/direction_table.h"

#include <algorithm>
#include <cassert>

#include "core/index.h"

namespace grouser::internal {
namespace {

// Points are left out of a cell only if farther back than another by more than this part of their distance
// from the origin; covers rounding at the edges of cells.
constexpr double kMargin = 1e-13;

std::size_t farthest_of(std::span<const Vec3> points, const Vec3& direction) {
  const auto less = [&](const Vec3& p, const Vec3& q) {
    return p.dot(direction) < q.dot(direction);
  };
  return static_cast<std::size_t>(std::ranges::max_element(points, less) - points.begin());
}

}  // namespace

DirectionTable::DirectionTable(std::span<const Vec3> points)
    : cells_(kCells), more_begin_(kCells), more_end_(kCells) {
  assert(!points.empty() && points.size() <= kMostPoints);
  for (const Vec3& p : points) points_.push_back(Double4{p.x(), p.y(), p.z(), 0});
  constexpr std::array<std::array<int, 3>, 6> kOrders = {
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  constexpr std::array<double, 4> kParts = {0, 0.25, 0.5, 1};
  for (int signs = 0; signs < 8; ++signs) {
    const Vec3 sign(signs & 1 ? -1 : 1, signs & 2 ? -1 : 1, signs & 4 ? -1 : 1);
    for (const auto& [most, middle, least] : kOrders) {
      for (int zone = 0; zone < 9; ++zone) {
        std::array<Vec3, 4> corners;
        for (int k = 0; k < 4; ++k) {
          Vec3& corner = corners[static_cast<std::size_t>(k)];
          corner[most] = sign[most];
          const double part = kParts[at(zone % 3 + k % 2)];
          corner[middle] = part * sign[middle];
          corner[least] = part * kParts[at(zone / 3 + k / 2)] * sign[least];
        }
        fill_cell(points, corners);
      }
    }
  }
}

DirectionTable::DirectionTable(const DirectionTable& like, double factor) : DirectionTable(like) {
  for (Double4& p : points_) p = Double4{factor * p[0], factor * p[1], factor * p[2], p[3]};
}

void DirectionTable::fill_cell(std::span<const Vec3> points, const std::array<Vec3, 4>& corners) {
  // Distances are linear in the direction: who is behind another at all corners is so all over the cell.
  const Vec3 centre = corners[0] + corners[1] + corners[2] + corners[3];
  std::vector<std::size_t> best = {farthest_of(points, centre)};
  for (const Vec3& corner : corners) best.push_back(farthest_of(points, corner));
  const auto is_behind = [&](const Vec3& p) {
    const double margin = kMargin * p.norm();
    return std::ranges::any_of(best, [&](std::size_t b) {
      return std::ranges::all_of(
          corners, [&](const Vec3& corner) { return corner.dot(points[b] - p) > margin; });
    });
  };
  const std::size_t c = cell_of(centre.x(), centre.y(), centre.z());
  Cell& cell = cells_[c];
  cell.fill(static_cast<std::uint16_t>(best[0]));
  more_begin_[c] = static_cast<std::uint32_t>(more_.size());
  std::size_t count = 1;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (k == best[0] || is_behind(points[k])) continue;
    if (count < cell.size()) {
      cell[count++] = static_cast<std::uint16_t>(k);
    } else {
      more_.push_back(static_cast<std::uint16_t>(k));
      cell[0] |= kHasMore;
    }
  }
  more_end_[c] = static_cast<std::uint32_t>(more_.size());
}

std::size_t DirectionTable::farther(std::size_t cell, const Point3& direction, std::size_t best,
                                    double most) const {
  for (std::uint32_t k = more_begin_[cell]; k < more_end_[cell]; ++k) {
    const double along = dot(point(more_[k]), direction);
    if (along > most) {
      most = along;
      best = more_[k];
    }
  }
  return best;
}

}  // namespace grouser::internal
