#include "assets/wheel_spokes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "assets/wheel_bars.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

using Ring = std::vector<std::int32_t>;

/// Rows of nodes on a surface around the axle. Spokes stand on the rows from spoke_begin to spoke_end.
struct Mantle {
  BarCircle circle;
  std::vector<std::vector<MeshBuilder::RingNode>> rows;
  std::size_t spoke_begin = 0, spoke_end = 0;

  Ring ring(std::size_t row) const {
    Ring vertices;
    for (const MeshBuilder::RingNode& node : rows[row]) vertices.push_back(node.vertex);
    return vertices;
  }
  std::size_t foot_begin(int bar) const {
    return static_cast<std::size_t>(bar) * static_cast<std::size_t>(circle.nodes_per_bar());
  }
  std::int32_t vertex(std::size_t row, std::size_t column) const {
    return rows[row][column].vertex;
  }
};

/// How spokes and gaps divide surfaces with radii in a range.
BarCircle spoke_circle(const WheelSpec& spec, const WheelSection& section,
                       const RadiusRange& radii) {
  const double longest = std::min(spec.edge_around / radii.max, section.largest_step());
  if (!section.spoked()) return {.gap_pieces = std::max(3, pieces(kTurn, longest))};
  BarCircle circle{.bars = spec.spokes.count, .half_width = spec.spokes.thickness / 2};
  const double largest_foot = 2 * portable::asin(circle.half_width / radii.min);
  const double smallest_foot = 2 * portable::asin(circle.half_width / radii.max);
  circle.bar_pieces = std::max(pieces(spec.spokes.thickness, spec.edge_around),
                               pieces(largest_foot, section.largest_step()));
  circle.gap_pieces = pieces(kTurn / circle.bars - smallest_foot, longest);
  return circle;
}

RadiusRange inner_radii(const WheelSpec& spec) {
  const RadiusRange tread = tread_radii(spec);
  return {tread.min - spec.rim_thickness, tread.max - spec.rim_thickness};
}

void add_faces(const Mantle& mantle, MeshBuilder& builder) {
  const std::size_t per_bar = static_cast<std::size_t>(mantle.circle.nodes_per_bar());
  const std::size_t foot = static_cast<std::size_t>(mantle.circle.bar_pieces);
  for (std::size_t i = 0; i + 1 < mantle.rows.size(); ++i) {
    const Ring first = mantle.ring(i), second = mantle.ring(i + 1);
    const bool at_spokes = mantle.spoke_begin <= i && i < mantle.spoke_end;
    for (std::size_t j = 0; j < first.size(); ++j) {
      if (at_spokes && j % per_bar < foot) continue;
      builder.cell(first, second, j, i < mantle.rows.size() / 2);
    }
  }
}

/// Places (row above spoke_begin, node across the foot) around a spoke's foot, anticlockwise seen from
/// outside the wheel.
std::vector<std::array<std::size_t, 2>> perimeter(std::size_t rows, std::size_t across) {
  std::vector<std::array<std::size_t, 2>> places;
  for (std::size_t k = 0; k < across; ++k) places.push_back({0, k});
  for (std::size_t i = 0; i < rows; ++i) places.push_back({i, across});
  for (std::size_t k = across; k > 0; --k) places.push_back({rows, k});
  for (std::size_t i = rows; i > 0; --i) places.push_back({i, 0});
  return places;
}

void add_spoke(const Mantle& hub, const Mantle& rim, int bar, int levels, MeshBuilder& builder) {
  const std::size_t hub_column = hub.foot_begin(bar), rim_column = rim.foot_begin(bar);
  const auto places =
      perimeter(rim.spoke_end - rim.spoke_begin, static_cast<std::size_t>(rim.circle.bar_pieces));
  std::vector<Ring> rings(static_cast<std::size_t>(levels) + 1);
  for (const auto& [row, k] : places) {
    const std::int32_t inner = hub.vertex(hub.spoke_begin + row, hub_column + k);
    const std::int32_t outer = rim.vertex(rim.spoke_begin + row, rim_column + k);
    rings.front().push_back(inner);
    for (int l = 1; l < levels; ++l) {
      const double part = static_cast<double>(l) / levels;
      const Vec3 a = builder.position(inner), b = builder.position(outer);
      rings[static_cast<std::size_t>(l)].push_back(
          builder.vertex({a.x() + part * (b.x() - a.x()), a.y(), a.z() + part * (b.z() - a.z())}));
    }
    rings.back().push_back(outer);
  }
  for (std::size_t l = 0; l + 1 < rings.size(); ++l) builder.band(rings[l], rings[l + 1], true);
}

/// Number of pieces of a spoke's length.
int spoke_levels(const WheelSpec& spec) {
  const double length = spec.radius - spec.rim_thickness - spec.spokes.hub_radius;
  return pieces(length, std::max(spec.edge_around, spec.edge_across));
}

/// The hub's rows are those of the rim along the spokes, and more on both sides.
std::vector<double> hub_rows(const WheelSpec& spec, const std::vector<double>& rim_rows,
                             const Mantle& rim) {
  const double half = spec.spokes.hub_width / 2;
  const double begin = rim_rows[rim.spoke_begin], end = rim_rows[rim.spoke_end];
  std::vector<double> rows;
  const int below = pieces(begin + half, spec.edge_across);
  for (int i = 0; i < below; ++i) rows.push_back((-half * (below - i) + begin * i) / below);
  rows.insert(rows.end(), rim_rows.begin() + static_cast<std::ptrdiff_t>(rim.spoke_begin),
              rim_rows.begin() + static_cast<std::ptrdiff_t>(rim.spoke_end) + 1);
  const int above = pieces(half - end, spec.edge_across);
  for (int i = 1; i <= above; ++i) rows.push_back((end * (above - i) + half * i) / above);
  return rows;
}

void add_spokes_and_hub(const WheelSpec& spec, const WheelSection& section,
                        const std::vector<double>& rim_rows, const Mantle& rim,
                        MeshBuilder& builder) {
  const double radius = spec.spokes.hub_radius;
  Mantle hub{.circle = spoke_circle(spec, section, {radius, radius})};
  hub.circle.bar_pieces = rim.circle.bar_pieces;
  const std::vector<double> rows = hub_rows(spec, rim_rows, rim);
  for (const double y : rows) hub.rows.push_back(hub.circle.add_nodes(builder, radius, y));
  hub.spoke_begin =
      static_cast<std::size_t>(std::ranges::find(rows, rim_rows[rim.spoke_begin]) - rows.begin());
  hub.spoke_end = hub.spoke_begin + rim.spoke_end - rim.spoke_begin;

  builder.set_reversed(false);
  add_faces(hub, builder);
  builder.fan(builder.vertex({0, rows.back(), 0}), hub.ring(rows.size() - 1));
  const int levels = spoke_levels(spec);
  for (int bar = 0; bar < spec.spokes.count; ++bar) add_spoke(hub, rim, bar, levels, builder);
  builder.set_reversed(true);
  builder.fan(builder.vertex({0, rows.front(), 0}), hub.ring(0));
}

}  // namespace

InnerRings build_inside(const WheelSpec& spec, const WheelSection& section,
                        const std::vector<double>& rows, MeshBuilder& builder) {
  Mantle rim{.circle = spoke_circle(spec, section, inner_radii(spec))};
  for (const double y : rows) {
    rim.rows.push_back(rim.circle.add_nodes(builder, section.inner_radius(y), y));
  }
  if (section.spoked()) {
    const auto row_at = [&](double y) {
      return static_cast<std::size_t>(std::ranges::find(rows, y) - rows.begin());
    };
    rim.spoke_begin = row_at(-spec.spokes.width / 2);
    rim.spoke_end = row_at(spec.spokes.width / 2);
  }
  builder.set_reversed(true);
  add_faces(rim, builder);
  if (section.spoked()) add_spokes_and_hub(spec, section, rows, rim, builder);
  return {.back = rim.rows.front(), .front = rim.rows.back()};
}

double inside_estimate(const WheelSpec& spec, const WheelSection& section, double rows) {
  const BarCircle rim = spoke_circle(spec, section, inner_radii(spec));
  const double rim_nodes = std::max(rim.bars, 1) * (rim.bar_pieces + rim.gap_pieces);
  const double faces = 2 * rim_nodes * (rows + 2);
  if (!section.spoked()) return faces;
  const double hub_radius = spec.spokes.hub_radius;
  const BarCircle hub = spoke_circle(spec, section, {hub_radius, hub_radius});
  const double hub_nodes = hub.bars * (rim.bar_pieces + hub.gap_pieces);
  const double hub_rows = rows + spec.spokes.hub_width / spec.edge_across + 4;
  const double perimeter = 2 * (rim.bar_pieces + rows);
  return faces + 2 * hub_nodes * hub_rows + 2.0 * rim.bars * perimeter * spoke_levels(spec);
}

}  // namespace grouser::internal
