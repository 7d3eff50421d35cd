#pragma once

#include <algorithm>

#include "collision/terrain_contact.h"

/// What the files of terrain contact share.
namespace grouser::internal::terrain_contact {

/// Samples that exceed what the corners explain by less are taken for rounding [m]. The force that a point
/// of this depth has beside others is lost in theirs.
inline constexpr double kLeastExcess = 1e-9;

/// The ground as contact sees it: heights, and slopes over one spacing of the grid.
struct Ground {
  const ElevationMap& map;
  double ceiling;  // no ground under the shape is higher [m]

  double height(const Vec3& p) const { return map.height(p.x(), p.y()); }
  /// Vertical, positive below the ground [m].
  double depth(const Vec3& p) const { return height(p) - p.z(); }
  bool is_above(const Vec3& p) const { return p.z() >= ceiling; }
  Vec2 slope(const Vec3& p) const {
    const double s = map.grid().spacing, x = p.x(), y = p.y();
    return {(map.height(x + 0.5 * s, y) - map.height(x - 0.5 * s, y)) / s,
            (map.height(x, y + 0.5 * s) - map.height(x, y - 0.5 * s)) / s};
  }
  Vec3 normal(const Vec3& p) const {
    const Vec2 g = slope(p);
    return Vec3(-g.x(), -g.y(), 1).normalized();
  }
};

/// Counts a point that lies below the ground by `depth` vertically.
inline void add(const Vec3& p, double depth, const Vec3& normal, TerrainContact& contact) {
  const double along = depth * normal.z();
  contact.points.push_back({.p = p + 0.5 * along * normal, .normal = normal, .depth = along});
}

/// Counts a sample so far as it is deeper than `explained` [m], vertically.
inline void add_sample(const Ground& ground, const Vec3& p, double depth, double explained,
                       TerrainContact& contact) {
  const double excess = depth - std::max(0.0, explained);
  if (excess > kLeastExcess) add(p, excess, ground.normal(p), contact);
}

}  // namespace grouser::internal::terrain_contact
