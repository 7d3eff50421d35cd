// What a simulation is told from outside, and by whom.
#include <utility>

#include "sim/engine.h"
#include "sim/host_contacts.h"

namespace grouser::internal {

/// Something was said from outside: forces may have changed, and a parked rover wakes.
void Engine::hear() {
  if (is_parked(world_, state_)) unpark(world_, state_);
  notice();
}

/// The state was changed from outside.
void Engine::notice() {
  has_heard_ = true;
  is_sampled_ = false;
  if (resumable_.time != state_.time) return;
  resumable_.inputs = state_.inputs;
  resumable_.memory = state_.memory;
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

void Engine::add_controller(std::unique_ptr<SampledController> controller, std::size_t slot) {
  expect_rest();
  const Working working(*this);
  std::vector<double>& ticks = state_.inputs.ticks;
  while (ticks.size() <= slot) ticks.push_back(controller->clock().first_tick_from(state_.time));
  controllers_.push_back(std::move(controller));
  const Moving moving(moves_);
  controllers_.back()->run_if_due(state_);
  notice();
}

Engine::Controllers Engine::take_controllers() {
  Controllers added;
  for (std::size_t c = own_controllers_; c < controllers_.size(); ++c) {
    added.push_back(std::move(controllers_[c]));
  }
  controllers_.resize(own_controllers_);
  return added;
}

}  // namespace grouser::internal
