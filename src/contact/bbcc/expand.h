#pragma once

#include <array>
#include <limits>

#include "contact/bbcc/mpr.h"

/// The least depth of two overlapping solids: a polytope inside their difference grows, always where it is
/// nearest to the origin, until that place is the difference's own boundary. Finds the global least, for
/// any two convex solids, exactly for polyhedra. After G. van den Bergen, "Proximity queries and
/// penetration depth computation on 3D game objects", GDC (2001).
namespace grouser {

class Polytope {
 public:
  static constexpr int kMostPoints = 160;
  static constexpr int kMostFaces = 2 * kMostPoints;

  struct Face {
    std::array<int, 3> corner;  // anticlockwise seen from outside
    Vec3 normal;                // unit
    double distance;            // of its plane from the origin
  };

  Polytope(const Portal& portal, double rounding);

  const Face& nearest() const;
  bool full() const { return points_ == kMostPoints; }
  /// Grows to hold the point as well. False, and no change, if there is no room or it is not outside.
  bool add(const DifferencePoint& point);
  /// Point of A below the foot of the origin on a face.
  Vec3 on_a(const Face& face) const;

 private:
  bool add_face(int i, int j, int k);

  std::array<DifferencePoint, kMostPoints> point_;
  std::array<Face, kMostFaces> face_;
  int points_ = 4, faces_ = 0;
  double rounding_;
};

/// `portal` as find_portal() gives it. At the cap on points, the best plane found so far, which always
/// frees A: the depth is then too large by less than the square of the last points' spacing over the
/// radius of curvature.
template <class D>
Penetration expand(const D& difference, const Portal& portal, double tolerance) {
  Polytope polytope(portal, 1e-14 * difference.size());
  Penetration best;
  best.depth = std::numeric_limits<double>::infinity();
  Polytope::Face best_face;
  for (;;) {
    const Polytope::Face face = polytope.nearest();
    const DifferencePoint reached = difference(face.normal);
    const double reach = reached.w.dot(face.normal);
    if (reach < best.depth) {
      best.depth = reach;
      best_face = face;
    }
    if (best.depth - face.distance <= tolerance * best.depth || !polytope.add(reached)) break;
  }
  best.normal = best_face.normal;
  best.on_a = polytope.on_a(best_face);
  best.on_b = best.on_a + best.depth * best.normal;
  return best;
}

}  // namespace grouser
