#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Four points that span the set: the ends of its longest extent along an axis, the point farthest
/// from the line through them and the one farthest from the plane through those three.
struct SpanningPoints {
  std::array<std::int32_t, 4> index{};
  double extent = 0;  ///< diagonal of the bounding box [m]
  double width = 0;   ///< distance of the third point from the line [m]
  double height = 0;  ///< distance of the fourth point from the plane [m]
};
SpanningPoints spanning_points(std::span<const Vec3> points);

/// `count` >= 4 of the points whose hull comes near that of all: starting from the spanning points,
/// again and again the one farthest outside the hull so far. In ascending order; fewer if no more
/// points lie outside.
std::vector<std::int32_t> select_hull_points(std::span<const Vec3> points, std::size_t count);

}  // namespace grouser::internal
