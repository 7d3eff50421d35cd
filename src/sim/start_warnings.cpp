#include "sim/start_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/index.h"
#include "sim/contact_sensors.h"
#include "sim/plan_warnings.h"
#include "sim/rover_bodies.h"
#include "sim/rover_warnings.h"

namespace grouser::internal {
namespace {

int root_of(const World& world, int body) {
  while (world.model.joints()[at(body)].parent != kWorld) {
    body = world.model.joints()[at(body)].parent;
  }
  return body;
}

/// Roots of the trees that have a body which may touch the ground.
std::set<int> trees_on_ground(const World& world) {
  std::set<int> roots;
  for (const auto& system : world.contacts) {
    for (const ContactElementInfo& element : system->elements()) {
      if (element.ground != GroundContact::none) roots.insert(root_of(world, element.body));
    }
  }
  return roots;
}

bool is_free(const World& world, int root) {
  const Joint& joint = world.model.joints()[at(root)];
  return joint.parent == kWorld && joint.type == JointType::free;
}

void warn_of_falls(const World& world, std::vector<std::string>& warnings) {
  const std::set<int> held = trees_on_ground(world);
  const std::size_t before = warnings.size();
  for (const Rover& rover : world.rovers) {
    const int root = root_of(world, rover.chassis);
    if (!is_free(world, root) || held.contains(root)) continue;
    warnings.push_back(
        fmt::format("{}: no entry of 'contacts' lets it touch the terrain, so it falls through the "
                    "ground; add one with 'wheels: all'",
                    rover.name));
  }
  if (!world.contacts.empty() || warnings.size() > before) return;
  for (std::size_t b = 0; b < world.model.bodies().size(); ++b) {
    if (!is_free(world, static_cast<int>(b))) continue;
    warnings.push_back(
        "the scene has a terrain but no 'contacts': nothing touches it, free bodies fall through");
    return;
  }
}

/// Of each system, in what it is used.
void warn_of_uses(const World& world, std::vector<std::string>& warnings) {
  std::vector<WheelUse> wheels;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) {
      wheels.push_back(
          {.rover = rover.name,
           .body = wheel.body,
           .radius = wheel.radius,
           .width = wheel.width,
           .load = rover_weight(world, rover) / static_cast<double>(rover.wheels.size())});
    }
  }
  const ContactUse use{.wheels = wheels, .gravity = world.model.gravity().norm()};
  for (const auto& system : world.contacts) {
    for (std::string& warning : system->warnings(use)) warnings.push_back(std::move(warning));
  }
}

void warn_of_events(const World& world, std::vector<std::string>& warnings) {
  for (const EventSpec& event : world.events) {
    if (event.quantity != EventQuantity::contact_force) continue;
    const auto is_it = [&](const ContactSensor& sensor) { return sensor.body == event.index; };
    if (std::ranges::any_of(contact_sensors(world), is_it)) continue;
    warnings.push_back(fmt::format(
        "event '{}' waits for a contact of '{}', which no entry of 'contacts' lets touch",
        event.name, world.model.bodies()[at(event.index)].name));
  }
}

}  // namespace

std::vector<std::string> start_warnings(const World& world) {
  std::vector<std::string> warnings;
  warn_of_events(world, warnings);
  if (world.ground) warn_of_falls(world, warnings);
  warn_of_uses(world, warnings);
  for (auto find : {rover_warnings, pull_warnings, plan_warnings}) {
    for (std::string& warning : find(world)) warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace grouser::internal
