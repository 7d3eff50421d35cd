#include "grouser/world.h"

#include <cmath>

#include "face/face.h"
#include "scene/builtin.h"
#include "scene/load_scene.h"
#include "scene/scene_values.h"
#include "sim/contact_sensors.h"
#include "sim/host_contacts.h"
#include "terrain/soil.h"

namespace grouser {
namespace internal {

void refuse_use(const std::string& message) {
  throw Error(ErrorKind::usage, Issue{.message = message});
}

grouser::GroundPoint ground_at(const ElevationMap* map, double x, double y) {
  if (map == nullptr) refuse_use("there is no ground: the scene has no 'terrain'");
  if (!std::isfinite(x) || !std::isfinite(y)) refuse_use("a point of the ground must be finite");
  const SurfacePoint point = map->at(x, y);
  return {point.height, plain(point.normal())};
}

namespace {

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace
}  // namespace internal

World World::load(const std::filesystem::path& file) {
  return internal::Face::wrap(internal::load_scene(file));
}

World World::parse(const std::string& yaml, const std::filesystem::path& folder) {
  return internal::Face::wrap(internal::load_scene_text(yaml, "scene", folder));
}

World World::builtin(std::string_view name) {
  return internal::Face::wrap(internal::load_builtin_scene(name));
}

World World::build(const Value& scene, const std::filesystem::path& folder) {
  return internal::Face::wrap(internal::load_scene_values(scene, "scene", folder));
}

World World::with_host_contacts() const {
  internal::World world = *held_;
  internal::add_host_contacts(world);
  return internal::Face::wrap(std::move(world));
}

const std::string& World::name() const { return held_->name; }
double World::duration() const { return held_->settings.duration; }
double World::step() const { return held_->settings.integrator.step; }
double World::total_mass() const { return held_->model.total_mass(); }

std::vector<std::string> World::bodies() const { return internal::names_of(held_->model.bodies()); }
std::vector<std::string> World::actuators() const {
  return internal::names_of(held_->model.actuators());
}
std::vector<std::string> World::rovers() const { return internal::names_of(held_->rovers); }

std::vector<std::string> World::wheels() const {
  std::vector<std::string> names;
  for (const internal::Rover& rover : held_->rovers) {
    for (const internal::Wheel& wheel : rover.wheels) names.push_back(wheel.name);
  }
  return names;
}

std::vector<std::string> World::contacts() const {
  std::vector<std::string> names;
  for (const internal::ContactSensor& sensor : internal::contact_sensors(*held_)) {
    names.push_back(sensor.name + " (" + sensor.model + ")");
  }
  return names;
}

std::vector<std::string> World::springs() const {
  return internal::names_of(held_->model.springs());
}
std::vector<std::string> World::tethers() const {
  return internal::names_of(held_->model.tethers());
}
std::vector<std::string> World::events() const { return internal::names_of(held_->events); }

bool World::has_ground() const { return held_->ground != nullptr; }
GroundPoint World::ground_at(double x, double y) const {
  return internal::ground_at(held_->ground ? &held_->ground->map : nullptr, x, y);
}

std::vector<std::string> builtin_scenes() { return internal::names_of(internal::builtin_scenes()); }
std::vector<std::string> builtin_rovers() { return internal::names_of(internal::builtin_rovers()); }
std::vector<std::string> builtin_soils() { return internal::names_of(internal::soil_presets()); }

}  // namespace grouser
