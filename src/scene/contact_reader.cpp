#include "scene/contact_reader.h"

namespace grouser::internal {
namespace {

void read_contact(const YamlValue& item, const ContactSource& source,
                  const SceneContactList& contacts, IssueList& issues) {
  std::vector<std::pair<std::string_view, SceneContacts*>> models;
  for (const auto& model : contacts.models()) {
    for (const char* word : model->words()) models.emplace_back(word, model.get());
  }
  MapReader map(item, issues);
  map.require("model");
  if (const auto model = map.choice<SceneContacts*>("model", models)) {
    (*model)->read_entry(map.find("model")->text, map, source);
  }
}

const YamlValue* find_options(MapReader& scene_map, const OptionsKey& options) {
  if (options.key.empty()) return nullptr;
  if (options.section.empty()) return scene_map.find(options.key);
  const YamlValue* section = scene_map.find(options.section);
  return section != nullptr ? section->find(options.key) : nullptr;
}

}  // namespace

void read_contacts(MapReader& scene_map, const std::filesystem::path& folder, SceneData& scene) {
  IssueList& issues = scene_map.issues();
  const ContactSource source{scene, folder, has_rigid_contacts(scene)};
  const YamlValue* contacts = scene_map.find("contacts");
  if (contacts != nullptr) {
    for (const YamlValue& item : scene_map.list("contacts")) {
      read_contact(item, source, scene.contacts, issues);
    }
    const bool miss_terrain = std::ranges::any_of(scene.contacts.models(), [](const auto& model) {
      return model->needs_terrain() && !model->empty();
    });
    if (miss_terrain && scene_map.find("terrain") == nullptr) {
      issues.add(
          issue_at(contacts->place, "there is nothing to touch: the scene has no 'terrain'"));
    }
  }
  for (const auto& model : scene.contacts.models()) {
    if (const YamlValue* options = find_options(scene_map, model->options_key())) {
      model->read_options(*options, source, issues);
    }
  }
}

std::vector<std::string_view> options_keys(const SceneContactList& contacts,
                                           std::string_view section) {
  std::vector<std::string_view> keys;
  for (const auto& model : contacts.models()) {
    const OptionsKey options = model->options_key();
    if (!options.key.empty() && options.section == section) keys.push_back(options.key);
  }
  return keys;
}

}  // namespace grouser::internal
