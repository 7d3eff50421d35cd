#pragma once

#include <cstdint>
#include <vector>

#include "contact/scm/scm_body.h"
#include "contact/scm/scm_soil.h"
#include "geometry/grid.h"

namespace grouser {

/// The clusters of a body's surface that may reach into the soil, placed in the world.
class LowSurface {
 public:
  struct Part {
    const ScmBody::Cluster* cluster = nullptr;
    std::size_t first = 0;  ///< of its vertices in the arrays below
    double ground = 0;      ///< the soil around is nowhere higher [m]
  };

  explicit LowSurface(const ScmBody& body) : down_(body.triangle_count(), 0) {}

  /// Takes the clusters with triangles that look down and points that may be less than `near` [m] above
  /// the soil, with the body at X_WB. Returns a rectangle over all points that may be below it.
  Rect gather(const ScmBody& body, const Pose& X_WB, const HighestNodes& soil, double near);

  const std::vector<Part>& parts() const { return parts_; }
  /// Whether a triangle looks down and belongs to one of the parts.
  bool looks_down(std::int32_t triangle) const {
    return down_[static_cast<std::size_t>(triangle)] == stamp_;
  }

  // Per vertex of the parts.
  std::vector<double> x, y, z;  ///< [m], until the caller scales x and y
  std::vector<double> depth;    ///< for the caller

 private:
  void place(const ScmBody& body, const ScmBody::Cluster& cluster, const Pose& X_WB, double ground);

  std::vector<Part> parts_;
  std::vector<std::uint32_t> down_;  // per triangle: the call in which it looked down
  std::uint32_t stamp_ = 0;
};

}  // namespace grouser
