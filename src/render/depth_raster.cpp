#include "render/depth_raster.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace grouser::internal {

DepthRaster::DepthRaster(int width, int height)
    : width_(width),
      height_(height),
      depth_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
             -std::numeric_limits<float>::infinity()),
      visible_(depth_.size()) {}

void DepthRaster::draw(const Vec3& a, const Vec3& b, const Vec3& c, VisibleTriangle id) {
  const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
  if (area == 0 || !std::isfinite(area)) return;
  const auto first = [](double low, int limit) {
    return static_cast<int>(std::clamp(std::ceil(low - 0.5), 0.0, static_cast<double>(limit)));
  };
  const auto last = [](double high, int limit) {
    return static_cast<int>(std::clamp(std::floor(high - 0.5), -1.0, limit - 1.0));
  };
  const int x0 = first(std::min({a.x(), b.x(), c.x()}), width_);
  const int x1 = last(std::max({a.x(), b.x(), c.x()}), width_);
  const int y0 = first(std::min({a.y(), b.y(), c.y()}), height_);
  const int y1 = last(std::max({a.y(), b.y(), c.y()}), height_);
  // Weights of b and c are linear in the pixel: w = w0 + wx x + wy y.
  const double inverse = 1 / area;
  const double bx = (c.y() - a.y()) * inverse, by = -(c.x() - a.x()) * inverse;
  const double cx = -(b.y() - a.y()) * inverse, cy = (b.x() - a.x()) * inverse;
  const double db = b.z() - a.z(), dc = c.z() - a.z();
  for (int y = y0; y <= y1; ++y) {
    const double dy = y + 0.5 - a.y();
    for (int x = x0; x <= x1; ++x) {
      const double dx = x + 0.5 - a.x();
      const double wb = bx * dx + by * dy, wc = cx * dx + cy * dy;
      // A hair of slack: neighbours that share an edge must not leave it to neither.
      if (wb < -1e-9 || wc < -1e-9 || wb + wc > 1 + 1e-9) continue;
      const auto depth = static_cast<float>(a.z() + wb * db + wc * dc);
      const std::size_t i = index(x, y);
      if (depth <= depth_[i]) continue;
      depth_[i] = depth;
      visible_[i] = id;
    }
  }
}

}  // namespace grouser::internal
