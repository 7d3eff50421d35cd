#include "contact/bbcc/expand.h"

#include <algorithm>

namespace grouser {
namespace {

/// Directed edges that bound a set of faces: those whose opposite is not in the set.
struct Horizon {
  struct Edge {
    int from, to;
  };
  std::array<Edge, 3 * Polytope::kMostFaces> edge;
  int count = 0;

  void add(int i, int j) {
    for (int k = 0; k < count; ++k) {
      if (edge[slot(k)].from == j && edge[slot(k)].to == i) {
        edge[slot(k)] = edge[slot(--count)];
        return;
      }
    }
    edge[slot(count++)] = {i, j};
  }
};

}  // namespace

Polytope::Polytope(const Portal& portal, double rounding) : rounding_(rounding) {
  std::copy(portal.corner.begin(), portal.corner.end(), point_.begin());
  add_face(1, 2, 3);
  add_face(0, 2, 1);
  add_face(0, 3, 2);
  add_face(0, 1, 3);
}

bool Polytope::add_face(int i, int j, int k) {
  if (faces_ == kMostFaces) return false;
  const Vec3& p = point_[slot(i)].w;
  Vec3 normal = (point_[slot(j)].w - p).cross(point_[slot(k)].w - p);
  const double norm2 = normal.squaredNorm();
  double distance = std::numeric_limits<double>::infinity();
  if (norm2 > 0) {  // a face without area bounds nothing: its neighbours do
    normal *= 1 / std::sqrt(norm2);
    distance = normal.dot(p);
  }
  face_[slot(faces_++)] = {{i, j, k}, normal, distance};
  return true;
}

const Polytope::Face& Polytope::nearest() const {
  return *std::min_element(face_.begin(), face_.begin() + faces_,
                           [](const Face& a, const Face& b) { return a.distance < b.distance; });
}

bool Polytope::add(const DifferencePoint& point) {
  if (points_ == kMostPoints) return false;
  Horizon horizon;
  int kept = 0;
  for (int f = 0; f < faces_; ++f) {
    const Face& face = face_[slot(f)];
    if (face.normal.dot(point.w) - face.distance > rounding_) {
      for (std::size_t k = 0; k < 3; ++k) horizon.add(face.corner[k], face.corner[(k + 1) % 3]);
    } else {
      if (kept < f) face_[slot(kept)] = face;
      ++kept;
    }
  }
  if (horizon.count == 0) return false;
  faces_ = kept;
  point_[slot(points_)] = point;
  for (int k = 0; k < horizon.count; ++k) {
    const auto [i, j] = horizon.edge[slot(k)];
    if (!add_face(i, j, points_)) return false;
  }
  ++points_;
  return true;
}

Vec3 Polytope::on_a(const Face& face) const {
  const DifferencePoint& p = point_[slot(face.corner[0])];
  const DifferencePoint& q = point_[slot(face.corner[1])];
  const DifferencePoint& r = point_[slot(face.corner[2])];
  const Vec3 foot = face.distance * face.normal;
  const auto weight = [&](const Vec3& from, const Vec3& to) {
    return std::max((from - foot).cross(to - foot).dot(face.normal), 0.0);
  };
  const double of_p = weight(q.w, r.w), of_q = weight(r.w, p.w), of_r = weight(p.w, q.w);
  return (of_p * p.a + of_q * q.a + of_r * r.a) / (of_p + of_q + of_r);
}

}  // namespace grouser
