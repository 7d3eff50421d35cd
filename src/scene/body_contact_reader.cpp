#include "scene/body_contact_reader.h"

#include "scene/body_reader.h"
#include "scene/loose_rocks.h"

namespace grouser {
namespace {

constexpr Range kYoung{0, 1e13, true, "Pa", "moduli are in Pa, not MPa"};
constexpr Range kPoisson{-0.99, 0.5, false, "-"};
constexpr Range kRestitution{0, 1, false, "-"};
constexpr Range kFriction{0, 100, false, "-"};
constexpr Range kDeadBand{0, 10, true, "m/s"};
constexpr Range kDecay{0, 1e6, false, "s/m"};
constexpr Range kGrousers{1, 1000, false, "-"};

constexpr std::string_view kSubjects[] = {"bodies", "wheels", "rocks", "terrain"};

Material read_material(MapReader& entry) {
  Material material;
  const YamlValue* value = entry.find("material");
  if (value == nullptr) return material;
  MapReader map(*value, entry.issues());
  material.young = map.number("young", kYoung, material.young);
  material.poisson = map.number("poisson", kPoisson, material.poisson);
  material.restitution = map.number("restitution", kRestitution, material.restitution);
  material.friction = map.number("friction", kFriction, material.friction);
  material.dead_band = map.number("dead_band", kDeadBand, material.dead_band);
  const auto sticking = map.number("static_friction", kFriction);
  const auto decay = map.number("decay", kDecay);
  map.finish();
  if (decay && !sticking) map.refuse("decay", "goes with 'static_friction'");
  if (!sticking) return material;
  if (*sticking < material.friction) {
    map.refuse("static_friction", "must not be below 'friction'");
    return material;
  }
  material.stiction = Stiction{.friction = *sticking};
  if (decay) material.stiction->decay = *decay;
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
  contact.place = map.place();
  const auto subject = map.exactly_one_of(kSubjects);
  if (subject == "wheels") {
    contact.subject = BodyContactData::Subject::wheels;
    contact.names = read_wheel_names(*map.find("wheels"), map.issues());
    contact.rover = map.reference("rover");
    if (const YamlValue* grousers = map.find("grousers")) {
      contact.grousers = read_grousers(*grousers, map.issues());
    }
  } else if (subject == "bodies") {
    for (const YamlValue& name : map.list("bodies")) {
      if (auto body = read_reference(name, map.issues())) contact.names.push_back(*std::move(body));
    }
    if (contact.names.empty()) map.error("must name at least one body");
    if (const YamlValue* shape = map.find("shape")) {
      contact.shape = read_shape(*shape, folder, map.issues());
    }
  } else if (subject) {
    const bool rocks = *subject == "rocks";
    contact.subject = rocks ? BodyContactData::Subject::rocks : BodyContactData::Subject::terrain;
    if (!map.flag(*subject, true)) map.refuse(*subject, "is either 'true' or not there");
    if (map.find("shape") != nullptr) map.refuse("shape", "is that of the terrain already");
  }
  contact.group = map.name("group").value_or("");
  contact.material = read_material(map);
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

}  // namespace grouser
