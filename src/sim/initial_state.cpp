#include <fmt/format.h>

#include "core/error.h"
#include "core/index.h"
#include "sim/simulate.h"
#include "sim/world_ode.h"

namespace grouser::internal {

namespace {

/// Until the first drive of a mission wheels stay as they are steered.
void hold_steering(const World& world, State& state) {
  const Rover& rover = world.rovers[at(world.mission.rover)];
  const RoverPlan plan = plan_rover(world, rover);
  double* wheels = MissionSlices(world).wheels(state);
  for (std::size_t w = 0; w < rover.wheels.size(); ++w) {
    const int dof = rover.wheels[w].steer_dof;
    if (dof < 0) continue;
    wheels[2 * w] = plan.steer_sign[w] * state.q[world.model.position_of_dof(dof)];
  }
}

}  // namespace

State initial_state(const World& world) {
  State state = world.initial;
  state.time = 0;
  state.memory.assign(MemoryLayout(world).size, 0);
  if (!world.mission.activities.empty()) hold_steering(world, state);
  if (world.power) {
    PowerState power;
    start_power(world.power->spec, world.day, power, thermal_state(world, state));
    set_power_state(world, state, power);
  }
  DynamicsScratch scratch(world.model);
  forward_kinematics(world.model, state.q, state.v, scratch.kinematics);
  BodyMotionArrays arrays;
  const BodyMotions motions = arrays.fill(world.model, scratch.kinematics);
  state.contacts.clear();
  for (const auto& system : world.contacts) {
    state.contacts.push_back(system->initial_memory(motions));
  }
  const ProjectionReport report = project_onto_loops(world.model, WorldOde::kLoopTolerance, scratch,
                                                     state.q.data(), state.v.data());
  if (!(report.after <= WorldOde::kOpenLoop)) {
    Eigen::Index row = 0;
    scratch.loops.residual.cwiseAbs().maxCoeff(&row);
    std::string name;
    for (const Loop& loop : world.model.loops()) {
      name = loop.name;
      if ((row -= row_count(loop)) < 0) break;
    }
    throw Error(ErrorKind::input,
                Issue{.message = fmt::format("the loop '{}' cannot be closed from the initial "
                                             "position: {:.3g} m or rad stay open",
                                             name, report.after),
                      .file = world.scene_file,
                      .field = "loops"});
  }
  return state;
}

}  // namespace grouser::internal
