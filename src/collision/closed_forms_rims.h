#pragma once

#include "collision/lanes.h"
#include "collision/point3.h"

/// Where the rims of two cylinders meet each other or the other's side: the least overlap in directions off the
/// special ones. Searches run side by side, since each alone would wait most of the time for its own roots and
/// quotients.
namespace grouser::internal {

struct Points4 {
  Double4 x, y, z;

  Point3 operator[](int lane) const { return {x[lane], y[lane], z[lane]}; }
  void set(int lane, const Point3& p) {
    x[lane] = p.x;
    y[lane] = p.y;
    z[lane] = p.z;
  }
};

/// Rims of two cylinders, A along z. The overlap along a unit n is
/// q · n + radius_a √(1 - n.z²) + radius_b √(1 - (b · n)²), where q = c + half_a end_a z + half_b end_b b; it
/// is that of the ends with end_a n.z >= 0 and end_b b · n >= 0.
struct RimPair {
  double radius_a, radius_b;  // [m]
  Point3 b;                   // B's axis
};

/// A search in each lane: the direction it is at, and between which ends.
struct RimSearches {
  Points4 n{};
  Points4 q{};
  Double4 end_a{}, end_b{};  // +1 or -1
  Bits4 is_used{};           // all bits of a lane
};

/// Newton's method on the sphere. Moves each search to where the overlap is least; those that lead away from
/// rim on rim, or to no less than `limit` [m], are no longer used. Directions are of unit length but for 1e-6.
void descend_to_rims(const RimPair& rims, double limit, RimSearches& searches);

/// Four of RimEdge with A = (sine, 0), the same for all.
struct SideEdges {
  double sine;
  Double4 q_x{}, q_y{}, radius{}, constant{};
};

/// As descend() of one RimEdge, from x, y within the first quadrant, in the lanes that go.
void descend_on_sides(const SideEdges& f, double limit, Bits4 is_going, Double4& x, Double4& y);

}  // namespace grouser::internal
