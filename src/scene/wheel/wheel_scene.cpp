#include "scene/wheel/wheel_scene.h"

#include "scene/contact_schema.h"
#include "scene/field_reader.h"
#include "scene/wheel/wheel_fields.h"

namespace grouser::internal {

void WheelSceneContacts::read_entry(std::string_view word, MapReader& map,
                                    const ContactSource& source) {
  WheelEntry entry;
  entry.subject = ContactEntry::Subject::wheels;
  entry.place = map.place();
  entry.model = *find_wheel_model(word);
  if (const YamlValue* wheels = map.require("wheels")) {
    entry.names = read_wheel_names(*wheels, map.issues());
  }
  entry.rover = map.reference("rover");
  FieldReader reader(map, source.folder);
  visit_fields(entry, reader);
  map.finish();
  entries.push_back(std::move(entry));
}

ContactSchema WheelSceneContacts::schema() const {
  ContactSchema schema;
  for (const char* word : words()) {
    WheelEntry entry;
    entry.model = *find_wheel_model(word);
    schema.entries.push_back({.word = word,
                              .help = "Wheels in soft soil by a fast model.",
                              .subjects = {{"wheels", ""}},
                              .properties = FieldSchema::properties_of(entry)});
  }
  return schema;
}

}  // namespace grouser::internal
