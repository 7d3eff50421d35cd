#include "sim/simulate.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "core/error.h"
#include "sim/chatter.h"
#include "sim/divergence.h"
#include "sim/event_finder.h"
#include "sim/path_control.h"
#include "sim/run_report.h"
#include "sim/sampler.h"
#include "sim/soil_range.h"
#include "sim/stability.h"
#include "sim/start_warnings.h"
#include "sim/step_meter.h"
#include "sim/time_stepping.h"
#include "sim/world_ode.h"

namespace grouser {
namespace {

/// One call of simulate(): the loop over stops, and what happens at each.
///
/// A stop is a time the integrator must arrive at exactly: the next point of the step grid, tick of
/// a sampled controller or the end. Between stops memory is constant and forces are pure functions;
/// at stops memory is committed. Samples for the record are taken from dense output, and statistics
/// from the steps, so that recording changes neither.
class Run {
 public:
  Run(const World& world, const State& start, const SimulateOptions& options, Observer& observer)
      : world_(world),
        options_(options),
        observer_(observer),
        state_(start),
        ode_(world, state_),
        integrator_(make_run_integrator()),
        events_(world.events, ode_),
        meter_(world, state_, ode_, *integrator_, time_stepping_),
        chatter_(world),
        sample_(make_sample(world)),
        trial_(VecX::Zero(ode_.size())) {
    if (state_.memory.size() != ode_.scratch().layout.size ||
        state_.q.size() != world.model.position_size() ||
        state_.v.size() != world.model.velocity_size() ||
        (state_.soil ? state_.soil->bodies.size() : 0) != world.soil_contacts.size()) {
      throw Error(ErrorKind::input, Issue{.message = "the state does not belong to this world",
                                          .file = world.scene_file});
    }
  }

  RunReport run() {
    const auto wall_start = std::chrono::steady_clock::now();
    report_.start_time = state_.time;
    begin();
    while (!finished_) advance_to_stop(next_stop());
    finish();
    report_.wall_time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
    return std::move(report_);
  }

 private:
  std::unique_ptr<Integrator> make_run_integrator() {
    if (!world_.has_rigid_contact()) return make_integrator(world_.settings.integrator, ode_);
    auto made = std::make_unique<TimeStepping>(world_, state_, ode_);
    time_stepping_ = made.get();
    return made;
  }

  /// Multistep methods carry their history across; all others meet a grid.
  bool has_grid() const { return is_one_step(world_.settings.integrator.method); }
  Clock grid() const { return {0, world_.settings.integrator.step}; }
  double& memory(std::size_t slot) { return state_.memory[slot]; }
  double& grid_step() { return memory(ode_.scratch().layout.grid_step); }

  void begin() {
    const double t = state_.time;
    record_tick_ = record_clock().first_tick_from(t);
    if (record_clock().is_due(record_tick_, t)) ++record_tick_;
    const double interval = world_.settings.checkpoint_interval;
    if (interval > 0) checkpoint_tick_ = Clock{0, interval}.first_tick_from(t);
    if (interval > 0 && Clock{0, interval}.is_due(checkpoint_tick_, t)) ++checkpoint_tick_;
    run_due_path_commands(world_, ode_.scratch(), state_);
    mark_resumable();
    take(t, state_.q.data(), state_.v.data());
    meter_.start();
    meter_.add_residual(sample_.loop_residual);
    if (world_.body_contacts) {
      if (time_stepping_) time_stepping_->look_at(state_.q);
      report_.warnings = overlap_warnings(world_, ode_.scratch().contacts);
    }
    warn(start_warnings(world_));
    warn(soil_range_warnings(world_));
    warn(stability_warnings(world_, state_));
    warn_of_meshes(world_, report_);
    announce();
    restart();
    events_.start(t, integrator_->y());
    finished_ = is_end(t);
  }

  bool is_end(double time) const {
    return time >= options_.end_time - Clock::kSameTime * world_.settings.integrator.step;
  }

  Clock record_clock() const {
    constexpr double kNever = 1e300;  // [s]
    const double rate = world_.settings.record_rate_hz;
    return {0, rate > 0 ? 1 / rate : kNever};
  }

  void restart() {
    trial_ << state_.q, state_.v;
    const double hint = has_grid() ? memory(ode_.scratch().layout.integrator_step) : 0;
    integrator_->start(state_.time, trial_.data(), hint);
  }

  double next_stop() {
    double stop = options_.end_time;
    for (std::size_t p = 0; p < world_.path_commands.size(); ++p) {
      const std::size_t ticks = ode_.scratch().layout.path[p] + MemoryLayout::kTicks;
      stop = std::min(stop, path_clock(world_.path_commands[p]).time_of(memory(ticks)));
    }
    const double interval = world_.settings.checkpoint_interval;
    if (!has_grid() && interval > 0) stop = std::min(stop, checkpoint_tick_ * interval);
    if (!has_grid() && state_.soil) {
      const Clock clock{0, 1 / world_.scm.update_rate_hz};
      stop = std::min(stop, clock.time_of(state_.soil->updates + 1));
    }
    // Of instants that are the same but for rounding, the grid's counts: the end of a part must
    // not shift the step that a whole run would take.
    if (has_grid() && grid().is_due(grid_step() + 1, stop)) stop = grid().time_of(grid_step() + 1);
    return stop;
  }

  void advance_to_stop(double stop) {
    const long first_step = integrator_->step_count();
    while (!finished_ && integrator_->time() < stop) {
      take_step(stop);
      check_motion();
      watch_for_chatter();
      meter_.add_residual(ode_.open_loop());
      if (time_stepping_) time_stepping_->commit(state_.contacts);
      if (integrator_->step_count() - first_step >= world_.settings.integrator.max_steps) {
        give_up("max_steps steps did not reach the next stop");
      }
      double until = integrator_->time();
      for (const EventRecord& event : events_.find(*integrator_)) {
        report_.events.push_back(event);
        observer_.on_event(event);
        if (!world_.events[static_cast<std::size_t>(event.event)].stop) continue;
        report_.outcome = Outcome::stopped_by_event;
        until = event.time;
        finished_ = true;
        break;
      }
      record_before(until);
      meter_.step_to(until);
      if (finished_) {
        end_at(until);
        return;
      }
      observer_.on_step(integrator_->time(), integrator_->step_count());
      if (integrator_->time() < stop) commit_contacts();
      // Without a grid any step will do to stop at.
      if (!has_grid() && is_interrupted()) break;
    }
    commit();
  }

  void take_step(double stop) {
    try {
      integrator_->step(stop);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::diverged) throw;
      give_up(error.issues().front().message);
    }
  }

  [[noreturn]] void give_up(const std::string& reason) {
    throw DivergedError(blame(world_, integrator_->time(), ode_.scratch().vdot.data(), reason),
                        resumable());
  }

  bool is_interrupted() const { return options_.interrupt && options_.interrupt->load(); }

  /// Samples due before `until`; that at `until` itself waits for the commit.
  void record_before(double until) {
    const Clock clock = record_clock();
    while (clock.time_of(record_tick_) < until - Clock::kSameTime * clock.period) {
      const double time = clock.time_of(record_tick_);
      integrator_->interpolate(time, trial_.data());
      take(time, trial_.data(), trial_.data() + world_.model.position_size());
      ++record_tick_;
    }
  }

  void take(double time, const double* q, const double* v) {
    const VecX* efforts = time_stepping_ ? time_stepping_->step_efforts() : nullptr;
    take_sample(world_, time, q, v, state_, efforts, ode_.scratch(), sample_);
    observer_.on_sample(sample_);
    last_sample_ = time;
  }

  /// Copies the integrator's state; the end of an event is interpolated.
  void adopt(double time, const double* y) {
    state_.time = time;
    state_.q = Eigen::Map<const VecX>(y, world_.model.position_size());
    state_.v =
        Eigen::Map<const VecX>(y + world_.model.position_size(), world_.model.velocity_size());
  }

  /// At a stop: memory is written, the sample due is taken, checkpoints are offered.
  void commit() {
    adopt(integrator_->time(), integrator_->y());
    bool fresh_start = false;
    bool on_grid = !has_grid();
    if (has_grid() && grid().is_due(grid_step() + 1, state_.time)) {
      grid_step() += 1;
      on_grid = true;
      if (is_adaptive(world_.settings.integrator.method)) {
        memory(ode_.scratch().layout.integrator_step) = integrator_->suggested_step();
        fresh_start = true;
      }
    }
    if (commit_contacts() && has_grid()) fresh_start = true;
    bool jumps = state_.soil && on_grid && commit_soil();
    jumps |= run_due_path_commands(world_, ode_.scratch(), state_);
    if (jumps) fresh_start = true;
    if (jumps && !time_stepping_) meter_.start();
    if (record_clock().is_due(record_tick_, state_.time)) {
      take(state_.time, state_.q.data(), state_.v.data());
      ++record_tick_;
    }
    if (on_grid) offer_checkpoint();
    finished_ = is_end(state_.time);
    if (on_grid && is_interrupted() && !finished_) {
      report_.outcome = Outcome::interrupted;
      finished_ = true;
    }
    if (fresh_start && !finished_) restart();
  }

  /// At every accepted step. Returns whether forces may be others now. Multistep methods need not start
  /// afresh for that: forces stay continuous.
  bool commit_contacts() {
    const bool pairs_give_way = world_.body_contacts && !time_stepping_;
    if (!pairs_give_way && world_.wheel_contacts.empty()) return false;
    WorldScratch& scratch = ode_.scratch();
    const double *q = integrator_->y(), *v = q + world_.model.position_size();
    // Fixed steps end with an evaluation there; in time stepping the meter has looked at the wheels.
    if (!time_stepping_ && !is_evaluated(scratch, integrator_->time(), q, v)) {
      evaluate(world_, integrator_->time(), q, v, state_, scratch);
    }
    bool changed = pairs_give_way && grouser::commit_contacts(world_, scratch.dynamics.kinematics,
                                                              scratch.contacts, state_.contacts);
    if (!world_.wheel_contacts.empty()) {
      changed |= commit_wheels(integrator_->time(), scratch.layout.wheels, scratch.wheels, state_);
    }
    return changed;
  }

  /// Returns whether the soil was updated, so that forces are others now.
  bool commit_soil() {
    WorldScratch& scratch = ode_.scratch();
    evaluate_kinematics(world_, state_.q.data(), state_.v.data(), scratch.dynamics.kinematics);
    return grouser::commit_soil(world_, scratch.dynamics.kinematics, state_.time, scratch.soil,
                                *state_.soil, soil_);
  }

  /// Remembers the state but for its soil, which changes at points of the grid only, just before this.
  void mark_resumable() {
    resumable_.time = state_.time;
    resumable_.q = state_.q;
    resumable_.v = state_.v;
    resumable_.memory = state_.memory;
    resumable_.contacts = state_.contacts;
  }

  State resumable() const {
    State state = resumable_;
    state.soil = state_.soil;
    return state;
  }

  void offer_checkpoint() {
    mark_resumable();
    const double interval = world_.settings.checkpoint_interval;
    if (interval <= 0 || !Clock{0, interval}.is_due(checkpoint_tick_, state_.time)) return;
    observer_.on_checkpoint(state_);
    checkpoint_tick_ = Clock{0, interval}.first_tick_from(state_.time) + 1;
  }

  void end_at(double time) {
    integrator_->interpolate(time, trial_.data());
    adopt(time, trial_.data());
  }

  void check_motion() {
    const double* y = integrator_->y();
    const double time = integrator_->time();
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
  void watch_for_chatter() {
    if (is_adaptive(world_.settings.integrator.method)) return;
    const double time = integrator_->time();
    const double *q = integrator_->y(), *v = q + world_.model.position_size();
    const WorldScratch& scratch = ode_.scratch();
    chatter_.look_at_servos(time, q, v, scratch, report_.warnings);
    if (is_evaluated(scratch, time, q, v)) {
      chatter_.look_at_contacts(time, scratch, report_.warnings);
    }
  }

  void finish() {
    if (last_sample_ < state_.time) take(state_.time, state_.q.data(), state_.v.data());
    report_.state = state_;
    report_.resumable = resumable();
    if (state_.soil) report_soil(world_, *state_.soil, soil_, report_);
    if (time_stepping_) report_impulses(time_stepping_->statistics(), report_);
    report_mesh_contacts(world_, ode_.scratch().meshes, report_);
    report_.steps = integrator_->step_count();
    report_.evaluations = ode_.evaluations();
    meter_.statistics().fill(report_);
    warn(depth_warnings(world_, report_));
    if (!is_one_step(world_.settings.integrator.method)) {
      report_.warnings.push_back(
          fmt::format("the multistep method '{}' starts afresh when resumed: a run in parts agrees "
                      "with a whole one within the tolerances, not to the bit",
                      to_string(world_.settings.integrator.method)));
    }
    announce();
  }

  void warn(const std::vector<std::string>& warnings) {
    report_.warnings.insert(report_.warnings.end(), warnings.begin(), warnings.end());
  }

  /// Tells the observer of warnings that it has not heard yet.
  void announce() {
    for (; announced_ < report_.warnings.size(); ++announced_) {
      observer_.on_warning(report_.warnings[announced_]);
    }
  }

  const World& world_;
  const SimulateOptions& options_;
  Observer& observer_;
  State state_;
  WorldOde ode_;
  TimeStepping* time_stepping_ = nullptr;  // the integrator, if it is that
  std::unique_ptr<Integrator> integrator_;
  EventFinder events_;
  StepMeter meter_;
  ChatterWatch chatter_;
  Sample sample_;
  VecX trial_;
  RunReport report_;
  std::size_t announced_ = 0;  // of its warnings
  State resumable_;            // without its soil
  SoilStatistics soil_;
  double record_tick_ = 0, checkpoint_tick_ = 0, last_sample_ = 0;
  bool finished_ = false;
};

}  // namespace

const char* to_string(Outcome outcome) {
  constexpr const char* kNames[] = {"completed", "stopped_by_event", "interrupted"};
  return kNames[static_cast<int>(outcome)];
}

RunReport simulate(const World& world, const State& start, const SimulateOptions& options,
                   Observer& observer) {
  return Run(world, start, options, observer).run();
}

}  // namespace grouser
