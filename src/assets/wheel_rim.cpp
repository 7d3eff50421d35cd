#include "assets/wheel_rim.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assets/mesh_builder.h"
#include "assets/wheel_bars.h"
#include "assets/wheel_section.h"
#include "assets/wheel_spokes.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

using Ring = std::vector<std::int32_t>;

/// Number of pieces around the whole circle or a part of it (an angle [rad]).
int pieces_around(const WheelSpec& spec, const WheelSection& section, double angle) {
  return pieces(angle, std::min(spec.edge_around / spec.radius, section.largest_step()));
}

/// How grousers and gaps divide the tread; `first_angle` is still to be set row by row.
BarCircle tread_circle(const WheelSpec& spec, const WheelSection& section) {
  if (spec.grousers.count == 0) {
    return {.gap_pieces = std::max(3, pieces_around(spec, section, kTurn))};
  }
  BarCircle circle{.bars = spec.grousers.count, .half_width = section.grouser_half_width()};
  circle.bar_pieces = pieces(2 * circle.half_width, spec.edge_around);
  // The foot itself must not be a longer chord than the rim allows, where it takes the largest angle.
  const double largest_foot = 2 * portable::asin(circle.half_width / tread_radii(spec).min);
  circle.bar_pieces = std::max(circle.bar_pieces, pieces(largest_foot, section.largest_step()));
  const double smallest_foot = 2 * portable::asin(circle.half_width / spec.radius);
  circle.gap_pieces = pieces_around(spec, section, kTurn / circle.bars - smallest_foot);
  return circle;
}

/// The outer surface: rows of nodes that run up one wall of each grouser, across its top, down the other
/// wall and along the gap. All rows have the same number of nodes.
class Tread {
 public:
  Tread(const WheelSpec& spec, const WheelSection& section, MeshBuilder& builder)
      : spec_(spec), section_(section), builder_(builder), circle_(tread_circle(spec, section)) {
    if (spec.grousers.count > 0) levels_ = pieces(spec.grousers.height, spec.edge_around);
  }

  void build(const std::vector<double>& rows) {
    for (const double y : rows) add_row(y);
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      const double turn = section_.shift(rows[i + 1]) - section_.shift(rows[i]);
      // The shorter diagonal; without a turn, mirrored about the middle.
      const bool rising = turn != 0 ? turn < 0 : rows[i] + rows[i + 1] < 0;
      for (std::size_t j = 0; j < rows_[i].size(); ++j) {
        // Both walls of a grouser are cut alike from foot to tip, so that a thin twisted one does not
        // cut itself.
        const bool mirrored = is_right_wall(static_cast<int>(j));
        builder_.cell(rows_[i], rows_[i + 1], j, rising != mirrored);
      }
    }
  }

  /// Closes the ends of the grousers in the plane of a row and gives the ring at their feet. Outside is
  /// +y.
  std::vector<MeshBuilder::RingNode> close_grousers(std::size_t row, double y) {
    std::vector<MeshBuilder::RingNode> feet;
    circle_.first_angle = section_.shift(y);
    const double radius = section_.radius(y);
    for (int bar = 0; bar < circle_.bars; ++bar) {
      const std::vector<Ring> grid = end_grid(row, bar, y);
      for (std::size_t k = 0; k < grid.size(); ++k) {
        const double angle =
            circle_.bar_angle(bar) + portable::asin(circle_.across(static_cast<int>(k)) / radius);
        feet.push_back({angle, grid[k][0]});
        if (k == 0) continue;
        for (std::size_t l = 0; l + 1 < grid[k].size(); ++l) {
          builder_.quad(grid[k - 1][l], grid[k - 1][l + 1], grid[k][l + 1], grid[k][l]);
        }
      }
      add_gap_nodes(row, bar, radius, feet);
    }
    if (circle_.bars == 0) add_gap_nodes(row, 0, radius, feet);
    return feet;
  }

 private:
  // Places in a row.
  int bar_begin(int bar) const {
    return bar * (2 * levels_ + circle_.bar_pieces + circle_.gap_pieces);
  }
  int left(int bar, int level) const { return bar_begin(bar) + level; }
  int top(int bar, int k) const { return bar_begin(bar) + levels_ + k; }
  int right(int bar, int level) const {
    return bar_begin(bar) + 2 * levels_ + circle_.bar_pieces - level;
  }
  int gap(int bar, int k) const { return circle_.bars == 0 ? k : right(bar, 0) + 1 + k; }
  /// Whether the step from a place to the next leads down the second wall of a grouser.
  bool is_right_wall(int place) const {
    if (circle_.bars == 0) return false;
    const int in_bar = place % bar_begin(1);
    return right(0, levels_) <= in_bar && in_bar < right(0, 0);
  }
  std::int32_t node(std::size_t row, int place) const {
    return rows_[row][static_cast<std::size_t>(place)];
  }

  /// The point of a grouser `across` its middle, at a level of its height.
  Vec3 grouser_point(int bar, double across, int level, double y) const {
    const double radius = section_.radius(y);
    const double foot = chord_height(radius, across);
    const double tip = chord_height(radius + spec_.grousers.height, across);
    const double radial =
        level == levels_ ? tip : foot + (tip - foot) * static_cast<double>(level) / levels_;
    return axle_point(circle_.bar_angle(bar), radial, across, y);
  }

  void add_row(double y) {
    circle_.first_angle = section_.shift(y);
    const double radius = section_.radius(y);
    Ring row;
    const auto add = [&](const Vec3& point) { row.push_back(builder_.vertex(point)); };
    const auto add_gap = [&](int bar) {
      for (const double angle : circle_.gap_angles(bar, radius)) {
        add(axle_point(angle, radius, 0, y));
      }
    };
    for (int bar = 0; bar < circle_.bars; ++bar) {
      for (int l = 0; l < levels_; ++l) add(grouser_point(bar, -circle_.half_width, l, y));
      for (int k = 0; k <= circle_.bar_pieces; ++k) {
        add(grouser_point(bar, circle_.across(k), levels_, y));
      }
      for (int l = levels_ - 1; l >= 0; --l) add(grouser_point(bar, circle_.half_width, l, y));
      add_gap(bar);
    }
    if (circle_.bars == 0) add_gap(0);
    rows_.push_back(std::move(row));
  }

  /// Nodes [k][level] of a grouser's end: those of the row on three sides, new ones inside and at the
  /// foot.
  std::vector<Ring> end_grid(std::size_t row, int bar, double y) {
    std::vector<Ring> grid;
    for (int k = 0; k <= circle_.bar_pieces; ++k) {
      Ring column;
      for (int l = 0; l < levels_; ++l) {
        if (k == 0) {
          column.push_back(node(row, left(bar, l)));
        } else if (k == circle_.bar_pieces) {
          column.push_back(node(row, right(bar, l)));
        } else {
          column.push_back(builder_.vertex(grouser_point(bar, circle_.across(k), l, y)));
        }
      }
      column.push_back(node(row, top(bar, k)));
      grid.push_back(std::move(column));
    }
    return grid;
  }

  void add_gap_nodes(std::size_t row, int bar, double radius,
                     std::vector<MeshBuilder::RingNode>& ring) const {
    int k = 0;
    for (const double angle : circle_.gap_angles(bar, radius)) {
      ring.push_back({angle, node(row, gap(bar, k++))});
    }
  }

  const WheelSpec& spec_;
  const WheelSection& section_;
  MeshBuilder& builder_;
  BarCircle circle_;
  int levels_ = 0;  // pieces of a grouser's wall
  std::vector<Ring> rows_;
};

void close_disc(MeshBuilder& builder, const std::vector<MeshBuilder::RingNode>& ring, double y) {
  Ring vertices;
  for (const MeshBuilder::RingNode& node : ring) vertices.push_back(node.vertex);
  builder.fan(builder.vertex({0, y, 0}), vertices);
}

}  // namespace

TriMesh rim_wheel(const WheelSpec& spec) {
  const WheelSection section(spec);
  const std::vector<double> rows = section.rows();
  MeshBuilder builder;
  Tread tread(spec, section, builder);
  tread.build(rows);
  InnerRings inside;
  if (section.hollow()) inside = build_inside(spec, section, rows, builder);
  for (const bool front : {false, true}) {
    builder.set_reversed(!front);
    const double y = front ? rows.back() : rows.front();
    const auto ring = tread.close_grousers(front ? rows.size() - 1 : 0, y);
    if (section.hollow()) {
      builder.annulus(sorted_ring(front ? inside.front : inside.back), sorted_ring(ring));
    } else {
      close_disc(builder, ring, y);
    }
  }
  return builder.take();
}

double triangle_estimate(const WheelSpec& spec) {
  if (spec.kind == WheelKind::rimless) {
    const double lengths = 2 * spec.radius + 2 * spec.legs.foot_length +
                           2 * std::numbers::pi * (spec.legs.arc_radius + spec.legs.thickness);
    const double around = spec.legs.count * (lengths / spec.edge_around + 100);
    return 2 * around * (pieces(spec.width, spec.edge_across) + 2);
  }
  const WheelSection section(spec);
  const double rows = static_cast<double>(section.rows().size());
  const BarCircle circle = tread_circle(spec, section);
  const double bars = circle.bars;
  const double levels = bars > 0 ? pieces(spec.grousers.height, spec.edge_around) : 0;
  const double around = std::max(bars, 1.0) * (2 * levels + circle.bar_pieces + circle.gap_pieces);
  const double tread = 2 * around * rows + 4 * (around + bars * levels * circle.bar_pieces);
  return tread + (section.hollow() ? inside_estimate(spec, section, rows) : 0);
}

}  // namespace grouser::internal
