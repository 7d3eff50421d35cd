#include "render/renderer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/parallel.h"
#include "render/depth_raster.h"
#include "render/shadow_map.h"
#include "render/surface_normals.h"

namespace grouser::internal {
namespace {

// Light, linear: a warm sun, a pale sky, and what the ground throws back.
const Vec3 kSunLight(2.55, 2.35, 2.05);
const Vec3 kSkyLight(0.52, 0.56, 0.64);
const Vec3 kGroundLight(0.26, 0.22, 0.19);
const Vec3 kZenith(0.36, 0.44, 0.56);
const Vec3 kHorizon(0.82, 0.80, 0.77);

double linear(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}

double srgb(double linear_value) {
  return linear_value <= 0.0031308 ? 12.92 * linear_value
                                   : 1.055 * std::pow(linear_value, 1 / 2.4) - 0.055;
}

Vec3 linear(const Vec3& color) { return {linear(color.x()), linear(color.y()), linear(color.z())}; }

/// Maps the camera's frame to pixels.
struct Projection {
  double focal, cx, cy;

  Projection(const Camera& camera, int width, int height)
      : focal(0.5 * width / std::tan(0.5 * camera.field_of_view)),
        cx(0.5 * width),
        cy(0.5 * height) {}

  Vec3 to_pixels(const Vec3& p_C) const {
    const double inverse = 1 / p_C.z();
    return {cx + focal * p_C.x() * inverse, cy + focal * p_C.y() * inverse, inverse};
  }
  Vec3 ray(int x, int y) const { return {(x + 0.5 - cx) / focal, (y + 0.5 - cy) / focal, 1}; }
};

/// Draws a triangle given in the camera's frame, less what is nearer than `near`.
void draw_clipped(const std::array<Vec3, 3>& corners, double near, const Projection& projection,
                  VisibleTriangle id, DepthRaster& raster) {
  std::array<Vec3, 4> polygon;
  std::size_t count = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& p = corners[k];
    const Vec3& q = corners[(k + 1) % 3];
    if (p.z() >= near) polygon[count++] = projection.to_pixels(p);
    if ((p.z() >= near) != (q.z() >= near)) {
      const double t = (near - p.z()) / (q.z() - p.z());
      polygon[count++] = projection.to_pixels(p + t * (q - p));
    }
  }
  for (std::size_t k = 2; k < count; ++k) {
    raster.draw(polygon[0], polygon[k - 1], polygon[k], id);
  }
}

DepthRaster draw_all(const std::vector<RenderMesh>& meshes, const Camera& camera,
                     const Projection& projection, double near, int width, int height) {
  DepthRaster raster(width, height);
  const Pose X_CW = camera.X_WC.inverse();
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    const TriMesh& mesh = *meshes[m].mesh;
    const Pose X_CM = X_CW * meshes[m].X_WM;
    std::vector<Vec3> points(mesh.vertices.size());
    parallel_for(points.size(), 8192, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) points[v] = X_CM * mesh.vertices[v];
    });
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Triangle& v = mesh.triangles[t];
      draw_clipped({points[static_cast<std::size_t>(v[0])], points[static_cast<std::size_t>(v[1])],
                    points[static_cast<std::size_t>(v[2])]},
                   near, projection, {static_cast<std::int32_t>(m), static_cast<std::int32_t>(t)},
                   raster);
    }
  }
  return raster;
}

struct Bounds {
  Vec3 focus = Vec3::Zero();
  double radius = 1;
};

/// Sphere around everything, or around what is near the camera if the scene is much larger.
Bounds shadow_bounds(const std::vector<RenderMesh>& meshes, const Camera& camera) {
  Aabb box;
  for (const RenderMesh& item : meshes) {
    for (const Vec3& vertex : item.mesh->vertices) box.add(item.X_WM * vertex);
  }
  if (box.empty()) return {};
  Bounds bounds{box.centre(), 0.5 * box.size().norm() + 1e-9};
  const Vec3 forward = camera.X_WC.R.col(2);
  const double reach = std::max(1e-9, (bounds.focus - camera.X_WC.p).dot(forward));
  const double seen = 2 * reach * std::tan(0.5 * camera.field_of_view);
  if (bounds.radius > 2 * seen) {
    bounds = {camera.X_WC.p + reach * forward, 1.5 * seen};
  }
  return bounds;
}

class Shader {
 public:
  Shader(const std::vector<RenderMesh>& meshes, const Camera& camera, const Projection& projection,
         const Vec3& sun)
      : meshes_(meshes),
        camera_(camera),
        projection_(projection),
        sun_(sun.normalized()),
        shadows_(make_shadows(meshes, camera, sun)) {
    for (const RenderMesh& item : meshes) {
      normals_.push_back(corner_normals(*item.mesh, item.crease));
    }
  }

  /// Linear colour of what is seen in a pixel.
  Vec3 color(int x, int y, VisibleTriangle seen) const {
    const Vec3 ray_W = camera_.X_WC.R * projection_.ray(x, y);
    if (seen.mesh < 0) return sky(ray_W.normalized());
    const RenderMesh& item = meshes_[static_cast<std::size_t>(seen.mesh)];
    const auto t = static_cast<std::size_t>(seen.triangle);
    const Vec3 weights = barycentric(item, t, ray_W);
    const Triangle& v = item.mesh->triangles[t];
    Vec3 point = Vec3::Zero(), normal = Vec3::Zero(), albedo = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      const double w = weights[static_cast<Eigen::Index>(k)];
      const auto vertex = static_cast<std::size_t>(v[k]);
      point += w * item.mesh->vertices[vertex];
      normal += w * normals_[static_cast<std::size_t>(seen.mesh)][t][k];
      albedo += w * (item.vertex_colors.empty() ? item.color : item.vertex_colors[vertex]);
    }
    const Vec3 p_W = item.X_WM * point;
    Vec3 n_W = (item.X_WM.R * normal).normalized();
    if (n_W.dot(ray_W) > 0) n_W = -n_W;  // the back of an open surface
    if (item.grid_lines > 0) albedo *= line_shade(p_W, item.grid_lines, ray_W, n_W);
    return lit(linear(albedo), p_W, n_W);
  }

 private:
  static ShadowMap make_shadows(const std::vector<RenderMesh>& meshes, const Camera& camera,
                                const Vec3& sun) {
    const Bounds bounds = shadow_bounds(meshes, camera);
    return {meshes, sun, bounds.focus, bounds.radius};
  }

  static Vec3 sky(const Vec3& direction) {
    const double up = std::clamp(direction.z() * 1.6 + 0.25, 0.0, 1.0);
    return (1 - up) * kHorizon + up * kZenith;
  }

  Vec3 lit(const Vec3& albedo, const Vec3& p_W, const Vec3& n_W) const {
    const double facing = n_W.dot(sun_);
    const double sun = facing > 0 ? facing * shadows_.light(p_W, n_W) : 0;
    const double up = 0.5 + 0.5 * n_W.z();
    const Vec3 light = sun * kSunLight + up * kSkyLight + (1 - up) * kGroundLight;
    const Vec3 color = 0.62 * albedo.cwiseProduct(light);
    // Bright tones are rolled off, not cut.
    return color.unaryExpr([](double c) { return c / (1 + 0.28 * c); });
  }

  /// Where the pixel's ray meets the triangle's plane, as weights of its corners.
  Vec3 barycentric(const RenderMesh& item, std::size_t t, const Vec3& ray_W) const {
    const Triangle& v = item.mesh->triangles[t];
    const Vec3 origin = item.X_WM.R.transpose() * (camera_.X_WC.p - item.X_WM.p);
    const Vec3 ray = item.X_WM.R.transpose() * ray_W;
    const Vec3& a = item.mesh->vertices[static_cast<std::size_t>(v[0])];
    const Vec3 ab = item.mesh->vertices[static_cast<std::size_t>(v[1])] - a;
    const Vec3 ac = item.mesh->vertices[static_cast<std::size_t>(v[2])] - a;
    const Vec3 p = ray.cross(ac), s = origin - a, q = s.cross(ab);
    const double det = ab.dot(p);
    if (det == 0) return Vec3::Constant(1.0 / 3);
    const double wb = std::clamp(s.dot(p) / det, 0.0, 1.0);
    const double wc = std::clamp(ray.dot(q) / det, 0.0, 1 - wb);
    return {1 - wb - wc, wb, wc};
  }

  /// Darkens along lines that are about a pixel and a half wide, and fades them out where they would
  /// stand closer than a few pixels.
  double line_shade(const Vec3& p_W, double spacing, const Vec3& ray_W, const Vec3& n_W) const {
    const double distance = (p_W - camera_.X_WC.p).norm();
    const double slant = std::max(0.05, -ray_W.normalized().dot(n_W));
    const double pixel = distance / projection_.focal / slant;
    const double fade = std::clamp(spacing / (12 * pixel) - 0.5, 0.0, 1.0);
    double shade = 1;
    for (Eigen::Index k = 0; k < 2; ++k) {
      const double off = std::abs(p_W[k] / spacing - std::round(p_W[k] / spacing)) * spacing;
      const double line = std::clamp(1.5 - off / pixel, 0.0, 1.0);
      shade = std::min(shade, 1 - 0.22 * fade * line);
    }
    return shade;
  }

  const std::vector<RenderMesh>& meshes_;
  const Camera& camera_;
  const Projection& projection_;
  Vec3 sun_;
  ShadowMap shadows_;
  std::vector<std::vector<std::array<Vec3, 3>>> normals_;
};

}  // namespace

Image render(const std::vector<RenderMesh>& meshes, const Camera& camera,
             const RenderOptions& options) {
  const int s = options.samples;
  assert(s >= 1 && options.width >= 1 && options.height >= 1);
  const int width = s * options.width, height = s * options.height;
  const Projection projection(camera, width, height);
  const double near = 1e-4 * std::max(1e-3, shadow_bounds(meshes, camera).radius);
  const DepthRaster raster = draw_all(meshes, camera, projection, near, width, height);
  const Shader shader(meshes, camera, projection, options.sun);
  Image image(options.width, options.height);
  parallel_for(
      static_cast<std::size_t>(options.height), 4, [&](std::size_t begin, std::size_t end) {
        for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
          for (int x = 0; x < options.width; ++x) {
            Vec3 sum = Vec3::Zero();
            for (int k = 0; k < s * s; ++k) {
              const int sx = s * x + k % s, sy = s * y + k / s;
              sum += shader.color(sx, sy, raster.at(sx, sy));
            }
            for (Eigen::Index channel = 0; channel < 3; ++channel) {
              const double value = srgb(std::clamp(sum[channel] / (s * s), 0.0, 1.0));
              image.pixel(x, y)[channel] = static_cast<std::uint8_t>(std::lround(255 * value));
            }
          }
        }
      });
  return image;
}

}  // namespace grouser::internal
