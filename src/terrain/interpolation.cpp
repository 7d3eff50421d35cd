#include "terrain/interpolation.h"

namespace grouser::internal {
namespace {

// Row r gives the r-th Bézier point on [t0, t1] from four successive nodes. The points are the
// blossom a + b (r+s+t)/3 + c (rs+st+tr)/3 + d rst of the cubic a + b t + c t² + d t³ at (t0, t0,
// t0), (t0, t0, t1), (t0, t1, t1) and (t1, t1, t1).
Eigen::Matrix4d bezier_from_nodes(double t0, double t1) {
  Eigen::Matrix4d power;  // coefficients a, b, c, d from the nodes
  power << 0, 1, 0, 0, -0.5, 0, 0.5, 0, 1, -2.5, 2, -0.5, -0.5, 1.5, -1.5, 0.5;
  Eigen::Matrix4d blossom;
  for (int r = 0; r < 4; ++r) {
    const double p = r > 2 ? t1 : t0, q = r > 1 ? t1 : t0, s = r > 0 ? t1 : t0;
    blossom.row(r) << 1, (p + q + s) / 3, (p * q + q * s + s * p) / 3, p * q * s;
  }
  return blossom * power;
}

}  // namespace

HeightRange bicubic_range(const Patch& patch, const Vec2& lower, const Vec2& upper) {
  Eigen::Matrix4d nodes;
  for (int r = 0; r < 4; ++r) nodes.row(r) = patch[r].transpose();
  const Eigen::Matrix4d control = bezier_from_nodes(lower.y(), upper.y()) * nodes *
                                  bezier_from_nodes(lower.x(), upper.x()).transpose();
  return {control.minCoeff(), control.maxCoeff()};
}

}  // namespace grouser::internal
