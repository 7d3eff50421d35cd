#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "assets/asset_cache.h"
#include "assets/asset_file.h"
#include "assets/asset_id.h"
#include "assets/rock.h"
#include "assets/rock_field.h"
#include "assets/surface.h"
#include "assets/wheel.h"
#include "commands.h"
#include "core/disk.h"
#include "core/hash.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_file.h"
#include "preview.h"
#include "scene/field_reader.h"
#include "scene/load_asset.h"
#include "spec_flags.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// What all kinds of assets share on the command line.
struct AssetOptions {
  std::string spec_file;
  std::string output = ".";
  std::string preview;
  JsonOption json;
  std::vector<SpecFlag> flags;

  void add_to(CLI::App& command, const char* what) {
    command.add_option("SPEC", spec_file, fmt::format("YAML file with the parameters of {}", what));
    command.add_option("-o,--output", output,
                       "folder for the file named by its id, or the file itself (*.obj)");
    command.add_option("--preview", preview, "picture to write (PNG)");
    json.add_to(command);
    add_flags(command, flags);
  }
};

/// Parameters from the file, if there is one, with the flags on top.
template <class Spec>
Spec read_parameters(const AssetOptions& options, const char* kind) {
  YamlValue value;
  value.kind = YamlValue::Kind::map;
  value.place.file = "command line";
  fs::path folder;
  if (!options.spec_file.empty()) {
    value = load_asset_file(options.spec_file, kind);
    folder = fs::path(options.spec_file).parent_path();
  }
  overlay(options.flags, value);
  Spec spec;
  IssueList issues;
  read_spec(value, folder, spec, issues);
  issues.throw_if_any();
  return spec;
}

/// A mesh as it was made, and what there is to say about it, by name.
struct Made {
  TriMesh mesh;
  Json facts;
};

/// What was asked for: how to make it, and how to draw it.
struct Order {
  GeneratorInfo generator;
  std::string parameters;  ///< canonical: their hash is the id
  std::function<Made()> make;
  std::function<Image(const TriMesh&)> draw;
  bool anew = false;  ///< make it even if its file is there
};

bool names_obj(const std::string& output) { return fs::path(output).extension() == ".obj"; }

std::string thousands(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, " ");
  return text;
}

/// For people: no more digits than they want to read.
std::string plain_text(const Json& value) {
  if (value.is_number_unsigned()) return thousands(value.get<std::size_t>());
  if (value.is_number_float()) return fmt::format("{:.5g}", value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : " ") + plain_text(item);
  return text;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Makes what is not there yet, draws it if asked to, and tells.
int deliver(const Order& order, const AssetOptions& options) {
  const std::string kind = order.generator.kind;
  const std::uint64_t id = text_hash(order.parameters);
  const AssetCache cache(names_obj(options.output) ? "." : options.output);
  const fs::path file =
      names_obj(options.output) ? fs::path(options.output) : cache.path_of(kind, id);
  const bool existed = !names_obj(options.output) && fs::exists(file);
  const bool drawn = !options.preview.empty();
  Json json = {
      {"kind", kind}, {"id", hash_text(id)}, {"file", file.string()}, {"existed", existed}};
  if (!existed || drawn || order.anew) {
    const auto begin = Clock::now();
    const Made made = order.make();
    json["seconds"] = seconds_since(begin);
    json["vertices"] = made.mesh.vertices.size();
    json["triangles"] = made.mesh.triangles.size();
    json.update(made.facts);
    const auto text = [&] { return asset_obj(made.mesh, order.generator, order.parameters); };
    if (names_obj(options.output)) {
      AtomicFile output(file);
      output.write(text());
      output.commit();
    } else {
      cache.ensure(kind, id, text);
    }
    if (drawn) write_png(options.preview, order.draw(made.mesh));
  }
  if (drawn) json["preview"] = options.preview;
  if (options.json.on) {
    fmt::print("{}\n", json.dump());
    return 0;
  }
  fmt::print("{}{}\n", file.string(), existed ? " (was there already)" : "");
  for (const auto& [name, value] : json.items()) {
    if (name == "kind" || name == "id" || name == "file" || name == "existed") continue;
    fmt::print("  {:<14} {}\n", name, plain_text(value));
  }
  return 0;
}

Json solid_facts(const TriMesh& mesh) {
  const MeshReport check = check_mesh(mesh, {.self_intersections = false});
  return {{"watertight", check.watertight() && check.oriented()}, {"volume_m3", check.volume}};
}

int make_wheel_asset(const AssetOptions& options) {
  const auto spec = read_parameters<WheelSpec>(options, "wheel");
  const auto make = [&] {
    TriMesh mesh = make_wheel(spec);
    Json facts = solid_facts(mesh);
    return Made{std::move(mesh), std::move(facts)};
  };
  const auto draw = [](const TriMesh& mesh) { return preview_of_solid(mesh, kMetalColor); };
  return deliver({generator_of(spec), canonical_text(spec), make, draw}, options);
}

int make_rock_asset(const AssetOptions& options) {
  const auto spec = read_parameters<RockSpec>(options, "rock");
  const auto make = [&] {
    Rock rock = make_rock(spec);
    Json facts = solid_facts(rock.mesh);
    facts["mass_kg"] = rock.inertia.mass;
    const Mat3& inertia = rock.inertia.about_com;
    facts["inertia_kgm2"] = {inertia(0, 0), inertia(1, 1), inertia(2, 2),
                             inertia(0, 1), inertia(0, 2), inertia(1, 2)};
    return Made{std::move(rock.mesh), std::move(facts)};
  };
  const auto draw = [](const TriMesh& mesh) { return preview_of_solid(mesh, kRockColor); };
  return deliver({generator_of(spec), canonical_text(spec), make, draw}, options);
}

int make_surface_asset(const AssetOptions& options) {
  const auto spec = read_parameters<SurfaceSpec>(options, "surface");
  const auto make = [&] {
    const auto surface = make_surface(spec);
    const GridSpec grid = surface_grid(*surface, spec.spacing);
    TriMesh mesh = surface_mesh(*surface, grid);
    const Aabb box = bounds(mesh);
    Json facts = {{"size_m", {box.size().x(), box.size().y()}},
                  {"spacing_m", grid.spacing},
                  {"lowest_m", box.lower.z()},
                  {"highest_m", box.upper.z()}};
    return Made{std::move(mesh), std::move(facts)};
  };
  const auto draw = [](const TriMesh& mesh) { return preview_of_ground(mesh); };
  return deliver({generator_of(spec), canonical_text(spec), make, draw}, options);
}

struct RocksOptions : AssetOptions {
  std::string surface_file;
  bool dynamic = false;
};

/// The ground that rocks lie on: the surface's own, or a plane of the field's size.
TriMesh ground_mesh(const RockFieldSpec& spec, const HeightField* surface) {
  if (surface != nullptr) {
    const double spacing = std::max(1e-3, surface->domain().size().maxCoeff() / 500);
    return surface_mesh(*surface, surface_grid(*surface, spacing));
  }
  const Vec2 half = 0.5 * spec.size;
  return {{{-half.x(), -half.y(), 0},
           {half.x(), -half.y(), 0},
           {half.x(), half.y(), 0},
           {-half.x(), half.y(), 0}},
          {{0, 1, 2}, {0, 2, 3}}};
}

Json field_facts(const RockField& field, const RockFieldSpec& spec) {
  double mass = 0;
  for (const PlacedRock& rock : field.rocks) mass += rock.mass;
  return {{"rocks", field.report.placed},
          {"expected", field.report.expected},
          {"refused", field.report.refused},
          {"area_m2", spec.size.prod()},
          {"mass_kg", mass}};
}

int make_rocks_asset(const RocksOptions& options) {
  const auto spec = read_parameters<RockFieldSpec>(options, "rocks");
  std::shared_ptr<const HeightField> surface;
  std::string parameters = canonical_text(spec);
  if (!options.surface_file.empty()) {
    AssetOptions surface_options;
    surface_options.spec_file = options.surface_file;
    const auto surface_spec = read_parameters<SurfaceSpec>(surface_options, "surface");
    surface = make_surface(surface_spec);
    parameters += canonical_text(surface_spec);
  }
  if (options.dynamic && names_obj(options.output)) {
    throw Error(ErrorKind::usage, {.message = "rocks of their own go to a folder, not a file",
                                   .field = "--output",
                                   .value = options.output});
  }
  const auto make = [&] {
    const RockField field =
        surface != nullptr ? make_rock_field(spec, *surface) : make_rock_field(spec);
    Json facts = field_facts(field, spec);
    if (options.dynamic) {
      const fs::path folder =
          fs::path(options.output) / fmt::format("rocks_{}", hash_text(text_hash(parameters)));
      write_rock_files(folder, field);
      facts["dynamic"] = (folder / "rocks.json").string();
    }
    return Made{merged_mesh(field), std::move(facts)};
  };
  const auto draw = [&](const TriMesh& mesh) {
    return preview_of_ground(ground_mesh(spec, surface.get()), mesh);
  };
  return deliver({generator_of(spec), parameters, make, draw, options.dynamic}, options);
}

Json report_json(const MeshReport& report) {
  return {{"solid", report.solid()},
          {"watertight", report.watertight()},
          {"oriented", report.oriented()},
          {"vertices", report.vertices},
          {"triangles", report.triangles},
          {"pieces", report.pieces},
          {"degenerate_triangles", report.degenerate_triangles},
          {"duplicate_triangles", report.duplicate_triangles},
          {"duplicate_vertices", report.duplicate_vertices},
          {"unused_vertices", report.unused_vertices},
          {"open_edges", report.open_edges},
          {"crowded_edges", report.crowded_edges},
          {"flipped_edges", report.flipped_edges},
          {"sharp_edges", report.sharp_edges},
          {"self_intersections", report.self_intersections},
          {"volume_m3", report.volume},
          {"area_m2", report.area},
          {"shortest_edge_m", report.shortest_edge},
          {"longest_edge_m", report.longest_edge}};
}

struct CheckOptions {
  std::string file;
  std::string preview;
  JsonOption json;
};

int check_asset(const CheckOptions& options) {
  const MeshFile file = read_mesh(options.file);
  const MeshReport report = check_mesh(file.mesh);
  if (!options.preview.empty()) {
    write_png(options.preview, preview_of_solid(file.mesh, kMetalColor));
  }
  if (options.json.on) {
    Json json = report_json(report);
    json["notes"] = file.notes;
    fmt::print("{}\n", json.dump());
    return 0;
  }
  fmt::print("{}\n", to_text(report));
  for (const std::string& note : file.notes) fmt::print("While reading: {}.\n", note);
  return 0;
}

template <class Spec>
std::vector<SpecFlag> flags_of() {
  Spec spec;
  FlagCollector collector;
  visit_fields(spec, collector);
  return collector.flags();
}

template <class Spec, class Options = AssetOptions>
std::pair<CLI::App*, std::shared_ptr<Options>> add_kind(CLI::App& command, Action& action,
                                                        const char* kind, const char* help,
                                                        int (*make)(const Options&)) {
  auto options = std::make_shared<Options>();
  options->flags = flags_of<Spec>();
  CLI::App* sub = command.add_subcommand(kind, help);
  options->add_to(*sub, kind);
  sub->callback([options, make, &action] { action = [options, make] { return make(*options); }; });
  return {sub, options};
}

}  // namespace

void add_asset_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("asset", "make wheels, surfaces, rocks and rock fields; check meshes");
  command->require_subcommand(1);
  add_kind<WheelSpec>(*command, action, "wheel", "a wheel, with or without grousers",
                      make_wheel_asset);
  add_kind<SurfaceSpec>(*command, action, "surface", "a piece of ground", make_surface_asset);
  add_kind<RockSpec>(*command, action, "rock", "a rock", make_rock_asset);
  const auto [rocks, options] = add_kind<RockFieldSpec, RocksOptions>(
      *command, action, "rocks", "rocks strewn over the ground", make_rocks_asset);
  rocks->add_option("--surface", options->surface_file,
                    "YAML file of the surface they lie on (default: a plane)");
  rocks->add_flag("--dynamic", options->dynamic,
                  "also write each rock to a file of its own, with pose, mass and inertia");
  auto check = std::make_shared<CheckOptions>();
  CLI::App* sub = command->add_subcommand("check", "say in plain words what is wrong with a mesh");
  sub->add_option("FILE", check->file, "OBJ, STL, PLY, DAE, glTF or GLB")->required();
  sub->add_option("--preview", check->preview, "picture to write (PNG)");
  check->json.add_to(*sub);
  sub->callback([check, &action] { action = [check] { return check_asset(*check); }; });
}

}  // namespace grouser::internal
