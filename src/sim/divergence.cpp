#include "sim/divergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/simulate.h"
#include "sim/stability.h"

namespace grouser::internal {
namespace {

constexpr const char* kTimeStepping = "'integrator: {method: moreau_jean}'";

/// What sets the longest step of an explicit method, where the world began; nothing if that is not it.
std::string too_stiff(const World& world) {
  const State start = initial_state(world);
  const StepLimit limit =
      !world.contacts.empty() ? contact_step_limit(world, start) : joint_step_limit(world, start);
  if (world.settings.integrator.step < limit.step) return {};
  return fmt::format("the step of {} s is too long for {}, which needs {:.2g} s or less",
                     world.settings.integrator.step, limit.cause, limit.step);
}

bool has_end_stops(const Model& model) {
  return std::ranges::any_of(model.laws(), [](const DofLaw& law) {
    return std::isfinite(law.lower) || std::isfinite(law.upper);
  });
}

/// What is likely, and what helps: contacts, servos and springs that are stiff are implicit in time stepping.
std::string advice(const World& world) {
  const IntegratorOptions& options = world.settings.integrator;
  if (is_time_stepping(options.method)) {
    return fmt::format(
        "a force or command grows without bound, masses differ by many orders of "
        "magnitude, or the step of {} s is too long for how fast things turn",
        options.step);
  }
  if (is_adaptive(options.method) && world.contacts.empty()) {
    return "a force or command grows without bound, or masses differ by many orders of magnitude";
  }
  if (is_adaptive(options.method)) {
    return fmt::format("forces of contact jump, which adaptive methods do not get past; use {}",
                       kTimeStepping);
  }
  if (const std::string cause = too_stiff(world); !cause.empty()) {
    return fmt::format("{}; or use {}", cause, kTimeStepping);
  }
  if (!world.contacts.empty()) {
    return fmt::format("contact is too stiff for steps of {} s; use {}", options.step,
                       kTimeStepping);
  }
  if (has_end_stops(world.model)) {
    return fmt::format(
        "an end stop is too stiff for steps of {} s, or a force or command grows "
        "without bound; lower its stop_stiffness and stop_damping, or use {}",
        options.step, kTimeStepping);
  }
  return fmt::format(
      "a force or command grows without bound, or steps of {} s are too long for how "
      "fast things turn",
      options.step);
}

}  // namespace

std::optional<Issue> find_divergence(const World& world, double time, const double* q,
                                     const double* v) {
  const Model& model = world.model;
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(body)];
    bool finite = true;
    double fastest = 0;
    for (int k = 0; k < joint.nq; ++k) finite = finite && std::isfinite(q[joint.q + k]);
    for (int k = 0; k < joint.nv; ++k) {
      finite = finite && std::isfinite(v[joint.v + k]);
      fastest = std::max(fastest, std::abs(v[joint.v + k]));
    }
    if (finite && fastest <= world.settings.max_speed) continue;
    const std::string what =
        finite ? fmt::format("moves at {:.3g} m/s or rad/s", fastest) : "has no finite motion";
    return Issue{.message = fmt::format("diverged at t = {:.6g} s: body '{}' {}; likely cause: {}",
                                        time, model.bodies()[static_cast<std::size_t>(body)].name,
                                        what, advice(world)),
                 .file = world.scene_file};
  }
  return std::nullopt;
}

Issue blame(const World& world, double time, const double* vdot, const std::string& reason) {
  const Model& model = world.model;
  int worst = 0;
  double largest = -1;
  for (int dof = 0; dof < model.velocity_size(); ++dof) {
    const double size =
        std::isfinite(vdot[dof]) ? std::abs(vdot[dof]) : std::numeric_limits<double>::infinity();
    if (size <= largest) continue;
    largest = size;
    worst = model.joint_of_dof(dof);
  }
  return {
      .message = fmt::format("diverged at t = {:.6g} s: body '{}' accelerates at {:.3g} m/s² or "
                             "rad/s²; {}; likely cause: {}",
                             time, model.bodies()[static_cast<std::size_t>(worst)].name, largest,
                             reason, advice(world)),
      .file = world.scene_file};
}

}  // namespace grouser::internal
