#include "geometry/degenerate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/edge_table.h"

namespace grouser::internal {

double rounding_distance(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 largest = a.cwiseAbs().cwiseMax(b.cwiseAbs()).cwiseMax(c.cwiseAbs());
  return 4 * std::numeric_limits<double>::epsilon() * largest.maxCoeff();
}

bool is_degenerate(const TriMesh& mesh, std::size_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  if (has_repeated_vertex(t)) return true;
  const Vec3 &a = mesh.vertices[slot(t[0])], &b = mesh.vertices[slot(t[1])],
             &c = mesh.vertices[slot(t[2])];
  const double longest =
      std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
  const double twice_area = (b - a).cross(c - a).norm();
  return twice_area <= longest * rounding_distance(a, b, c);
}

}  // namespace grouser::internal
