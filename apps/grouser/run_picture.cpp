#include "run_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/error.h"
#include "core/text.h"
#include "geometry/mesh_file.h"
#include "geometry/primitives.h"
#include "ground_picture.h"
#include "math/rotation.h"
#include "preview.h"
#include "render/renderer.h"

namespace grouser::internal {
namespace {

Vec3 vector_of(const nlohmann::json& json) {
  const auto xyz = json.get<std::array<double, 3>>();
  return {xyz[0], xyz[1], xyz[2]};
}

Pose pose_of(const Vec3& position, const std::array<double, 4>& wxyz) {
  return {Quat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).normalized().toRotationMatrix(), position};
}

MadeShape triangles_of(const nlohmann::json& json) {
  auto mesh = std::make_shared<TriMesh>();
  const auto xyz = json.at("vertices").get<std::vector<double>>();
  const auto corners = json.at("triangles").get<std::vector<int>>();
  for (std::size_t i = 0; i + 2 < xyz.size(); i += 3) {
    mesh->vertices.emplace_back(xyz[i], xyz[i + 1], xyz[i + 2]);
  }
  const auto count = static_cast<int>(mesh->vertices.size());
  if (!std::ranges::all_of(corners, [&](int i) { return i >= 0 && i < count; })) {
    throw Error(ErrorKind::input, {.message = "a shape of the run has triangles without corners"});
  }
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
    mesh->triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
  }
  return {std::move(mesh)};
}

Shape shape_of(const nlohmann::json& json) {
  const std::string type = json.at("type");
  if (type == "box") return BoxShape{vector_of(json.at("size"))};
  if (type == "sphere") return SphereShape{json.at("radius").get<double>()};
  if (type == "cylinder")
    return CylinderShape{json.at("radius").get<double>(), json.at("length").get<double>()};
  if (type == "capsule")
    return CapsuleShape{json.at("radius").get<double>(), json.at("length").get<double>()};
  if (type == "triangles") return triangles_of(json);
  return MeshShape{json.at("file").get<std::string>(), vector_of(json.at("scale"))};
}

/// Fine enough that no corner is seen on a round thing.
double edge_length_of(const Shape& shape) {
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return 0.1 * sphere->radius;
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) return 0.1 * cylinder->radius;
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) return 0.1 * capsule->radius;
  if (const auto* box = std::get_if<BoxShape>(&shape)) return box->size.maxCoeff();
  return 1;  // a file has its own
}

/// A sample of the run.
struct Instant {
  std::size_t row = 0;
  double time = 0;  ///< [s]
};

Instant instant_at(const RunReader& run, std::optional<double> time) {
  const std::vector<double> times = run.read_column("/time", 0);
  if (times.empty()) {
    throw Error(ErrorKind::input, {.message = "the run holds no samples yet", .file = run.file()});
  }
  if (!time) return {times.size() - 1, times.back()};
  const double slack = 1 / std::max(1.0, run.info().record_rate_hz);
  if (*time < times.front() - slack || *time > times.back() + slack) {
    throw Error(ErrorKind::input,
                {.message = "the run does not reach this time",
                 .field = "--at",
                 .value = format_number(*time),
                 .legal = fmt::format("{} ... {} [s]", format_number(times.front()),
                                      format_number(times.back()))});
  }
  const auto nearest =
      std::ranges::min_element(times, {}, [&](double sample) { return std::abs(sample - *time); });
  return {static_cast<std::size_t>(nearest - times.begin()), *nearest};
}

/// Poses of all bodies in a row.
std::vector<Pose> poses_at(const RunReader& run, std::size_t row) {
  const Table p = run.read("/bodies/position", row, 1);
  const Table q = run.read("/bodies/quaternion", row, 1);
  std::vector<Pose> poses;
  for (std::size_t b = 0; 3 * b < p.columns; ++b) {
    poses.push_back(pose_of({p(0, 3 * b), p(0, 3 * b + 1), p(0, 3 * b + 2)},
                            {q(0, 4 * b), q(0, 4 * b + 1), q(0, 4 * b + 2), q(0, 4 * b + 3)}));
  }
  return poses;
}

/// The ground with its ruts, if any, and the rocks on it.
std::optional<RutLegend> add_ground(const RunReader& run, const RecordedSoil* soil,
                                    std::vector<RenderMesh>& meshes) {
  const auto ground = run.ground();
  if (!ground) return std::nullopt;
  const RutRange range = soil ? rut_range(soil->change) : RutRange{};
  const bool has_ruts = range.sunk > 0 || range.heaped > 0;
  GroundPicture picture = ground_picture(*ground, has_ruts ? soil : nullptr, range);
  meshes.push_back(std::move(picture.mesh));
  if (!ground->rocks.triangles.empty()) {
    meshes.push_back({.mesh = std::make_shared<const TriMesh>(ground->rocks), .color = kRockColor});
  }
  if (!has_ruts) return std::nullopt;
  return RutLegend{.range = range, .time = soil->time, .spacing = picture.rut_spacing};
}

/// The box around ruts near the bodies; those of a long way would leave the bodies too small to see.
Aabb ruts_near(const RecordedSoil& soil, const Aabb& bodies) {
  constexpr int kSide = TiledGrid<double>::kSide;
  constexpr double kNear = 1.6;  // times the bodies' size
  Aabb box;
  const double reach = kNear * bodies.size().norm();
  soil.change.for_each_tile([&](int ti, int tj, const double* tile) {
    for (int k = 0; k < TiledGrid<double>::kTileSize; ++k) {
      if (tile[k] == 0) continue;
      const Vec2 p = soil.grid.node(kSide * ti + k % kSide, kSide * tj + k / kSide);
      if ((p - bodies.centre().head<2>()).norm() < reach) {
        box.add({p.x(), p.y(), bodies.lower.z()});
      }
    }
  });
  return box;
}

/// Across the ruts towards the bodies that left them, from above; nothing if they are all around.
std::optional<Vec3> direction_along(const Aabb& ruts, const Aabb& bodies) {
  if (ruts.empty()) return std::nullopt;
  const Vec2 way = bodies.centre().head<2>() - ruts.centre().head<2>();
  if (way.norm() < 0.02 * bodies.size().norm()) return std::nullopt;
  const Vec2 ahead = Eigen::Rotation2Dd(0.7) * way.normalized();
  return Vec3(ahead.x(), ahead.y(), -0.62);
}

Vec3 direction_of(ViewFrom view) {
  switch (view) {
    case ViewFrom::front:
      return {-1, 0, -0.25};
    case ViewFrom::side:
      return {0, 1, -0.25};
    case ViewFrom::rear:
      return {1, 0, -0.25};
    case ViewFrom::top:
      return {0, 1e-3, -1};
    case ViewFrom::corner:
      break;
  }
  return {-0.65, 0.7, -0.42};
}

/// Towards the sun: from the side, rather low, so that ruts show their relief.
Vec3 sun_across(const Vec3& direction) {
  const Vec2 ahead = direction.head<2>().normalized();
  const Vec2 side = Eigen::Rotation2Dd(1.9) * ahead;
  return {side.x(), side.y(), 0.75};
}

/// What bodies look like; each mesh file is read once.
class Looks {
 public:
  std::shared_ptr<const TriMesh> of(const Shape& shape) {
    const auto* file = std::get_if<MeshShape>(&shape);
    if (file == nullptr) {
      return std::make_shared<const TriMesh>(mesh_of(shape, edge_length_of(shape)));
    }
    auto& mesh = files_[{file->file, file->scale.x(), file->scale.y(), file->scale.z()}];
    // Repairs of the file do not show.
    if (!mesh) {
      mesh = std::make_shared<const TriMesh>(scaled(file->scale, read_mesh(file->file).mesh));
    }
    return mesh;
  }

 private:
  std::map<std::tuple<std::string, double, double, double>, std::shared_ptr<const TriMesh>> files_;
};

/// Draws the bodies; returns the box around those whose name fits the pattern.
Aabb add_visuals(const RunReader& run, const nlohmann::json& looks, std::size_t row,
                 const std::string& pattern, std::vector<RenderMesh>& meshes) {
  const std::vector<Pose> X_WB = poses_at(run, row);
  const std::vector<std::string> names = run.texts("/bodies/names");
  Looks meshes_of;
  Aabb box;
  for (const nlohmann::json& visual : looks) {
    const int body = visual.at("body");
    const Shape shape = shape_of(visual.at("shape"));
    const Pose X_BS = pose_of(vector_of(visual.at("position")),
                              visual.at("quaternion").get<std::array<double, 4>>());
    RenderMesh item{.mesh = meshes_of.of(shape),
                    .X_WM = body < 0 ? X_BS : X_WB.at(static_cast<std::size_t>(body)) * X_BS,
                    .color = vector_of(visual.at("color"))};
    if (body >= 0 && matches_pattern(names.at(static_cast<std::size_t>(body)), pattern)) {
      for (const Vec3& vertex : item.mesh->vertices) box.add(item.X_WM * vertex);
    }
    meshes.push_back(std::move(item));
  }
  if (!box.empty()) return box;
  // Bodies without looks: at least where they are.
  for (std::size_t b = 0; b < X_WB.size(); ++b) {
    if (matches_pattern(names.at(b), pattern)) box.add(X_WB[b].p);
  }
  if (box.empty()) {
    throw Error(ErrorKind::input, {.message = "no body has such a name",
                                   .field = "--body",
                                   .value = pattern,
                                   .legal = fmt::format("{}", fmt::join(names, ", "))});
  }
  return box;
}

/// As add_visuals(), with what a file of another program may hold in place of looks as an error.
Aabb add_bodies(const RunReader& run, const std::string& pattern, std::size_t row,
                std::vector<RenderMesh>& meshes) {
  try {
    return add_visuals(run, nlohmann::json::parse(run.visuals()), row, pattern, meshes);
  } catch (const nlohmann::json::exception& problem) {
    throw Error(ErrorKind::input,
                {.message = std::string("/visuals: ") + problem.what(), .file = run.file()});
  } catch (const std::out_of_range&) {
    throw Error(ErrorKind::input, {.message = "/visuals names a body that the run does not have",
                                   .file = run.file()});
  }
}

}  // namespace

RunPicture picture_of_run(const RunReader& run, const RunPictureOptions& options) {
  const Instant instant = instant_at(run, options.time);
  const std::optional<RecordedSoil> soil = run.soil_at(instant.time);
  std::vector<RenderMesh> meshes;
  RunPicture picture;
  picture.ruts = add_ground(run, soil ? &*soil : nullptr, meshes);
  Aabb box = add_bodies(run, options.body.empty() ? "*" : options.body, instant.row, meshes);
  const Aabb ruts = picture.ruts ? ruts_near(*soil, box) : Aabb{};
  Vec3 direction = direction_of(options.view);
  if (options.view == ViewFrom::corner) direction = direction_along(ruts, box).value_or(direction);
  if (options.body.empty() && !ruts.empty()) {
    box.add(ruts.lower);
    box.add(ruts.upper);
  }
  const double margin = (ruts.empty() ? 0.12 : 0.02) * box.size().norm() + 1e-3;
  box.lower -= Vec3::Constant(margin);
  box.upper += Vec3::Constant(margin);
  Camera camera = frame_box(box, direction, static_cast<double>(options.width) / options.height);
  camera.X_WC.p = box.centre() + (camera.X_WC.p - box.centre()) / options.zoom;
  RenderOptions rendering{.width = options.width, .height = options.height};
  if (picture.ruts) rendering.sun = sun_across(direction);
  picture.image = render(meshes, camera, rendering);
  if (picture.ruts) draw_rut_scale(picture.ruts->range, picture.image);
  return picture;
}

}  // namespace grouser::internal
