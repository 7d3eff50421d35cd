#include "render/shadow_map.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {
namespace {

constexpr int kSize = 3072;  // pixels along each side
constexpr int kReach = 2;  // light is averaged over 2 kReach + 1 pixels along each side: soft edges

Mat3 axes_towards(const Vec3& sun) {
  const Vec3 z = sun.normalized();
  const Vec3 x = z.cross(std::abs(z.z()) < 0.9 ? Vec3::UnitZ() : Vec3::UnitX()).normalized();
  Mat3 R;
  R << x.transpose(), z.cross(x).transpose(), z.transpose();
  return R;
}

}  // namespace

ShadowMap::ShadowMap(const std::vector<RenderMesh>& meshes, const Vec3& sun, const Vec3& focus,
                     double radius)
    : R_SW_(axes_towards(sun)),
      centre_(focus),
      scale_(0.5 * kSize / radius),
      depths_(kSize, kSize) {
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    const TriMesh& mesh = *meshes[m].mesh;
    std::vector<Vec3> points(mesh.vertices.size());
    for (std::size_t v = 0; v < points.size(); ++v) {
      points[v] = to_map(meshes[m].X_WM * mesh.vertices[v]);
    }
    for (const Triangle& t : mesh.triangles) {
      depths_.draw(points[static_cast<std::size_t>(t[0])], points[static_cast<std::size_t>(t[1])],
                   points[static_cast<std::size_t>(t[2])], {static_cast<std::int32_t>(m), 0});
    }
  }
}

Vec3 ShadowMap::to_map(const Vec3& p_W) const {
  const Vec3 p = R_SW_ * (p_W - centre_);
  return {scale_ * p.x() + 0.5 * kSize, scale_ * p.y() + 0.5 * kSize, p.z()};
}

double ShadowMap::light(const Vec3& p_W, const Vec3& normal) const {
  const double pixel = 1 / scale_;
  // Lifted off the surface by the error of a pixel's depth, so that nothing shades itself.
  const Vec3 p = to_map(p_W + 1.5 * (kReach + 1) * pixel * normal);
  const int x0 = static_cast<int>(std::floor(p.x())), y0 = static_cast<int>(std::floor(p.y()));
  if (x0 < kReach || y0 < kReach || x0 >= kSize - kReach || y0 >= kSize - kReach) return 1;
  int lit = 0;
  for (int y = y0 - kReach; y <= y0 + kReach; ++y) {
    for (int x = x0 - kReach; x <= x0 + kReach; ++x) {
      lit += depths_.depth(x, y) <= p.z() + 0.5 * pixel ? 1 : 0;
    }
  }
  constexpr int kTaps = (2 * kReach + 1) * (2 * kReach + 1);
  return static_cast<double>(lit) / kTaps;
}

}  // namespace grouser::internal
