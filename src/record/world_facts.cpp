#include "record/world_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/index.h"
#include "math/angle.h"
#include "multibody/kinematics.h"
#include "sim/start_warnings.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// Without what rounding left of a zero.
Json vector_json(const Vec3& v) {
  const auto clean = [](double x) { return std::abs(x) < 1e-12 ? 0 : x; };
  return {clean(v.x()), clean(v.y()), clean(v.z())};
}

int tree_of(const World& world, int body) { return world.model.joints()[at(body)].tree; }

/// The rover's bodies and where they are.
struct RoverFrame {
  RoverFrame(const World& world, const Rover& rover) : kinematics(world.model) {
    forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics);
    X_CW = kinematics.X_WB[at(rover.chassis)].inverse();
    const int tree = tree_of(world, rover.chassis);
    begin = world.model.tree_begin(tree);
    end = world.model.tree_begin(tree + 1);
  }
  Vec3 in_chassis(int body) const { return X_CW * kinematics.X_WB[at(body)].p; }

  Kinematics kinematics;
  Pose X_CW;
  int begin = 0, end = 0;  // its bodies
};

std::string joint_name(const World& world, int dof) {
  return world.model.bodies()[at(world.model.joint_of_dof(dof))].joint_name;
}

void add_mass(const World& world, const RoverFrame& layout, Json& json) {
  double mass = 0;
  Vec3 sum = Vec3::Zero();
  for (int b = layout.begin; b < layout.end; ++b) {
    const RigidInertia& inertia = world.model.bodies()[at(b)].inertia;
    mass += inertia.mass;
    sum += inertia.mass * (layout.X_CW * (layout.kinematics.X_WB[at(b)] * inertia.com));
  }
  json["mass_kg"] = mass;
  json["com_m"] = vector_json(sum / mass);
}

void add_wheels(const World& world, const Rover& rover, const RoverFrame& layout, Json& json) {
  Json wheels = Json::array();
  Vec3 low = Vec3::Constant(INFINITY), high = -low;
  for (const Wheel& wheel : rover.wheels) {
    const Vec3 place = layout.in_chassis(wheel.body);
    low = low.cwiseMin(place);
    high = high.cwiseMax(place);
    wheels.push_back({{"name", wheel.name},
                      {"radius_m", wheel.radius},
                      {"width_m", wheel.width},
                      {"position_m", vector_json(place)},
                      {"drive", joint_name(world, wheel.drive_dof)},
                      {"steer", wheel.steer_dof < 0 ? Json(nullptr)
                                                    : Json(joint_name(world, wheel.steer_dof))}});
  }
  json["wheelbase_m"] = rover.wheels.empty() ? Json(nullptr) : Json(high.x() - low.x());
  json["track_m"] = rover.wheels.empty() ? Json(nullptr) : Json(high.y() - low.y());
  json["wheels"] = std::move(wheels);
}

Json joint_json(const World& world, int body) {
  const Joint& joint = world.model.joints()[at(body)];
  Json json = {
      {"name", world.model.bodies()[at(body)].joint_name},
      {"type", to_string(joint.type)},
      {"parent", joint.parent == kWorld ? "world" : world.model.bodies()[at(joint.parent)].name},
      {"body", world.model.bodies()[at(body)].name}};
  if (joint.nv != 1) return json;
  const DofLaw& law = world.model.laws()[at(joint.v)];
  json["lower"] = finite_or_null(law.lower);
  json["upper"] = finite_or_null(law.upper);
  json["unit"] = joint.type == JointType::prismatic ? "m" : "rad";
  return json;
}

void add_joints(const World& world, const RoverFrame& layout, Json& json) {
  json["joints"] = Json::array();
  json["motors"] = Json::array();
  json["loops"] = Json::array();
  int freedoms = 0;
  for (int b = layout.begin; b < layout.end; ++b) {
    const Joint& joint = world.model.joints()[at(b)];
    freedoms += joint.nv;
    if (joint.type != JointType::fixed) json["joints"].push_back(joint_json(world, b));
  }
  json["freedoms"] = freedoms;
  for (const Actuator& actuator : world.model.actuators()) {
    const int body = world.model.joint_of_dof(actuator.dof);
    if (body < layout.begin || body >= layout.end) continue;
    json["motors"].push_back({{"name", actuator.name},
                              {"joint", joint_name(world, actuator.dof)},
                              {"type", to_string(actuator.type)},
                              {"kp", actuator.kp},
                              {"kd", actuator.kd},
                              {"max_effort", finite_or_null(actuator.max_effort)}});
  }
  for (const Loop& loop : world.model.loops()) {
    json["loops"].push_back({{"name", loop.name}, {"equations", row_count(loop)}});
  }
}

Json integrator_json(const IntegratorOptions& integrator) {
  Json json = {{"method", to_string(integrator.method)}, {"step_s", integrator.step}};
  if (is_adaptive(integrator.method)) {
    json["relative_tolerance"] = integrator.relative_tolerance;
    json["absolute_tolerance"] = integrator.absolute_tolerance;
  }
  return json;
}

Json terrain_json(const World& world) {
  if (world.ground == nullptr) return nullptr;
  const Ground& ground = *world.ground;
  const Rect area = ground.map.domain();
  const HeightRange heights = ground.map.range(area);
  Json soils = Json::array(), zones = Json::array();
  for (const Soil& soil : ground.soils.soils()) soils.push_back(soil.name);
  for (const SoilZone& zone : ground.soils.zones()) {
    zones.push_back({{"name", zone.name}, {"soil", ground.soils.soils()[at(zone.soil)].name}});
  }
  return {{"x_m", {area.lower.x(), area.upper.x()}},
          {"y_m", {area.lower.y(), area.upper.y()}},
          {"height_bounds_m", {heights.min, heights.max}},
          {"spacing_m", ground.map.grid().spacing},
          {"soils", std::move(soils)},
          {"zones", std::move(zones)},
          {"rocks", ground.rocks.rocks.size()},
          {"loose_rocks", ground.loose_rocks.rocks.size()}};
}

Json contacts_json(const World& world) {
  Json contacts = Json::array();
  for (const auto& system : world.contacts) {
    const std::vector<ContactElementInfo> elements = system->elements();
    std::map<std::string, int> models;
    for (const ContactElementInfo& element : elements) models[element.model] += 1;
    Json by_model = Json::object();
    for (const auto& [model, count] : models) by_model[model] = count;
    contacts.push_back({{"system", std::string(system->name())},
                        {"elements", elements.size()},
                        {"models", std::move(by_model)},
                        {"rigid", system->is_rigid()},
                        {"shapes_ground", system->shapes_ground()}});
  }
  return contacts;
}

Json planned_paths_json(const World& world) {
  Json paths = Json::array();
  for (const PathCommand& path : world.path_commands) {
    Json waypoints = Json::array();
    for (const Vec2& point : path.plan.waypoints) waypoints.push_back({point.x(), point.y()});
    paths.push_back({{"rover", world.rovers[at(path.rover)].name},
                     {"speed_m_s", path.plan.speed},
                     {"start_time_s", path.start_time},
                     {"waypoints_m", std::move(waypoints)}});
  }
  return paths;
}

}  // namespace

Json rover_facts(const World& world, const Rover& rover) {
  const RoverFrame layout(world, rover);
  Json json = {{"name", rover.name},
               {"chassis", world.model.bodies()[at(rover.chassis)].name},
               {"bodies", layout.end - layout.begin}};
  add_mass(world, layout, json);
  add_wheels(world, rover, layout, json);
  add_joints(world, layout, json);
  return json;
}

Json scene_facts(const World& world) {
  Json rovers = Json::array(), events = Json::array();
  for (const Rover& rover : world.rovers) rovers.push_back(rover_facts(world, rover));
  for (const EventSpec& event : world.events) {
    events.push_back({{"name", event.name}, {"stops", event.stop}});
  }
  std::vector<std::string> warnings = world.warnings;
  std::ranges::copy(start_warnings(world), std::back_inserter(warnings));
  return {{"name", world.name},
          {"file", world.scene_file},
          {"gravity_m_s2", vector_json(world.model.gravity())},
          {"duration_s", world.settings.duration},
          {"integrator", integrator_json(world.settings.integrator)},
          {"record_rate_hz", world.settings.record_rate_hz},
          {"bodies", world.model.body_count()},
          {"freedoms", world.model.velocity_size()},
          {"mass_kg", world.model.total_mass()},
          {"terrain", terrain_json(world)},
          {"contacts", contacts_json(world)},
          {"rovers", std::move(rovers)},
          {"commanded_motors", world.joint_commands.size()},
          {"paths", planned_paths_json(world)},
          {"events", std::move(events)},
          {"warnings", std::move(warnings)}};
}

}  // namespace grouser::internal
