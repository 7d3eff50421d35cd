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

namespace {

void expect_ground(const ElevationMap* map) {
  if (map == nullptr) refuse_use("there is no ground: the scene has no 'terrain'");
}

}  // namespace

grouser::GroundPoint ground_at(const ElevationMap* map, double x, double y) {
  expect_ground(map);
  if (!std::isfinite(x) || !std::isfinite(y)) refuse_use("a point of the ground must be finite");
  const SurfacePoint point = map->at(x, y);
  return {point.height, plain(point.normal())};
}

std::vector<double> ground_heights(const ElevationMap* map, const GroundWindow& window) {
  constexpr double kMaxNodes = 1e8;
  expect_ground(map);
  const auto [x, y, spacing, columns, rows] = window;
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(spacing) || !(spacing > 0)) {
    refuse_use("a window of the ground needs a finite corner and a spacing above 0 m");
  }
  if (columns < 1 || rows < 1 || double(columns) * rows > kMaxNodes) {
    refuse_use("a window of the ground needs 1 to 1e8 nodes");
  }
  std::vector<double> heights;
  heights.reserve(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      heights.push_back(map->height(x + i * spacing, y + j * spacing));
    }
  }
  return heights;
}

namespace {

const ElevationMap* untouched_map(const World& world) {
  return world.ground ? &world.ground->map : nullptr;
}

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
  return internal::ground_at(internal::untouched_map(*held_), x, y);
}
std::vector<double> World::ground_heights(const GroundWindow& window) const {
  return internal::ground_heights(internal::untouched_map(*held_), window);
}
GroundBounds World::ground_bounds() const {
  internal::expect_ground(internal::untouched_map(*held_));
  const internal::Rect domain = held_->ground->map.domain();
  return {domain.lower.x(), domain.lower.y(), domain.upper.x(), domain.upper.y()};
}

std::vector<std::string> builtin_scenes() { return internal::names_of(internal::builtin_scenes()); }
std::vector<std::string> builtin_rovers() { return internal::names_of(internal::builtin_rovers()); }
std::vector<std::string> builtin_soils() { return internal::names_of(internal::soil_presets()); }

}  // namespace grouser
