#include "contact/scm/low_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace grouser {
namespace {

constexpr double kUpright = 1e-6;  // [rad]: a face this close to the vertical is a wall

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

}  // namespace

Rect LowSurface::gather(const ScmBody& body, const Pose& X_WB, double height) {
  for (std::vector<double>* values : {&x, &y, &z}) values->clear();
  parts_.clear();
  ++stamp_;
  const Vec3 up_B = X_WB.R.row(2);
  const auto limit = static_cast<float>(height - X_WB.p.z() + 1e-6 * (1 + std::abs(height)));
  std::array<float, 3> up{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    up[axis] = static_cast<float>(up_B[static_cast<Eigen::Index>(axis)]);
  }
  body.bvh().traverse(
      [&](const Bvh::Node& node) {
        Float8 lowest{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          lowest += up[axis] * (up[axis] > 0 ? node.lower[axis] : node.upper[axis]);
        }
        return bits_of((lowest <= float8(limit)) & (node.lower[0] <= node.upper[0]));
      },
      [&](std::span<const std::int32_t> clusters) {
        for (const std::int32_t c : clusters) {
          const ScmBody::Cluster& cluster = body.clusters()[at(c)];
          if (cluster.axis.dot(up_B) > cluster.sine - kUpright) continue;  // none looks down
          place(body, cluster, X_WB);
        }
      });
  depth.resize(x.size());
  constexpr double kFar = std::numeric_limits<double>::infinity();
  double x_low = kFar, y_low = kFar, x_high = -kFar, y_high = -kFar;
  for (std::size_t v = 0; v < x.size(); ++v) {
    const bool low = z[v] <= height;
    x_low = std::min(x_low, low ? x[v] : kFar);
    y_low = std::min(y_low, low ? y[v] : kFar);
    x_high = std::max(x_high, low ? x[v] : -kFar);
    y_high = std::max(y_high, low ? y[v] : -kFar);
  }
  Rect rect{Vec2(x_low, y_low), Vec2(x_high, y_high)};
  // A triangle that dips below has a corner there: the rest is no farther than an edge.
  rect.lower.array() -= body.max_edge();
  rect.upper.array() += body.max_edge();
  return rect;
}

void LowSurface::place(const ScmBody& body, const ScmBody::Cluster& cluster, const Pose& X_WB) {
  const std::size_t first = x.size(), count = at(cluster.vertices);
  parts_.push_back({&cluster, first});
  for (std::vector<double>* values : {&x, &y, &z}) values->resize(first + count);
  const Mat3& R = X_WB.R;
  const double r00 = R(0, 0), r01 = R(0, 1), r02 = R(0, 2), px = X_WB.p.x();
  const double r10 = R(1, 0), r11 = R(1, 1), r12 = R(1, 2), py = X_WB.p.y();
  const double r20 = R(2, 0), r21 = R(2, 1), r22 = R(2, 2), pz = X_WB.p.z();
  const double* bx = &body.x()[at(cluster.first_vertex)];
  const double* by = &body.y()[at(cluster.first_vertex)];
  const double* bz = &body.z()[at(cluster.first_vertex)];
  double* __restrict wx = &x[first];
  double* __restrict wy = &y[first];
  double* __restrict wz = &z[first];
  for (std::size_t v = 0; v < count; ++v) {
    wx[v] = r00 * bx[v] + r01 * by[v] + r02 * bz[v] + px;
    wy[v] = r10 * bx[v] + r11 * by[v] + r12 * bz[v] + py;
    wz[v] = r20 * bx[v] + r21 * by[v] + r22 * bz[v] + pz;
  }
  const double* nx = &body.normal_x()[at(cluster.first_triangle)];
  const double* ny = &body.normal_y()[at(cluster.first_triangle)];
  const double* nz = &body.normal_z()[at(cluster.first_triangle)];
  std::uint32_t* __restrict down = &down_[at(cluster.first_triangle)];
  for (std::size_t t = 0; t < at(cluster.triangles); ++t) {
    down[t] = r20 * nx[t] + r21 * ny[t] + r22 * nz[t] < -kUpright ? stamp_ : 0;
  }
}

}  // namespace grouser
