// What a simulation does at its stops.
#include <cmath>

#include "sim/engine.h"

namespace grouser {

/// Copies the integrator's state; the end of an event is interpolated.
void Engine::adopt(double time, const double* y) {
  const int nq = world_.model.position_size();
  state_.time = time;
  state_.q = Eigen::Map<const VecX>(y, nq);
  state_.v = Eigen::Map<const VecX>(y + nq, world_.model.velocity_size());
}

/// At a stop: memory is written, the sample due is taken, checkpoints are offered.
void Engine::commit() {
  adopt(stepper_->time(), stepper_->y());
  const bool on_grid = !has_grid() || grid().is_due(grid_step() + 1, state_.time);
  bool fresh_start = has_grid() && on_grid && commit_grid_point();
  if (commit_contacts() && has_grid()) fresh_start = true;
  bool jumps = state_.soil && on_grid && commit_soil();
  jumps |= run_due_controllers();
  has_heard_ = false;
  if (jumps) fresh_start = true;
  if (jumps && !stepper_->sees_steps()) meter_.start();
  if (record_clock().is_due(record_tick_, state_.time)) {
    if (observer_) take(state_.time, state_.q.data(), state_.v.data());
    ++record_tick_;
  }
  if (on_grid) offer_checkpoint();
  finished_ = is_end(state_.time);
  if (on_grid && is_stopped() && !finished_) {
    report_.outcome = Outcome::interrupted;
    finished_ = true;
  }
  must_restart_ = fresh_start && finished_;
  if (finished_) return;
  if (has_heard_) {
    heed();  // observers may speak, too
  } else if (fresh_start) {
    restart();
  }
}

/// Returns whether the integrator starts afresh there.
bool Engine::commit_grid_point() {
  grid_step() += 1;
  if (!is_adaptive(world_.settings.integrator.method)) return false;
  memory(ode_.scratch().layout.integrator_step) = stepper_->suggested_step();
  return true;
}

/// At every accepted step. Returns whether forces may have changed. Multistep methods need not start
/// afresh for that: forces stay continuous.
bool Engine::commit_contacts() {
  const bool pairs_give_way = world_.body_contacts && !stepper_->sees_steps();
  if (!pairs_give_way && world_.wheel_contacts.empty()) return false;
  WorldScratch& scratch = ode_.scratch();
  const double *q = stepper_->y(), *v = q + world_.model.position_size();
  // Fixed steps end with an evaluation there; in time stepping the meter has looked at the wheels.
  if (!stepper_->sees_steps() && !is_evaluated(scratch, stepper_->time(), q, v)) {
    evaluate(world_, stepper_->time(), q, v, state_, scratch);
  }
  bool changed = pairs_give_way && grouser::commit_contacts(world_, scratch.dynamics.kinematics,
                                                            scratch.contacts, state_.contacts);
  if (!world_.wheel_contacts.empty()) {
    changed |= commit_wheels(stepper_->time(), scratch.layout.wheels, scratch.wheels, state_);
  }
  return changed;
}

/// Returns whether the soil was updated, so that forces have changed.
bool Engine::commit_soil() {
  WorldScratch& scratch = ode_.scratch();
  evaluate_kinematics(world_, state_.q.data(), state_.v.data(), scratch.dynamics.kinematics);
  return grouser::commit_soil(world_, scratch.dynamics.kinematics, state_.time, scratch.soil,
                              *state_.soil, soil_);
}

bool Engine::run_due_controllers() {
  bool any = false;
  for (const auto& controller : controllers_) any |= controller->run_if_due(state_);
  return any;
}

/// Remembers the state but for its soil, which changes at points of the grid only, just before this.
void Engine::mark_resumable() {
  resumable_.time = state_.time;
  resumable_.q = state_.q;
  resumable_.v = state_.v;
  resumable_.memory = state_.memory;
  resumable_.contacts = state_.contacts;
  resumable_.inputs = state_.inputs;
}

State Engine::resumable() const {
  State state = resumable_;
  state.soil = state_.soil;
  return state;
}

void Engine::offer_checkpoint() {
  mark_resumable();
  const double interval = world_.settings.checkpoint_interval;
  if (interval <= 0 || !Clock{0, interval}.is_due(checkpoint_tick_, state_.time)) return;
  if (observer_) observer_->on_checkpoint(state_);
  checkpoint_tick_ = Clock{0, interval}.first_tick_from(state_.time) + 1;
}

}  // namespace grouser
