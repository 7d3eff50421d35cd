// What a simulation does at its stops.
#include <cmath>

#include "sim/engine.h"

namespace grouser::internal {

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
  if (commit_contacts(Commits::each_step) && has_grid()) fresh_start = true;
  bool jumps = on_grid && commit_contacts(Commits::on_grid);
  power_.commit(state_, meter_.attitude());
  jumps |= run_due_controllers();
  has_heard_ = false;
  if (on_grid && asks_to_park(world_, state_)) park(world_, state_);
  if (jumps) fresh_start = true;
  if (jumps && !stepper_->sees_steps()) meter_.start();
  if (record_clock().is_due(record_tick_, state_.time)) {
    if (observer_) take(state_.time, state_.q.data(), state_.v.data());
    ++record_tick_;
  }
  if (on_grid) watch(state_.time, state_.q.data(), state_.v.data());
  if (on_grid) offer_checkpoint();
  finished_ = is_end(state_.time);
  stop_for_alarm();
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

/// Time of a parked rover goes on to what is to be looked at next, a point of the grid, or to the end. Returns whether
/// that point was reached: only from there a run is resumed.
bool Engine::skip_rest() {
  double stop = std::numeric_limits<double>::infinity();
  for (const auto& controller : controllers_) stop = std::min(stop, controller->next_time(state_));
  const double next = std::max(grid().first_tick_from(stop), grid_step() + 1);
  const bool arrives = grid().is_due(next, end_time_);
  state_.time = arrives ? grid().time_of(next) : end_time_;
  grid_step() = next;
  if (!arrives) {
    const double after = grid().first_tick_from(end_time_);
    grid_step() = grid().is_due(after, end_time_) ? after : after - 1;
  }
  return arrives;
}

/// Of a parked rover: nothing moves until something else is to be looked at; power goes on.
void Engine::rest() {
  const bool on_grid = skip_rest();
  is_sampled_ = false;
  // Contacts, too, are told that time goes on; at no velocity nothing else changes.
  const double *q = state_.q.data(), *v = state_.v.data();
  commit_contacts(Commits::each_step, state_.time, q, v);
  if (on_grid) commit_contacts(Commits::on_grid, state_.time, q, v);
  meter_.rest_to(state_.time);
  power_.commit(state_, meter_.attitude());
  if (on_grid) run_due_controllers();
  has_heard_ = false;
  const bool moves = !is_parked(world_, state_);
  if (moves && !stepper_->sees_steps()) meter_.start();
  if (record_clock().is_due(record_tick_, state_.time)) {
    if (observer_) take(state_.time, state_.q.data(), state_.v.data());
    record_tick_ = record_clock().first_tick_from(state_.time);
    if (record_clock().is_due(record_tick_, state_.time)) ++record_tick_;
  }
  if (observer_) observer_->on_step(state_.time, stepper_->step_count());
  if (on_grid) offer_checkpoint();
  finished_ = is_end(state_.time);
  if (on_grid && is_stopped() && !finished_) {
    report_.outcome = Outcome::interrupted;
    finished_ = true;
  }
  must_restart_ = finished_;
  if (finished_) return;
  if (has_heard_) {
    heed();
  } else if (moves) {
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

/// At an accepted step: those that commit then. Returns whether forces may have changed. Multistep methods need not
/// start afresh for what changes at each step: forces stay continuous.
bool Engine::commit_contacts(Commits when) {
  const double* q = stepper_->y();
  return commit_contacts(when, stepper_->time(), q, q + world_.model.position_size());
}

bool Engine::commit_contacts(Commits when, double time, const double* q, const double* v) {
  bool changed = false;
  for (std::size_t s = 0; s < world_.contacts.size(); ++s) {
    if (world_.contacts[s]->commits() != when) continue;
    const ContactInput input{time, ode_.scratch().motions_at(world_, q, v),
                             present_ground(world_, state_)};
    changed |= world_.contacts[s]->commit(input, state_.contacts[s], *ode_.scratch().contacts[s]);
  }
  return changed;
}

bool Engine::run_due_controllers() {
  bool any = false;
  for (const auto& controller : controllers_) any |= controller->run_if_due(state_);
  return any;
}

/// Remembers the state but for what changes at points of the grid only, just before this.
void Engine::mark_resumable() {
  resumable_.time = state_.time;
  resumable_.q = state_.q;
  resumable_.v = state_.v;
  resumable_.memory = state_.memory;
  resumable_.contacts.resize(state_.contacts.size());
  for (std::size_t s = 0; s < state_.contacts.size(); ++s) {
    if (world_.contacts[s]->commits() == Commits::on_grid) continue;
    resumable_.contacts[s] = state_.contacts[s];
  }
  resumable_.inputs = state_.inputs;
  // Watchers look at few points of the grid.
  if (resumable_.watch.ticks != state_.watch.ticks) resumable_.watch = state_.watch;
}

State Engine::resumable() const {
  State state = resumable_;
  for (std::size_t s = 0; s < state_.contacts.size(); ++s) {
    if (world_.contacts[s]->commits() == Commits::on_grid) state.contacts[s] = state_.contacts[s];
  }
  return state;
}

void Engine::offer_checkpoint() {
  mark_resumable();
  const double interval = world_.settings.checkpoint_interval;
  if (interval <= 0 || !Clock{0, interval}.is_due(checkpoint_tick_, state_.time)) return;
  if (observer_) observer_->on_checkpoint(state_);
  checkpoint_tick_ = Clock{0, interval}.first_tick_from(state_.time) + 1;
}

}  // namespace grouser::internal
