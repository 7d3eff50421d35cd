// What a simulation watches, and what it tells of it.
#include "sim/engine.h"
#include "sim/soil_range.h"
#include "sim/stability.h"
#include "sim/start_warnings.h"

namespace grouser::internal {

void Engine::warn_at_start() {
  warn(world_.warnings);
  warn_of_overlaps();
  warn(start_warnings(world_));
  warn(soil_range_warnings(world_));
  warn(stability_warnings(world_, state_));
}

void Engine::warn_of_overlaps() {
  const BodyMotions motions = ode_.scratch().motions_at(world_, state_.q.data(), state_.v.data());
  const ContactInput input{state_.time, motions, present_ground(world_, state_)};
  for (std::size_t s = 0; s < world_.contacts.size(); ++s) {
    warn(world_.contacts[s]->overlaps(input, state_.contacts[s], *ode_.scratch().contacts[s]));
  }
}

void Engine::warn(const std::vector<std::string>& warnings) {
  report_.warnings.insert(report_.warnings.end(), warnings.begin(), warnings.end());
}

/// Tells the observer of warnings that it has not heard yet.
void Engine::tell_warnings(const std::vector<std::string>& warnings) {
  for (; announced_ < warnings.size(); ++announced_) observer_->on_warning(warnings[announced_]);
}

/// The same of alarms.
void Engine::tell_alarms(const std::vector<Alarm>& alarms) {
  for (; alarmed_ < alarms.size(); ++alarmed_) observer_->on_alarm(alarms[alarmed_]);
}

/// Where the watch's clock has ticked. Looks at what the meter found there last.
void Engine::watch(double time, const double* q, const double* v) {
  WatchMemory& memory = state_.watch;
  if (!watch_.is_due(memory, time)) return;
  WorldScratch& scratch = ode_.scratch();
  scratch.motions_at(world_, q, v);
  actuator_targets(world_, time, state_, scratch);
  must_stop_ |= watch_.look({.world = world_,
                             .committed = state_,
                             .scratch = scratch,
                             .wheels = meter_.wheels(),
                             .efforts = meter_.efforts(),
                             .time = time,
                             .since = time - memory.looked},
                            memory);
  if (observer_ && memory.rung.size() > alarmed_) tell_alarms(watch_.alarms(state_, false));
}

/// Once, where an alarm asks for it: who runs on after that means it.
void Engine::stop_for_alarm() {
  if (!must_stop_) return;
  must_stop_ = false;
  finished_ = true;
  report_.outcome = Outcome::stopped_by_alarm;
}

/// Whether the scene goes no further, so that what was not reached will not be.
bool Engine::is_over() const {
  if (report_.outcome == Outcome::interrupted) return false;
  return report_.outcome != Outcome::completed ||
         state_.time >= world_.settings.duration * (1 - Clock::kSameTime);
}

/// Of the last run_to().
Outcome Engine::outcome() const {
  if (report_.outcome != Outcome::completed) return report_.outcome;
  const bool saw_nothing = watch_.alarms(state_, is_over()).empty();
  return saw_nothing ? Outcome::completed : Outcome::completed_with_alarms;
}

}  // namespace grouser::internal
