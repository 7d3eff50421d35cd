#pragma once

#include <cstdint>
#include <vector>

#include "math/spatial.h"

namespace grouser::internal {

/// What is seen in each pixel.
struct VisibleTriangle {
  std::int32_t mesh = -1;  ///< -1: nothing
  std::int32_t triangle = -1;
};

/// A picture of depths: which triangle is nearest in each pixel.
class DepthRaster {
 public:
  DepthRaster(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }

  /// Corners as (x, y) in pixels, whose centres are at half numbers, and a depth that is linear across
  /// the picture and grows towards the viewer: 1/z of a pinhole camera, -z of a parallel projection.
  void draw(const Vec3& a, const Vec3& b, const Vec3& c, VisibleTriangle id);

  float depth(int x, int y) const { return depth_[index(x, y)]; }
  VisibleTriangle at(int x, int y) const { return visible_[index(x, y)]; }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  int width_, height_;
  std::vector<float> depth_;
  std::vector<VisibleTriangle> visible_;
};

}  // namespace grouser::internal
