#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "assets/fields.h"
#include "core/error.h"
#include "geometry/tri_mesh.h"

/// Meshes of rover wheels. The axle is y, the centre the origin, x forward and z up, as in the wheel
/// bodies of the built-in rovers. Angles about the axle count from z towards x, the way the wheel turns
/// when it rolls forward.
namespace grouser::internal {

enum class WheelKind {
  rim,      ///< a tread all around, with or without grousers
  rimless,  ///< curved legs with feet on a hub, as on the Scout rover
};
inline constexpr std::array<const char*, 2> kWheelKindNames = {"rim", "rimless"};

enum class TreadProfile {
  flat,      ///< a cylinder
  convex,    ///< a circular arc, highest in the middle
  polyline,  ///< straight lines between given points
};
inline constexpr std::array<const char*, 3> kTreadProfileNames = {"flat", "convex", "polyline"};

enum class GrouserStyle {
  straight,  ///< along the axle
  slanted,   ///< a helix; the +y end is ahead by a positive angle
  chevron,   ///< a V, symmetric about the middle; the ends are ahead of it by a positive angle
};
inline constexpr std::array<const char*, 3> kGrouserStyleNames = {"straight", "slanted", "chevron"};

/// Bars across the tread, evenly spread; one stands at the top (angle 0) in the middle of the width.
struct GrouserSpec {
  int count = 24;            ///< 0 = a smooth tread
  double height = 0.008;     ///< above the tread, at every point of it [m]
  double thickness = 0.003;  ///< at right angles to the bar's run, the same from foot to tip [m]
  GrouserStyle style = GrouserStyle::straight;
  double angle_deg = 15;  ///< between the bar and the axle, at the wheel's radius [deg]
};

/// Flat bars between a solid hub and the inside of the rim.
struct SpokeSpec {
  int count = 6;              ///< 0 = neither spokes nor hub, an open rim
  double thickness = 0.006;   ///< around the axle [m]
  double width = 0.03;        ///< along the axle [m]
  double hub_radius = 0.025;  ///< [m]
  double hub_width = 0.04;    ///< along the axle, more than the spokes' width [m]
};

/// Legs of a rimless wheel: each leaves the hub radially, bends in an arc and ends in a straight foot
/// with a round tip. The radial part is as long as makes the outermost point stand at the wheel's radius.
struct LegSpec {
  int count = 3;
  double thickness = 0.01;    ///< in the plane of the wheel [m]
  double arc_radius = 0.05;   ///< of the leg's centre line [m]
  double arc_deg = 60;        ///< positive bends against forward rolling: the foot trails [deg]
  double foot_length = 0.03;  ///< of the straight part after the arc, without the tip [m]
  double hub_radius = 0.025;  ///< [m]
};

struct WheelSpec {
  WheelKind kind = WheelKind::rim;
  double radius = 0.129;  ///< largest, without grousers [m]
  double width = 0.1;     ///< along the axle [m]
  TreadProfile profile = TreadProfile::flat;
  double crown_height = 0.01;  ///< convex: from the edges of the tread up to its middle [m]
  /// Polyline: (y / half width, radius / wheel radius), from y = -1 to 1, the largest radius 1.
  std::vector<Vec2> profile_points;
  double rim_thickness = 0.004;  ///< radially [m]; 0 = a solid disc
  GrouserSpec grousers;
  SpokeSpec spokes;
  LegSpec legs;
  double edge_around = 0.005;  ///< longest edges in the plane of the wheel, about [m]
  double edge_across = 0.01;   ///< longest edges along the axle, about [m]
};

inline constexpr GeneratorInfo generator_of(const WheelSpec&) { return {"wheel", 1}; }

/// Throws Error(input) with every parameter that is out of range or does not fit the others. `place`
/// leads the names of the fields.
void validate(const WheelSpec& spec, const std::string& place = {});

/// See asset_id.h.
std::uint64_t asset_id(const WheelSpec& spec);

/// One closed surface that does not cut itself, outward. Throws as validate() does.
TriMesh make_wheel(const WheelSpec& spec);

/// What no single range can say: findings about parameters that do not fit each other.
void check_fit(const WheelSpec& spec, const std::string& place, IssueList& issues);

template <class Visitor>
void visit_fields(GrouserSpec& spec, Visitor& visit) {
  visit(FieldInfo{"count", "number of grousers; 0 = a smooth tread"}.in(0, 1000), spec.count);
  visit(FieldInfo{"height", "height above the tread", "m"}.above(0, 10), spec.height);
  visit(FieldInfo{"thickness", "thickness, across the bar's run", "m"}.above(0, 10),
        spec.thickness);
  visit(FieldInfo{"style", "how the bars run across the tread"}, spec.style, kGrouserStyleNames);
  visit(FieldInfo{"angle_deg", "slanted, chevron: angle to the axle", "deg"}.in(-60, 60),
        spec.angle_deg);
}

template <class Visitor>
void visit_fields(SpokeSpec& spec, Visitor& visit) {
  visit(FieldInfo{"count", "number of spokes; 0 = an open rim, no hub"}.in(0, 1000), spec.count);
  visit(FieldInfo{"thickness", "thickness around the axle", "m"}.above(0, 10), spec.thickness);
  visit(FieldInfo{"width", "width along the axle", "m"}.above(0, 10), spec.width);
  visit(FieldInfo{"hub_radius", "radius of the hub", "m"}.above(0, 10), spec.hub_radius);
  visit(FieldInfo{"hub_width", "width of the hub along the axle", "m"}.above(0, 10),
        spec.hub_width);
}

template <class Visitor>
void visit_fields(LegSpec& spec, Visitor& visit) {
  visit(FieldInfo{"count", "number of legs"}.in(1, 100), spec.count);
  visit(FieldInfo{"thickness", "thickness in the plane of the wheel", "m"}.above(0, 10),
        spec.thickness);
  visit(FieldInfo{"arc_radius", "radius of the leg's bend", "m"}.above(0, 10), spec.arc_radius);
  visit(FieldInfo{"arc_deg", "angle of the bend; positive = the foot trails", "deg"}.in(-170, 170),
        spec.arc_deg);
  visit(FieldInfo{"foot_length", "straight length after the bend", "m"}.in(0, 10),
        spec.foot_length);
  visit(FieldInfo{"hub_radius", "radius of the hub", "m"}.above(0, 10), spec.hub_radius);
}

template <class Visitor>
void visit_fields(WheelSpec& spec, Visitor& visit) {
  visit(FieldInfo{"kind", "with a rim, or legs without"}, spec.kind, kWheelKindNames);
  visit(FieldInfo{"radius", "largest radius, without grousers", "m"}.in(1e-3, 10), spec.radius);
  visit(FieldInfo{"width", "width along the axle", "m"}.in(1e-3, 10), spec.width);
  visit(FieldInfo{"profile", "shape of the tread across the width"}, spec.profile,
        kTreadProfileNames);
  visit(FieldInfo{"crown_height", "convex: rise from the edges to the middle", "m"}.above(0, 10),
        spec.crown_height);
  visit(FieldInfo{"profile_points", "polyline: y / half width, radius / wheel radius"}.in(-1, 1),
        spec.profile_points);
  visit(FieldInfo{"rim_thickness", "radial thickness; 0 = a solid disc", "m"}.in(0, 10),
        spec.rim_thickness);
  visit(FieldInfo{"grousers", "bars across the tread"}, spec.grousers);
  visit(FieldInfo{"spokes", "bars between hub and rim"}, spec.spokes);
  visit(FieldInfo{"legs", "legs of a rimless wheel"}, spec.legs);
  visit(FieldInfo{"edge_around", "edge length in the plane of the wheel", "m"}.in(1e-5, 10),
        spec.edge_around);
  visit(FieldInfo{"edge_across", "edge length along the axle", "m"}.in(1e-5, 10), spec.edge_across);
}

}  // namespace grouser::internal
