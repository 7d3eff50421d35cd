#include "scene/pcm/pcm_scene.h"

#include "contact/pcm/pcm_system.h"
#include "scene/body_reader.h"
#include "scene/contact_schema.h"
#include "scene/entry_reader.h"
#include "scene/field_reader.h"
#include "scene/loose_rocks.h"
#include "scene/pcm/pcm_fields.h"

namespace grouser::internal {
namespace {

constexpr std::array kPcmWords = {PcmSystem::kName.data()};

void read_mesh_keys(MapReader& map, const std::filesystem::path& folder, PcmEntry& entry) {
  if (const YamlValue* shape = map.find("shape")) {
    entry.shape = read_shape(*shape, folder, map.issues());
  }
  if (const YamlValue* wheel = map.find("wheel")) {
    if (entry.subject != ContactEntry::Subject::wheels) {
      map.refuse("wheel", "is the shape of wheels");
    }
    if (entry.shape) map.refuse("wheel", "is the shape already given by 'shape'");
    entry.wheel = read_wheel_shape(*wheel, folder, map.issues());
  }
  FieldReader reader(map, folder);
  visit_fields(entry, reader);
}

}  // namespace

std::span<const char* const> PcmSceneContacts::words() const { return kPcmWords; }

void PcmSceneContacts::read_entry(std::string_view /*word*/, MapReader& map,
                                  const ContactSource& source) {
  using Subject = ContactEntry::Subject;
  PcmEntry entry;
  entry.group = map.name("group").value_or("");
  const auto subject = read_subject(map, entry);
  if (subject == Subject::wheels || subject == Subject::bodies) {
    read_mesh_keys(map, source.folder, entry);
  }
  FieldReader reader(map, source.folder);
  reader(kPcmMaterial, entry.material);
  map.finish();
  if (entry.subject == Subject::rocks) {
    add_rocks(entry, source.scene, entries);
  } else {
    entries.push_back(std::move(entry));
  }
}

void PcmSceneContacts::read_options(const YamlValue& value, const ContactSource& source,
                                    IssueList& issues) {
  read_spec(value, source.folder, options, issues);
  if (!entries.empty()) return;
  issues.add(issue_at(value.place,
                      "nothing touches by it: there is no entry of 'contacts' with 'model: pcm'"));
}

ContactSchema PcmSceneContacts::schema() const {
  ContactSchema::Entry entry = {
      .word = words().front(),
      .help =
          "Meshes of bodies or wheels, rocks or ground that touch each other by elastic layers.",
      .subjects = {{"bodies", ""},
                   {"wheels", ""},
                   {"rocks", "the rocks of the terrain; fixed ones are targets"},
                   {"terrain", "the untouched ground, a target; once"}},
      .properties = {{"shape", schema_reference("shape")}, {"wheel", wheel_shape_schema()}},
      .needs = {{"wheel", {"wheels"}}}};
  entry.properties.update(FieldSchema::properties_of(PcmEntry{}));
  entry.properties["group"] = schema_reference("name");
  entry.properties["material"] = material_schema<LayerMaterial>(kPcmMaterial);
  return {.entries = {std::move(entry)},
          .options_help = "How meshes touch each other.",
          .options = FieldSchema::of<PcmOptions>()};
}

}  // namespace grouser::internal
