#include "scene/scm/scm_scene.h"

#include <fmt/format.h>

#include "contact/scm/scm_system.h"
#include "scene/contact_schema.h"
#include "scene/entry_reader.h"
#include "scene/field_reader.h"
#include "scene/loose_rocks.h"
#include "scene/scm/scm_fields.h"

namespace grouser::internal {
namespace {

constexpr std::array kScmWords = {ScmSystem::kName.data()};
constexpr std::array<std::string_view, 3> kScmSubjects = {"wheels", "bodies", "rocks"};

/// Soil must unload more steeply than it was loaded.
void check_unloading(const YamlValue& value, const ScmOptions& options, const Ground& ground,
                     IssueList& issues) {
  for (const Soil& soil : ground.soils.soils()) {
    if (options.unloading > soil.sinkage_exponent) continue;
    issues.add(
        issue_at(place_of(value, "unloading"), "soil must unload more steeply than it loads",
                 fmt::format("{}", options.unloading),
                 fmt::format("> {}, the sinkage exponent of a soil", soil.sinkage_exponent)));
  }
}

/// The loose rocks are bodies; those that are fixed lie on the soil.
void name_rocks(MapReader& map, const SceneData& scene, ScmEntry& entry) {
  entry.subject = ContactEntry::Subject::bodies;
  entry.names = loose_rock_names(scene, entry.place);
  if (entry.names.empty() && scene.ground != nullptr) {
    map.refuse("rocks", "are all fixed: no rock of the terrain is smaller than its 'loose_below'");
  }
  if (map.find("mesh") != nullptr) map.refuse("mesh", "is that of the rocks already");
}

}  // namespace

std::span<const char* const> ScmSceneContacts::words() const { return kScmWords; }

void ScmSceneContacts::read_entry(std::string_view /*word*/, MapReader& map,
                                  const ContactSource& source) {
  ScmEntry entry;
  if (read_subject(map, kScmSubjects, entry) == ContactEntry::Subject::rocks) {
    name_rocks(map, source.scene, entry);
  }
  if (const YamlValue* wheel = map.find("wheel")) {
    if (entry.subject != ContactEntry::Subject::wheels) {
      map.refuse("wheel", "is the shape of wheels, not of bodies");
    }
    entry.wheel = read_wheel_shape(*wheel, source.folder, map.issues());
  }
  entry.mesh = map.reference("mesh");
  if (entry.mesh) {
    if (map.find("wheel") != nullptr) map.refuse("mesh", "is the shape already given by 'wheel'");
    entry.mesh->text = (source.folder / entry.mesh->text).string();
  }
  map.finish();
  entries.push_back(std::move(entry));
}

void ScmSceneContacts::read_options(const YamlValue& value, const ContactSource& source,
                                    IssueList& issues) {
  read_spec(value, source.folder, options, issues);
  if (source.scene.ground != nullptr) {
    check_unloading(value, options, *source.scene.ground, issues);
  }
}

ContactSchema ScmSceneContacts::schema() const {
  return {.entries = {{.word = words().front(),
                       .help = "Wheels or bodies that press into soft soil.",
                       .subjects = {{"wheels", ""},
                                    {"bodies", ""},
                                    {"rocks", "the loose rocks of the terrain"}},
                       .properties = {{"wheel", wheel_shape_schema()},
                                      {"mesh",
                                       {{"type", "string"},
                                        {"description",
                                         "file of a closed mesh in the body's frame, for wheels "
                                         "with the axle along y"}}}}}},
          .options_help = "How contact with soft soil is computed.",
          .options = FieldSchema::of<ScmOptions>()};
}

}  // namespace grouser::internal
