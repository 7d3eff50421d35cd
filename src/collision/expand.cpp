#include "collision/expand.h"

#include <algorithm>
#include <functional>

#include "collision/lanes.h"

namespace grouser::internal {
namespace {

// Squared distance of a face without area, which bounds nothing: its neighbours do.
constexpr double kNowhere = 1e300;

/// Directed edges that bound a set of faces: those whose opposite is not in the set.
struct Horizon {
  using Edge = std::array<std::uint8_t, 3>;  // from, to, and room for a face's third corner
  std::array<Edge, 3 * Polytope::kMostFaces + kLanes> edge;
  int count = 0;

  void add(std::uint8_t i, std::uint8_t j) {
    for (int k = 0; k < count; ++k) {
      if (edge[slot(k)][0] == j && edge[slot(k)][1] == i) {
        edge[slot(k)] = edge[slot(--count)];
        return;
      }
    }
    edge[slot(count++)] = {i, j, 0};
  }
};

}  // namespace

Polytope::Polytope(const Triangle& base, const Triangle& top, double rounding)
    : rounding_(rounding) {
  static_assert(kMostPoints <= 256 && kMostFaces % kLanes == 0);
  std::copy(base.begin(), base.end(), point_.begin());
  std::copy(top.begin(), top.end(), point_.begin() + 3);
  points_ = 6;
  constexpr std::array<Corners, kLanes> kFaces = {
      {{3, 4, 5}, {4, 3, 0}, {4, 0, 1}, {5, 4, 1}, {5, 1, 2}, {3, 5, 2}, {3, 2, 0}, {1, 0, 2}}};
  add_faces(kFaces.data(), 8);
  if (!is_convex()) restart_from_tetrahedron();
}

bool Polytope::is_convex() const {
  const Double8 x = load8(&x_[0]), y = load8(&y_[0]), z = load8(&z_[0]),
                offset = load8(&offset_[0]);
  Double8 most{};
  for (std::size_t k = 0; k < 6; ++k) {
    const Point3& w = point_[k].w;
    const Double8 above = x * w.x + y * w.y + z * w.z - offset, none{};
    most = larger(most, above > none ? above * above - load8(&tolerance_[0]) : none);
  }
  return largest_of(most) <= 0;
}

/// From the base and the corner of the top farthest before it. The other two may lie anywhere.
void Polytope::restart_from_tetrahedron() {
  const Point3& p = point_[0].w;
  const Point3 up = cross(point_[1].w - p, point_[2].w - p);
  const auto height = [&](const DifferencePoint& q) { return dot(up, q.w - p); };
  std::array<DifferencePoint, 3> top = {point_[3], point_[4], point_[5]};
  std::ranges::sort(top, std::greater<>{}, height);
  point_[3] = top[0];
  points_ = 4;
  faces_ = 0;
  constexpr std::array<Corners, kLanes> kFaces = {{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  add_faces(kFaces.data(), 4);
  add(top[1]);
  add(top[2]);
}

void Polytope::add_faces(const Corners* corners, int count) {
  for (int first = 0; first < count; first += kLanes) {
    double p[3][kLanes], q[3][kLanes], r[3][kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
      const Corners& c = corners[first + lane];
      const auto put = [lane](const Point3& from, double(&to)[3][kLanes]) {
        to[0][lane] = from.x;
        to[1][lane] = from.y;
        to[2][lane] = from.z;
      };
      put(point_[c[0]].w, p);
      put(point_[c[1]].w, q);
      put(point_[c[2]].w, r);
    }
    const Double8 px = load8(p[0]), py = load8(p[1]), pz = load8(p[2]);
    const Double8 qx = load8(q[0]) - px, qy = load8(q[1]) - py, qz = load8(q[2]) - pz;
    const Double8 rx = load8(r[0]) - px, ry = load8(r[1]) - py, rz = load8(r[2]) - pz;
    const Double8 x = qy * rz - qz * ry, y = qz * rx - qx * rz, z = qx * ry - qy * rx;
    const Double8 norm2 = x * x + y * y + z * z, offset = x * px + y * py + z * pz, none{};
    const Double8 square = offset * offset / norm2, distance2 = offset < none ? -square : square;
    const std::size_t f = slot(faces_);
    store8(x, &x_[f]);
    store8(y, &y_[f]);
    store8(z, &z_[f]);
    store8(offset, &offset_[f]);
    store8(rounding_ * rounding_ * norm2, &tolerance_[f]);
    store8(norm2 > none ? distance2 : none + kNowhere, &distance2_[f]);
    const int added = std::min(kLanes, count - first);
    std::copy_n(corners + first, added, &corner_[f]);
    faces_ += added;
  }
}

void Polytope::move_face(int from, int to) {
  const std::size_t f = slot(from), t = slot(to);
  for (Column* column : {&x_, &y_, &z_, &offset_, &tolerance_, &distance2_}) {
    (*column)[t] = (*column)[f];
  }
  corner_[t] = corner_[f];
}

Polytope::Face Polytope::nearest() const {
  constexpr std::uint64_t kNumberBits = std::bit_ceil(unsigned{kMostFaces}) - 1;
  const Bits8 count = Bits8{} + static_cast<std::uint64_t>(faces_);
  const Double8 nowhere = Double8{} + kNowhere;
  Double8 least = nowhere;
  Bits8 number = kLaneNumbers;
  for (std::size_t f = 0; f < slot(faces_); f += kLanes) {
    const Double8 value = number < count ? load8(&distance2_[f]) : nowhere;
    least = smaller(least, numbered(value, number, kNumberBits));
    number += kLanes;
  }
  const std::size_t f = std::bit_cast<std::uint64_t>(smallest_of(least)) & kNumberBits;
  const double scale = 1 / std::sqrt(x_[f] * x_[f] + y_[f] * y_[f] + z_[f] * z_[f]);
  return {{corner_[f][0], corner_[f][1], corner_[f][2]},
          {scale * x_[f], scale * y_[f], scale * z_[f]},
          scale * offset_[f]};
}

bool Polytope::add(const DifferencePoint& point) {
  if (points_ == kMostPoints) return false;
  std::array<double, kMostFaces> outside;
  for (std::size_t f = 0; f < slot(faces_); f += kLanes) {
    const Double8 above = point.w.x * load8(&x_[f]) + point.w.y * load8(&y_[f]) +
                          point.w.z * load8(&z_[f]) - load8(&offset_[f]);
    store8(above > Double8{} ? above * above - load8(&tolerance_[f]) : Double8{}, &outside[f]);
  }
  Horizon horizon;
  int kept = faces_;
  for (int f = faces_ - 1; f >= 0; --f) {  // what fills a gap has been looked at
    if (outside[slot(f)] <= 0) continue;
    const Corners& c = corner_[slot(f)];
    horizon.add(c[0], c[1]);
    horizon.add(c[1], c[2]);
    horizon.add(c[2], c[0]);
    if (f != --kept) move_face(kept, f);
  }
  if (horizon.count == 0) return false;
  faces_ = kept;
  if (faces_ + horizon.count > kMostFaces) return false;
  point_[slot(points_)] = point;
  for (int k = 0; k < horizon.count; ++k) {
    horizon.edge[slot(k)][2] = static_cast<std::uint8_t>(points_);
  }
  std::fill_n(&horizon.edge[slot(horizon.count)], kLanes, Corners{});
  add_faces(horizon.edge.data(), horizon.count);
  ++points_;
  return true;
}

Polytope::Triangle Polytope::corners(const Face& face) const {
  return {point_[slot(face.corner[0])], point_[slot(face.corner[1])], point_[slot(face.corner[2])]};
}

Point3 on_a_below(const Polytope::Triangle& face, const Point3& normal) {
  const auto& [p, q, r] = face;
  const Point3 foot = dot(p.w, normal) * normal;
  const auto weight = [&](const Point3& from, const Point3& to) {
    return std::max(dot(cross(from - foot, to - foot), normal), 0.0);
  };
  const double of_p = weight(q.w, r.w), of_q = weight(r.w, p.w), of_r = weight(p.w, q.w);
  return 1 / (of_p + of_q + of_r) * (of_p * p.a + of_q * q.a + of_r * r.a);
}

}  // namespace grouser::internal
