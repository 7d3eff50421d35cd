#include "contact/scm/low_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/index.h"
#include "math/lesser.h"

namespace grouser::internal {
namespace {

constexpr double kUpright = 1e-6;  // [rad]: a face this close to the vertical is a wall
constexpr double kSlack = 1e-9;    // [m]: rounding of heights

}  // namespace

Rect LowSurface::gather(const ScmBody& body, const Pose& X_WB, const HighestNodes& soil,
                        double near) {
  vertices_ = 0;
  facets_.count = 0;
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
          const std::size_t first = facets_.size();
          place(body, cluster, X_WB);
          take(body, cluster, ground + near);
          const bool inside = rect.contains(below.lower) && rect.contains(below.upper);
          if (lowest <= ground && !inside) cover(first, ground, rect);
        }
      });
  return rect;
}

void LowSurface::Facets::make_room(std::size_t needed) {
  if (number.size() >= needed) return;
  for (std::vector<std::int32_t>* values : {&number, &a, &b, &c, &d, &first}) {
    values->resize(2 * needed);
  }
}

/// Vertices of a cluster in W, and which of its facets look down.
void LowSurface::place(const ScmBody& body, const ScmBody::Cluster& cluster, const Pose& X_WB) {
  const std::size_t first = vertices_, count = at(cluster.vertices);
  vertices_ += count;
  if (x.size() < vertices_) {
    for (std::vector<double>* values : {&x, &y, &z, &depth}) values->resize(2 * vertices_);
  }
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
  const double* nx = &body.normal_x()[at(cluster.first_facet)];
  const double* ny = &body.normal_y()[at(cluster.first_facet)];
  const double* nz = &body.normal_z()[at(cluster.first_facet)];
  std::uint32_t* __restrict down = &down_[at(cluster.first_facet)];
  for (std::size_t f = 0; f < at(cluster.facets); ++f) {
    down[f] = r20 * nx[f] + r21 * ny[f] + r22 * nz[f] < -kUpright ? stamp_ : 0;
  }
}

/// Of the cluster placed last, the facets that look down and have a corner at a height or below.
void LowSurface::take(const ScmBody& body, const ScmBody::Cluster& cluster, double height) {
  const std::size_t first = at(cluster.first_facet), count = at(cluster.facets);
  const std::int32_t* a = &body.corner(0)[first];
  const std::int32_t* b = &body.corner(1)[first];
  const std::int32_t* c = &body.corner(2)[first];
  const std::int32_t* d = &body.corner(3)[first];
  const std::size_t offset = vertices_ - at(cluster.vertices);
  const double* wz = &z[offset];
  lowest_.resize(count);
  for (std::size_t f = 0; f < count; ++f) {
    lowest_[f] = lesser(lesser(wz[a[f]], wz[b[f]]), lesser(wz[c[f]], wz[d[f]]));
  }
  // Every facet is written to the next place, which moves on past those to be taken.
  std::size_t next = facets_.size();
  facets_.make_room(next + count);
  const auto shift = static_cast<std::int32_t>(offset);
  for (std::size_t f = 0; f < count; ++f) {
    facets_.number[next] = static_cast<std::int32_t>(first + f);
    facets_.a[next] = shift + a[f];
    facets_.b[next] = shift + b[f];
    facets_.c[next] = shift + c[f];
    facets_.d[next] = shift + d[f];
    facets_.first[next] = shift;
    next += lowest_[f] <= height && down_[first + f] == stamp_ ? 1 : 0;
  }
  facets_.count = next;
}

/// Widens a rectangle to the facets, from the first on, that have a corner at a height or below.
void LowSurface::cover(std::size_t first, double height, Rect& rect) const {
  double x0 = rect.lower.x(), y0 = rect.lower.y(), x1 = rect.upper.x(), y1 = rect.upper.y();
  for (std::size_t f = first; f < facets_.size(); ++f) {
    const std::size_t a = at(facets_.a[f]), b = at(facets_.b[f]);
    const std::size_t c = at(facets_.c[f]), d = at(facets_.d[f]);
    if (lesser(lesser(z[a], z[b]), lesser(z[c], z[d])) > height) continue;
    x0 = lesser(x0, lesser(lesser(x[a], x[b]), lesser(x[c], x[d])));
    y0 = lesser(y0, lesser(lesser(y[a], y[b]), lesser(y[c], y[d])));
    x1 = greater(x1, greater(greater(x[a], x[b]), greater(x[c], x[d])));
    y1 = greater(y1, greater(greater(y[a], y[b]), greater(y[c], y[d])));
  }
  rect = {.lower = Vec2(x0, y0), .upper = Vec2(x1, y1)};
}

}  // namespace grouser::internal
