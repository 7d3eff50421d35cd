#include "sim/rover_bodies.h"

#include <algorithm>

#include "core/index.h"

namespace grouser::internal {
namespace {

bool hangs_on_wheel(const Model& model, const Rover& rover, int body) {
  for (; body != kWorld; body = model.joints()[at(body)].parent) {
    if (std::ranges::find(rover.wheels, body, &Wheel::body) != rover.wheels.end()) return true;
  }
  return false;
}

}  // namespace

std::vector<int> chassis_bodies(const Model& model, const Rover& rover) {
  const int tree = model.joints()[at(rover.chassis)].tree;
  std::vector<int> bodies;
  for (int body = model.tree_begin(tree); body < model.tree_begin(tree + 1); ++body) {
    if (!hangs_on_wheel(model, rover, body)) bodies.push_back(body);
  }
  return bodies;
}

GroundContact ground_of_body(const World& world, int body) {
  GroundContact softest = GroundContact::none;
  for (const auto& system : world.contacts) {
    for (const ContactElementInfo& element : system->elements()) {
      if (element.body == body) softest = std::max(softest, element.ground);
    }
  }
  return softest;
}

double rover_weight(const World& world, const Rover& rover) {
  const Model& model = world.model;
  const int tree = model.joints()[at(rover.chassis)].tree;
  double mass = 0;
  for (int body = model.tree_begin(tree); body < model.tree_begin(tree + 1); ++body) {
    mass += model.bodies()[at(body)].inertia.mass;
  }
  return mass * model.gravity().norm();
}

bool has_wheel_contact(const World& world, const Rover& rover) {
  return std::ranges::any_of(world.contacts, [&](const auto& system) {
    const auto elements = system->elements();
    return std::ranges::any_of(elements, [&](const ContactElementInfo& element) {
      return std::ranges::find(rover.wheels, element.body, &Wheel::body) != rover.wheels.end();
    });
  });
}

}  // namespace grouser::internal
