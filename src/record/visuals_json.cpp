#include "record/visuals_json.h"

#include <array>
#include <cmath>

#include "geometry/tri_mesh.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

Json list(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json shape_json(const BoxShape& box) { return {{"type", "box"}, {"size", list(box.size)}}; }

Json shape_json(const SphereShape& sphere) {
  return {{"type", "sphere"}, {"radius", sphere.radius}};
}

Json shape_json(const CylinderShape& cylinder) {
  return {{"type", "cylinder"}, {"radius", cylinder.radius}, {"length", cylinder.length}};
}

Json shape_json(const CapsuleShape& capsule) {
  return {{"type", "capsule"}, {"radius", capsule.radius}, {"length", capsule.length}};
}

Json shape_json(const MeshShape& mesh) {
  return {{"type", "mesh"}, {"file", mesh.file}, {"scale", list(mesh.scale)}};
}

/// To the micrometre, which is finer than any picture shows.
Json shape_json(const MadeShape& made) {
  Json vertices = Json::array(), triangles = Json::array();
  for (const Vec3& p : made.mesh->vertices) {
    for (int k = 0; k < 3; ++k) vertices.push_back(std::round(p[k] * 1e6) / 1e6);
  }
  for (const auto& triangle : made.mesh->triangles) {
    for (const auto corner : triangle) triangles.push_back(corner);
  }
  return {{"type", "triangles"}, {"vertices", vertices}, {"triangles", triangles}};
}

}  // namespace

Json visuals_json(const World& world) {
  Json all = Json::array();
  for (const Visual& visual : world.looks.empty() ? world.visuals : world.looks) {
    std::array<double, 4> wxyz{};
    wxyz_from_rotation(visual.X_BS.R, wxyz.data());
    all.push_back(
        {{"body", visual.body},
         {"position", list(visual.X_BS.p)},
         {"quaternion", wxyz},
         {"color", list(visual.color)},
         {"shape", std::visit([](const auto& s) { return shape_json(s); }, visual.shape)}});
  }
  return all;
}

}  // namespace grouser::internal
