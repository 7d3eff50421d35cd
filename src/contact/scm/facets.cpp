#include "contact/scm/facets.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "geometry/edge_table.h"

namespace grouser::internal {
namespace {

constexpr double kMostBend = 1e-5;  // [rad]: between what is put together

bool has_three(const Corners& corners) { return corners[2] == corners[3]; }

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

class FacetMaker {
 public:
  FacetMaker(const TriMesh& mesh, const FacetOptions& options)
      : mesh_(mesh), options_(options), edges_(mesh.triangles, mesh.vertices.size()) {}

  std::vector<Facet> run() {
    pair_up();
    put_in_rows();
    return collect();
  }

 private:
  const Vec3& vertex(std::int32_t v) const { return mesh_.vertices[slot(v)]; }

  bool bent(const Vec3& normal, const Vec3& other) const {
    return !(normal.dot(other) > 0) ||
           normal.cross(other).norm() > kMostBend * normal.norm() * other.norm();
  }

  bool flat_and_convex(const Corners& c) const {
    const Vec3 normal = area_vector(mesh_, c).normalized();
    if (!(std::abs((vertex(c[1]) - vertex(c[0])).dot(normal)) <= options_.tolerance)) return false;
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3& corner = vertex(c[(k + 1) % 4]);
      const Vec3 in = corner - vertex(c[k]), out = vertex(c[(k + 2) % 4]) - corner;
      if (!(in.cross(out).dot(normal) > kMostBend * in.norm() * out.norm())) return false;
    }
    return true;
  }

  /// What two triangles are together. The common side runs from corner 0 to 2.
  Corners joined(const Pair& pair) const {
    const Triangle a = from_side(mesh_, pair.first), b = from_side(mesh_, pair.second);
    return {a[1], a[2], a[0], b[2]};
  }

  /// Parts, of two triangles where they are flat. The longest common sides come first: two halves of a
  /// rectangle go together rather than neighbours in a strip.
  void pair_up() {
    std::vector<Pair> pairs;
    edges_.for_each_edge([&](std::int32_t low, std::int32_t high, std::span<const EdgeSide> sides) {
      const Pair pair{(vertex(high) - vertex(low)).squaredNorm(), sides[0], sides[1]};
      const Vec3 first = area_vector(mesh_, sides[0].triangle());
      if (bent(first, area_vector(mesh_, sides[1].triangle()))) return;
      if (flat_and_convex(joined(pair))) pairs.push_back(pair);
    });
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.length2 > b.length2; });
    part_of_.assign(mesh_.triangles.size(), -1);
    for (const Pair& pair : pairs) {
      std::int32_t& first = part_of_[pair.first.triangle()];
      std::int32_t& second = part_of_[pair.second.triangle()];
      if (first >= 0 || second >= 0) continue;
      first = second = static_cast<std::int32_t>(parts_.size());
      parts_.push_back(joined(pair));
    }
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      if (part_of_[t] >= 0) continue;
      part_of_[t] = static_cast<std::int32_t>(parts_.size());
      const auto& [a, b, c] = mesh_.triangles[t];
      parts_.push_back({a, b, c, c});
    }
  }

  /// Two facets with four corners each that have a whole side in common, and whose other sides go on
  /// straight there, are one.
  std::optional<Corners> joined(const Corners& f, const Corners& g) const {
    if (has_three(f) || has_three(g)) return {};
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const std::int32_t u = f[i], v = f[(i + 1) % 4];
        if (g[j] != v || g[(j + 1) % 4] != u) continue;
        const Corners both{f[(i + 2) % 4], f[(i + 3) % 4], g[(j + 2) % 4], g[(j + 3) % 4]};
        if (bent(area_vector(mesh_, f), area_vector(mesh_, g))) return {};
        if (!between(u, both[1], both[2]) || !between(v, both[3], both[0])) return {};
        return flat_and_convex(both) ? std::optional(both) : std::nullopt;
      }
    }
    return {};
  }

  /// Whether a vertex lies on a side, and that is not too long.
  bool between(std::int32_t v, std::int32_t from, std::int32_t to) const {
    const Vec3 side = vertex(to) - vertex(from);
    const double length = side.norm();
    return length <= options_.longest &&
           (vertex(v) - vertex(from)).cross(side).norm() <= options_.tolerance * length;
  }

  void put_in_rows() {
    facet_of_.resize(parts_.size());
    facets_.resize(parts_.size());
    members_.resize(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      facet_of_[p] = static_cast<std::int32_t>(p);
      facets_[p] = parts_[p];
      members_[p] = {static_cast<std::int32_t>(p)};
    }
    edges_.for_each_edge([&](std::int32_t, std::int32_t, std::span<const EdgeSide> sides) {
      const std::int32_t f = facet_of(sides[0].triangle()), g = facet_of(sides[1].triangle());
      if (f == g) return;
      const std::optional<Corners> both = joined(facets_[slot(f)], facets_[slot(g)]);
      if (!both) return;
      facets_[slot(f)] = *both;
      for (const std::int32_t part : members_[slot(g)]) facet_of_[slot(part)] = f;
      members_[slot(f)].insert(members_[slot(f)].end(), members_[slot(g)].begin(),
                               members_[slot(g)].end());
      members_[slot(g)].clear();
    });
  }

  std::int32_t facet_of(std::size_t triangle) const { return facet_of_[slot(part_of_[triangle])]; }

  std::vector<Facet> collect() {
    std::vector<std::int32_t> numbers(facets_.size(), -1);  // of those that are left
    std::vector<Facet> facets;
    std::vector<FacetPart*> places(parts_.size());
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      if (members_[f].empty()) continue;
      numbers[f] = static_cast<std::int32_t>(facets.size());
      Facet& facet = facets.emplace_back(Facet{.corners = facets_[f], .parts = {}});
      for (const std::int32_t part : members_[f]) {
        facet.parts.push_back({.corners = parts_[slot(part)], .neighbours = {}});
        facet.parts.back().neighbours.fill(numbers[f]);
      }
    }
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      for (std::size_t k = 0; k < members_[f].size(); ++k) {
        places[slot(members_[f][k])] = &facets[slot(numbers[f])].parts[k];
      }
    }
    edges_.for_each_edge([&](std::int32_t, std::int32_t, std::span<const EdgeSide> sides) {
      for (std::size_t s = 0; s < 2; ++s) {
        FacetPart& part = *places[slot(part_of_[sides[s].triangle()])];
        const Triangle from = from_side(mesh_, sides[s]);
        for (std::size_t k = 0; k < 4; ++k) {
          if (part.corners[k] != from[0] || part.corners[(k + 1) % 4] != from[1]) continue;
          part.neighbours[k] = numbers[slot(facet_of(sides[1 - s].triangle()))];
        }
      }
    });
    return facets;
  }

  const TriMesh& mesh_;
  FacetOptions options_;
  EdgeTable edges_;
  std::vector<Corners> parts_;
  std::vector<std::int32_t> part_of_;  // per triangle
  std::vector<Corners> facets_;
  std::vector<std::int32_t> facet_of_;  // per part
  std::vector<std::vector<std::int32_t>>
      members_;  // parts per facet; none if it became part of another
};

}  // namespace

std::vector<Facet> facets_of(const TriMesh& mesh, const FacetOptions& options) {
  return FacetMaker(mesh, options).run();
}

Vec3 area_vector(const TriMesh& mesh, const Corners& corners) {
  const auto corner = [&](std::size_t k) -> const Vec3& { return mesh.vertices[slot(corners[k])]; };
  return 0.5 * (corner(2) - corner(0)).cross(corner(3) - corner(1));
}

}  // namespace grouser::internal
