#include "scene/body_contact_reader.h"

#include "scene/body_reader.h"
#include "scene/loose_rocks.h"
#include "scene/touch_reader.h"

namespace grouser::internal {
namespace {

using Subject = TouchData::Subject;

constexpr Range kPoisson{-0.99, 0.5, false, "-"};
constexpr Range kRestitution{0, 1, false, "-"};
constexpr Range kGrousers{1, 1000, false, "-"};

/// Compliant contact has no law for it.
double read_turning_friction(MapReader& map, std::string_view key, const SceneData& scene) {
  constexpr Range kLength{0, 1, false, "m", "a torque over a force: millimetres for most wheels"};
  const double length = map.number(key, kLength, 0.0);
  if (length > 0 && scene.settings.integrator.method != IntegrationMethod::moreau_jean) {
    map.refuse(key, "belongs to rigid bodies: needs 'integrator: {method: moreau_jean}'");
  }
  return length;
}

Material read_material(MapReader& entry, const SceneData& scene) {
  Material material;
  const YamlValue* value = entry.find("material");
  if (value == nullptr) return material;
  MapReader map(*value, entry.issues());
  material.young = map.number("young", ranges::kYoung, material.young);
  material.poisson = map.number("poisson", kPoisson, material.poisson);
  material.restitution = map.number("restitution", kRestitution, material.restitution);
  read_friction(map, material);
  material.rolling_friction = read_turning_friction(map, "rolling_friction", scene);
  material.spinning_friction = read_turning_friction(map, "spinning_friction", scene);
  map.finish();
  return material;
}

GrouserData read_grousers(const YamlValue& value, IssueList& issues) {
  MapReader map(value, issues);
  GrouserData grousers;
  map.require("count");
  grousers.count = static_cast<int>(map.integer("count", kGrousers, grousers.count));
  grousers.height = map.number("height", ranges::kLength, grousers.height);
  grousers.thickness = map.number("thickness", ranges::kLength, grousers.thickness);
  map.finish();
  return grousers;
}

}  // namespace

void read_body_contact(MapReader& map, const std::filesystem::path& folder, SceneData& scene) {
  BodyContactData contact;
  const auto subject = read_touch(map, contact);
  if (subject == Subject::wheels) {
    if (const YamlValue* grousers = map.find("grousers")) {
      contact.grousers = read_grousers(*grousers, map.issues());
    }
  } else if (subject == Subject::bodies) {
    if (const YamlValue* shape = map.find("shape")) {
      contact.shape = read_shape(*shape, folder, map.issues());
    }
  } else if (subject) {
    map.refuse("shape", "is that of the terrain already");
  }
  contact.material = read_material(map, scene);
  map.finish();
  if (contact.subject == BodyContactData::Subject::rocks) {
    add_rocks(contact, scene, scene.body_contacts);
  } else {
    scene.body_contacts.push_back(std::move(contact));
  }
}

void read_body_contact_options(MapReader& scene_map, SceneData& scene) {
  const YamlValue* value = scene_map.find("body_contact");
  if (value == nullptr) return;
  MapReader map(*value, scene_map.issues());
  constexpr std::pair<std::string_view, ContactLaws> kLaws[] = {{"hertz", ContactLaws::hertz},
                                                                {"paper", ContactLaws::paper}};
  BbccOptions& options = scene.body_contact_options;
  options.laws = map.choice<ContactLaws>("laws", kLaws).value_or(options.laws);
  options.single_point = map.flag("single_point", options.single_point);
  map.finish();
  if (scene.body_contacts.empty()) {
    map.error("nothing touches by it: there is no entry of 'contacts' with 'model: bbcc'");
  }
}

}  // namespace grouser::internal
