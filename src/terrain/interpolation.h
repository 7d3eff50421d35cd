#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <Eigen/Core>

#include "terrain/height_field.h"

namespace grouser::internal {

enum class Interpolation {
  bilinear,  ///< continuous; gradient jumps between cells
  bicubic,   ///< Catmull-Rom: continuous gradient, through all nodes; may overshoot
};

/// Nodes around one cell, row by row: the cell lies between the entries 1 and 2 of both axes.
using Patch = Eigen::Array4d[4];

/// The same, read where it stands in a larger array: `first` is the patch's first node, rows are
/// `stride` entries apart.
struct PatchView {
  const double* first;
  std::ptrdiff_t stride;
  Eigen::Map<const Eigen::Array4d> operator[](int r) const {
    return Eigen::Map<const Eigen::Array4d>(first + r * stride);
  }
};

/// Weights of four successive nodes, and their derivatives, at a place between the second and
/// third.
struct CubicWeights {
  Eigen::Array4d value, slope;
};

/// Cubic convolution of Keys, IEEE Trans. ASSP 29 (1981), with a = -1/2, which is the spline of
/// Catmull & Rom (1974); t in [0, 1].
inline CubicWeights cubic_weights(double t) {
  const double t2 = t * t, t3 = t2 * t;
  CubicWeights w;
  w.value << t2 - 0.5 * (t + t3), 1 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2 * t2 - 1.5 * t3,
      0.5 * (t3 - t2);
  w.slope << 2 * t - 0.5 - 1.5 * t2, 4.5 * t2 - 5 * t, 0.5 + 4 * t - 4.5 * t2, 1.5 * t2 - t;
  return w;
}

/// Height and gradient per cell, at (u, v) in [0, 1]² of the middle cell of a Patch or PatchView.
/// Sums run in a fixed order, whatever the vector width.
template <class Rows>
SurfacePoint bicubic(const Rows& rows, double u, double v) {
  const CubicWeights x = cubic_weights(u), y = cubic_weights(v);
  const Eigen::Array4d value =
      y.value[0] * rows[0] + y.value[1] * rows[1] + y.value[2] * rows[2] + y.value[3] * rows[3];
  const Eigen::Array4d slope =
      y.slope[0] * rows[0] + y.slope[1] * rows[1] + y.slope[2] * rows[2] + y.slope[3] * rows[3];
  const auto sum = [](const Eigen::Array4d& a) { return (a[0] + a[1]) + (a[2] + a[3]); };
  return {sum(x.value * value), {sum(x.slope * value), sum(x.value * slope)}};
}

/// The same for four corners: `lower` and `upper` point to the two nodes of a row.
inline SurfacePoint bilinear(const double* lower, const double* upper, double u, double v) {
  const double low = lower[0] + u * (lower[1] - lower[0]);
  const double high = upper[0] + u * (upper[1] - upper[0]);
  const double slope_low = lower[1] - lower[0], slope_high = upper[1] - upper[0];
  return {low + v * (high - low), {slope_low + v * (slope_high - slope_low), high - low}};
}

/// Bounds of the bicubic surface over [u0, u1] x [v0, v1] of the patch's middle cell: those of its
/// Bézier control points, between which the surface stays.
HeightRange bicubic_range(const Patch& patch, const Vec2& lower, const Vec2& upper);

/// Widened by what rounding may add when heights of that size are interpolated.
inline HeightRange with_rounding(HeightRange range) {
  constexpr double kRounding = 1e-14;  // some 45 units in the last place; measured at most 3
  const double slack = kRounding * std::max(std::abs(range.min), std::abs(range.max));
  return {range.min - slack, range.max + slack};
}

/// The patch around cell (i, j) of nx x ny nodes, of which node(i, j) gives the value. Beyond the
/// borders the outermost two nodes are continued along a line, so that a plane stays a plane.
template <class Node>
void gather_patch(int i, int j, int nx, int ny, const Node& node, Patch& patch) {
  const auto row = [&](int r) {
    const double a = node(i, r), b = node(i + 1, r);
    return Eigen::Array4d(i > 0 ? node(i - 1, r) : 2 * a - b, a, b,
                          i + 2 < nx ? node(i + 2, r) : 2 * b - a);
  };
  patch[1] = row(j);
  patch[2] = row(j + 1);
  patch[0] = j > 0 ? row(j - 1) : Eigen::Array4d(2 * patch[1] - patch[2]);
  patch[3] = j + 2 < ny ? row(j + 2) : Eigen::Array4d(2 * patch[2] - patch[1]);
}

}  // namespace grouser::internal
