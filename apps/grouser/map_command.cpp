#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "assets/surface.h"
#include "commands.h"
#include "core/error.h"
#include "core/index.h"
#include "core/log.h"
#include "math/angle.h"
#include "math/rotation.h"
#include "multibody/kinematics.h"
#include "named_scene.h"
#include "render/terrain_map.h"
#include "scene/field_reader.h"
#include "scene/load_asset.h"
#include "scene/load_scene.h"
#include "scene/text_file.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct MapCommandOptions {
  std::string terrain;
  std::string output;
  double pixel = 0, white = 1;
  MapOptions map;
  JsonOption json;
};

/// What a map shows: a terrain, and of a scene what lies and goes on it.
struct MapSubject {
  std::shared_ptr<const HeightField> surface;
  std::vector<MapDisc> rocks;
  std::vector<MapMark> marks;
  std::string name;
};

void add_rocks(const RockField& field, std::vector<MapDisc>& rocks) {
  for (const PlacedRock& rock : field.rocks) {
    rocks.push_back({.centre = rock.pose.p.head<2>(), .radius = rock.diameter / 2});
  }
}

/// Where the rovers start, and the waypoints of their paths.
std::vector<MapMark> marks_of(const World& world) {
  std::vector<MapMark> marks;
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics);
  for (std::size_t r = 0; r < world.rovers.size(); ++r) {
    const Pose& X_WC = kinematics.X_WB[at(world.rovers[r].chassis)];
    marks.push_back({.name = world.rovers.size() > 1 ? world.rovers[r].name : "start",
                     .place = X_WC.p.head<2>(),
                     .has_heading = true,
                     .heading = rpy_from_rotation(X_WC.R).z()});
    int number = 0;
    for (const PathCommand& path : world.path_commands) {
      if (at(path.rover) != r) continue;
      for (const Vec2& waypoint : path.plan.waypoints) {
        marks.push_back({.name = fmt::format("{}", ++number), .place = waypoint, .follows = true});
      }
    }
  }
  return marks;
}

/// The terrain is drawn even if the rest of the scene is not in order yet: a map is for finding out where things go.
MapSubject subject_of_scene(const std::string& name) {
  const auto ground =
      names_file(name) ? load_scene_ground(name) : load_builtin_ground(builtin_name(name));
  if (ground == nullptr) {
    throw Error(ErrorKind::input, Issue{.message = "the scene has no 'terrain'", .file = name});
  }
  MapSubject subject{.surface = {ground, &ground->map.base()}, .name = builtin_name(name)};
  add_rocks(ground->rocks, subject.rocks);
  add_rocks(ground->loose_rocks, subject.rocks);
  try {
    subject.marks = marks_of(load_named_scene(name));
  } catch (const Error& error) {
    log(LogLevel::warning,
        fmt::format("start and waypoints are not shown: {}", to_string(error.issues().front())));
  }
  return subject;
}

bool is_yaml(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

/// Whether a YAML file is a surface asset, and no scene.
bool is_surface_asset(const std::string& file) {
  IssueList issues;
  const auto text = read_text_file(file, {}, issues);
  issues.throw_if_any();
  const YamlValue value = parse_yaml(*text, file, issues);
  return value.find("surface") != nullptr && value.find("models") == nullptr &&
         value.find("terrain") == nullptr;
}

MapSubject subject_of_surface(const SurfaceSpec& spec, const std::string& name) {
  return {.surface = make_surface(spec), .name = fs::path(name).filename().string()};
}

MapSubject subject_of(const MapCommandOptions& options) {
  const std::string& name = options.terrain;
  if (!names_file(name) || (is_yaml(name) && !is_surface_asset(name))) {
    return subject_of_scene(name);
  }
  SurfaceSpec spec;
  if (is_yaml(name)) {
    IssueList issues;
    read_spec(load_asset_file(name, "surface"), fs::path(name).parent_path(), spec, issues);
    issues.throw_if_any();
  } else {
    spec.height_map = {.file = name};
    if (options.pixel > 0)
      spec.height_map->image = {.pixel = options.pixel, .white = options.white};
  }
  return subject_of_surface(spec, name);
}

/// What there is at a place: height and slope of the drawn map.
Json mark_json(const MapData& data, const MapMark& mark) {
  const GridSpec& grid = data.grid;
  const Vec2 place = (mark.place - grid.origin) / grid.spacing;
  Json json = {{"name", mark.name}, {"x_m", mark.place.x()}, {"y_m", mark.place.y()}};
  const int i = static_cast<int>(std::lround(place.x())),
            j = static_cast<int>(std::lround(place.y()));
  const bool inside = i >= 0 && j >= 0 && i < grid.nx && j < grid.ny;
  json["height_m"] = inside ? Json(data.heights[grid.index(i, j)]) : Json(nullptr);
  json["slope_deg"] = inside ? Json(kDegPerRad * data.slopes[grid.index(i, j)]) : Json(nullptr);
  return json;
}

Json range_json(const MapRange& range, double factor) {
  return {{"min", factor * range.min},
          {"max", factor * range.max},
          {"mean", factor * range.mean},
          {"min_at", {range.min_at.x(), range.min_at.y()}},
          {"max_at", {range.max_at.x(), range.max_at.y()}}};
}

Json map_json(const fs::path& file, const Rect& area, const MapData& data,
              const MapOptions& options) {
  Json marks = Json::array();
  for (const MapMark& mark : options.marks) marks.push_back(mark_json(data, mark));
  return {{"file", file.string()},
          {"quantity", options.quantity == MapQuantity::slope ? "slope" : "height"},
          {"x_m", {area.lower.x(), area.upper.x()}},
          {"y_m", {area.lower.y(), area.upper.y()}},
          {"height_m", range_json(data.height, 1)},
          {"slope_deg", range_json(data.slope, kDegPerRad)},
          {"resolution_m", data.grid.spacing},
          {"contour_interval_m", data.interval > 0 ? Json(data.interval) : Json(nullptr)},
          {"rocks", options.rocks.size()},
          {"marks", std::move(marks)}};
}

void print_map(const Json& json) {
  const auto pair = [](const Json& two) {
    return fmt::format("{:g} ... {:g}", two[0].get<double>(), two[1].get<double>());
  };
  const auto range = [](const Json& of) {
    return fmt::format("{:.4g} ... {:.4g}, mean {:.4g}", of["min"].get<double>(),
                       of["max"].get<double>(), of["mean"].get<double>());
  };
  fmt::print("{}\n  x {} m, y {} m\n  height {} m\n  slope {} deg, over {:.3g} m\n",
             json["file"].get<std::string>(), pair(json["x_m"]), pair(json["y_m"]),
             range(json["height_m"]), range(json["slope_deg"]), json["resolution_m"].get<double>());
  for (const Json& mark : json["marks"]) {
    const bool inside = !mark["height_m"].is_null();
    fmt::print("  {:<12} x {:.3g} m, y {:.3g} m, {}\n", mark["name"].get<std::string>(),
               mark["x_m"].get<double>(), mark["y_m"].get<double>(),
               inside ? fmt::format("height {:.3g} m, slope {:.1f} deg",
                                    mark["height_m"].get<double>(), mark["slope_deg"].get<double>())
                      : "outside the terrain");
  }
}

int draw_terrain_map(MapCommandOptions& options) {
  MapSubject subject = subject_of(options);
  MapOptions& map = options.map;
  map.title = subject.name;
  map.rocks = std::move(subject.rocks);
  map.marks = std::move(subject.marks);
  const MapData data = map_data(*subject.surface, map);
  const fs::path file = options.output.empty()
                            ? fs::path(fs::path(subject.name).stem().string() + "_map.png")
                            : fs::path(options.output);
  write_png(file, draw_map(data, map));
  const Json json = map_json(file, subject.surface->domain(), data, map);
  if (options.json.on) {
    fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
  } else {
    print_map(json);
  }
  return 0;
}

}  // namespace

void add_map_command(CLI::App& app, Action& action) {
  const std::map<std::string, MapQuantity> quantities = {{"height", MapQuantity::height},
                                                         {"slope", MapQuantity::slope}};
  auto options = std::make_shared<MapCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "map", "draw a terrain from above: heights, slopes, contours, rocks, start and waypoints");
  command
      ->add_option(
          "TERRAIN", options->terrain,
          "scene file or name of a built-in scene, elevation model (GeoTIFF, ASC, PDS), or "
          "surface asset (YAML)")
      ->required();
  command->add_option("-o,--output", options->output, "PNG to write (default: NAME_map.png)");
  command->add_option("--quantity", options->map.quantity, "in colours: height (default) or slope")
      ->transform(CLI::CheckedTransformer(quantities, CLI::ignore_case).description(""));
  command
      ->add_option("--contours", options->map.contour_interval,
                   "height between contours [m] (default: some twelve of them)")
      ->check(CLI::Range(1e-6, 1e5));
  command
      ->add_option("--size", options->map.size,
                   "of the terrain's longer side in the picture [px] (default 1000)")
      ->check(CLI::Range(200, 4000));
  command
      ->add_option("--pixel", options->pixel,
                   "of a plain image (PNG, JPEG): width of its pixels [m]")
      ->check(CLI::Range(1e-6, 1e5));
  command
      ->add_option("--white", options->white,
                   "of a plain image: height of white above black [m] (default 1)")
      ->check(CLI::Range(1e-6, 1e5))
      ->needs("--pixel");
  options->json.add_to(*command);
  command->callback(
      [options, &action] { action = [options] { return draw_terrain_map(*options); }; });
}

}  // namespace grouser::internal
