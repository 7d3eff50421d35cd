#include <filesystem>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "assets/rock_field.h"
#include "core/disk.h"
#include "core/long_task.h"
#include "core/text.h"
#include "geometry/mesh_file.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kMostTriangles = 10'000'000;

/// Explicit sums, so that the result is the same on every machine.
Vec3 at_pose(const Pose& X, const Vec3& p) {
  const auto row = [&](int i) {
    return X.R(i, 0) * p.x() + X.R(i, 1) * p.y() + X.R(i, 2) * p.z() + X.p[i];
  };
  return {row(0), row(1), row(2)};
}

constexpr const char* kManifestName = "rocks.json";

std::string file_name(std::size_t index) { return fmt::format("rock_{:05}.obj", index); }

std::string manifest_entry(std::size_t index, const PlacedRock& rock) {
  double q[4];
  wxyz_from_rotation(rock.pose.R, q);
  const Vec3& p = rock.pose.p;
  const Mat3& I = rock.inertia;
  return fmt::format(
      R"(    {{"file": "{}", "shape": {}, "diameter": {}, "position": [{}, {}, {}], )"
      R"("attitude_wxyz": [{}, {}, {}, {}], "mass": {}, "inertia": [{}, {}, {}, {}, {}, {}], "loose": {}}})",
      file_name(index), rock.shape, rock.diameter, p.x(), p.y(), p.z(), q[0], q[1], q[2], q[3],
      rock.mass, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2), rock.loose);
}

std::string manifest(const RockField& field) {
  fmt::memory_buffer text;
  fmt::format_to(
      std::back_inserter(text),
      "{{\n  \"format\": \"grouser rocks 1\",\n  \"units\": \"m, kg, kg m²; inertia xx yy zz xy "
      "xz yz about the centre of mass, axes of the rock\",\n  \"expected\": {},\n  \"asked\": "
      "{},\n  \"placed\": {},\n  \"rocks\": [\n",
      field.report.expected, field.report.asked, field.report.placed);
  for (std::size_t i = 0; i < field.rocks.size(); ++i) {
    text.append(manifest_entry(i, field.rocks[i]));
    text.append(std::string_view(i + 1 < field.rocks.size() ? ",\n" : "\n"));
  }
  text.append(std::string_view("  ]\n}\n"));
  return fmt::to_string(text);
}

}  // namespace

TriMesh rock_mesh(const RockField& field, const PlacedRock& rock) {
  TriMesh mesh = field.shapes[static_cast<std::size_t>(rock.shape)].mesh;
  for (Vec3& p : mesh.vertices) {
    p = {rock.scale * p.x(), rock.scale * p.y(), rock.scale * p.z()};
  }
  return mesh;
}

TriMesh merged_mesh(const RockField& field) {
  std::size_t vertices = 0, triangles = 0;
  for (const PlacedRock& rock : field.rocks) {
    const TriMesh& shape = field.shapes[static_cast<std::size_t>(rock.shape)].mesh;
    vertices += shape.vertices.size();
    triangles += shape.triangles.size();
  }
  if (triangles > kMostTriangles) {
    throw Error(ErrorKind::input, {.message = "the rocks in one mesh have too many triangles",
                                   .field = "shapes.divisions",
                                   .value = std::to_string(triangles) + " triangles",
                                   .legal = "fewer rocks or divisions, for at most 10 million"});
  }
  TriMesh merged;
  merged.vertices.reserve(vertices);
  merged.triangles.reserve(triangles);
  LongTask task("joining rocks", field.rocks.size());
  for (const PlacedRock& rock : field.rocks) {
    task.advance();
    TriMesh mesh = rock_mesh(field, rock);
    for (Vec3& p : mesh.vertices) p = at_pose(rock.pose, p);
    append(merged, mesh);
  }
  return merged;
}

void write_rock_files(const std::filesystem::path& folder, const RockField& field) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::io,
                {.message = "cannot make the folder: " + error.message(), .file = folder.string()});
  }
  const bool is_new = !std::filesystem::exists(folder / kManifestName, error);
  std::size_t written = 0;
  try {
    LongTask task("writing rocks", field.rocks.size());
    for (const PlacedRock& rock : field.rocks) {
      task.advance();
      write_obj(folder / file_name(written), rock_mesh(field, rock));
      ++written;
    }
    // Last: who finds the list finds all the files it names.
    AtomicFile file(folder / kManifestName);
    file.write(manifest(field));
    file.commit();
  } catch (...) {
    if (is_new && !std::filesystem::exists(folder / kManifestName, error)) {
      for (std::size_t i = 0; i < written; ++i)
        std::filesystem::remove(folder / file_name(i), error);
      std::filesystem::remove(folder, error);  // unless it holds something else
    }
    throw;
  }
}

}  // namespace grouser::internal
