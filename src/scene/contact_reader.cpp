#include "scene/contact_reader.h"

#include "scene/body_contact_reader.h"
#include "scene/field_reader.h"
#include "scene/load_asset.h"
#include "scene/loose_rocks.h"
#include "scene/mesh_contact_reader.h"
#include "scene/wheel_contact_reader.h"

namespace grouser::internal {
namespace {

/// The fast wheel models follow in the order of kWheelModelNames.
enum class ContactModel { scm, bbcc, pcm, wheel };

constexpr std::size_t kOthers = static_cast<std::size_t>(ContactModel::wheel);

constexpr auto kModels = [] {
  std::array<std::pair<std::string_view, int>, kOthers + kWheelModelNames.size()> models = {
      {{"scm", static_cast<int>(ContactModel::scm)},
       {"bbcc", static_cast<int>(ContactModel::bbcc)},
       {"pcm", static_cast<int>(ContactModel::pcm)}}};
  for (std::size_t k = 0; k < kWheelModelNames.size(); ++k) {
    models[kOthers + k] = {kWheelModelNames[k],
                           static_cast<int>(ContactModel::wheel) + static_cast<int>(k)};
  }
  return models;
}();

void read_contact(const YamlValue& item, const std::filesystem::path& folder, SceneData& scene,
                  IssueList& issues) {
  MapReader map(item, issues);
  map.require("model");
  const int model = map.choice<int>("model", kModels).value_or(static_cast<int>(ContactModel::scm));
  if (model == static_cast<int>(ContactModel::bbcc)) {
    read_body_contact(map, folder, scene);
    return;
  }
  if (model == static_cast<int>(ContactModel::pcm)) {
    read_mesh_contact(map, folder, scene);
    return;
  }
  if (model >= static_cast<int>(ContactModel::wheel)) {
    read_wheel_contact(map, *find_wheel_model(kModels[static_cast<std::size_t>(model)].first),
                       scene);
    return;
  }
  SoilContactData contact;
  contact.place = item.place;
  constexpr std::string_view kSubjects[] = {"wheels", "bodies", "rocks"};
  const auto subject = map.exactly_one_of(kSubjects);
  if (subject == "wheels") {
    contact.of_wheels = true;
    contact.names = read_wheel_names(*map.find("wheels"), issues);
    contact.rover = map.reference("rover");
  } else if (subject == "bodies") {
    for (const YamlValue& name : map.list("bodies")) {
      if (auto body = read_reference(name, issues)) contact.names.push_back(*std::move(body));
    }
    if (contact.names.empty()) map.error("must name at least one body");
  } else if (subject == "rocks") {
    if (!map.flag("rocks", true)) map.refuse("rocks", "is either 'true' or not there");
    contact.names = loose_rock_names(scene, item.place);
    if (contact.names.empty() && scene.ground != nullptr) {
      map.refuse("rocks",
                 "are all fixed: no rock of the terrain is smaller than its 'loose_below'");
    }
    if (map.find("mesh") != nullptr) map.refuse("mesh", "is that of the rocks already");
  }
  if (const YamlValue* wheel = map.find("wheel")) {
    if (!contact.of_wheels) map.refuse("wheel", "is the shape of wheels, not of bodies");
    contact.wheel = read_wheel_shape(*wheel, folder, issues);
  }
  contact.mesh = map.reference("mesh");
  if (contact.mesh) {
    if (map.find("wheel") != nullptr) map.refuse("mesh", "is the shape already given by 'wheel'");
    contact.mesh->text = (folder / contact.mesh->text).string();
  }
  map.finish();
  scene.soil_contacts.push_back(std::move(contact));
}

}  // namespace

std::optional<WheelSpec> read_wheel_shape(const YamlValue& value,
                                          const std::filesystem::path& folder, IssueList& issues) {
  WheelSpec spec;
  const std::size_t before = issues.issues().size();
  if (value.kind != YamlValue::Kind::scalar) {
    read_spec(value, folder, spec, issues);
  } else {
    try {
      const std::filesystem::path file = folder / value.text;
      read_spec(load_asset_file(file, "wheel"), file.parent_path(), spec, issues);
    } catch (const Error& error) {
      for (const Issue& issue : error.issues()) {
        issues.add(issue_at(value.place, issue.file + ": " + issue.message, value.text));
      }
    }
  }
  if (issues.issues().size() > before) return std::nullopt;
  return spec;
}

void read_contacts(MapReader& scene_map, const std::filesystem::path& folder, SceneData& scene) {
  const YamlValue* contacts = scene_map.find("contacts");
  if (contacts != nullptr) {
    for (const YamlValue& item : scene_map.list("contacts")) {
      read_contact(item, folder, scene, scene_map.issues());
    }
    if (!(scene.soil_contacts.empty() && scene.wheel_contacts.empty()) &&
        scene_map.find("terrain") == nullptr) {
      scene_map.issues().add(
          issue_at(contacts->place, "there is nothing to touch: the scene has no 'terrain'"));
    }
  }
  read_body_contact_options(scene_map, scene);
  read_mesh_contact_options(scene_map, scene);
}

}  // namespace grouser::internal
