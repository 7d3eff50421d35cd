#include <fmt/format.h>

#include "core/error.h"
#include "sim/simulate.h"
#include "sim/world_ode.h"

namespace grouser::internal {

State initial_state(const World& world) {
  State state = world.initial;
  state.time = 0;
  state.memory.assign(MemoryLayout(world).size, 0);
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
