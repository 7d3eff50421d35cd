#include "collision/gjk.h"

#include <algorithm>
#include <limits>

namespace grouser::internal {
namespace {

void keep_one(const DifferencePoint& p, Simplex& simplex) {
  simplex.corner[0] = p;
  simplex.weight[0] = 1;
  simplex.count = 1;
}

void keep_two(const DifferencePoint& p, const DifferencePoint& q, double to_q, Simplex& simplex) {
  simplex.corner[0] = p;
  simplex.corner[1] = q;
  simplex.weight[0] = 1 - to_q;
  simplex.weight[1] = to_q;
  simplex.count = 2;
}

void reduce_line(const DifferencePoint& p, const DifferencePoint& q, Simplex& simplex) {
  const Point3 along = q.w - p.w;
  const double square = dot(along, along), t = -dot(p.w, along);
  if (t <= 0) return keep_one(p, simplex);
  if (t >= square) return keep_one(q, simplex);
  keep_two(p, q, t / square, simplex);
}

void reduce_triangle(const DifferencePoint& p, const DifferencePoint& q, const DifferencePoint& r,
                     Simplex& simplex) {
  const Point3 pq = q.w - p.w, pr = r.w - p.w;
  const double p1 = -dot(pq, p.w), p2 = -dot(pr, p.w);
  if (p1 <= 0 && p2 <= 0) return keep_one(p, simplex);
  const double q1 = -dot(pq, q.w), q2 = -dot(pr, q.w);
  if (q1 >= 0 && q2 <= q1) return keep_one(q, simplex);
  const double of_r = p1 * q2 - q1 * p2;
  if (of_r <= 0 && p1 >= 0 && q1 <= 0) return keep_two(p, q, p1 / (p1 - q1), simplex);
  const double r1 = -dot(pq, r.w), r2 = -dot(pr, r.w);
  if (r2 >= 0 && r1 <= r2) return keep_one(r, simplex);
  const double of_q = r1 * p2 - p1 * r2;
  if (of_q <= 0 && p2 >= 0 && r2 <= 0) return keep_two(p, r, p2 / (p2 - r2), simplex);
  const double of_p = q1 * r2 - r1 * q2, at_q = q2 - q1, at_r = r1 - r2;
  if (of_p <= 0 && at_q >= 0 && at_r >= 0) return keep_two(q, r, at_q / (at_q + at_r), simplex);
  const double scale = 1 / (of_p + of_q + of_r);
  simplex.corner = {p, q, r};
  simplex.weight = {1 - scale * (of_q + of_r), scale * of_q, scale * of_r};
  simplex.count = 3;
}

/// Whether the origin is not on the same side of the plane p q r as s.
bool is_beyond(const Point3& p, const Point3& q, const Point3& r, const Point3& s) {
  const Point3 normal = cross(q - p, r - p);
  return dot(normal, p) * dot(normal, s - p) >= 0;
}

void reduce_tetrahedron(Simplex& simplex) {
  constexpr std::array<std::array<std::size_t, 4>, 4> kFaces = {
      {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}}};
  const std::array<DifferencePoint, 4> corner = simplex.corner;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [i, j, k, other] : kFaces) {
    if (!is_beyond(corner[i].w, corner[j].w, corner[k].w, corner[other].w)) continue;
    Simplex face;
    reduce_triangle(corner[i], corner[j], corner[k], face);
    const Point3 v = face.mean().w;
    if (dot(v, v) < least) {
      least = dot(v, v);
      simplex = face;
    }
  }
}

}  // namespace

bool Simplex::holds(const Point3& w) const {
  return std::any_of(corner.begin(), corner.begin() + count, [&](const DifferencePoint& p) {
    return p.w.x == w.x && p.w.y == w.y && p.w.z == w.z;
  });
}

DifferencePoint Simplex::mean() const {
  DifferencePoint sum{};
  for (int k = 0; k < count; ++k) {
    sum.w = sum.w + weight[slot(k)] * corner[slot(k)].w;
    sum.a = sum.a + weight[slot(k)] * corner[slot(k)].a;
  }
  return sum;
}

void reduce_to_nearest(Simplex& simplex) {
  const std::array<DifferencePoint, 4> corner = simplex.corner;
  if (simplex.count == 1) return keep_one(corner[0], simplex);
  if (simplex.count == 2) return reduce_line(corner[0], corner[1], simplex);
  if (simplex.count == 3) return reduce_triangle(corner[0], corner[1], corner[2], simplex);
  reduce_tetrahedron(simplex);
}

}  // namespace grouser::internal
