#include "scene/world_builder.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "scene/command_builder.h"
#include "scene/element_builder.h"
#include "scene/entry_builder.h"
#include "scene/mission_builder.h"
#include "scene/stand_builder.h"

namespace grouser::internal {
namespace {

/// A Model names what is wrong by kind and name, "body 'rover/trunk'.inertia"; the assembly knows
/// where that stands.
[[noreturn]] void rethrow_with_places(const Error& error, const Assembly& assembly,
                                      const std::string& file) {
  IssueList placed;
  for (Issue issue : error.issues()) {
    const std::size_t quote = issue.field.rfind('\'');
    const Place place =
        quote == std::string::npos ? Place{} : assembly.place_of(issue.field.substr(0, quote + 1));
    issue.file = place.file.empty() ? file : place.file;
    issue.line = place.line;
    placed.add(std::move(issue));
  }
  placed.throw_if_any();
  throw error;
}

Model make_model(Assembly& assembly, const std::string& file) {
  try {
    return Model(assembly.spec);
  } catch (const Error& error) {
    rethrow_with_places(error, assembly, file);
  }
}

/// The model where it stands, once the ground is known.
ModelData placed(const ModelData& model, const SceneData& scene, IssueList& issues) {
  ModelData standing = model;
  if (!model.on_ground) return standing;
  if (scene.ground == nullptr) {
    if (!issues.issues().empty()) return standing;  // what is wrong with the terrain was reported
    issues.add(issue_at(*model.on_ground, "there is no ground: the scene has no 'terrain'"));
    return standing;
  }
  Vec3& p = standing.X_WT.p;
  if (!scene.ground->map.domain().contains(p.head<2>())) {
    issues.add(issue_at(*model.on_ground, "the model does not stand on the terrain",
                        fmt::format("x {}, y {}", p.x(), p.y())));
    return standing;
  }
  p.z() += scene.ground->map.height(p.x(), p.y());
  return standing;
}

std::vector<SourceLine> lines_of_actuators(const Assembly& assembly) {
  std::vector<SourceLine> lines;
  for (const Actuator& actuator : assembly.spec.actuators) {
    const Place place = assembly.place_of(fmt::format("actuator '{}'", actuator.name));
    lines.push_back({place.file, place.line});
  }
  return lines;
}

ContactSystems make_contacts(const SceneData& scene, const std::vector<Rover>& rovers,
                             Assembly& assembly) {
  GroundClaims claims(assembly);
  const ContactSite site{scene, rovers, assembly, claims, has_rigid_contacts(scene)};
  ContactSystems systems;
  for (const auto& model : scene.contacts.models()) {
    if (model->empty()) continue;
    if (auto system = model->build(site)) systems.push_back(std::move(system));
  }
  return systems;
}

std::vector<std::string> warnings_of(const SceneData& scene) {
  std::vector<std::string> warnings;
  for (const Issue& issue : scene.warnings) warnings.push_back(to_string(issue));
  for (const ModelData& model : scene.models) {
    for (const Issue& issue : model.tree.warnings) warnings.push_back(to_string(issue));
  }
  return warnings;
}

VecX to_vector(const std::vector<double>& numbers) {
  return Eigen::Map<const VecX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

}  // namespace

World build_world(const SceneData& scene, SceneSource source, IssueList& issues) {
  const std::size_t issues_before = issues.issues().size();
  NameTable models("model");
  for (const ModelData& model : scene.models) models.add({}, model.name, issues);
  // Without all its trees under names of their own, a scene's references would only draw misleading
  // complaints.
  if (!scene.complete || issues.issues().size() > issues_before) issues.throw_if_any();

  Assembly assembly(issues);
  assembly.spec.gravity = scene.gravity;
  for (const ModelData& model : scene.models) assembly.add_model(placed(model, scene, issues));
  std::vector<Rover> rovers;
  for (const ModelData& model : scene.models) {
    add_elements(model.tree.elements, model.name.text, assembly);
    if (auto rover = make_rover(model, assembly)) {
      rover->chassis_contact = model.chassis_contact;
      rovers.push_back(*std::move(rover));
    }
  }
  add_elements(scene.elements, {}, assembly);
  Commands commands = make_commands(scene, rovers, assembly);
  check_stands(scene, rovers, assembly);
  std::optional<RoverPower> power = make_power(scene, rovers, assembly);
  Mission mission = make_mission(scene, rovers, commands, power, assembly);
  std::vector<OnboardControl> onboard = make_onboard(scene, rovers, assembly);
  std::vector<EventSpec> events = make_events(scene, assembly);
  ContactSystems contacts = make_contacts(scene, rovers, assembly);
  issues.throw_if_any();

  Model model = make_model(assembly, source.file);
  State initial;
  initial.q = to_vector(assembly.q);
  initial.v = to_vector(assembly.v);
  World world{
      .name = scene.name.empty() ? std::filesystem::path(source.file).stem().string() : scene.name,
      .scene_file = std::move(source.file),
      .scene_text = std::move(source.text),
      .model = std::move(model),
      .initial = std::move(initial),
      .ground = scene.ground,
      .contacts = std::move(contacts),
      .rovers = std::move(rovers),
      .visuals = std::move(assembly.visuals),
      .looks = std::move(assembly.looks),
      .joint_commands = std::move(commands.joint_commands),
      .path_commands = std::move(commands.path_commands),
      .onboard = std::move(onboard),
      .day = scene.day,
      .mission = std::move(mission),
      .power = std::move(power),
      .events = std::move(events),
      .watch = scene.watch,
      .actuator_lines = lines_of_actuators(assembly),
      .warnings = warnings_of(scene),
      .settings = scene.settings};
  stand_rovers(scene, assembly, world);
  issues.throw_if_any();
  for (const auto& contact_model : scene.contacts.models()) contact_model->complete(world);
  return world;
}

}  // namespace grouser::internal
