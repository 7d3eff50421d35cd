#include "geometry/raster.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {
namespace {

/// Twice the signed area of (a, b, p). Computed from the edge's ends in a fixed order, so that the two
/// triangles at an edge get exactly opposite numbers for the same node.
double edge_function(const Vec3& a, const Vec3& b, double x, double y) {
  const bool swap = b.x() < a.x() || (b.x() == a.x() && b.y() < a.y());
  const Vec3& p = swap ? b : a;
  const Vec3& q = swap ? a : b;
  const double area = (q.x() - p.x()) * (y - p.y()) - (q.y() - p.y()) * (x - p.x());
  return swap ? -area : area;
}

struct Interval {
  int first, last;
};

/// Nodes of one axis within [low, high].
Interval nodes_within(double low, double high, double origin, double spacing, int count) {
  const double first = std::ceil((low - origin) / spacing - 1e-9);
  const double last = std::floor((high - origin) / spacing + 1e-9);
  return {static_cast<int>(std::clamp(first, 0.0, static_cast<double>(count))),
          static_cast<int>(std::clamp(last, -1.0, count - 1.0))};
}

}  // namespace

void LowerEnvelope::reset(const GridSpec& new_grid) {
  grid = new_grid;
  height.assign(grid.size(), kNone);
  triangle.assign(grid.size(), -1);
}

void rasterise(const std::array<Vec3, 3>& corners, std::int32_t triangle, LowerEnvelope& envelope) {
  const Vec3& a = corners[0];
  const Vec3& b = corners[1];
  const Vec3& c = corners[2];
  const double area = edge_function(a, b, c.x(), c.y());
  if (area == 0) return;
  const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
  const GridSpec& grid = envelope.grid;
  const Interval is = nodes_within(low.x(), high.x(), grid.origin.x(), grid.spacing, grid.nx);
  const Interval js = nodes_within(low.y(), high.y(), grid.origin.y(), grid.spacing, grid.ny);
  const double sign = area > 0 ? 1 : -1;
  for (int j = js.first; j <= js.last; ++j) {
    const double y = grid.origin.y() + grid.spacing * j;
    for (int i = is.first; i <= is.last; ++i) {
      const double x = grid.origin.x() + grid.spacing * i;
      const double wa = sign * edge_function(b, c, x, y);
      const double wb = sign * edge_function(c, a, x, y);
      const double wc = sign * edge_function(a, b, x, y);
      if (wa < 0 || wb < 0 || wc < 0) continue;
      const double sum = wa + wb + wc;
      if (sum <= 0) continue;
      const double plane = (wa * a.z() + wb * b.z() + wc * c.z()) / sum;
      const double z = std::clamp(plane, low.z(), high.z());
      const std::size_t node = grid.index(i, j);
      double& height = envelope.height[node];
      std::int32_t& owner = envelope.triangle[node];
      if (z < height || (z == height && triangle < owner)) {
        height = z;
        owner = triangle;
      }
    }
  }
}

void rasterise(const TriMesh& mesh, LowerEnvelope& envelope) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& v = mesh.triangles[t];
    rasterise({mesh.vertices[static_cast<std::size_t>(v[0])],
               mesh.vertices[static_cast<std::size_t>(v[1])],
               mesh.vertices[static_cast<std::size_t>(v[2])]},
              static_cast<std::int32_t>(t), envelope);
  }
}

}  // namespace grouser::internal
