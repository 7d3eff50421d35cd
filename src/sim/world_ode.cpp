#include "sim/world_ode.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "multibody/forces.h"
#include "sim/contact_sensors.h"

namespace grouser::internal {
namespace {

/// Value of an event's quantity; kinematics must be current.
double event_quantity(const World& world, const EventSpec& event, double time, const double* q,
                      const double* v, const Kinematics& kinematics) {
  const std::size_t index = static_cast<std::size_t>(event.index);
  switch (event.quantity) {
    case EventQuantity::joint_position:
      return q[world.model.position_of_dof(event.index)];
    case EventQuantity::joint_velocity:
      return v[event.index];
    case EventQuantity::body_x:
      return kinematics.X_WB[index].p.x();
    case EventQuantity::body_y:
      return kinematics.X_WB[index].p.y();
    case EventQuantity::body_z:
      return kinematics.X_WB[index].p.z();
    case EventQuantity::contact_force:
      return 0;  // needs more than kinematics
    case EventQuantity::tether_tension:
      break;
  }
  const Tether& tether = world.model.tethers()[index];
  return tether_tension(tether, line_between(world.model, kinematics, tether.a, tether.b), time);
}

}  // namespace

WorldOde::WorldOde(const World& world, const State& committed)
    : world_(world), committed_(committed), scratch_(world) {}

void WorldOde::derivative(double time, const double* y, double* rate) {
  const int nq = position_size();
  evaluate(world_, time, y, y + nq, committed_, Purpose::step, scratch_);
  position_rate(world_.model, y, y + nq, rate);
  std::copy_n(scratch_.vdot.data(), velocity_size(), rate + nq);
  ++evaluations_;
}

void WorldOde::advance_positions(const double* velocities, double dt, double* positions) {
  internal::advance_positions(world_.model, velocities, dt, positions);
}

double WorldOde::project(double /*time*/, double* y) {
  scratch_.forget();
  double drift = 0;
  for (const Joint& joint : world_.model.joints()) {
    const int offset = quaternion_offset(joint.type);
    if (offset < 0) continue;
    drift = std::max(drift, std::abs(wxyz_normalize(y + joint.q + offset) - 1));
  }
  const ProjectionReport loops =
      project_onto_loops(world_.model, kLoopTolerance, scratch_.dynamics, y, y + position_size());
  open_loop_ = loops.after;
  return std::max(drift, loops.before);
}

void WorldOde::events(double time, const double* y, double* values) {
  if (world_.events.empty()) return;
  const double* v = y + position_size();
  const bool of_contacts = std::ranges::any_of(world_.events, [](const EventSpec& event) {
    return event.quantity == EventQuantity::contact_force;
  });
  if (of_contacts) {
    evaluate(world_, time, y, v, committed_, Purpose::step, scratch_);
  } else {
    scratch_.time = std::nan("");
    scratch_.motions_at(world_, y, v);
  }
  for (std::size_t e = 0; e < world_.events.size(); ++e) {
    const EventSpec& event = world_.events[e];
    if (event.quantity == EventQuantity::contact_force) {
      const double force = contact_force(world_, event.index, committed_, scratch_).norm();
      values[e] = event.threshold > 0 ? force - event.threshold : force > 0 ? 1 : -1;
      continue;
    }
    const double value = event_quantity(world_, event, time, y, v, scratch_.dynamics.kinematics);
    values[e] = value - event.threshold;
  }
}

}  // namespace grouser::internal
