#include "scene/plane/plane_scene.h"

#include "scene/contact_schema.h"
#include "scene/entry_reader.h"
#include "scene/field_reader.h"
#include "scene/plane/plane_fields.h"

namespace grouser::internal {
namespace {

constexpr std::array kPlaneWords = {PlaneSystem::kName.data()};
constexpr std::array<std::string_view, 2> kPlaneSubjects = {"bodies", "wheels"};

}  // namespace

std::span<const char* const> PlaneSceneContacts::words() const { return kPlaneWords; }

void PlaneSceneContacts::read_entry(std::string_view /*word*/, MapReader& map,
                                    const ContactSource& source) {
  PlaneEntry entry;
  if (read_subject(map, kPlaneSubjects, entry) == ContactEntry::Subject::bodies) {
    map.require("points");
    for (const YamlValue& item : map.list("points")) {
      if (const auto p = read_vector(item, ranges::kOffset, map.issues())) {
        entry.points.push_back(*p);
      }
    }
  }
  FieldReader reader(map, source.folder);
  visit_fields(entry, reader);
  map.finish();
  entries.push_back(std::move(entry));
}

ContactSchema PlaneSceneContacts::schema() const {
  PlaneEntry of_wheels;
  of_wheels.subject = ContactEntry::Subject::wheels;
  ContactSchema::Entry entry = {
      .word = words().front(),
      .help = "Points of bodies, or of wheels around their rims, on a springy plane.",
      .subjects = {{"bodies", ""}, {"wheels", ""}},
      .properties = {{"points",
                      {{"description", "with `bodies`, required: in the body's frame [m]"},
                       {"type", "array"},
                       {"items",
                        {{"type", "array"},
                         {"items", {{"type", "number"}, {"minimum", -1000}, {"maximum", 1000}}},
                         {"minItems", 3},
                         {"maxItems", 3}}},
                       {"minItems", 1}}}},
      .needs = {{"bodies", {"points"}}, {"points", {"bodies"}}, {"rim_points", {"wheels"}}}};
  entry.properties.update(FieldSchema::properties_of(of_wheels));
  return {.entries = {std::move(entry)}};
}

}  // namespace grouser::internal
