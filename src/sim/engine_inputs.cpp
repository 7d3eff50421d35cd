// What a simulation is told from outside.
#include "sim/engine.h"
#include "sim/host_contacts.h"

namespace grouser::internal {

/// Something was said from outside: forces may have changed.
void Engine::hear() {
  has_heard_ = true;
  is_sampled_ = false;
  if (resumable_.time == state_.time) resumable_.inputs = state_.inputs;
}

void Engine::set(const TargetInput& target) {
  state_.inputs.set(target);
  hear();
}

void Engine::set(const WrenchInput& wrench) {
  state_.inputs.set(wrench);
  hear();
}

/// Poses are those of the present state.
void Engine::set(std::span<const HostContact> contacts) {
  const Working working(*this);
  const BodyMotions motions = ode_.scratch().motions_at(world_, state_.q.data(), state_.v.data());
  set_host_contacts(world_, contacts, motions.X_WB, state_);
  hear();
  if (resumable_.time != state_.time) return;
  for (std::size_t s = 0; s < state_.contacts.size(); ++s) {
    if (world_.contacts[s]->commits() != Commits::on_grid) {
      resumable_.contacts[s] = state_.contacts[s];
    }
  }
}

void Engine::release(int actuator) {
  state_.inputs.release(actuator);
  hear();
}

}  // namespace grouser::internal
