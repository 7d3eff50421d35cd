#include "assets/wheel_bars.h"

#include <numbers>

namespace grouser::internal {

double BarCircle::bar_angle(int bar) const {
  return first_angle + 2 * std::numbers::pi * bar / bars;
}

std::vector<double> BarCircle::gap_angles(int bar, double radius) const {
  std::vector<double> angles;
  if (bars == 0) {
    for (int k = 0; k < gap_pieces; ++k) {
      angles.push_back(first_angle + 2 * std::numbers::pi * k / gap_pieces);
    }
    return angles;
  }
  const double edge = portable::asin(half_width / radius);
  const double begin = bar_angle(bar) + edge, end = bar_angle(bar + 1) - edge;
  for (int k = 1; k < gap_pieces; ++k) {
    angles.push_back((begin * (gap_pieces - k) + end * k) / gap_pieces);
  }
  return angles;
}

std::vector<MeshBuilder::RingNode> BarCircle::add_nodes(MeshBuilder& builder, double radius,
                                                        double y) const {
  std::vector<MeshBuilder::RingNode> nodes;
  const auto add_gap = [&](int bar) {
    for (const double angle : gap_angles(bar, radius)) {
      nodes.push_back({angle, builder.vertex(axle_point(angle, radius, 0, y))});
    }
  };
  for (int bar = 0; bar < bars; ++bar) {
    for (int k = 0; k <= bar_pieces; ++k) {
      const double s = across(k), centre = bar_angle(bar);
      nodes.push_back({centre + portable::asin(s / radius),
                       builder.vertex(axle_point(centre, chord_height(radius, s), s, y))});
    }
    add_gap(bar);
  }
  if (bars == 0) add_gap(0);
  return nodes;
}

}  // namespace grouser::internal
