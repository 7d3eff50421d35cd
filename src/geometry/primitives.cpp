#include "geometry/primitives.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "geometry/mesh_compact.h"
#include "geometry/revolution.h"

namespace grouser::internal {
namespace {

/// Joins the borders of faces that were made one by one; their points agree to the bit.
TriMesh joined(TriMesh mesh) {
  join_vertices(mesh);
  return mesh;
}

/// One face of a box: outward normal along +`axis` or -`axis`.
void add_box_face(TriMesh& mesh, const Vec3& size, int divisions, int axis, bool upper) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const auto coordinate = [&](int along, int step) {
    return size[along] * (static_cast<double>(step) / divisions - 0.5);
  };
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  for (int j = 0; j <= divisions; ++j) {
    for (int i = 0; i <= divisions; ++i) {
      Vec3& point = mesh.vertices.emplace_back();
      point[axis] = coordinate(axis, upper ? divisions : 0);
      point[u] = coordinate(u, i);
      point[v] = coordinate(v, j);
    }
  }
  for (int j = 0; j < divisions; ++j) {
    for (int i = 0; i < divisions; ++i) {
      const std::int32_t a = first + j * (divisions + 1) + i;
      const std::int32_t b = a + 1, c = a + divisions + 2, d = a + divisions + 1;
      mesh.triangles.push_back(upper ? Triangle{a, b, c} : Triangle{a, c, b});
      mesh.triangles.push_back(upper ? Triangle{a, c, d} : Triangle{a, d, c});
    }
  }
}

/// Corners a, b, c of one face of the icosahedron, cut and pushed onto the sphere. Where two faces
/// meet one weight is zero and the other two terms commute: both faces give the same bits.
void add_sphere_face(TriMesh& mesh, const std::array<Vec3, 3>& corners, double radius, int n) {
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  for (int row = 0; row <= n; ++row) {
    for (int i = 0; i <= row; ++i) {
      const Vec3 point = (n - row) * corners[0] + (row - i) * corners[1] + i * corners[2];
      mesh.vertices.push_back(point * (radius / point.norm()));
    }
  }
  const auto index = [&](int row, int i) { return first + row * (row + 1) / 2 + i; };
  for (int row = 0; row < n; ++row) {
    for (int i = 0; i <= row; ++i) {
      mesh.triangles.push_back({index(row, i), index(row + 1, i), index(row + 1, i + 1)});
      if (i < row)
        mesh.triangles.push_back({index(row, i), index(row + 1, i + 1), index(row, i + 1)});
    }
  }
}

}  // namespace

TriMesh box_mesh(const Vec3& size, int divisions) {
  assert((size.array() > 0).all() && divisions >= 1);
  TriMesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool upper : {false, true}) add_box_face(mesh, size, divisions, axis, upper);
  }
  return joined(std::move(mesh));
}

TriMesh sphere_mesh(double radius, int divisions) {
  assert(radius > 0 && divisions >= 1);
  // The corners are those of three golden rectangles, one in each coordinate plane.
  constexpr double kG = std::numbers::phi;
  const std::array<Vec3, 12> corners = {Vec3(-1, kG, 0),  Vec3(1, kG, 0),   Vec3(-1, -kG, 0),
                                        Vec3(1, -kG, 0),  Vec3(0, -1, kG),  Vec3(0, 1, kG),
                                        Vec3(0, -1, -kG), Vec3(0, 1, -kG),  Vec3(kG, 0, -1),
                                        Vec3(kG, 0, 1),   Vec3(-kG, 0, -1), Vec3(-kG, 0, 1)};
  TriMesh mesh;
  // Any three corners at mutual distance 2, the length of an edge, make a face.
  const auto adjacent = [&](std::size_t i, std::size_t j) {
    return (corners[i] - corners[j]).squaredNorm() < 4.5;
  };
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = i + 1; j < 12; ++j) {
      for (std::size_t k = j + 1; k < 12; ++k) {
        if (!adjacent(i, j) || !adjacent(j, k) || !adjacent(k, i)) continue;
        const bool outward = corners[i].dot(corners[j].cross(corners[k])) > 0;
        add_sphere_face(mesh, {corners[i], corners[outward ? j : k], corners[outward ? k : j]},
                        radius, divisions);
      }
    }
  }
  return joined(std::move(mesh));
}

TriMesh cylinder_mesh(double radius, double length, const CylinderMeshing& meshing) {
  assert(radius > 0 && length > 0 && meshing.rings >= 1 && meshing.cap_rings >= 1);
  std::vector<Vec2> profile;
  for (int i = 0; i <= meshing.cap_rings; ++i) {
    profile.emplace_back(radius * i / meshing.cap_rings, -0.5 * length);
  }
  for (int i = 1; i <= meshing.rings; ++i) {
    profile.emplace_back(radius, length * (static_cast<double>(i) / meshing.rings - 0.5));
  }
  for (int i = meshing.cap_rings - 1; i >= 0; --i) {
    profile.emplace_back(radius * i / meshing.cap_rings, 0.5 * length);
  }
  return solid_of_revolution(profile, meshing.segments);
}

TriMesh capsule_mesh(double radius, double length, int segments) {
  const int arcs = std::max(1, segments / 4);
  return solid_of_revolution(capsule_profile(radius, length, arcs, 1), segments);
}

TriMesh torus_mesh(double ring, double tube, int ring_segments, int tube_segments) {
  assert(tube > 0 && ring > tube && ring_segments >= 3 && tube_segments >= 3);
  TriMesh mesh;
  for (int i = 0; i < ring_segments; ++i) {
    const double around = 2 * std::numbers::pi * i / ring_segments;
    for (int j = 0; j < tube_segments; ++j) {
      const double turn = 2 * std::numbers::pi * j / tube_segments;
      const double r = ring + tube * std::cos(turn);
      mesh.vertices.emplace_back(r * std::cos(around), r * std::sin(around), tube * std::sin(turn));
    }
  }
  for (int i = 0; i < ring_segments; ++i) {
    for (int j = 0; j < tube_segments; ++j) {
      const int here = i * tube_segments, next = (i + 1) % ring_segments * tube_segments;
      const int j1 = (j + 1) % tube_segments;
      mesh.triangles.push_back({here + j, next + j, next + j1});
      mesh.triangles.push_back({here + j, next + j1, here + j1});
    }
  }
  return mesh;
}

}  // namespace grouser::internal
