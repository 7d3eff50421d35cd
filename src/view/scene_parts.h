#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geometry/grid.h"
#include "geometry/tri_mesh.h"
#include "math/spatial.h"
#include "view/byte_writer.h"

/// What recorded and live runs tell the page in the same way; see docs/viewer.md.
namespace grouser::internal {

/// What the bodies look like, with the triangles apart.
struct Looks {
  nlohmann::ordered_json list =
      nlohmann::ordered_json::array();  ///< as visuals_json(); meshes as {"type": "mesh", "index"}
  std::vector<TriMesh> meshes;
  std::vector<std::string> warnings;  ///< meshes that could not be read
};

/// From visuals_json(). Files of meshes are read; one that cannot be is told of and drawn as nothing. Throws
/// Error(input) if it makes no sense or names a body >= `bodies`.
Looks looks_of(const nlohmann::json& visuals, std::size_t bodies);

/// u32 meshes; of each u32 vertices, u32 triangles, f32 x y z of the vertices, u32 corners of the triangles.
std::string encode_meshes(const std::vector<TriMesh>& meshes);

/// u32 nx, u32 ny, f64 origin x, y, f64 spacing, f32 heights row by row.
std::string encode_ground(const GridSpec& grid, const std::vector<double>& heights);

/// {"origin", "spacing", "nx", "ny", "side"} of the grid on which soil changes.
nlohmann::ordered_json soil_grid_json(const GridSpec& grid);

/// Position (x, y, z) and quaternion (x, y, z, w) as seven f32.
void put_pose(const Pose& pose, ByteWriter& bytes);

}  // namespace grouser::internal
