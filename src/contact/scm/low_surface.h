#pragma once

#include <cstdint>
#include <vector>

#include "contact/scm/scm_body.h"
#include "contact/scm/scm_soil.h"
#include "geometry/grid.h"

namespace grouser::internal {

/// The facets of a body's surface that may reach into the soil, placed in the world.
class LowSurface {
 public:
  explicit LowSurface(const ScmBody& body) : down_(body.facet_count(), 0) {}

  /// Takes the facets that look down and may be less than `near` [m] above the soil, with the body at
  /// X_WB. Returns a rectangle over all points that may be below it.
  Rect gather(const ScmBody& body, const Pose& X_WB, const HighestNodes& soil, double near);

  /// Per facet: its number in the body, its corners in the arrays below, and where those of its cluster
  /// begin there.
  struct Facets {
    std::vector<std::int32_t> number, a, b, c, d, first;

    std::size_t count = 0;  ///< there may be room for more

    std::size_t size() const { return count; }
    void make_room(std::size_t needed);
  };
  const Facets& facets() const { return facets_; }
  /// Whether a facet of the body looks down and belongs to a cluster that may touch.
  bool looks_down(std::int32_t facet) const {
    return down_[static_cast<std::size_t>(facet)] == stamp_;
  }

  /// Vertices of the clusters that may touch.
  std::size_t vertex_count() const { return vertices_; }
  // Per vertex; there may be room for more.
  std::vector<double> x, y, z;  ///< [m], until the caller scales x and y
  std::vector<double> depth;    ///< for the caller

 private:
  void place(const ScmBody& body, const ScmBody::Cluster& cluster, const Pose& X_WB);
  void take(const ScmBody& body, const ScmBody::Cluster& cluster, double height);
  void cover(std::size_t first, double height, Rect& rect) const;

  std::size_t vertices_ = 0;
  Facets facets_;
  std::vector<std::uint32_t> down_;  // per facet: the call in which it looked down
  std::uint32_t stamp_ = 0;
  std::vector<double> lowest_;  // per facet: height of its lowest corner [m]
};

}  // namespace grouser::internal
