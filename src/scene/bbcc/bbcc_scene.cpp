#include "scene/bbcc/bbcc_scene.h"

#include "contact/bbcc/bbcc_system.h"
#include "scene/bbcc/bbcc_fields.h"
#include "scene/body_reader.h"
#include "scene/contact_schema.h"
#include "scene/entry_reader.h"
#include "scene/field_reader.h"
#include "scene/loose_rocks.h"

namespace grouser::internal {
namespace {

constexpr std::array kBbccWords = {BbccSystem::kName.data()};

/// Compliant contact has no law for it.
void refuse_turning_friction(const YamlValue& material, IssueList& issues) {
  for (const char* key : {"rolling_friction", "spinning_friction"}) {
    const YamlValue* value = material.find(key);
    if (value == nullptr || !(parse_number(value->text).value > 0)) continue;
    issues.add(issue_at(value->place,
                        "belongs to rigid bodies: needs 'integrator: {method: moreau_jean}'",
                        value->shown()));
  }
}

}  // namespace

std::span<const char* const> BbccSceneContacts::words() const { return kBbccWords; }

void BbccSceneContacts::read_entry(std::string_view /*word*/, MapReader& map,
                                   const ContactSource& source) {
  using Subject = ContactEntry::Subject;
  BbccEntry entry;
  entry.group = map.name("group").value_or("");
  const auto subject = read_subject(map, entry);
  FieldReader reader(map, source.folder);
  if (subject == Subject::wheels) {
    reader(kBbccGrousers, entry.grousers);
  } else if (subject == Subject::bodies) {
    if (const YamlValue* shape = map.find("shape")) {
      entry.shape = read_shape(*shape, source.folder, map.issues());
    }
  } else if (subject) {
    map.refuse("shape", "is that of the terrain already");
  }
  reader(kBbccMaterial, entry.material);
  if (const YamlValue* material = map.find("material"); material != nullptr && !source.is_rigid) {
    refuse_turning_friction(*material, map.issues());
  }
  map.finish();
  if (entry.subject == Subject::rocks) {
    add_rocks(entry, source.scene, entries);
  } else {
    entries.push_back(std::move(entry));
  }
}

void BbccSceneContacts::read_options(const YamlValue& value, const ContactSource& source,
                                     IssueList& issues) {
  read_spec(value, source.folder, options, issues);
  if (!entries.empty()) return;
  issues.add(issue_at(value.place,
                      "nothing touches by it: there is no entry of 'contacts' with 'model: bbcc'"));
}

ContactSchema BbccSceneContacts::schema() const {
  auto grousers = FieldSchema::of<BbccGrousers>();
  grousers["description"] = kBbccGrousers.help;
  grousers["required"] = {"count"};
  return {.entries = {{.word = words().front(),
                       .help = "Bodies, wheels, rocks or hard ground that touch others.",
                       .subjects = {{"bodies", ""},
                                    {"wheels", ""},
                                    {"rocks", "the rocks of the terrain, fixed and loose"},
                                    {"terrain", "the untouched ground, hard; once"}},
                       .properties = {{"grousers", grousers},
                                      {"shape", schema_reference("shape")},
                                      {"group", schema_reference("name")},
                                      {"material", material_schema<Material>(kBbccMaterial)}},
                       .needs = {{"grousers", {"wheels"}}, {"shape", {"bodies"}}}}},
          .options_help = "How bodies touch each other.",
          .options = FieldSchema::of<BbccOptions>()};
}

}  // namespace grouser::internal
