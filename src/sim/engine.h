#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/host/host_contact.h"
#include "core/parallel.h"
#include "sim/chatter.h"
#include "sim/controller.h"
#include "sim/event_finder.h"
#include "sim/power_meter.h"
#include "sim/simulate.h"
#include "sim/step_meter.h"
#include "sim/stepper.h"
#include "sim/watch.h"

namespace grouser::internal {

/// What moves a Simulation: the loop over stops, and what happens at each.
///
/// A stop is a time the integrator must arrive at exactly: the next point of the step grid, tick of
/// a sampled controller or the end. Between stops memory is constant and forces are pure functions;
/// at stops memory is committed. Samples for the record are taken from dense output, and statistics
/// from the steps, so that recording changes neither.
class Engine {
 public:
  /// Both the World and the pool, if one is given, must outlive this.
  Engine(const World& world, State start, ThreadPool* pool);

  const World& world() const { return world_; }
  const State& state() const { return state_; }
  const std::vector<EventRecord>& events() const { return report_.events; }
  long steps() const { return stepper_->step_count(); }
  State resumable() const;
  RunReport report() const;

  bool step();
  Outcome run_to(double end, const std::atomic<bool>* stop);
  const Sample& sample();

  Observer* observer() const { return observer_; }
  void set_observer(Observer* observer);

  void set(const TargetInput& target);
  void set(const WrenchInput& wrench);
  void set(std::span<const HostContact> contacts);
  void release(int actuator);

  using Controllers = std::vector<std::unique_ptr<SampledController>>;
  /// Throws Error(usage) while it moves: controllers and observers are called then, and only look and set inputs.
  void expect_rest() const;
  /// `slot`: where its ticks are counted, in Inputs::ticks.
  void add_controller(std::unique_ptr<SampledController> controller, std::size_t slot);
  /// Takes out those that were added, in order.
  Controllers take_controllers();

 private:
  /// While it exists, the simulation's own threads work, and the clock on the wall runs.
  class Working {
   public:
    explicit Working(Engine& engine);
    ~Working();
    Working(const Working&) = delete;
    Working& operator=(const Working&) = delete;

   private:
    Engine& engine_;
    ThreadPool::Use use_;
    bool is_first_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };

  bool has_grid() const { return is_one_step(world_.settings.integrator.method); }
  Clock grid() const { return {0, world_.settings.integrator.step}; }
  Clock record_clock() const;
  double& memory(std::size_t slot) { return state_.memory[slot]; }
  double& grid_step() { return memory(ode_.scratch().layout.grid_step); }
  bool is_end(double time) const;
  bool is_stopped() const { return stop_ != nullptr && stop_->load(); }

  void begin();
  void warn_at_start();
  void warn_of_overlaps();
  void stop_for_alarm();
  void go_on(double end, const std::atomic<bool>* stop);
  void hear();
  void notice();
  void heed();
  void restart();
  double next_stop();
  void go();
  void advance_to_stop(double stop);
  void rest();
  bool skip_rest();
  void take_step(double stop);
  double find_events();
  void end_at(double time);

  void commit();
  bool commit_grid_point();
  bool commit_contacts(Commits when);
  bool commit_contacts(Commits when, double time, const double* q, const double* v);
  bool run_due_controllers();
  void adopt(double time, const double* y);
  void mark_resumable();
  void offer_checkpoint();

  void record_before(double until);
  void look(double time, const double* q, const double* v);
  void take(double time, const double* q, const double* v);
  void check_motion();
  void watch_for_chatter();
  void watch(double time, const double* q, const double* v);
  bool is_over() const;
  Outcome outcome() const;
  [[noreturn]] void give_up(const std::string& reason);
  void warn(const std::vector<std::string>& warnings);
  void tell_warnings(const std::vector<std::string>& warnings);
  void tell_alarms(const std::vector<Alarm>& alarms);

  const World& world_;
  ThreadPool* pool_;
  bool works_ = false;
  bool moves_ = false;
  Observer* observer_ = nullptr;
  double end_time_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  State state_;
  WorldOde ode_;
  std::unique_ptr<Stepper> stepper_;
  EventFinder events_;
  StepMeter meter_;
  PowerMeter power_;
  ChatterWatch chatter_;
  Watch watch_;
  Sample sample_;
  VecX trial_;
  Controllers controllers_;          // those of the scene first
  std::size_t own_controllers_ = 0;  // of the scene
  RunReport report_;
  std::size_t announced_ = 0;  // of its warnings
  std::size_t alarmed_ = 0;    // of its alarms, the same
  bool must_stop_ = false;     // for an alarm
  State resumable_;            // without memories that change on the grid only
  double record_tick_ = 0, checkpoint_tick_ = 0;
  double last_sample_ = -std::numeric_limits<double>::infinity();  // that the observer has seen
  bool finished_ = false;
  bool must_restart_ = false;  // the stepper, before it goes on
  bool has_heard_ = false;     // inputs that forces do not follow yet
  bool is_sampled_ = false;    // the sample is of the present instant
};

}  // namespace grouser::internal
