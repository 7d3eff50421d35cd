#include "sim/divergence.h"

#include <fmt/format.h>

#include <cmath>

namespace grouser {
namespace {

std::string advice(const World& world) {
  const IntegratorOptions& options = world.settings.integrator;
  if (is_adaptive(options.method)) {
    return "a force or command grows without bound, or masses differ by many orders of magnitude";
  }
  return fmt::format(
      "the step of {} s is too long for the stiffest spring, stop, damper or servo; try a tenth of "
      "it or the method 'esdirk'",
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

}  // namespace grouser
