#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/log.h"
#include "core/text.h"
#include "geometry/mesh_file.h"
#include "geometry/primitives.h"
#include "geometry/revolution.h"

namespace grouser::internal {
namespace {

constexpr double kMaxShapeTriangles = 1e7;
constexpr double kMinSegments = 8;  // however coarse, round stays round

/// Pieces of about `edge_length` on `length`, as a double, since there may be too many for an int.
double pieces(double length, double edge_length) {
  return std::max(1.0, std::round(length / edge_length));
}

double around(double radius, double edge_length) {
  return std::max(kMinSegments, pieces(2 * std::numbers::pi * radius, edge_length));
}

void require_moderate(double triangles, double edge_length) {
  if (triangles <= kMaxShapeTriangles) return;
  throw Error(
      ErrorKind::input,
      {.message = fmt::format("a mesh that fine would take {:.3g} triangles, more than {:.0f}",
                              triangles, kMaxShapeTriangles),
       .field = "edge_length",
       .value = format_number(edge_length),
       .legal = "a larger one [m]"});
}

TriMesh mesh_of_shape(const BoxShape& box, double) { return box_mesh(box.size); }

TriMesh mesh_of_shape(const SphereShape& sphere, double edge_length) {
  // The edges of an icosahedron span an angle of atan 2.
  const double divisions = std::max(2.0, pieces(std::atan(2.0) * sphere.radius, edge_length));
  require_moderate(20 * divisions * divisions, edge_length);
  return sphere_mesh(sphere.radius, static_cast<int>(divisions));
}

TriMesh mesh_of_shape(const CylinderShape& cylinder, double edge_length) {
  const double segments = around(cylinder.radius, edge_length);
  const double rings = pieces(cylinder.length, edge_length);
  require_moderate(2 * segments * (rings + 1), edge_length);
  return cylinder_mesh(cylinder.radius, cylinder.length,
                       {.segments = static_cast<int>(segments), .rings = static_cast<int>(rings)});
}

TriMesh mesh_of_shape(const CapsuleShape& capsule, double edge_length) {
  const double segments = around(capsule.radius, edge_length);
  const double arcs = std::max(2.0, std::round(segments / 4));
  const double rings = pieces(capsule.length, edge_length);
  require_moderate(2 * segments * (rings + 2 * arcs), edge_length);
  return solid_of_revolution(capsule_profile(capsule.radius, capsule.length, static_cast<int>(arcs),
                                             static_cast<int>(rings)),
                             static_cast<int>(segments));
}

TriMesh mesh_of_shape(const MeshShape& shape, double) {
  if (!shape.scale.allFinite() || (shape.scale.array() == 0).any()) {
    throw Error(ErrorKind::input, {.message = "a mesh cannot be scaled by this",
                                   .file = shape.file,
                                   .field = "scale",
                                   .value = fmt::format("[{}, {}, {}]", shape.scale.x(),
                                                        shape.scale.y(), shape.scale.z()),
                                   .legal = "three finite numbers, none of them 0"});
  }
  MeshFile file = read_mesh(shape.file);
  // Repairs of the list of vertices change no shape; `grouser asset check` tells them.
  for (const std::string& note : file.notes) log(LogLevel::debug, shape.file + ": " + note);
  return scaled(shape.scale, std::move(file.mesh));
}

TriMesh mesh_of_shape(const MadeShape& shape, double) { return *shape.mesh; }

}  // namespace

TriMesh mesh_of(const Shape& shape, double edge_length) {
  assert(edge_length > 0);
  return std::visit([&](const auto& solid) { return mesh_of_shape(solid, edge_length); }, shape);
}

}  // namespace grouser::internal
