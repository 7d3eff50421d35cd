#pragma once

#include <memory>
#include <numbers>
#include <vector>

#include "geometry/tri_mesh.h"
#include "render/camera.h"
#include "render/image.h"

namespace grouser::internal {

/// Something to be drawn.
struct RenderMesh {
  std::shared_ptr<const TriMesh> mesh;
  Pose X_WM = {};
  Vec3 color = Vec3(0.7, 0.7, 0.7);      ///< red, green, blue in [0, 1], sRGB
  std::vector<Vec3> vertex_colors = {};  ///< per vertex, instead of `color`; may be empty
  double crease = std::numbers::pi / 5;  ///< edges bent by more stay sharp [rad]
  double grid_lines = 0;  ///< lines at the multiples of this in x and y [m]; 0 = none
};

struct RenderOptions {
  int width = 1280, height = 800;     ///< [px], 1 ... 8192
  int samples = 2;                    ///< per pixel along each axis, 1 ... 4
  Vec3 sun = Vec3(-0.5, -0.35, 0.6);  ///< towards the sun, any length > 0
};

/// A shaded picture with sun, sky and shadows, made in software: the same input gives the same bytes
/// for any number of threads.
Image render(const std::vector<RenderMesh>& meshes, const Camera& camera,
             const RenderOptions& options = {});

}  // namespace grouser::internal
