#include "geometry/mesh_simplify.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

#include "geometry/mesh_compact.h"
#include "geometry/mesh_query.h"

namespace grouser::internal {
namespace {

/// New triangles may not be narrower, as height over longest edge, nor turn by more than ~ 8 degrees.
constexpr double kLeastHeight = 0.1, kLeastCosine = 0.99;

class Simplifier {
 public:
  Simplifier(const TriMesh& mesh, const SimplifyOptions& options)
      : mesh_(mesh),
        options_(options),
        around_(mesh.vertices.size()),
        points_(mesh.triangles.size()),
        settled_(mesh.vertices.size(), 0) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      for (const std::int32_t v : mesh.triangles[t]) {
        around_[slot(v)].push_back(static_cast<std::int32_t>(t));
      }
    }
  }

  TriMesh run() {
    while (pass()) {
    }
    std::erase_if(mesh_.triangles, [](const Triangle& t) { return t[0] < 0; });
    drop_unused_vertices(mesh_);
    return std::move(mesh_);
  }

 private:
  const Vec3& point(std::int32_t v) const { return mesh_.vertices[slot(v)]; }
  Triangle& triangle(std::int32_t t) { return mesh_.triangles[slot(t)]; }

  bool pass() {
    bool any = false;
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(mesh_.vertices.size()); ++v) {
      if (settled_[slot(v)] != 0 || around_[slot(v)].empty()) continue;
      if (remove(v)) {
        any = true;
      } else {
        settled_[slot(v)] = 1;
      }
    }
    return any;
  }

  /// Neighbours of v in order round it; none if its triangles are not one fan.
  bool find_ring(std::int32_t v) {
    ring_.clear();
    const std::vector<std::int32_t>& fan = around_[slot(v)];
    const auto next = [&](std::int32_t from) {
      for (const std::int32_t t : fan) {
        const Triangle& c = triangle(t);
        for (std::size_t k = 0; k < 3; ++k) {
          if (c[k] == v && c[(k + 1) % 3] == from) return c[(k + 2) % 3];
        }
      }
      return std::int32_t{-1};
    };
    const Triangle& first = triangle(fan.front());
    const auto k =
        static_cast<std::size_t>(std::find(first.begin(), first.end(), v) - first.begin());
    std::int32_t at = first[(k + 1) % 3];
    while (at >= 0 && ring_.size() < fan.size()) {
      ring_.push_back(at);
      at = next(at);
    }
    return at == ring_.front() && ring_.size() == fan.size() && ring_.size() >= 3;
  }

  bool remove(std::int32_t v) {
    if (!find_ring(v)) return false;
    // The nearest neighbour that will do.
    order_ = ring_;
    std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
      const double da = (point(a) - point(v)).squaredNorm();
      const double db = (point(b) - point(v)).squaredNorm();
      return da != db ? da < db : a < b;
    });
    for (const std::int32_t u : order_) {
      if (may_join(v, u)) {
        join(v, u);
        return true;
      }
    }
    return false;
  }

  bool is_neighbour(std::int32_t a, std::int32_t b) {
    return std::any_of(around_[slot(a)].begin(), around_[slot(a)].end(), [&](std::int32_t t) {
      return std::find(triangle(t).begin(), triangle(t).end(), b) != triangle(t).end();
    });
  }

  static Vec3 area_of(const std::array<Vec3, 3>& p) { return (p[1] - p[0]).cross(p[2] - p[0]); }

  /// Whether the surface stays what it is if v goes and u takes its place; finds the new homes of points.
  bool may_join(std::int32_t v, std::int32_t u) {
    const std::size_t count = ring_.size();
    const auto u_at =
        static_cast<std::size_t>(std::find(ring_.begin(), ring_.end(), u) - ring_.begin());
    // u must have no edge yet to those that it will have one to, or the mesh would touch itself.
    for (std::size_t k = 2; k + 1 < count; ++k) {
      if (is_neighbour(u, ring_[(u_at + k) % count])) return false;
    }
    for (std::size_t k = 1; k + 1 < count; ++k) {
      const std::int32_t a = ring_[(u_at + k) % count], b = ring_[(u_at + k + 1) % count];
      if (!is_good({point(v), point(a), point(b)}, {point(u), point(a), point(b)})) return false;
    }
    return rehome(v, u);
  }

  bool is_good(const std::array<Vec3, 3>& before, const std::array<Vec3, 3>& after) const {
    const Vec3 old_area = area_of(before), area = area_of(after);
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      longest = std::max(longest, (after[k] - after[(k + 1) % 3]).norm());
    }
    return longest <= options_.max_edge && area.norm() >= kLeastHeight * longest * longest &&
           area.dot(old_area) >= kLeastCosine * area.norm() * old_area.norm();
  }

  /// Each point that went, and v, must lie on one of the new triangles, about.
  bool rehome(std::int32_t v, std::int32_t u) {
    homes_.clear();
    const auto find_home = [&](std::int32_t p) {
      Home home{p, -1};
      double nearest = std::numeric_limits<double>::infinity();
      for (const std::int32_t t : around_[slot(v)]) {
        std::array<Vec3, 3> c;
        bool goes = false;
        for (std::size_t k = 0; k < 3; ++k) {
          goes = goes || triangle(t)[k] == u;
          c[k] = point(triangle(t)[k] == v ? u : triangle(t)[k]);
        }
        if (goes) continue;
        const double d = (nearest_point_on_triangle(point(p), c[0], c[1], c[2]) - point(p)).norm();
        if (d < nearest) {
          nearest = d;
          home.triangle = t;
        }
      }
      homes_.push_back(home);
      return nearest <= options_.tolerance;
    };
    if (!find_home(v)) return false;
    for (const std::int32_t t : around_[slot(v)]) {
      for (const std::int32_t p : points_[slot(t)]) {
        if (!find_home(p)) return false;
      }
    }
    return true;
  }

  void join(std::int32_t v, std::int32_t u) {
    for (const std::int32_t t : around_[slot(v)]) {
      points_[slot(t)].clear();
      Triangle& c = triangle(t);
      if (std::find(c.begin(), c.end(), u) == c.end()) {
        std::replace(c.begin(), c.end(), v, u);
        around_[slot(u)].push_back(t);
        continue;
      }
      for (const std::int32_t w : c) {
        if (w != v) std::erase(around_[slot(w)], t);
      }
      c = {-1, -1, -1};
    }
    around_[slot(v)].clear();
    for (const Home& home : homes_) points_[slot(home.triangle)].push_back(home.point);
    for (const std::int32_t w : ring_) settled_[slot(w)] = 0;
  }

  struct Home {
    std::int32_t point, triangle;
  };

  TriMesh mesh_;
  SimplifyOptions options_;
  std::vector<std::vector<std::int32_t>> around_;  // per vertex: its triangles
  std::vector<std::vector<std::int32_t>>
      points_;                 // per triangle: vertices that went, nearest to it
  std::vector<char> settled_;  // per vertex: stays, unless a neighbour goes
  std::vector<std::int32_t> ring_, order_;
  std::vector<Home> homes_;
};

}  // namespace

TriMesh simplified(const TriMesh& mesh, const SimplifyOptions& options) {
  assert(options.max_edge > 0 && options.tolerance >= 0);
  return Simplifier(mesh, options).run();
}

}  // namespace grouser::internal
