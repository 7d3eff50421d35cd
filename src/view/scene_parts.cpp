#include "view/scene_parts.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "geometry/primitives.h"
#include "math/rotation.h"
#include "record/run_format.h"

namespace grouser::internal {
namespace {

TriMesh mesh_of_triangles(const nlohmann::json& shape) {
  TriMesh mesh;
  const auto xyz = shape.at("vertices").get<std::vector<double>>();
  const auto corners = shape.at("triangles").get<std::vector<std::int32_t>>();
  for (std::size_t i = 0; i + 2 < xyz.size(); i += 3) {
    mesh.vertices.emplace_back(xyz[i], xyz[i + 1], xyz[i + 2]);
  }
  const auto count = static_cast<std::int32_t>(mesh.vertices.size());
  if (!std::ranges::all_of(corners, [&](std::int32_t i) { return i >= 0 && i < count; })) {
    throw Error(ErrorKind::input, {.message = "a shape of the run has triangles without corners"});
  }
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
    mesh.triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
  }
  return mesh;
}

TriMesh mesh_of_file(const nlohmann::json& shape) {
  const auto scale = shape.at("scale").get<std::array<double, 3>>();
  return mesh_of(MeshShape{shape.at("file").get<std::string>(), Vec3(scale[0], scale[1], scale[2])},
                 1);
}

/// The same look, with triangles in the list of meshes.
nlohmann::ordered_json look_of(const nlohmann::json& visual, Looks& looks) {
  nlohmann::ordered_json look = {{"body", visual.at("body")},
                                 {"position", visual.at("position")},
                                 {"quaternion", visual.at("quaternion")},
                                 {"color", visual.at("color")}};
  const nlohmann::json& shape = visual.at("shape");
  const std::string type = shape.at("type");
  if (type != "triangles" && type != "mesh") {
    look["shape"] = shape;
    return look;
  }
  TriMesh mesh;
  try {
    mesh = type == "triangles" ? mesh_of_triangles(shape) : mesh_of_file(shape);
  } catch (const Error& error) {
    looks.warnings.emplace_back(error.what());
  }
  look["shape"] = {{"type", "mesh"}, {"index", looks.meshes.size()}};
  looks.meshes.push_back(std::move(mesh));
  return look;
}

}  // namespace

Looks looks_of(const nlohmann::json& visuals, std::size_t bodies) {
  Looks looks;
  try {
    for (const nlohmann::json& visual : visuals) {
      if (visual.at("body").get<int>() >= static_cast<int>(bodies)) {
        throw Error(ErrorKind::input,
                    {.message = "/visuals names a body that the run does not have"});
      }
      looks.list.push_back(look_of(visual, looks));
    }
  } catch (const nlohmann::json::exception& problem) {
    throw Error(ErrorKind::input, {.message = std::string("/visuals: ") + problem.what()});
  }
  return looks;
}

std::string encode_meshes(const std::vector<TriMesh>& meshes) {
  ByteWriter bytes;
  bytes.u32(meshes.size());
  for (const TriMesh& mesh : meshes) {
    bytes.u32(mesh.vertices.size());
    bytes.u32(mesh.triangles.size());
    for (const Vec3& vertex : mesh.vertices) {
      for (int k = 0; k < 3; ++k) bytes.f32(vertex[k]);
    }
    for (const Triangle& triangle : mesh.triangles) {
      for (const std::int32_t corner : triangle) bytes.i32(corner);
    }
  }
  return bytes.take();
}

std::string encode_ground(const GridSpec& grid, const std::vector<double>& heights) {
  ByteWriter bytes;
  bytes.reserve(32 + 4 * heights.size());
  bytes.i32(grid.nx);
  bytes.i32(grid.ny);
  bytes.f64(grid.origin.x());
  bytes.f64(grid.origin.y());
  bytes.f64(grid.spacing);
  for (const double height : heights) bytes.f32(height);
  return bytes.take();
}

nlohmann::ordered_json soil_grid_json(const GridSpec& grid) {
  return {{"origin", {grid.origin.x(), grid.origin.y()}},
          {"spacing", grid.spacing},
          {"nx", grid.nx},
          {"ny", grid.ny},
          {"side", run_format::kSoilBlockSide}};
}

void put_pose(const Pose& pose, ByteWriter& bytes) {
  std::array<double, 4> wxyz{};
  wxyz_from_rotation(pose.R, wxyz.data());
  for (int k = 0; k < 3; ++k) bytes.f32(pose.p[k]);
  for (const int k : {1, 2, 3, 0}) bytes.f32(wxyz[static_cast<std::size_t>(k)]);
}

}  // namespace grouser::internal
