#include "contact/scm/facets.h"

#include <algorithm>

#include "geometry/edge_table.h"

namespace grouser {
namespace {

constexpr double kMostBend = 1e-5;  // [rad]: between two triangles of a facet

/// Two triangles with a common side.
struct Pair {
  double length2 = 0;  // of the side, squared [m²]
  EdgeSide first, second;
};

/// Corners of a triangle from the start of one of its sides on.
Triangle from_side(const TriMesh& mesh, const EdgeSide& side) {
  const Triangle& t = mesh.triangles[side.triangle()];
  const std::size_t k = side.index % 3;
  return {t[k], t[(k + 1) % 3], t[(k + 2) % 3]};
}

/// What two triangles are together. The common side runs from corner 0 to 2.
std::array<std::int32_t, 4> joined(const TriMesh& mesh, const Pair& pair) {
  const Triangle a = from_side(mesh, pair.first), b = from_side(mesh, pair.second);
  return {a[1], a[2], a[0], b[2]};
}

bool flat_and_convex(const TriMesh& mesh, const Pair& pair, double tolerance) {
  const std::array<std::int32_t, 4> c = joined(mesh, pair);
  const auto corner = [&](std::size_t k) -> const Vec3& { return mesh.vertices[slot(c[k % 4])]; };
  const Vec3 first = area_vector(mesh, pair.first.triangle());
  const Vec3 second = area_vector(mesh, pair.second.triangle());
  const Vec3 normal = (first + second).normalized();
  if (first.cross(second).norm() > kMostBend * first.norm() * second.norm()) return false;
  if (!(first.dot(second) > 0)) return false;
  if (std::abs((corner(3) - corner(0)).dot(first.normalized())) > tolerance) return false;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 in = corner(k + 1) - corner(k), out = corner(k + 2) - corner(k + 1);
    if (!(in.cross(out).dot(normal) > kMostBend * in.norm() * out.norm())) return false;
  }
  return true;
}

/// The pairs that may be facets, those with the longest common side first: two halves of a rectangle go
/// together rather than neighbours in a strip.
std::vector<Pair> pairs_of(const TriMesh& mesh, const EdgeTable& edges, double tolerance) {
  std::vector<Pair> pairs;
  edges.for_each_edge([&](std::int32_t low, std::int32_t high, std::span<const EdgeSide> sides) {
    const Vec3 side = mesh.vertices[slot(high)] - mesh.vertices[slot(low)];
    const Pair pair{side.squaredNorm(), sides[0], sides[1]};
    if (flat_and_convex(mesh, pair, tolerance)) pairs.push_back(pair);
  });
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.length2 > b.length2; });
  return pairs;
}

}  // namespace

std::vector<Facet> facets_of(const TriMesh& mesh, double tolerance) {
  const EdgeTable edges(mesh.triangles, mesh.vertices.size());
  std::vector<std::int32_t> facet_of(mesh.triangles.size(), -1);  // per triangle
  std::vector<Facet> facets;
  for (const Pair& pair : pairs_of(mesh, edges, tolerance)) {
    std::int32_t& first = facet_of[pair.first.triangle()];
    std::int32_t& second = facet_of[pair.second.triangle()];
    if (first >= 0 || second >= 0) continue;
    first = second = static_cast<std::int32_t>(facets.size());
    facets.push_back({.corners = joined(mesh, pair)});
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (facet_of[t] >= 0) continue;
    facet_of[t] = static_cast<std::int32_t>(facets.size());
    const auto& [a, b, c] = mesh.triangles[t];
    facets.push_back({.corners = {a, b, c, c}});
  }
  for (std::size_t f = 0; f < facets.size(); ++f) {
    facets[f].neighbours.fill(static_cast<std::int32_t>(f));
  }
  edges.for_each_edge([&](std::int32_t, std::int32_t, std::span<const EdgeSide> sides) {
    for (std::size_t s = 0; s < 2; ++s) {
      Facet& facet = facets[slot(facet_of[sides[s].triangle()])];
      const Triangle from = from_side(mesh, sides[s]);
      for (std::size_t k = 0; k < 4; ++k) {
        if (facet.corners[k] != from[0] || facet.corners[(k + 1) % 4] != from[1]) continue;
        facet.neighbours[k] = facet_of[sides[1 - s].triangle()];
      }
    }
  });
  return facets;
}

Vec3 area_vector(const TriMesh& mesh, const Facet& facet) {
  const auto corner = [&](std::size_t k) -> const Vec3& {
    return mesh.vertices[slot(facet.corners[k])];
  };
  return 0.5 * (corner(2) - corner(0)).cross(corner(3) - corner(1));
}

}  // namespace grouser
