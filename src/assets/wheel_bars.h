#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "assets/mesh_builder.h"
#include "assets/portable_math.h"

namespace grouser::internal {

/// The point that lies `radial` along the direction at an angle [rad] about y (from z towards x) and
/// `tangential` at right angles to it, at the height y.
inline Vec3 axle_point(double angle, double radial, double tangential, double y) {
  const portable::SinCos a = portable::sin_cos(angle);
  return {radial * a.sin + tangential * a.cos, y, radial * a.cos - tangential * a.sin};
}

/// How far out a point of a circle lies if it is `tangential` beside the circle's axis.
inline double chord_height(double radius, double tangential) {
  return std::sqrt(radius * radius - tangential * tangential);
}

/// A circle that evenly spread bars of the same width cut into feet and gaps. Its nodes around the axle
/// are, bar by bar: bar_pieces + 1 nodes across the foot, evenly spaced at right angles to the bar, then
/// gap_pieces - 1 nodes in the gap, evenly spaced by angle. Without bars: gap_pieces nodes.
struct BarCircle {
  int bars = 0;
  double half_width = 0;  ///< of a bar [m]
  int bar_pieces = 1;
  int gap_pieces = 1;
  double first_angle = 0;  ///< of the first bar [rad]

  /// Tangential coordinate of node k of a foot.
  double across(int k) const { return half_width * (2.0 * k / bar_pieces - 1); }
  double bar_angle(int bar) const;
  int nodes_per_bar() const { return bars == 0 ? 0 : bar_pieces + gap_pieces; }
  int node_count() const { return bars == 0 ? gap_pieces : bars * nodes_per_bar(); }

  /// Angles of the nodes of the gap after a bar, on a circle of the given radius [m].
  std::vector<double> gap_angles(int bar, double radius) const;

  /// All nodes on the circle of the given radius at y, in order.
  std::vector<MeshBuilder::RingNode> add_nodes(MeshBuilder& builder, double radius, double y) const;
};

}  // namespace grouser::internal
