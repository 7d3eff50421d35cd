#include "scene/model_reader.h"

#include <fmt/format.h>

#include "math/angle.h"
#include "math/rotation.h"
#include "scene/builtin.h"
#include "scene/element_reader.h"
#include "scene/field_reader.h"
#include "scene/power_fields.h"
#include "scene/text_file.h"
#include "scene/tree_reader.h"
#include "scene/urdf_reader.h"

namespace grouser::internal {
namespace {

constexpr Range kHeading{-360, 360, false, "deg"};

TreeData read_builtin_rover(const PlacedName& rover, IssueList& issues) {
  const auto text = find_builtin("rovers", rover.text);
  if (text) {
    const YamlValue value = parse_yaml(*text, "builtin:" + rover.text, issues);
    return read_tree(value, {}, issues);
  }
  std::vector<std::string> names;
  for (const BuiltinEntry& entry : builtin_rovers()) names.push_back(entry.name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  add_unknown_word(rover.place, rover.text, "unknown rover", views, issues);
  return {};
}

TreeData read_tree_file(const PlacedName& file, bool is_urdf, const std::filesystem::path& folder,
                        IssueList& issues) {
  const std::filesystem::path path = folder / file.text;
  const auto text = read_text_file(path, file.place, issues);
  if (!text) return {};
  if (is_urdf) return read_urdf(*text, path.string(), path.parent_path(), issues);
  const std::size_t issues_before = issues.issues().size();
  const YamlValue value = parse_yaml(*text, path.string(), issues);
  if (value.kind == YamlValue::Kind::null && issues.issues().size() > issues_before) return {};
  return read_tree(value, path.parent_path(), issues);
}

TreeData read_any_tree(MapReader& map, const std::filesystem::path& folder) {
  constexpr std::string_view kSources[] = {"rover", "urdf", "file", "tree"};
  const auto source = map.exactly_one_of(kSources);
  const YamlValue* value = source ? map.find(*source) : nullptr;
  if (value == nullptr) return {};
  if (*source == "tree") return read_tree(*value, folder, map.issues());
  const auto reference = read_reference(*value, map.issues());
  if (!reference) return {};
  if (*source == "rover") return read_builtin_rover(*reference, map.issues());
  return read_tree_file(*reference, *source == "urdf", folder, map.issues());
}

/// Initial values of a joint: position | position_deg | rpy_deg, velocity, and its passive laws.
JointStart read_joint_start(const std::string& name, const YamlValue& value, IssueList& issues) {
  constexpr std::string_view kPositions[] = {"position", "position_deg", "rpy_deg"};
  MapReader map(value, issues);
  JointStart start;
  start.joint = {name, value.place};
  std::vector<std::string_view> given;
  for (const std::string_view key : kPositions) {
    if (map.find(key) != nullptr) given.push_back(key);
  }
  if (given.size() > 1) map.error(fmt::format("give either '{}' or '{}'", given[0], given[1]));
  if (given.size() == 1) {
    const YamlValue& position = *map.find(given[0]);
    start.position_place = position.place;
    start.in_degrees = given[0] != "position";
    start.is_rpy = given[0] == "rpy_deg";
    start.position = read_per_dof(
        position, start.in_degrees ? ranges::kJointDegrees : ranges::kJointPosition, issues);
    if (start.in_degrees) {
      for (double& number : start.position) number *= kDegree;
    }
  }
  if (const YamlValue* velocity = map.find("velocity")) {
    start.velocity_place = velocity->place;
    start.velocity = read_per_dof(*velocity, ranges::kJointVelocity, issues);
  }
  start.laws = read_law_changes(map);
  map.finish();
  return start;
}

void read_joint_starts(MapReader& map, ModelData& model) {
  const YamlValue* joints = map.find("joints");
  if (joints == nullptr) return;
  if (joints->kind != YamlValue::Kind::map) {
    map.issues().add(issue_at(joints->place, "must be a map of joints", joints->shown(),
                              "{hip: {position: 0.1}}"));
    return;
  }
  for (std::size_t i = 0; i < joints->items.size(); ++i) {
    model.joints.push_back(read_joint_start(joints->keys[i], joints->items[i], map.issues()));
  }
}

/// `place: {at: [x, y], heading_deg: ...}`, which leaves nothing open that others could say.
void read_stand(MapReader& map, ModelData& model) {
  const YamlValue* value = map.find("place");
  if (value == nullptr) return;
  for (const char* key : {"position", "rpy_deg", "on_ground"}) {
    map.refuse(key, "'place' says where the model stands: give either");
  }
  for (const char* key : {"velocity", "angular_velocity"}) {
    map.refuse(key, "what is set down by 'place' is at rest");
  }
  MapReader place(*value, map.issues());
  StandData stand{.place = value->place};
  if (const YamlValue* at = place.require("at")) {
    const auto xy = read_numbers(*at, ranges::kPosition, 2, 2, map.issues());
    if (xy) stand.at = {(*xy)[0], (*xy)[1]};
  }
  stand.heading = kDegree * place.number("heading_deg", kHeading, 0);
  place.finish();
  if (model.base == BaseType::fixed) map.refuse("base", "what is set down by 'place' is free");
  model.X_WT = {rotation_from_rpy({0, 0, stand.heading}), {stand.at.x(), stand.at.y(), 0}};
  model.stand = stand;
}

void read_base(MapReader& map, ModelData& model) {
  constexpr std::pair<std::string_view, BaseType> kBases[] = {{"free", BaseType::free},
                                                              {"fixed", BaseType::fixed}};
  model.base_place = map.place();
  if (const YamlValue* base = map.find("base")) model.base_place = base->place;
  model.base = map.choice<BaseType>("base", kBases);
  model.X_WT = map.pose(ranges::kPosition);
  model.chassis_contact = map.flag("chassis_contact", true);
  if (map.flag("on_ground", false)) model.on_ground = map.find("on_ground")->place;
  if (const YamlValue* velocity = map.find("velocity")) {
    model.velocity = read_vector(*velocity, ranges::kVelocity, map.issues());
    model.velocity_place = velocity->place;
  }
  if (const YamlValue* velocity = map.find("angular_velocity")) {
    model.angular_velocity = read_vector(*velocity, ranges::kAngularVelocity, map.issues());
    model.velocity_place = velocity->place;
  }
  read_stand(map, model);
}

}  // namespace

ModelData read_model(const YamlValue& value, const std::filesystem::path& folder,
                     IssueList& issues) {
  MapReader map(value, issues);
  ModelData model;
  map.require("name");
  model.name = {map.name("name").value_or(""), map.place()};
  model.tree = read_any_tree(map, folder);
  read_base(map, model);
  read_joint_starts(map, model);
  FieldReader(map, folder)(FieldInfo{"power", "electrical"}, model.power);
  // A URDF knows no wheels: the scene may name them.
  RoverData rover = read_rover(map);
  if (rover.chassis) {
    if (model.tree.rover.chassis) map.refuse("chassis", "the tree declares its own chassis");
    model.tree.rover = std::move(rover);
  }
  map.finish();
  return model;
}

}  // namespace grouser::internal
