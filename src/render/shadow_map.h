#pragma once

#include <vector>

#include "render/depth_raster.h"
#include "render/renderer.h"

namespace grouser::internal {

/// What the sun sees: tells of a point how much of the sun reaches it.
class ShadowMap {
 public:
  /// Of all meshes, within a sphere around `focus`.
  ShadowMap(const std::vector<RenderMesh>& meshes, const Vec3& sun, const Vec3& focus,
            double radius);

  /// Part of the sun's light [0, 1] that reaches a point with the given normal.
  double light(const Vec3& p_W, const Vec3& normal) const;

 private:
  Vec3 to_map(const Vec3& p_W) const;

  Mat3 R_SW_;  // the map's axes: x, y across the light, z towards the sun
  Vec3 centre_;
  double scale_;  // pixels per metre
  DepthRaster depths_;
};

}  // namespace grouser::internal
