#include "sim/chatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index.h"

namespace grouser::internal {
namespace {

/// Swings count from this share of a servo's limit or of a tree's weight.
constexpr double kSmallShare = 0.2;

std::vector<int> touching_bodies(const World& world) {
  std::vector<int> bodies;
  for (const auto& system : world.contacts) {
    for (const ContactElementInfo& element : system->elements()) bodies.push_back(element.body);
  }
  std::ranges::sort(bodies);
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

double weight_of_tree(const Model& model, int tree) {
  double mass = 0;
  for (int body = model.tree_begin(tree); body < model.tree_begin(tree + 1); ++body) {
    mass += model.bodies()[at(body)].inertia.mass;
  }
  return mass * model.gravity().norm();
}

std::string remedy(const World& world) {
  if (is_time_stepping(world.settings.integrator.method))
    return "take a shorter step or 'theta: 1'";
  return fmt::format("take 'integrator: {{method: moreau_jean}}' or a step far below {} s",
                     world.settings.integrator.step);
}

}  // namespace

bool SwingCounter::add(double value, double small) {
  const double change = value - last_;
  if (std::abs(change) >= small) {
    const int direction = change > 0 ? 1 : -1;
    if (direction == -direction_) ++swings_;
    direction_ = direction;
    last_ = value;
  } else if (direction_ * change > 0) {
    last_ = value;  // goes on the same way
  }
  if (++steps_ < kWindow) return false;
  const bool chatters = swings_ >= kMostSwings;
  steps_ = swings_ = 0;
  return chatters;
}

ChatterWatch::ChatterWatch(const World& world)
    : world_(world),
      bodies_(touching_bodies(world)),
      servos_(world.model.actuators().size()),
      contacts_(bodies_.size()),
      servo_told_(servos_.size()),
      contact_told_(bodies_.size()) {
  for (const int body : bodies_) {
    weights_.push_back(weight_of_tree(world.model, world.model.joints()[at(body)].tree));
  }
}

void ChatterWatch::look_at_servos(double time, const double* q, const double* v,
                                  const WorldScratch& scratch, std::vector<std::string>& warnings) {
  for (std::size_t a = 0; a < servos_.size(); ++a) {
    const Actuator& actuator = world_.model.actuators()[a];
    const bool is_servo =
        actuator.type == ActuatorType::velocity || actuator.type == ActuatorType::position;
    if (!is_servo || !std::isfinite(actuator.max_effort) || servo_told_[a]) continue;
    const double effort =
        actuator_effort(actuator, scratch.targets[a], q[world_.model.position_of_dof(actuator.dof)],
                        v[actuator.dof]);
    if (!servos_[a].add(effort, kSmallShare * actuator.max_effort)) continue;
    servo_told_[a] = 1;
    warnings.push_back(
        fmt::format("the effort of servo '{}' swung to and fro at most steps before t = {:.6g} s: "
                    "its motion is not to be trusted; {}, or lower its gain kd of {:.4g}",
                    actuator.name, time, remedy(world_), actuator.kd));
  }
}

void ChatterWatch::look_at_contacts(double time, const WorldScratch& scratch,
                                    std::vector<std::string>& warnings) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (contact_told_[b] || weights_[b] == 0) continue;
    const Vec3& gravity = world_.model.gravity();
    const double load = -scratch.wrenches[at(bodies_[b])].force.dot(gravity) / gravity.norm();
    if (!contacts_[b].add(load, kSmallShare * weights_[b])) continue;
    contact_told_[b] = 1;
    warnings.push_back(
        fmt::format("the contact force on '{}' swung to and fro at most steps before t = {:.6g} s: "
                    "loads and motion are not to be trusted; {}",
                    world_.model.bodies()[at(bodies_[b])].name, time, remedy(world_)));
  }
}

}  // namespace grouser::internal
