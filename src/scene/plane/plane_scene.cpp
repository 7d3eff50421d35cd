#include "scene/plane/plane_scene.h"

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

}  // namespace grouser::internal
