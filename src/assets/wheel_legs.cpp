#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "assets/field_check.h"
#include "assets/mesh_builder.h"
#include "assets/wheel_bars.h"
#include "assets/wheel_rim.h"
#include "assets/wheel_section.h"
#include "core/text.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

using Ring = std::vector<std::int32_t>;

/// One leg in its own plane: u along the radius, v the way the wheel rolls. From the hub outward the
/// points come in pairs on both sides of the centre line; then the round tip from the rear side to the
/// front side.
struct Leg {
  std::vector<Vec2> rear, front;
  std::vector<Vec2> tip;  // between rear.back() and front.back()
};

/// A place on the centre line with its direction.
struct Station {
  Vec2 point, direction;
};

/// The centre line from the end of the radial part, as if that ended at u = 0.
std::vector<Station> bend_and_foot(const LegSpec& legs, double edge) {
  const double turn = -kDegree * legs.arc_deg;  // positive towards v
  std::vector<Station> line = {{Vec2::Zero(), Vec2::UnitX()}};
  const double length = std::abs(turn) * legs.arc_radius;
  constexpr double kLongestTurn = 0.2;  // [rad] between neighbours, however long the edges may be
  const int n = std::max(pieces(length, edge), pieces(std::abs(turn), kLongestTurn));
  for (int i = 1; i <= n && turn != 0; ++i) {
    const portable::SinCos a = portable::sin_cos(turn * i / n);
    const double side = turn > 0 ? 1 : -1;
    line.push_back(
        {{legs.arc_radius * side * a.sin, legs.arc_radius * side * (1 - a.cos)}, {a.cos, a.sin}});
  }
  if (legs.foot_length <= 0) return line;
  const Station end = line.back();
  const int steps = pieces(legs.foot_length, edge);
  for (int i = 1; i <= steps; ++i) {
    const double way = legs.foot_length * i / steps;
    line.push_back(
        {{end.point.x() + way * end.direction.x(), end.point.y() + way * end.direction.y()},
         end.direction});
  }
  return line;
}

Vec2 beside(const Station& station, double distance) {
  return {station.point.x() - distance * station.direction.y(),
          station.point.y() + distance * station.direction.x()};
}

/// The leg beyond its radial part, which is still missing.
Leg outer_leg(const LegSpec& legs, double edge) {
  const double half = legs.thickness / 2;
  Leg leg;
  const std::vector<Station> line = bend_and_foot(legs, edge);
  for (const Station& station : line) {
    leg.rear.push_back(beside(station, -half));
    leg.front.push_back(beside(station, half));
  }
  const Station& end = line.back();
  const int n = std::max(6, pieces(std::numbers::pi * half, edge));
  for (int i = 1; i < n; ++i) {
    const portable::SinCos a = portable::sin_cos(std::numbers::pi * i / n);
    const Vec2 ahead = end.point + half * a.sin * end.direction;
    leg.tip.push_back(beside({ahead, end.direction}, -half * a.cos));
  }
  return leg;
}

/// Calls f(point) for every point of a leg.
template <class F>
void for_each_point(Leg& leg, F&& f) {
  for (std::vector<Vec2>* side : {&leg.rear, &leg.front, &leg.tip}) {
    for (Vec2& point : *side) f(point);
  }
}

/// Length of the radial part, from the axle, for which the outermost point stands at the wheel's
/// radius; not a number if the leg is too wide for that.
double radial_length(const WheelSpec& spec, Leg& leg) {
  double length = std::numeric_limits<double>::infinity();
  for_each_point(leg, [&](const Vec2& p) {
    const double room = chord_height(spec.radius, p.y()) - p.x();
    length = std::isnan(room) ? room : std::min(length, room);
  });
  return length;
}

double foot_of_leg(const LegSpec& legs) {
  return chord_height(legs.hub_radius, legs.thickness / 2);
}

/// The whole leg from the hub on; empty if it does not fit.
Leg make_leg(const WheelSpec& spec, double edge) {
  Leg leg = outer_leg(spec.legs, edge);
  const double length = radial_length(spec, leg), begin = foot_of_leg(spec.legs);
  if (!(length > begin)) return {};
  bool inside = true;  // a long foot may reach out on the far side of the axle
  for_each_point(leg, [&](Vec2& p) {
    p.x() += length;
    inside = inside && p.x() > -chord_height(spec.radius, p.y());
  });
  if (!inside) return {};
  const int n = pieces(length - begin, edge);
  const double half = spec.legs.thickness / 2;
  std::vector<Vec2> rear, front;
  for (int i = 0; i < n; ++i) {
    const double u = (begin * (n - i) + length * i) / n;
    rear.emplace_back(u, -half);
    front.emplace_back(u, half);
  }
  leg.rear.insert(leg.rear.begin(), rear.begin(), rear.end());
  leg.front.insert(leg.front.begin(), front.begin(), front.end());
  return leg;
}

/// Nodes of the hub's rim between two legs.
std::vector<double> hub_angles(const LegSpec& legs, int leg, double edge) {
  const double foot = portable::asin(legs.thickness / 2 / legs.hub_radius);
  const double begin = kTurn * leg / legs.count + foot, end = kTurn * (leg + 1) / legs.count - foot;
  constexpr double kLongestTurn = 0.4;  // [rad]
  const int n =
      std::max(pieces((end - begin) * legs.hub_radius, edge), pieces(end - begin, kLongestTurn));
  std::vector<double> angles;
  for (int k = 1; k < n; ++k) angles.push_back((begin * (n - k) + end * k) / n);
  return angles;
}

/// Outline of the wheel, around the axle: per leg its rear side, tip, front side, then the hub.
struct Outline {
  Leg leg;
  std::vector<Vec3> points;                    // at y = 0
  std::size_t leg_points = 0, hub_points = 0;  // of one leg, and of the hub after it

  std::size_t begin(int index) const {
    return static_cast<std::size_t>(index) * (leg_points + hub_points);
  }
};

Outline make_outline(const WheelSpec& spec, double edge) {
  Outline outline{.leg = make_leg(spec, edge)};
  const Leg& leg = outline.leg;
  if (leg.rear.empty()) return outline;
  std::vector<Vec2> around = leg.rear;
  around.insert(around.end(), leg.tip.begin(), leg.tip.end());
  around.insert(around.end(), leg.front.rbegin(), leg.front.rend());
  outline.leg_points = around.size();
  outline.hub_points = hub_angles(spec.legs, 0, edge).size();
  for (int k = 0; k < spec.legs.count; ++k) {
    for (const Vec2& p : around) {
      outline.points.push_back(axle_point(kTurn * k / spec.legs.count, p.x(), p.y(), 0));
    }
    for (const double angle : hub_angles(spec.legs, k, edge)) {
      outline.points.push_back(axle_point(angle, spec.legs.hub_radius, 0, 0));
    }
  }
  return outline;
}

/// One side of the wheel in a plane y = const, outside +y: the hub as a fan, the legs as strips.
void add_side(const WheelSpec& spec, const Outline& outline, const Ring& ring, double y,
              MeshBuilder& builder) {
  Ring hub;
  const std::size_t pairs = outline.leg.rear.size();
  for (int k = 0; k < spec.legs.count; ++k) {
    const std::size_t begin = outline.begin(k), end = begin + outline.leg_points - 1;
    hub.push_back(ring[begin]);
    hub.push_back(ring[end]);
    for (std::size_t i = 0; i < outline.hub_points; ++i) hub.push_back(ring[end + 1 + i]);
    for (std::size_t i = 0; i + 1 < pairs; ++i) {
      builder.quad(ring[begin + i], ring[begin + i + 1], ring[end - i - 1], ring[end - i]);
    }
    for (std::size_t i = begin + pairs - 1; i + 1 < end - pairs + 1; ++i) {
      builder.triangle(ring[end - pairs + 1], ring[i], ring[i + 1]);
    }
  }
  builder.fan(builder.vertex({0, y, 0}), hub);
}

double cross(const Vec3& a, const Vec3& b, const Vec3& c) {
  return (b.z() - a.z()) * (c.x() - a.x()) - (b.x() - a.x()) * (c.z() - a.z());
}

/// Whether the segments a-b and c-d cross; those that merely touch do not.
bool segments_cross(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0;
}

/// Whether the first leg meets another leg, the hub or itself.
bool outline_cuts_itself(const Outline& outline) {
  const std::size_t n = outline.points.size();
  const auto point = [&](std::size_t i) -> const Vec3& { return outline.points[i % n]; };
  for (std::size_t i = 0; i + 1 < outline.leg_points; ++i) {
    for (std::size_t j = i + 2; j < n; ++j) {
      if ((j + 1) % n == i) continue;  // neighbours share a point
      if (segments_cross(point(i), point(i + 1), point(j), point(j + 1))) return true;
    }
  }
  return false;
}

}  // namespace

TriMesh rimless_wheel(const WheelSpec& spec) {
  const Outline outline = make_outline(spec, spec.edge_around);
  MeshBuilder builder;
  std::vector<Ring> rings;
  const int n = pieces(spec.width, spec.edge_across);
  for (int i = 0; i <= n; ++i) {
    const double y = spec.width * (2.0 * i / n - 1) / 2;
    Ring ring;
    for (const Vec3& p : outline.points) ring.push_back(builder.vertex({p.x(), y, p.z()}));
    rings.push_back(std::move(ring));
  }
  for (int i = 0; i < n; ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    builder.band(rings[row], rings[row + 1], 2 * i < n);
  }
  add_side(spec, outline, rings.back(), spec.width / 2, builder);
  builder.set_reversed(true);
  add_side(spec, outline, rings.front(), -spec.width / 2, builder);
  return builder.take();
}

void check_legs(const WheelSpec& spec, const std::string& place, IssueList& issues) {
  const LegSpec& legs = spec.legs;
  const double room = 2 * legs.hub_radius * std::min(1.0, std::numbers::pi / (legs.count + 0.5));
  if (!(legs.thickness <= 0.95 * room)) {
    add_issue(issues, place, "legs.thickness", legs.thickness, "the legs do not fit on the hub",
              "<= " + format_number(0.95 * room) + " [m]");
    return;
  }
  if (!(legs.thickness < 2 * legs.arc_radius) && legs.arc_deg != 0) {
    add_issue(issues, place, "legs.arc_radius", legs.arc_radius,
              "the legs are too thick for their bend",
              "> " + format_number(legs.thickness / 2) + " [m]");
    return;
  }
  // A little thicker than real, so that what passes does not merely touch.
  WheelSpec stout = spec;
  stout.legs.thickness *= 1.02;
  const Outline outline = make_outline(stout, spec.radius / 20);
  if (outline.points.empty()) {
    add_issue(issues, place, "radius", spec.radius, "too small for hub, bend and foot of the legs",
              "a larger radius, or a smaller hub_radius, arc_radius, arc_deg or foot_length");
  } else if (outline_cuts_itself(outline)) {
    add_issue(issues, place, "legs.count", legs.count, "the legs run into each other or the hub",
              "fewer legs, or a smaller arc_deg or foot_length");
  }
}

}  // namespace grouser::internal
