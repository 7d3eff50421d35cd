#pragma once

#include "contact/bbcc/lanes.h"
#include "contact/bbcc/point3.h"

/// Where the rims of two cylinders meet: the least overlap in directions off the special ones. Four searches
/// run side by side, since each alone would wait most of the time for its own roots and quotients.
namespace grouser {

struct Points4 {
  Double4 x, y, z;

  Point3 operator[](int lane) const { return {x[lane], y[lane], z[lane]}; }
};

inline Points4 all4(const Point3& p) {
  const Double4 none{};
  return {none + p.x, none + p.y, none + p.z};
}
inline Points4 operator+(const Points4& a, const Points4& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Points4 operator-(const Points4& a, const Points4& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Points4 operator*(const Double4& s, const Points4& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Double4 dot(const Points4& a, const Points4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Points4 cross(const Points4& a, const Points4& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Two rims: of an end of cylinder A that looks along -a and one of B that looks along b. The overlap along
/// a unit n with a · n >= 0 and b · n >= 0 is q · n + radius_a √(1 - (a · n)²) + radius_b √(1 - (b · n)²).
struct RimPair {
  double radius_a, radius_b;
  Point3 q, a, b;
};

/// Directions from which searches start, one in each lane.
struct RimStarts {
  Points4 n;
  Bits4 is_used;  // all bits of a lane
};

/// Off directions at which the overlap has a kink: `side_a` across a, `side_b` across b, a and b themselves.
/// Used are those off which it falls.
RimStarts rim_starts(const RimPair& rims, const Point3& side_a, const Point3& side_b);

/// Newton's method on the sphere. Moves the starts to where the overlap is least; those that lead away from
/// rim on rim, or to no less than `limit` [m], are no longer used.
void descend_to_rims(const RimPair& rims, double limit, RimStarts& starts);

}  // namespace grouser
