#include "scene/wheel_contact_reader.h"

#include "scene/body_contact_reader.h"
#include "scene/field_reader.h"
#include "scene/wheel_fields.h"

namespace grouser::internal {

void read_wheel_contact(MapReader& map, WheelModel model, SceneData& scene) {
  WheelContactData contact;
  contact.place = map.place();
  if (const YamlValue* wheels = map.require("wheels")) {
    contact.names = read_wheel_names(*wheels, map.issues());
  }
  contact.rover = map.reference("rover");
  contact.grouser_height =
      map.number("grouser_height", ranges::kLengthOrZero, contact.grouser_height);
  FieldReader reader(map, {});
  std::visit([&](auto& m) { visit_fields(m, reader); }, model);
  contact.model = model;
  map.finish();
  scene.wheel_contacts.push_back(std::move(contact));
}

}  // namespace grouser::internal
