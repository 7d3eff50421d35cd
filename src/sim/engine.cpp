#include "sim/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/index.h"
#include "sim/divergence.h"
#include "sim/mission_control.h"
#include "sim/onboard_control.h"
#include "sim/path_control.h"
#include "sim/run_report.h"
#include "sim/sampler.h"
#include "sim/state_check.h"

namespace grouser::internal {
namespace {

/// While it exists, the flag is set.
class Moving {
 public:
  explicit Moving(bool& flag) : flag_(flag) { flag_ = true; }
  ~Moving() { flag_ = false; }
  Moving(const Moving&) = delete;
  Moving& operator=(const Moving&) = delete;

 private:
  bool& flag_;
};

State checked(const World& world, State state) {
  check_state(world, state);
  return state;
}

}  // namespace

Engine::Working::Working(Engine& engine)
    : engine_(engine), use_(engine.pool_), is_first_(!std::exchange(engine.works_, true)) {}

Engine::Working::~Working() {
  if (!is_first_) return;
  engine_.works_ = false;
  engine_.report_.wall_time +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

Engine::Engine(const World& world, State start, ThreadPool* pool)
    : world_(world),
      pool_(pool),
      state_(checked(world, std::move(start))),
      ode_(world, state_),
      stepper_(make_stepper(world, state_, ode_)),
      events_(world.events, ode_),
      meter_(world, state_, ode_, *stepper_),
      power_(world, state_.time),
      chatter_(world),
      watch_(world),
      sample_(make_sample(world)),
      trial_(VecX::Zero(ode_.size())),
      controllers_(path_controllers(world, ode_.scratch())) {
  watch_.lay_out(state_.watch);
  if (auto mission = mission_controller(world, ode_.scratch())) {
    controllers_.push_back(std::move(mission));
  }
  for (auto& control : onboard_controllers(world, ode_.scratch())) {
    controllers_.push_back(std::move(control));
  }
  own_controllers_ = controllers_.size();
  const Working working(*this);
  begin();
}

void Engine::expect_rest() const {
  if (!moves_) return;
  throw Error(
      ErrorKind::usage,
      Issue{.message = "the simulation is moving: a controller or observer may look and set "
                       "inputs, not move it or change who is called"});
}

void Engine::begin() {
  const double t = state_.time;
  report_.start_time = t;
  record_tick_ = record_clock().first_tick_from(t);
  if (record_clock().is_due(record_tick_, t)) ++record_tick_;
  const double interval = world_.settings.checkpoint_interval;
  if (interval > 0) checkpoint_tick_ = Clock{0, interval}.first_tick_from(t);
  if (interval > 0 && Clock{0, interval}.is_due(checkpoint_tick_, t)) ++checkpoint_tick_;
  run_due_controllers();
  look(t, state_.q.data(), state_.v.data());
  is_sampled_ = true;
  meter_.start();
  watch(t, state_.q.data(), state_.v.data());
  mark_resumable();
  meter_.add_residual(sample_.loop_residual);
  warn_at_start();
  restart();
  events_.start(t, stepper_->y());
}

Outcome Engine::run_to(double end, const std::atomic<bool>* stop) {
  expect_rest();
  const Working working(*this);
  go_on(end, stop);
  const Moving moving(moves_);
  while (!finished_) go();
  return outcome();
}

bool Engine::step() {
  expect_rest();
  const Working working(*this);
  if (!has_grid()) {
    const Outcome outcome = run_to(state_.time + world_.settings.integrator.step, nullptr);
    return outcome == Outcome::completed || outcome == Outcome::completed_with_alarms;
  }
  go_on(std::numeric_limits<double>::infinity(), nullptr);
  const Moving moving(moves_);
  const double next = grid_step() + 1;
  while (!finished_ && grid_step() < next) go();
  return !finished_;
}

/// Before it moves again.
void Engine::go_on(double end, const std::atomic<bool>* stop) {
  if (!(end >= state_.time - Clock::kSameTime * world_.settings.integrator.step)) {
    throw Error(ErrorKind::usage,
                Issue{.message = fmt::format("cannot run to {:g} s: it is {:g} s already", end,
                                             state_.time)});
  }
  end_time_ = end;
  stop_ = stop;
  report_.outcome = Outcome::completed;
  finished_ = is_end(state_.time);
  stop_for_alarm();
  if (finished_) return;
  if (must_restart_ && !has_heard_) restart();
  if (has_heard_) heed();
  must_restart_ = false;
}

/// Forces follow what was said.
void Engine::heed() {
  has_heard_ = false;
  ode_.scratch().time = std::nan("");
  if (!stepper_->sees_steps()) meter_.start();
  restart();
}

bool Engine::is_end(double time) const {
  return time >= end_time_ - Clock::kSameTime * world_.settings.integrator.step;
}

Clock Engine::record_clock() const {
  constexpr double kNever = 1e300;  // [s]
  const double rate = world_.settings.record_rate_hz;
  return {0, rate > 0 ? 1 / rate : kNever};
}

void Engine::restart() {
  trial_ << state_.q, state_.v;
  const double hint = has_grid() ? memory(ode_.scratch().layout.integrator_step) : 0;
  stepper_->start(state_.time, trial_.data(), hint);
}

void Engine::go() {
  if (is_parked(world_, state_)) {
    rest();
  } else {
    advance_to_stop(next_stop());
  }
}

double Engine::next_stop() {
  double stop = end_time_;
  for (const auto& controller : controllers_) stop = std::min(stop, controller->next_time(state_));
  const double interval = world_.settings.checkpoint_interval;
  if (!has_grid() && interval > 0) stop = std::min(stop, checkpoint_tick_ * interval);
  for (std::size_t s = 0; s < world_.contacts.size() && !has_grid(); ++s) {
    stop = std::min(stop, world_.contacts[s]->next_tick(state_.contacts[s]));
  }
  // Of instants that are the same but for rounding, the grid's counts: the end of a part must
  // not shift the step that a whole run would take.
  if (has_grid() && grid().is_due(grid_step() + 1, stop)) stop = grid().time_of(grid_step() + 1);
  return stop;
}

void Engine::advance_to_stop(double stop) {
  const long first_step = stepper_->step_count();
  const int nq = world_.model.position_size();
  while (!finished_ && stepper_->time() < stop) {
    take_step(stop);
    check_motion();
    watch_for_chatter();
    meter_.add_residual(ode_.open_loop());
    stepper_->commit_step(state_);
    if (stepper_->step_count() - first_step >= world_.settings.integrator.max_steps) {
      give_up("max_steps steps did not reach the next stop");
    }
    const double until = find_events();
    record_before(until);
    meter_.step_to(until);
    power_.add_step(meter_);
    if (finished_) {
      end_at(until);
      return;
    }
    if (observer_) observer_->on_step(stepper_->time(), stepper_->step_count());
    if (stepper_->time() < stop) {
      commit_contacts(Commits::each_step);
      if (!has_grid()) watch(stepper_->time(), stepper_->y(), stepper_->y() + nq);
    }
    // Without a grid any step will do to stop at.
    if (!has_grid() && (is_stopped() || must_stop_)) break;
  }
  commit();
}

void Engine::take_step(double stop) {
  try {
    stepper_->step(stop);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;
    give_up(error.issues().front().message);
  }
}

/// Events of the last step. Returns how far it counts: to its end, or to an event that stops.
double Engine::find_events() {
  for (const EventRecord& event : events_.find(*stepper_)) {
    report_.events.push_back(event);
    if (observer_) observer_->on_event(event);
    if (!world_.events[at(event.event)].stop) continue;
    report_.outcome = Outcome::stopped_by_event;
    finished_ = true;
    return event.time;
  }
  return stepper_->time();
}

void Engine::end_at(double time) {
  stepper_->interpolate(time, trial_.data());
  adopt(time, trial_.data());
  power_.commit(state_, meter_.attitude());
  must_restart_ = true;
}

void Engine::give_up(const std::string& reason) {
  throw DivergedError(blame(world_, stepper_->time(), ode_.scratch().vdot.data(), reason),
                      resumable());
}

/// Samples due before `until`; that at `until` itself waits for the commit.
void Engine::record_before(double until) {
  is_sampled_ = false;
  const Clock clock = record_clock();
  while (clock.time_of(record_tick_) < until - Clock::kSameTime * clock.period) {
    const double time = clock.time_of(record_tick_);
    ++record_tick_;
    if (!observer_) continue;
    stepper_->interpolate(time, trial_.data());
    take(time, trial_.data(), trial_.data() + world_.model.position_size());
  }
}

void Engine::look(double time, const double* q, const double* v) {
  take_sample(world_, time, q, v, state_, stepper_->step_efforts(), ode_.scratch(), sample_);
}

void Engine::take(double time, const double* q, const double* v) {
  look(time, q, v);
  observer_->on_sample(sample_);
  last_sample_ = time;
}

const Sample& Engine::sample() {
  const Working working(*this);
  if (!is_sampled_) look(state_.time, state_.q.data(), state_.v.data());
  is_sampled_ = true;
  return sample_;
}

void Engine::check_motion() {
  const double* y = stepper_->y();
  const double time = stepper_->time();
  const double* v = y + world_.model.position_size();
  if (std::optional<Issue> issue = find_divergence(world_, time, y, v)) {
    throw DivergedError(*issue, resumable());
  }
  if (ode_.open_loop() > WorldOde::kOpenLoop) {
    throw DivergedError({.message = fmt::format("diverged at t = {:.6g} s: the loops cannot be "
                                                "kept closed (residual {:.3g}); likely cause: "
                                                "the mechanism is at a dead point or torn apart",
                                                time, ode_.open_loop()),
                         .file = world_.scene_file},
                        resumable());
  }
}

/// Adaptive methods follow what is stiff by themselves.
void Engine::watch_for_chatter() {
  if (is_adaptive(world_.settings.integrator.method)) return;
  const double time = stepper_->time();
  const double *q = stepper_->y(), *v = q + world_.model.position_size();
  const WorldScratch& scratch = ode_.scratch();
  chatter_.look_at_servos(time, q, v, scratch, report_.warnings);
  if (is_evaluated(scratch, time, q, v)) {
    chatter_.look_at_contacts(time, scratch, report_.warnings);
  }
}

RunReport Engine::report() const {
  RunReport report = report_;
  report.state = state_;
  report.resumable = resumable();
  stepper_->report(report);
  for (std::size_t s = 0; s < world_.contacts.size(); ++s) {
    world_.contacts[s]->report(state_.contacts[s], *ode_.scratch().contacts[s], report.contacts);
  }
  report.warnings.insert(report.warnings.end(), report.contacts.warnings.begin(),
                         report.contacts.warnings.end());
  report.steps = stepper_->step_count();
  report.evaluations = ode_.evaluations();
  meter_.statistics().fill(report);
  report.alarms = watch_.alarms(state_, is_over());
  report.outcome = outcome();
  report.mission = mission_report(world_, state_);
  if (world_.power) report.power = power_state(world_, state_);
  for (std::string& warning : mission_warnings(world_, state_)) {
    report.warnings.push_back(std::move(warning));
  }
  for (std::string& warning : depth_warnings(world_, report)) {
    report.warnings.push_back(std::move(warning));
  }
  if (!is_one_step(world_.settings.integrator.method)) {
    report.warnings.push_back(
        fmt::format("the multistep method '{}' starts afresh when resumed: a run in parts agrees "
                    "with a whole one within the tolerances, not to the bit",
                    to_string(world_.settings.integrator.method)));
  }
  return report;
}

void Engine::set_observer(Observer* observer) {
  expect_rest();
  if (observer_ != nullptr) {
    if (last_sample_ < state_.time) observer_->on_sample(sample());
    const RunReport report = this->report();
    tell_warnings(report.warnings);
    tell_alarms(report.alarms);
  }
  observer_ = observer;
  announced_ = alarmed_ = 0;
  if (observer_ == nullptr) return;
  observer_->on_sample(sample());
  last_sample_ = state_.time;
  tell_warnings(report_.warnings);
  tell_alarms(watch_.alarms(state_, false));
}

}  // namespace grouser::internal
