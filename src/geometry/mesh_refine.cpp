#include "geometry/mesh_refine.h"

#include <fmt/format.h>

#include <cassert>
#include <numbers>
#include <unordered_map>

#include "core/error.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kMaxTriangles = 10'000'000;

/// Middles of edges that are too long, each made once.
class Middles {
 public:
  Middles(std::vector<Vec3>& vertices, double max_edge)
      : vertices_(vertices), limit_(max_edge * max_edge) {}

  /// The vertex in the middle of an edge, or -1 if the edge is short enough.
  std::int32_t of(std::int32_t a, std::int32_t b) {
    const Vec3 &p = vertices_[slot(a)], &q = vertices_[slot(b)];
    if ((p - q).squaredNorm() <= limit_) return -1;
    const auto [low, high] = std::minmax(a, b);
    const auto key = static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high);
    const auto [at, is_new] = found_.try_emplace(key, static_cast<std::int32_t>(vertices_.size()));
    // From the lower vertex on, so that both triangles would find the same point.
    if (is_new) vertices_.push_back(0.5 * (vertices_[slot(low)] + vertices_[slot(high)]));
    return at->second;
  }

 private:
  std::vector<Vec3>& vertices_;
  double limit_;
  std::unordered_map<std::uint64_t, std::int32_t> found_;
};

/// Cuts a triangle whose edge k, from corner k on, has the middle m[k].
void cut(const Triangle& t, const std::array<std::int32_t, 3>& m, std::vector<Triangle>& out) {
  const int count = (m[0] >= 0) + (m[1] >= 0) + (m[2] >= 0);
  if (count == 0) {
    out.push_back(t);
    return;
  }
  if (count == 3) {
    out.push_back({m[0], m[1], m[2]});
    for (std::size_t k = 0; k < 3; ++k) out.push_back({t[k], m[k], m[(k + 2) % 3]});
    return;
  }
  // Turned such that with one cut it is edge 0, with two edge 2 is whole.
  std::size_t k = 0;
  while (count == 1 ? m[k] < 0 : m[(k + 2) % 3] >= 0) ++k;
  const std::int32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3], ab = m[k];
  if (count == 1) {
    out.push_back({a, ab, c});
    out.push_back({ab, b, c});
    return;
  }
  const std::int32_t bc = m[(k + 1) % 3];
  out.push_back({ab, b, bc});
  out.push_back({a, ab, bc});
  out.push_back({a, bc, c});
}

[[noreturn]] void refuse(double max_edge) {
  throw Error(
      ErrorKind::input,
      {.message = fmt::format("a mesh that fine would take more than {} triangles", kMaxTriangles),
       .field = "edge_length",
       .value = fmt::format("{}", max_edge),
       .legal = "a larger one [m]"});
}

}  // namespace

TriMesh refined(TriMesh mesh, double max_edge) {
  assert(max_edge > 0);
  // No triangle with such edges is larger than the equilateral one.
  double least = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    least += area_vector(mesh, t).norm() / (0.25 * std::numbers::sqrt3 * max_edge * max_edge);
  }
  if (least > static_cast<double>(kMaxTriangles)) refuse(max_edge);
  for (;;) {
    Middles middles(mesh.vertices, max_edge);
    std::vector<Triangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const Triangle& t : mesh.triangles) {
      cut(t, {middles.of(t[0], t[1]), middles.of(t[1], t[2]), middles.of(t[2], t[0])}, triangles);
    }
    if (triangles.size() == mesh.triangles.size()) return mesh;
    if (triangles.size() > kMaxTriangles) refuse(max_edge);
    mesh.triangles = std::move(triangles);
  }
}

}  // namespace grouser::internal
