#include "scene/body_reader.h"

#include <fmt/format.h>

#include <system_error>

#include "scene/body_checks.h"
#include "scene/law_change.h"

namespace grouser::internal {
namespace {

constexpr std::pair<std::string_view, JointType> kJointTypes[] = {
    {"fixed", JointType::fixed},         {"revolute", JointType::revolute},
    {"prismatic", JointType::prismatic}, {"universal", JointType::universal},
    {"spherical", JointType::spherical}, {"planar", JointType::planar},
    {"free", JointType::free},
};

constexpr std::string_view kShapeKeys[] = {"box", "sphere", "cylinder", "capsule", "mesh"};

MeshShape read_mesh_shape(const YamlValue& value, const std::filesystem::path& folder,
                          IssueList& issues) {
  MapReader map(value, issues);
  MeshShape mesh;
  mesh.scale = map.vector("scale", ranges::kScale, Vec3::Ones());
  if (const auto file = map.required_reference("file")) {
    const std::filesystem::path path = folder / file->text;
    mesh.file = path.string();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      issues.add(issue_at(file->place, fmt::format("'{}': no such file", mesh.file)));
    }
  }
  map.finish();
  return mesh;
}

Shape read_round(std::string_view key, const YamlValue& value, IssueList& issues) {
  MapReader map(value, issues);
  const double radius = map.required_number("radius", ranges::kLength).value_or(1);
  const auto length = [&] { return map.required_number("length", ranges::kLength).value_or(1); };
  Shape shape = SphereShape{radius};
  if (key == "cylinder") shape = CylinderShape{radius, length()};
  if (key == "capsule") shape = CapsuleShape{radius, length()};
  map.finish();
  return shape;
}

/// Three moments, or these and the products xy, xz, yz.
std::optional<Mat3> read_moments(const YamlValue& value, IssueList& issues) {
  if (value.kind != YamlValue::Kind::list || (value.items.size() != 3 && value.items.size() != 6)) {
    issues.add(issue_at(value.place, "must be a list of 3 or 6 numbers", value.shown(),
                        "xx, yy, zz or xx, yy, zz, xy, xz, yz [kg m²]"));
    return std::nullopt;
  }
  double numbers[6] = {};
  bool good = true;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const auto number =
        read_number(value.items[i], i < 3 ? ranges::kMoment : ranges::kProduct, issues);
    good = good && number;
    numbers[i] = number.value_or(0);
  }
  if (!good) return std::nullopt;
  Mat3 moments;
  moments << numbers[0], numbers[3], numbers[4],  //
      numbers[3], numbers[1], numbers[5],         //
      numbers[4], numbers[5], numbers[2];
  return moments;
}

/// Mass, centre of mass and inertia; `shape` stands in for an inertia that is not given.
RigidInertia read_inertia(MapReader& map, const VisualData* shape) {
  RigidInertia inertia;
  const YamlValue* moments = map.find("inertia");
  const YamlValue* com = map.find("com");
  if (map.find("mass") == nullptr) {
    map.refuse("inertia", "needs a mass");
    map.refuse("com", "needs a mass");
    return inertia;
  }
  const double mass = map.number("mass", ranges::kMass, 1);
  if (com != nullptr) inertia.com = map.vector("com", ranges::kOffset, Vec3::Zero());
  if (moments != nullptr) {
    inertia.about_com = read_moments(*moments, map.issues()).value_or(Mat3::Zero());
  } else if (shape == nullptr || std::holds_alternative<MeshShape>(shape->shape)) {
    map.error(
        "the inertia is missing, and there is no box, sphere, cylinder or capsule as shape "
        "to compute it from");
  } else {
    const Pose turned{shape->X_BS.R, com != nullptr ? inertia.com : shape->X_BS.p};
    inertia = transformed(turned, solid_inertia(shape->shape, mass));
  }
  inertia.mass = mass;
  return inertia;
}

JointData read_joint(const YamlValue& value, IssueList& issues) {
  MapReader map(value, issues);
  JointData joint;
  joint.name = {map.name("name").value_or(""), map.place()};
  joint.parent = map.required_reference("parent").value_or(PlacedName{});
  const bool on_world = joint.parent.text == kWorldName;
  joint.X_PF = map.pose(on_world ? ranges::kPosition : ranges::kOffset);
  const YamlValue* type_value = map.require("type");
  const auto type = type_value != nullptr ? read_choice<JointType>(*type_value, kJointTypes, issues)
                                          : std::nullopt;
  const std::vector<LawChange> changes = read_law_changes(map);
  joint.axis = map.axis("axis").value_or(joint.axis);
  joint.axis2 = map.axis("axis2").value_or(joint.axis2);
  map.finish();
  // The likeliest type stands in for an unknown one, so that its coordinate can be referred to.
  joint.type = type.value_or(JointType::revolute);
  if (!type) return joint;
  const bool two_axes = joint.type == JointType::universal;
  const bool one_axis = joint.type == JointType::revolute || joint.type == JointType::prismatic;
  const std::string why = fmt::format("has no effect on a {} joint", to_string(joint.type));
  if (one_axis || two_axes)
    map.require("axis");
  else
    map.refuse("axis", why);
  if (two_axes)
    map.require("axis2");
  else
    map.refuse("axis2", why);
  constexpr double kParallel = 0.999;
  if (two_axes && std::abs(joint.axis.dot(joint.axis2)) > kParallel) {
    map.error("the two axes must not be parallel");
  }
  if (joint.type == JointType::free && !on_world && !joint.parent.text.empty()) {
    map.error("a free joint must have the world as parent");
  }
  apply_law_changes(changes, joint.type, map.place(), joint.laws, issues);
  return joint;
}

}  // namespace

std::optional<VisualData> read_shape(const YamlValue& value, const std::filesystem::path& folder,
                                     IssueList& issues) {
  MapReader map(value, issues);
  VisualData visual;
  visual.X_BS = map.pose(ranges::kOffset);
  visual.color = map.vector("color", ranges::kColor, visual.color);
  const auto key = map.exactly_one_of(kShapeKeys);
  const YamlValue* entry = key ? map.find(*key) : nullptr;
  map.finish();
  if (entry == nullptr) return std::nullopt;
  if (*key == "box") {
    visual.shape = BoxShape{read_vector(*entry, ranges::kLength, issues).value_or(Vec3::Ones())};
  } else if (*key == "mesh") {
    visual.shape = read_mesh_shape(*entry, folder, issues);
  } else {
    visual.shape = read_round(*key, *entry, issues);
  }
  return visual;
}

BodyData read_body(const YamlValue& value, const std::filesystem::path& folder, IssueList& issues) {
  MapReader map(value, issues);
  BodyData body;
  map.require("name");
  body.name = {map.name("name").value_or(""), map.place()};
  if (body.name.text == kWorldName) map.error("'world' is the name of the inertial frame");
  const std::size_t issues_before = issues.issues().size();
  if (const YamlValue* shape = map.find("shape")) {
    // If it cannot be read, a stand-in saves the complaint that there is none.
    body.visuals.push_back(read_shape(*shape, folder, issues).value_or(VisualData{}));
  }
  body.inertia = read_inertia(map, body.visuals.empty() ? nullptr : body.visuals.data());
  // A number that was refused must not draw a second complaint about the whole.
  if (issues.issues().size() == issues_before) {
    const YamlValue* moments = map.find("inertia");
    check_inertia(body.inertia, body.visuals, moments == nullptr,
                  moments != nullptr ? moments->place : map.place(), issues);
  }
  for (const YamlValue& item : map.list("visuals")) {
    if (auto visual = read_shape(item, folder, issues)) body.visuals.push_back(*std::move(visual));
  }
  for (const YamlValue& item : map.list("looks")) {
    if (auto look = read_shape(item, folder, issues)) body.looks.push_back(*std::move(look));
  }
  if (const YamlValue* joint = map.find("joint")) body.joint = read_joint(*joint, issues);
  map.finish();
  return body;
}

}  // namespace grouser::internal
