#include "contact/scm/low_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace grouser {
namespace {

constexpr double kUpright = 1e-6;  // [rad]: a face this close to the vertical is a wall
constexpr double kSlack = 1e-9;    // [m]: rounding of heights

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

}  // namespace

Rect LowSurface::gather(const ScmBody& body, const Pose& X_WB, const HighestNodes& soil,
                        double near) {
  for (std::vector<double>* values : {&x, &y, &z}) values->clear();
  triangles_.resize(0);
  ++stamp_;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Rect rect{Vec2::Constant(kFar), Vec2::Constant(-kFar)};
  const Vec3 up_B = X_WB.R.row(2);
  const Mat3 spread = X_WB.R.cwiseAbs();
  const double height = soil.highest() + near;
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
          const Vec3 centre = X_WB * cluster.centre, half = spread * cluster.half;
          const Rect below{(centre - half).head<2>(), (centre + half).head<2>()};
          const double lowest = centre.z() - half.z();
          const double ground = kSlack + soil.highest_below(below);
          if (lowest > ground + near) continue;
          const std::size_t first = triangles_.size();
          place(body, cluster, X_WB);
          take(body, cluster, ground + near);
          const bool inside = rect.contains(below.lower) && rect.contains(below.upper);
          if (lowest <= ground && !inside) cover(first, ground, rect);
        }
      });
  depth.resize(x.size());
  return rect;
}

void LowSurface::Triangles::resize(std::size_t count) {
  for (std::vector<std::int32_t>* values : {&number, &a, &b, &c}) values->resize(count);
}

/// Vertices of a cluster in W, and which of its triangles look down.
void LowSurface::place(const ScmBody& body, const ScmBody::Cluster& cluster, const Pose& X_WB) {
  const std::size_t first = x.size(), count = at(cluster.vertices);
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

/// Of the cluster placed last, the triangles that look down and have a corner at a height or below.
void LowSurface::take(const ScmBody& body, const ScmBody::Cluster& cluster, double height) {
  const std::size_t first = at(cluster.first_triangle), count = at(cluster.triangles);
  const std::int32_t* a = &body.corner(0)[first];
  const std::int32_t* b = &body.corner(1)[first];
  const std::int32_t* c = &body.corner(2)[first];
  const std::size_t offset = x.size() - at(cluster.vertices);
  const double* wz = &z[offset];
  lowest_.resize(count);
  for (std::size_t t = 0; t < count; ++t) {
    const double lower = wz[a[t]] < wz[b[t]] ? wz[a[t]] : wz[b[t]];
    lowest_[t] = wz[c[t]] < lower ? wz[c[t]] : lower;
  }
  // Every triangle is written to the next place, which moves on past those to be taken.
  std::size_t next = triangles_.size();
  triangles_.resize(next + count);
  const auto shift = static_cast<std::int32_t>(offset);
  for (std::size_t t = 0; t < count; ++t) {
    triangles_.number[next] = static_cast<std::int32_t>(first + t);
    triangles_.a[next] = shift + a[t];
    triangles_.b[next] = shift + b[t];
    triangles_.c[next] = shift + c[t];
    next += lowest_[t] <= height && down_[first + t] == stamp_ ? 1 : 0;
  }
  triangles_.resize(next);
}

/// Widens a rectangle to the triangles, from the first on, that have a corner at a height or below.
void LowSurface::cover(std::size_t first, double height, Rect& rect) const {
  double x0 = rect.lower.x(), y0 = rect.lower.y(), x1 = rect.upper.x(), y1 = rect.upper.y();
  for (std::size_t t = first; t < triangles_.size(); ++t) {
    const std::size_t a = at(triangles_.a[t]), b = at(triangles_.b[t]), c = at(triangles_.c[t]);
    if (z[a] > height && z[b] > height && z[c] > height) continue;
    x0 = std::min({x0, x[a], x[b], x[c]});
    y0 = std::min({y0, y[a], y[b], y[c]});
    x1 = std::max({x1, x[a], x[b], x[c]});
    y1 = std::max({y1, y[a], y[b], y[c]});
  }
  rect = {.lower = Vec2(x0, y0), .upper = Vec2(x1, y1)};
}

}  // namespace grouser
