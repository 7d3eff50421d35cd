#include "geometry/hull_selection.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "geometry/tri_mesh.h"

namespace grouser::internal {
namespace {

/// Index of the first point at which `measure` is largest.
template <class Measure>
std::int32_t farthest(std::span<const Vec3> points, Measure measure) {
  std::int32_t best = 0;
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double value = measure(points[i]);
    if (value <= largest) continue;
    largest = value;
    best = static_cast<std::int32_t>(i);
  }
  return best;
}

struct Face {
  std::array<std::int32_t, 3> corners;
  Vec3 normal;
  double offset;                      // normal · r = offset on the face
  std::vector<std::int32_t> outside;  // points that see this face best
  std::int32_t farthest = -1;
  double distance = 0;  // of the farthest
};

/// The hull so far. Quickhull without its care for rounding: a slip costs some quality of the
/// selection, never its validity.
class GrowingHull {
 public:
  explicit GrowingHull(std::span<const Vec3> points, const SpanningPoints& start)
      : points_(points), tolerance_(1e-12 * start.extent) {
    std::array<std::int32_t, 4> i = start.index;
    const Vec3 &a = points[slot(i[0])], &b = points[slot(i[1])], &c = points[slot(i[2])],
               &d = points[slot(i[3])];
    if ((b - a).cross(c - a).dot(d - a) > 0) std::swap(i[1], i[2]);
    std::vector<std::int32_t> all(points.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::int32_t>(k);
    add_faces({{i[0], i[1], i[2]}, {i[0], i[2], i[3]}, {i[2], i[1], i[3]}, {i[1], i[0], i[3]}},
              all);
  }

  /// Takes in the point farthest outside; -1 if there is none.
  std::int32_t grow() {
    const auto best = std::ranges::max_element(faces_, {}, &Face::distance);
    if (best == faces_.end() || best->farthest < 0) return -1;
    const std::int32_t apex = best->farthest;

    std::vector<std::array<std::int32_t, 2>> edges;  // of the faces that the point sees
    std::vector<std::int32_t> orphans;
    std::erase_if(faces_, [&](const Face& face) {
      if (face.normal.dot(points_[slot(apex)]) - face.offset <= tolerance_) return false;
      const auto& [a, b, c] = face.corners;
      edges.insert(edges.end(), {{a, b}, {b, c}, {c, a}});
      orphans.insert(orphans.end(), face.outside.begin(), face.outside.end());
      return true;
    });
    std::erase(orphans, apex);
    add_faces(faces_to_horizon(edges, apex), orphans);
    return apex;
  }

 private:
  /// New faces from the edges that bound the seen region: those whose reverse was not seen.
  static std::vector<std::array<std::int32_t, 3>> faces_to_horizon(
      std::vector<std::array<std::int32_t, 2>> edges, std::int32_t apex) {
    std::ranges::sort(edges);
    std::vector<std::array<std::int32_t, 3>> faces;
    for (const auto& [a, b] : edges) {
      if (!std::ranges::binary_search(edges, std::array{b, a})) faces.push_back({a, b, apex});
    }
    return faces;
  }

  void add_faces(const std::vector<std::array<std::int32_t, 3>>& corners,
                 const std::vector<std::int32_t>& candidates) {
    const std::size_t first = faces_.size();
    for (const auto& [a, b, c] : corners) {
      const Vec3 cross =
          (points_[slot(b)] - points_[slot(a)]).cross(points_[slot(c)] - points_[slot(a)]);
      const Vec3 normal = cross.norm() > 0 ? Vec3(cross.normalized()) : Vec3::Zero();
      faces_.push_back(
          {.corners = {a, b, c}, .normal = normal, .offset = normal.dot(points_[slot(a)])});
    }
    for (const std::int32_t candidate : candidates) assign(candidate, first);
  }

  void assign(std::int32_t candidate, std::size_t first) {
    Face* home = nullptr;
    double largest = tolerance_;
    for (std::size_t i = first; i < faces_.size(); ++i) {
      const double distance = faces_[i].normal.dot(points_[slot(candidate)]) - faces_[i].offset;
      if (distance <= largest) continue;
      largest = distance;
      home = &faces_[i];
    }
    if (!home) return;
    home->outside.push_back(candidate);
    if (largest > home->distance) {
      home->distance = largest;
      home->farthest = candidate;
    }
  }

  std::span<const Vec3> points_;
  double tolerance_;  // [m]
  std::vector<Face> faces_;
};

}  // namespace

SpanningPoints spanning_points(std::span<const Vec3> points) {
  Aabb box;
  for (const Vec3& point : points) box.add(point);
  int axis = 0;
  box.size().maxCoeff(&axis);
  SpanningPoints result{.extent = box.size().norm()};
  auto& [a, b, c, d] = result.index;
  a = farthest(points, [&](const Vec3& p) { return -p[axis]; });
  b = farthest(points, [&](const Vec3& p) { return p[axis]; });
  const Vec3 origin = points[slot(a)];
  const Vec3 line = (points[slot(b)] - origin).normalized();
  const auto from_line = [&](const Vec3& p) { return line.cross(p - origin).norm(); };
  c = farthest(points, from_line);
  result.width = from_line(points[slot(c)]);
  const Vec3 normal = line.cross(points[slot(c)] - origin).normalized();
  const auto from_plane = [&](const Vec3& p) { return std::abs(normal.dot(p - origin)); };
  d = farthest(points, from_plane);
  result.height = from_plane(points[slot(d)]);
  return result;
}

std::vector<std::int32_t> select_hull_points(std::span<const Vec3> points, std::size_t count) {
  const SpanningPoints start = spanning_points(points);
  GrowingHull hull(points, start);
  std::vector<std::int32_t> selected(start.index.begin(), start.index.end());
  while (selected.size() < count) {
    const std::int32_t next = hull.grow();
    if (next < 0) break;
    selected.push_back(next);
  }
  std::ranges::sort(selected);
  return selected;
}

}  // namespace grouser::internal
