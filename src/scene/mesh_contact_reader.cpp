#include "scene/mesh_contact_reader.h"

#include "scene/body_reader.h"
#include "scene/contact_reader.h"
#include "scene/loose_rocks.h"
#include "scene/touch_reader.h"

namespace grouser::internal {
namespace {

using Subject = TouchData::Subject;

constexpr Range kLayerPoisson{0, 0.45, false, "-"};
constexpr Range kThickness{0, 10, true, "m", ranges::kMetresHint};
constexpr Range kDamping{0, 1e12, false, "N s/m³"};
constexpr Range kPenetration{0, 10, true, "m", ranges::kMetresHint};

/// The words of an enum with their values, in order.
template <class Enum, std::size_t N>
std::optional<Enum> read_word(MapReader& map, std::string_view key,
                              const std::array<const char*, N>& names) {
  std::array<std::pair<std::string_view, Enum>, N> choices;
  for (std::size_t i = 0; i < N; ++i) choices[i] = {names[i], static_cast<Enum>(i)};
  return map.choice<Enum>(key, choices);
}

LayerMaterial read_material(MapReader& entry) {
  LayerMaterial material;
  const YamlValue* value = entry.find("material");
  if (value == nullptr) return material;
  MapReader map(*value, entry.issues());
  material.rigid = map.flag("rigid", material.rigid);
  if (material.rigid) {
    for (const char* key : {"young", "poisson", "thickness"}) {
      map.refuse(key, "is not used: the layer is rigid");
    }
  }
  material.young = map.number("young", ranges::kYoung, material.young);
  material.poisson = map.number("poisson", kLayerPoisson, material.poisson);
  material.thickness = map.number("thickness", kThickness, material.thickness);
  material.damping = map.number("damping", kDamping, material.damping);
  read_friction(map, material);
  map.finish();
  return material;
}

void read_shape_keys(MapReader& map, const std::filesystem::path& folder,
                     MeshContactData& contact) {
  if (const YamlValue* shape = map.find("shape")) {
    contact.shape = read_shape(*shape, folder, map.issues());
  }
  if (const YamlValue* wheel = map.find("wheel")) {
    if (contact.subject != Subject::wheels) map.refuse("wheel", "is the shape of wheels");
    if (contact.shape) map.refuse("wheel", "is the shape already given by 'shape'");
    contact.wheel = read_wheel_shape(*wheel, folder, map.issues());
  }
  contact.edge_length = map.number("edge_length", ranges::kLength);
  contact.role = read_word<ContactRole>(map, "role", kContactRoleNames).value_or(contact.role);
  contact.max_penetration = map.number("max_penetration", kPenetration, contact.max_penetration);
}

}  // namespace

void read_mesh_contact(MapReader& map, const std::filesystem::path& folder, SceneData& scene) {
  MeshContactData contact;
  const auto subject = read_touch(map, contact);
  if (subject == Subject::wheels || subject == Subject::bodies) {
    read_shape_keys(map, folder, contact);
  }
  contact.material = read_material(map);
  map.finish();
  if (contact.subject == Subject::rocks) {
    add_rocks(contact, scene, scene.mesh_contacts);
  } else {
    scene.mesh_contacts.push_back(std::move(contact));
  }
}

void read_mesh_contact_options(MapReader& scene_map, SceneData& scene) {
  const YamlValue* value = scene_map.find("mesh_contact");
  if (value == nullptr) return;
  MapReader map(*value, scene_map.issues());
  PcmOptions& options = scene.mesh_contact_options;
  options.detection =
      read_word<Detection>(map, "detection", kDetectionNames).value_or(options.detection);
  options.frame = read_word<FrameChoice>(map, "frame", kFrameChoiceNames).value_or(options.frame);
  options.damping.expansion =
      read_word<Expansion>(map, "expansion", kExpansionNames).value_or(options.damping.expansion);
  options.damping.fade_in = map.number("fade_in", ranges::kLengthOrZero, options.damping.fade_in);
  options.rise =
      read_word<FrictionRise>(map, "friction_rise", kFrictionRiseNames).value_or(options.rise);
  map.finish();
  if (scene.mesh_contacts.empty()) {
    map.error("nothing touches by it: there is no entry of 'contacts' with 'model: pcm'");
  }
}

}  // namespace grouser::internal
