#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "collision/convex.h"
#include "terrain/elevation_map.h"

namespace grouser::internal {

/// A point where a shape reaches below the ground.
struct TerrainPoint {
  Vec3 p = Vec3::Zero();        ///< half way between both surfaces, in W [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of the ground
  double depth = 0;             ///< along the normal, so far as it counts (see below) [m], > 0
  double share = 1;             ///< of the law's force at that depth that acts here [-]
};

/// How a shape stands in the ground; a work space that is used again and again.
struct TerrainContact {
  std::vector<TerrainPoint> points;
  std::vector<double> corner_depth;  // work space
  std::vector<std::int32_t> below;   // work space
};

/// Corners of a polyhedron, and points between them.
struct SurfaceSamples {
  struct Between {
    Vec3 p;                              ///< [m]
    std::array<std::int32_t, 3> parent;  ///< corners
    Vec3 weight;                         ///< p = Σ weight · corner; they sum to 1
  };
  std::vector<Vec3> corners;  ///< [m]
  std::vector<Between> between;
};

/// A shape made ready for one map: immutable, shared by threads.
///
/// Where a shape meets the ground is looked for at points of the shape, each against the height and the
/// slope of the ground at its own place. Nothing depends on cells, so nothing happens at their borders:
///  - *corners* count with their full depth: vertices of boxes and hulls; the lowest point of a sphere, of
///    the two ends of a capsule, of the two rims of a cylinder, along the ground's normal; and three more
///    points at right angles on each rim, for a cylinder on its end. On a plane these are all there is: a
///    sphere has one point, a box four, a lying cylinder two, exactly.
///  - *samples* in between, as far apart as the map's nodes or an eighth of the shape, the larger of both (15
///    degrees on round ones), find bumps and walls. Only that counts by which they are deeper than the corners
///    explain: deeper than interpolated between the corners around them, or than the ground's planes that
///    a round shape was found to touch.
/// Slopes are central differences over one spacing of the grid, so that they are continuous also where
/// the map's own slopes jump. Depths and normals are therefore continuous in the pose.
///
/// The force law F(δ) = k δ^1.5 becomes the gradient of the potential U = 2/5 k √(Σ δᵢ⁵): Hertz's own for
/// one point, and a point that dips in or out adds nothing. It acts with the share √(δᵢ⁵/Σ δⱼ⁵) at point i.
/// n points of equal depth press √n times as hard as one. (Shares that sum to one would have no potential:
/// a second point would soften the first, and a body could rock itself up.)
///
/// Limits: bumps narrower than the samples' distance may reach into a face; overhangs do not exist. A
/// cylinder that tips over its upright stand on rough ground turns the four points of its rim at once.
class TerrainShape {
 public:
  /// `samples` of a hull, to share among bodies of that hull; made if not given.
  TerrainShape(const Convex& shape, const ElevationMap& map,
               std::shared_ptr<const SurfaceSamples> samples = nullptr);

  const std::shared_ptr<const SurfaceSamples>& samples() const { return samples_; }

  /// Finds the points. `ceiling` [m]: no ground under the shape is higher, e.g. map.range().max. Returns
  /// whether there are any. Pure in all but `contact`.
  bool find(const Pose& X_WS, const ElevationMap& map, double ceiling,
            TerrainContact& contact) const;

 private:
  Convex shape_;
  int stations_ = 0;  // distances between centres along a cylinder or capsule
  std::shared_ptr<const SurfaceSamples> samples_;  // of polyhedra
};

}  // namespace grouser::internal
