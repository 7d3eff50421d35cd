#include "sim/simulation.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/index.h"
#include "core/text.h"
#include "sim/engine.h"
#include "sim/host_contacts.h"

namespace grouser::internal {
namespace {

/// Calls a function at the ticks of a clock.
class CallbackController final : public SampledController {
 public:
  CallbackController(const ControllerOptions& options, std::size_t slot, Simulation& simulation,
                     Controller function)
      : options_(options), slot_(slot), simulation_(simulation), function_(std::move(function)) {}

  Clock clock() const override { return {options_.start_time, 1 / options_.rate_hz}; }
  double& ticks(State& state) const override { return state.inputs.ticks[slot_]; }
  void act(State&) override { function_(simulation_); }

 private:
  ControllerOptions options_;
  std::size_t slot_;
  Simulation& simulation_;
  Controller function_;
};

/// Position of a name among things that have names.
template <class Things>
int index_of(const Things& things, std::string_view name, const char* kind) {
  std::vector<std::string_view> names;
  for (std::size_t k = 0; k < things.size(); ++k) {
    if (things[k].name == name) return static_cast<int>(k);
    names.push_back(things[k].name);
  }
  Issue issue{.message = fmt::format("there is no {} called '{}'", kind, name)};
  if (const auto near = closest_match(name, names)) {
    issue.message += fmt::format("; did you mean '{}'?", *near);
  }
  throw Error(ErrorKind::usage, issue);
}

void check_finite(bool is_finite, const std::string& subject) {
  if (is_finite) return;
  throw Error(ErrorKind::usage, Issue{.message = subject + ": the input is not finite"});
}

}  // namespace

Simulation::Simulation(const World& world, int threads)
    : Simulation(world, initial_state(world), threads) {}

Simulation::Simulation(const World& world, State start, int threads)
    : start_(std::move(start)),
      pool_(threads > 0 ? std::make_unique<ThreadPool>(threads) : nullptr),
      engine_(std::make_unique<Engine>(world, start_, pool_.get())) {}

Simulation::~Simulation() = default;

const World& Simulation::world() const { return engine_->world(); }
const State& Simulation::state() const { return engine_->state(); }
State Simulation::resumable() const { return engine_->resumable(); }
long Simulation::steps() const { return engine_->steps(); }
bool Simulation::step() { return engine_->step(); }
Outcome Simulation::run_to(double end, const std::atomic<bool>* stop) {
  return engine_->run_to(end, stop);
}
const Sample& Simulation::sample() { return engine_->sample(); }
const std::vector<EventRecord>& Simulation::events() const { return engine_->events(); }
RunReport Simulation::report() const { return engine_->report(); }

void Simulation::restore(State state) {
  engine_->expect_rest();
  auto fresh = std::make_unique<Engine>(world(), std::move(state), pool_.get());
  std::size_t slot = 0;
  for (auto& controller : engine_->take_controllers()) {
    fresh->add_controller(std::move(controller), slot++);
  }
  Observer* observer = engine_->observer();
  engine_ = std::move(fresh);
  engine_->set_observer(observer);
}

void Simulation::reset() { restore(start_); }

ActuatorHandle Simulation::actuator(std::string_view name) const {
  return {index_of(world().model.actuators(), name, "actuator")};
}

BodyHandle Simulation::body(std::string_view name) const {
  return {index_of(world().model.bodies(), name, "body")};
}

WheelHandle Simulation::wheel(std::string_view name) const {
  std::vector<Wheel> wheels;
  for (const Rover& rover : world().rovers) {
    wheels.insert(wheels.end(), rover.wheels.begin(), rover.wheels.end());
  }
  return {index_of(wheels, name, "wheel")};
}

void Simulation::set_target(ActuatorHandle handle, TargetQuantity quantity, double value) {
  const Actuator& actuator = world().model.actuators().at(at(handle.index));
  check_finite(std::isfinite(value), actuator.name);
  if (!takes(actuator.type, quantity)) {
    throw Error(ErrorKind::usage,
                Issue{.message = fmt::format("{}: a {} actuator takes no {}", actuator.name,
                                             to_string(actuator.type), to_string(quantity))});
  }
  engine_->set(TargetInput{handle.index, quantity, value});
}

void Simulation::release(ActuatorHandle handle) { engine_->release(handle.index); }

void Simulation::set_wrench(BodyHandle handle, const Wrench& wrench) {
  const Body& body = world().model.bodies().at(at(handle.index));
  check_finite(wrench.force.allFinite() && wrench.torque.allFinite(), body.name);
  engine_->set(WrenchInput{handle.index, wrench});
}

void Simulation::set_contacts(std::span<const HostContact> contacts) { engine_->set(contacts); }

std::span<const HostContactForce> Simulation::host_contacts() const {
  return host_contact_forces(world(), state());
}

void Simulation::add_controller(const ControllerOptions& options, Controller controller) {
  if (!(options.rate_hz > 0) || !std::isfinite(options.rate_hz) ||
      !std::isfinite(options.start_time)) {
    throw Error(ErrorKind::usage, Issue{.message = "a controller's rate must be above 0 Hz"});
  }
  const std::size_t slot = controllers_++;
  engine_->add_controller(
      std::make_unique<CallbackController>(options, slot, *this, std::move(controller)), slot);
}

void Simulation::set_observer(Observer* observer) { engine_->set_observer(observer); }

}  // namespace grouser::internal
