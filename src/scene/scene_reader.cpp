#include "scene/scene_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/builtin.h"
#include "scene/command_reader.h"
#include "scene/contact_reader.h"
#include "scene/element_reader.h"
#include "scene/field_reader.h"
#include "scene/gravity.h"
#include "scene/ground_reader.h"
#include "scene/loose_rocks.h"
#include "scene/mission_fields.h"
#include "scene/model_reader.h"
#include "scene/tree_reader.h"
#include "scene/watch_fields.h"

namespace grouser::internal {
namespace {

constexpr std::pair<std::string_view, IntegrationMethod> kMethods[] = {
    {"rk4", IntegrationMethod::rk4},       {"semi_implicit", IntegrationMethod::semi_implicit},
    {"esdirk", IntegrationMethod::esdirk}, {"bdf", IntegrationMethod::bdf},
    {"adams", IntegrationMethod::adams},   {"moreau_jean", IntegrationMethod::moreau_jean},
};

Vec3 read_gravity(MapReader& map, const Vec3& fallback) {
  const YamlValue* value = map.find("gravity");
  if (value == nullptr) return fallback;
  if (value->kind == YamlValue::Kind::list) {
    return read_vector(*value, ranges::kGravity, map.issues()).value_or(fallback);
  }
  const bool is_number = value->kind == YamlValue::Kind::scalar && !value->quoted &&
                         parse_number(value->text).defect == nullptr;
  const auto name = is_number ? std::nullopt : read_text(*value, map.issues());
  if (is_number) {
    map.issues().add(issue_at(value->place, "must be the name of a place or a vector",
                              value->shown(), "mars or [x, y, z] [m/s²]"));
  }
  if (!name) return fallback;
  if (const auto acceleration = find_gravity(*name)) return {0, 0, -*acceleration};
  std::vector<std::string_view> names;
  for (const GravityField& field : gravity_fields()) names.push_back(field.name);
  add_unknown_word(value->place, *name, "unknown place", names, map.issues());
  return fallback;
}

IntegratorOptions read_integrator(MapReader& scene, bool has_contacts, int& line) {
  IntegratorOptions options;
  // Contact is stiff: an explicit method needs steps that no scene can know beforehand.
  if (has_contacts) options.method = IntegrationMethod::moreau_jean;
  const YamlValue* value = scene.find("integrator");
  if (value == nullptr) return options;
  line = value->place.line;
  MapReader map(*value, scene.issues());
  options.method = map.choice<IntegrationMethod>("method", kMethods).value_or(options.method);
  options.step = map.number("step", ranges::kStep, options.step);
  options.relative_tolerance =
      map.number("relative_tolerance", ranges::kRelativeTolerance, options.relative_tolerance);
  options.absolute_tolerance =
      map.number("absolute_tolerance", ranges::kAbsoluteTolerance, options.absolute_tolerance);
  options.max_step = map.number("max_step", ranges::kMaxStep, options.max_step);
  options.max_steps = static_cast<long>(
      map.integer("max_steps", ranges::kMaxSteps, static_cast<double>(options.max_steps)));
  options.theta = map.number("theta", ranges::kTheta, options.theta);
  options.impulse_tolerance =
      map.number("impulse_tolerance", ranges::kRelativeTolerance, options.impulse_tolerance);
  options.margin = map.number("margin", ranges::kContactMargin, options.margin);
  map.finish();
  const auto refuse = [&](std::initializer_list<const char*> keys, const char* kind) {
    const std::string why =
        fmt::format("has no effect on the {}method {}", kind, to_string(options.method));
    for (const char* key : keys) map.refuse(key, why);
  };
  if (!is_adaptive(options.method)) {
    refuse({"relative_tolerance", "absolute_tolerance", "max_step", "max_steps"}, "fixed-step ");
  }
  if (!is_time_stepping(options.method)) {
    refuse({"theta", "impulse_tolerance", "margin"}, "");
  }
  return options;
}

void read_record(MapReader& scene, RunSettings& settings) {
  const YamlValue* value = scene.find("record");
  if (value == nullptr) return;
  MapReader map(*value, scene.issues());
  settings.record_rate_hz = map.number("rate_hz", ranges::kRateOrNone, settings.record_rate_hz);
  settings.soil_rate_hz = map.number("soil_hz", ranges::kRate, settings.soil_rate_hz);
  constexpr std::pair<std::string_view, RecordedContacts> kContacts[] = {
      {"none", RecordedContacts::none},
      {"wheels", RecordedContacts::wheels},
      {"all", RecordedContacts::all}};
  settings.record_contacts =
      map.choice<RecordedContacts>("contacts", kContacts).value_or(settings.record_contacts);
  map.finish();
}

void read_checkpoint(MapReader& scene, RunSettings& settings) {
  const YamlValue* value = scene.find("checkpoint");
  if (value == nullptr) return;
  MapReader map(*value, scene.issues());
  settings.checkpoint_interval =
      map.number("interval", ranges::kTimeOrZero, settings.checkpoint_interval);
  map.finish();
}

RunSettings read_settings(MapReader& map, bool has_contacts) {
  RunSettings settings;
  settings.duration = map.number("duration", ranges::kDuration, settings.duration);
  settings.seed = static_cast<std::uint64_t>(map.integer("seed", ranges::kSeed, 1));
  settings.integrator = read_integrator(map, has_contacts, settings.integrator_line);
  read_record(map, settings);
  read_checkpoint(map, settings);
  return settings;
}

}  // namespace

SceneData read_scene(const YamlValue& value, const std::filesystem::path& folder,
                     IssueList& issues) {
  SceneData scene;
  MapReader map(value, issues);
  if (!map.is_map()) {
    scene.complete = false;
    return scene;
  }
  map.require("grouser");
  read_format_version(map);
  scene.name = map.text("name").value_or("");
  map.text("description");
  scene.gravity = read_gravity(map, scene.gravity);
  const YamlValue* contacts = value.find("contacts");
  scene.settings = read_settings(map, contacts != nullptr && !contacts->items.empty());
  if (const YamlValue* ground = map.find("terrain")) {
    scene.ground = read_ground(*ground, folder, options_keys(scene.contacts, "terrain"), issues);
  }
  const YamlValue* models = map.require("models");
  scene.complete = models != nullptr;
  for (const YamlValue& item : map.list("models")) {
    const std::size_t issues_before = issues.issues().size();
    scene.models.push_back(read_model(item, folder, issues));
    const bool has_bodies = !scene.models.back().tree.bodies.empty();
    if (!has_bodies && issues.issues().size() > issues_before) scene.complete = false;
  }
  if (models != nullptr && models->items.empty()) {
    issues.add(issue_at(models->place, "must hold at least one model"));
  }
  if (scene.ground != nullptr && !scene.ground->loose_rocks.rocks.empty()) {
    scene.models.push_back(
        loose_rocks_model(scene.ground->loose_rocks, map.find("terrain")->find("rocks")->place));
  }
  scene.elements = read_elements(map);
  read_commands(map, scene);
  read_events(map, scene);
  if (const YamlValue* watch = map.find("watch")) read_spec(*watch, folder, scene.watch, issues);
  FieldReader fields(map, folder);
  fields(FieldInfo{"day", "clock, sun and air"}, scene.day);
  fields(FieldInfo{"mission", "of a rover"}, scene.mission);
  fields(FieldInfo{"controllers", "on board"}, scene.controllers);
  if (scene.mission) map.require("duration");
  read_contacts(map, folder, scene);
  check_loose_rocks(scene, issues);
  if (const YamlValue* terrain = map.find("terrain")) {
    if (const YamlValue* rocks = terrain->find("rocks")) warn_of_rocks(rocks->place, scene);
  }
  map.finish();
  return scene;
}

}  // namespace grouser::internal
