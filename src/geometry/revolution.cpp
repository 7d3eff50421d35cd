#include "geometry/revolution.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace grouser::internal {

TriMesh solid_of_revolution(std::span<const Vec2> profile, int segments) {
  assert(profile.size() >= 3 && segments >= 3);
  const int rings = static_cast<int>(profile.size()) - 2;
  TriMesh mesh;
  mesh.vertices.emplace_back(0, 0, profile.front().y());
  for (int ring = 0; ring < rings; ++ring) {
    const Vec2& point = profile[slot(ring + 1)];
    for (int i = 0; i < segments; ++i) {
      const double angle = 2 * std::numbers::pi * i / segments;
      mesh.vertices.emplace_back(point.x() * std::cos(angle), point.x() * std::sin(angle),
                                 point.y());
    }
  }
  mesh.vertices.emplace_back(0, 0, profile.back().y());

  const auto top = static_cast<std::int32_t>(mesh.vertices.size()) - 1;
  const auto index = [&](int ring, int i) { return 1 + ring * segments + i % segments; };
  for (int i = 0; i < segments; ++i) {
    mesh.triangles.push_back({0, index(0, i + 1), index(0, i)});
    for (int ring = 0; ring + 1 < rings; ++ring) {
      const std::int32_t a = index(ring, i), b = index(ring, i + 1);
      const std::int32_t c = index(ring + 1, i + 1), d = index(ring + 1, i);
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
    mesh.triangles.push_back({top, index(rings - 1, i), index(rings - 1, i + 1)});
  }
  return mesh;
}

std::vector<Vec2> capsule_profile(double radius, double length, int arcs, int rings) {
  assert(radius > 0 && length > 0 && arcs >= 1 && rings >= 1);
  std::vector<Vec2> profile{{0, -0.5 * length - radius}};
  for (int i = 1; i < arcs; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / arcs;
    profile.emplace_back(radius * std::sin(angle), -0.5 * length - radius * std::cos(angle));
  }
  for (int i = 0; i <= rings; ++i) {
    profile.emplace_back(radius, length * (static_cast<double>(i) / rings - 0.5));
  }
  for (int i = arcs - 1; i >= 0; --i) {
    profile.emplace_back(profile[slot(i)].x(), -profile[slot(i)].y());
  }
  return profile;
}

}  // namespace grouser::internal
