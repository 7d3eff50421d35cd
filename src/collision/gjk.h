#pragma once

#include <array>

#include "collision/difference.h"

/// Distance between two solids that are apart. After E. G. Gilbert, D. W. Johnson, S. S. Keerthi, IEEE J.
/// Robotics Autom. 4 (1988), with the nearest point of a simplex as in C. Ericson, Real-Time Collision
/// Detection (2005), 5.1.
namespace grouser::internal {

/// Corners of the difference, of which some mean is its point nearest to the origin.
struct Simplex {
  std::array<DifferencePoint, 4> corner;
  std::array<double, 4> weight;  // sum to 1
  int count = 0;

  bool holds(const Point3& w) const;
  DifferencePoint mean() const;
};

/// Leaves the corners that the point nearest to the origin is a mean of; all four if that is the origin.
void reduce_to_nearest(Simplex& simplex);

enum class Apart { far, near, not_at_all };

struct Nearest {
  DifferencePoint at;   // point of the difference nearest to the origin
  double distance = 0;  // of the plane through it, beyond which all of the difference lies [m]
};

/// Far: farther from each other than `limit`. Not at all: they overlap, or touch to rounding. The distance of
/// polyhedra is exact but for rounding.
template <class D>
Apart find_nearest(const D& difference, double limit, Nearest& nearest) {
  // Polyhedra need no more than some ten steps; rounding ends what goes round in circles.
  constexpr int kMostSteps = 64;
  // The corners of a flat face are all as far to this part of the size; a tetrahedron of them holds nothing.
  constexpr double kRounding = 1e-14;
  constexpr double kTouching = 1e-9;
  const double touching = kTouching * difference.size(), rounding = kRounding * difference.size();
  Simplex simplex;
  nearest.at = difference.centre();
  double square = dot(nearest.at.w, nearest.at.w);
  for (int k = 0; k < kMostSteps; ++k) {
    if (square <= touching * touching) return Apart::not_at_all;
    const Point3& v = nearest.at.w;
    const DifferencePoint reached = difference(-v);
    const double along = dot(v, reached.w);
    const double root = std::sqrt(square);
    nearest.distance = along / root;
    if (nearest.distance > limit) return Apart::far;
    if (k > 0 && (square - along <= rounding * root || simplex.holds(reached.w))) break;
    Simplex next = simplex;
    next.corner[slot(next.count++)] = reached;
    reduce_to_nearest(next);
    if (next.count == 4) return Apart::not_at_all;
    const DifferencePoint at = next.mean();
    const double next_square = dot(at.w, at.w);
    if (k > 0 && next_square >= square) break;
    simplex = next;
    nearest.at = at;
    square = next_square;
  }
  return Apart::near;
}

}  // namespace grouser::internal
