#include "collision/convex.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <utility>

#include "core/error.h"
#include "geometry/disjoint_sets.h"

namespace grouser::internal {
namespace {

// Triangles of one flat face are coplanar to this part of the hull's size.
constexpr double kCoplanar = 1e-9;

using Edge = std::pair<std::int32_t, std::int32_t>;

std::map<Edge, std::int32_t> triangles_by_edge(const TriMesh& mesh) {
  std::map<Edge, std::int32_t> found;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Edge edge{mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]};
      found[edge] = static_cast<std::int32_t>(t);
    }
  }
  return found;
}

/// Whether all corners of a triangle lie in the plane of another.
bool lies_in_plane(const TriMesh& mesh, std::size_t triangle, std::size_t plane, double tolerance) {
  const Vec3 normal = area_vector(mesh, plane).normalized();
  const Vec3& origin = mesh.vertices[slot(mesh.triangles[plane][0])];
  return std::ranges::all_of(mesh.triangles[triangle], [&](std::int32_t v) {
    return std::abs(normal.dot(mesh.vertices[slot(v)] - origin)) <= tolerance;
  });
}

/// The closed chain of the edges, or empty if they are not one chain.
std::vector<std::int32_t> chain(const std::map<std::int32_t, std::int32_t>& next) {
  std::vector<std::int32_t> loop;
  std::int32_t at = next.begin()->first;
  do {
    loop.push_back(at);
    const auto found = next.find(at);
    if (found == next.end()) return {};
    at = found->second;
  } while (at != loop.front() && loop.size() <= next.size());
  return loop.size() == next.size() ? loop : std::vector<std::int32_t>{};
}

Vec3 half_extent(const SphereShape& s, const Mat3&) { return Vec3::Constant(s.radius); }
Vec3 half_extent(const BoxShape& s, const Mat3& R) {
  const double x = 0.5 * s.size.x(), y = 0.5 * s.size.y(), z = 0.5 * s.size.z();
  const auto along = [&](int axis) {
    return std::abs(R(axis, 0)) * x + std::abs(R(axis, 1)) * y + std::abs(R(axis, 2)) * z;
  };
  return {along(0), along(1), along(2)};
}
Vec3 half_extent(const CapsuleShape& s, const Mat3& R) {
  return 0.5 * s.length * R.col(2).cwiseAbs() + Vec3::Constant(s.radius);
}
Vec3 half_extent(const CylinderShape& s, const Mat3& R) {
  // A disc reaches r √(1 - a²) along an axis of W that makes the cosine a with its normal.
  const Vec3 across = (1 - R.col(2).array().square()).max(0).sqrt();
  return 0.5 * s.length * R.col(2).cwiseAbs() + s.radius * across;
}

template <class Solid>
Aabb bounds_of(const Solid& solid, const Pose& X_WS) {
  const auto [x, y, z] = Point3(half_extent(solid, X_WS.R));
  const auto [px, py, pz] = Point3(X_WS.p);
  return {Vec3(px - x, py - y, pz - z), Vec3(px + x, py + y, pz + z)};
}

Aabb bounds_of(const std::shared_ptr<const HullSolid>& hull, const Pose& X_WS) {
  Aabb box;
  for (int axis = 0; axis < 3; ++axis) {
    const Point3 up(X_WS.R(axis, 0), X_WS.R(axis, 1), X_WS.R(axis, 2));
    box.upper[axis] = dot(up, hull->vertex(hull->farthest_index(up))) + X_WS.p[axis];
    box.lower[axis] = dot(up, hull->vertex(hull->farthest_index(-up))) + X_WS.p[axis];
  }
  return box;
}

}  // namespace

HullSolid::HullSolid(TriMesh hull) : ConvexHull(std::move(hull)) {
  const std::size_t most = DirectionTable::kMostPoints;
  if (mesh().vertices.size() > most) {
    throw Error(ErrorKind::input, {.message = "a convex hull in contact has too many vertices",
                                   .value = std::to_string(mesh().vertices.size()),
                                   .legal = "at most " + std::to_string(most)});
  }
  table_ = DirectionTable(mesh().vertices);
  find_faces();
  find_normals();
  find_touching();
  find_radii();
}

HullSolid::HullSolid(const HullSolid& like, double factor)
    : ConvexHull(scaled(Vec3::Constant(factor), like.mesh())),
      faces_(like.faces_),
      face_of_(like.face_of_),
      corners_(like.corners_),
      touching_(like.touching_),
      table_(like.table_, factor) {
  assert(factor > 0);
  find_normals();  // anew: to the bit those of a hull made at this size
  find_radii();
}

void HullSolid::find_radii() {
  inner_radius_ = std::numeric_limits<double>::infinity();
  for (const Face& face : faces_) {
    const Vec3& corner = mesh().vertices[slot(corners_[slot(face.begin)])];
    inner_radius_ = std::min(inner_radius_, face.normal.dot(corner - centre()));
  }
  inner_radius_ = std::max(inner_radius_, 0.0);
  for (const Vec3& p : mesh().vertices) outer_radius_ = std::max(outer_radius_, p.norm());
}

void HullSolid::find_faces() {
  const TriMesh& m = mesh();
  const double tolerance = kCoplanar * internal::bounds(m).size().norm();
  const std::map<Edge, std::int32_t> by_edge = triangles_by_edge(m);
  DisjointSets groups(m.triangles.size());
  const auto twin = [&](const Edge& edge) {
    const auto found = by_edge.find({edge.second, edge.first});
    assert(found != by_edge.end());
    return found->second;
  };
  for (const auto& [edge, t] : by_edge) {
    const std::int32_t other = twin(edge);
    if (lies_in_plane(m, slot(other), slot(t), tolerance) &&
        lies_in_plane(m, slot(t), slot(other), tolerance)) {
      groups.merge(t, other);
    }
  }
  std::map<std::int32_t, std::map<std::int32_t, std::int32_t>> rims;
  for (const auto& [edge, t] : by_edge) {
    const std::int32_t group = groups.root(t);
    if (groups.root(twin(edge)) != group) rims[group][edge.first] = edge.second;
  }
  std::vector<std::int32_t> face_of_group(m.triangles.size());
  for (const auto& [group, next] : rims) {
    const std::vector<std::int32_t> loop = chain(next);
    assert(!loop.empty());
    const std::size_t kept = std::min<std::size_t>(loop.size(), kMostCorners);
    face_of_group[slot(group)] = static_cast<std::int32_t>(faces_.size());
    faces_.push_back({Vec3::Zero(),
                      static_cast<std::int32_t>(corners_.size()),
                      static_cast<std::int32_t>(kept),
                      {}});
    for (std::size_t k = 0; k < kept; ++k) {
      corners_.push_back(loop[k * loop.size() / kept]);
      if (k < 4) faces_.back().first[k] = static_cast<std::uint16_t>(corners_.back());
    }
  }
  face_of_.resize(m.triangles.size());
  for (std::size_t t = 0; t < face_of_.size(); ++t) {
    const std::int32_t group = groups.root(static_cast<std::int32_t>(t));
    face_of_[t] = static_cast<std::uint16_t>(face_of_group[slot(group)]);
  }
}

void HullSolid::find_normals() {
  for (Face& face : faces_) face.normal.setZero();
  for (std::size_t t = 0; t < face_of_.size(); ++t) {
    faces_[face_of_[t]].normal += area_vector(mesh(), t);
  }
  for (Face& face : faces_) face.normal.normalize();
}

void HullSolid::find_touching() {
  std::vector<std::vector<std::uint16_t>> at(mesh().vertices.size());
  for (std::size_t t = 0; t < face_of_.size(); ++t) {
    for (const std::int32_t v : mesh().triangles[t]) {
      std::vector<std::uint16_t>& faces = at[slot(v)];
      if (std::ranges::find(faces, face_of_[t]) == faces.end()) faces.push_back(face_of_[t]);
    }
  }
  for (std::size_t v = 0; v < at.size(); ++v) {
    table_.set_mark(v, touching_.size() << 32 | at[v].size());
    for (const std::uint16_t f : at[v]) touching_.push_back(f);
  }
}

Aabb bounds(const Convex& shape, const Pose& X_WS) {
  return std::visit([&](const auto& solid) { return bounds_of(solid, X_WS); }, shape);
}

}  // namespace grouser::internal
