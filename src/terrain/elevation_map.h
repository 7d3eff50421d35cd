#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "terrain/change_bounds.h"
#include "terrain/height_field.h"
#include "terrain/raster_field.h"
#include "terrain/tiled_grid.h"

namespace grouser::internal {

struct ElevationMapOptions {
  double spacing = 0.01;  ///< of the grid on which changes are stored [m], > 0
  Interpolation interpolation = Interpolation::bilinear;  ///< of the changes between its nodes
};

struct GroundPlane {
  double height = 0;            ///< of the plane at the disc's centre [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit, upward
  double rms = 0;               ///< of the surface from the plane, vertically [m]
};

struct RayHit {
  double distance = 0;  ///< along the unit direction [m]
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
};

/// The ground: an immutable height field, shared, and on top of it the changes that ruts and piles
/// have made, stored sparsely at the nodes of a regular grid. A value: copying it takes a snapshot,
/// whose tiles are shared until one side writes. Memory grows with the ground that was changed, not
/// with the size of the map.
class ElevationMap {
 public:
  static constexpr double kMaxChange = 1000;  ///< [m]

  /// `base` must have a finite domain. Throws Error(input) otherwise, or if the options are not
  /// legal.
  explicit ElevationMap(std::shared_ptr<const HeightField> base,
                        const ElevationMapOptions& options = {});

  const HeightField& base() const { return *base_; }
  /// Nodes at which changes are stored; covers the base's domain.
  const GridSpec& grid() const { return grid_; }
  Rect domain() const { return domain_; }

  /// Height and gradient at any point: base plus interpolated change.
  SurfacePoint at(double x, double y) const;
  double height(double x, double y) const { return at(x, y).height; }
  Vec3 normal(double x, double y) const { return at(x, y).normal(); }
  HeightRange range(const Rect& rect) const;

  /// The plane that fits best (least squares of vertical distances) within a disc of `radius` [m],
  /// > 0. Sampled on four rings of eight points, whatever the radius, weighted such that surfaces
  /// up to the sixth order are fitted as by the integral over the disc.
  GroundPlane plane_under(const Vec2& centre, double radius) const;

  /// Where a ray first meets the surface from above or below; nothing if not within max_distance.
  /// The direction need not have unit length, but some. Only the domain counts. A ray that enters
  /// and leaves within half the spacing of the grid, measured on the map, may be missed. Height of
  /// the point and of the surface agree to 1e-9 m, except on steps so steep that no double lies
  /// between.
  std::optional<RayHit> ray_cast(const Vec3& origin, const Vec3& direction,
                                 double max_distance) const;

  /// Change of height stored at a node [m]; 0 where nothing was changed.
  double change(int i, int j) const { return changes_.get(i, j); }
  /// |value| <= kMaxChange. Allocates only where a part of the map is changed for the first time.
  void set_change(int i, int j, double value);
  const TiledGrid<double>& changes() const { return changes_; }
  /// Of the changes and what is kept to find them; shared with copies or not.
  std::size_t memory_bytes() const;

 private:
  void add_change(double x, double y, SurfacePoint& point) const;
  HeightRange change_range(const Rect& rect) const;

  std::shared_ptr<const HeightField> base_;
  GridSpec grid_;
  Rect domain_;
  double nodes_per_metre_ = 1;
  Interpolation interpolation_;
  TiledGrid<double> changes_;
  ChangeBounds bounds_;
  bool is_changed_ = false;
};

}  // namespace grouser::internal
