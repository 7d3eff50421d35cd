#include "grouser/simulation.h"

#include "core/log.h"
#include "face/face.h"
#include "face/plain_sample.h"
#include "record/checkpoint.h"
#include "record/run_directory.h"
#include "record/run_writer.h"
#include "record/summary.h"
#include "sim/evaluate.h"
#include "sim/simulation.h"
#include "sim/state_check.h"

namespace grouser {
namespace {

internal::TargetQuantity quantity_of(Target target) {
  switch (target) {
    case Target::position:
      return internal::TargetQuantity::position;
    case Target::velocity:
      return internal::TargetQuantity::velocity;
    case Target::effort:
      return internal::TargetQuantity::effort;
  }
  internal::refuse_use("there is no such target");
}

static_assert(HostContact::kTheWorld == internal::RigidContact::kWorld);

void expect_index(int index, std::size_t count, const char* kind) {
  if (index >= 0 && static_cast<std::size_t>(index) < count) return;
  internal::refuse_use(std::string("a handle belongs to no ") + kind + " of this world");
}

}  // namespace

State::State(std::unique_ptr<internal::State> held) : held_(std::move(held)) {}
State::State(const State& other) : held_(std::make_unique<internal::State>(*other.held_)) {}
State::State(State&&) noexcept = default;
State& State::operator=(const State& other) {
  if (this != &other) held_ = std::make_unique<internal::State>(*other.held_);
  return *this;
}
State& State::operator=(State&&) noexcept = default;
State::~State() = default;

double State::time() const { return held_->time; }
std::uint64_t State::hash() const { return internal::hash(*held_); }
bool operator==(const State& a, const State& b) { return *a.held_ == *b.held_; }

void State::save(const std::filesystem::path& file, const World& world) const {
  internal::check_state(*internal::Face::of(world), *held_);
  internal::save_checkpoint(file, *internal::Face::of(world), *held_);
}
State State::load(const std::filesystem::path& file, const World& world) {
  return internal::Face::wrap(internal::load_checkpoint(file, *internal::Face::of(world)));
}
std::vector<std::byte> State::to_bytes(const World& world) const {
  internal::check_state(*internal::Face::of(world), *held_);
  return internal::checkpoint_bytes(*internal::Face::of(world), *held_);
}
State State::from_bytes(std::span<const std::byte> bytes, const World& world) {
  return internal::Face::wrap(internal::state_from_bytes(bytes, *internal::Face::of(world)));
}

struct Simulation::Impl {
  Impl(World its_world, int threads) : world(std::move(its_world)), inner(held(), threads) {}
  Impl(World its_world, internal::State start, int threads)
      : world(std::move(its_world)), inner(held(), std::move(start), threads) {}

  const internal::World& held() const { return *internal::Face::of(world); }

  World world;
  std::unique_ptr<internal::RunWriter> writer;  // outlives what it observes
  internal::Simulation inner;
  Sample sample;
  std::vector<internal::HostContact> contacts;  // room for set_contacts()
  std::vector<HostContactForce> contact_forces;
};

Simulation::Simulation(World world, const SimulationOptions& options)
    : impl_(std::make_unique<Impl>(std::move(world), options.threads)) {}

Simulation::Simulation(World world, const State& start, const SimulationOptions& options)
    : impl_(std::make_unique<Impl>(std::move(world), internal::Face::of(start), options.threads)) {}

Simulation::~Simulation() {
  try {
    stop_recording();
  } catch (const std::exception& error) {
    internal::log(internal::LogLevel::error, error.what());
  }
}

const World& Simulation::world() const { return impl_->world; }
double Simulation::time() const { return impl_->inner.time(); }
long Simulation::steps() const { return impl_->inner.steps(); }
State Simulation::state() const { return internal::Face::wrap(impl_->inner.state()); }
State Simulation::resumable() const { return internal::Face::wrap(impl_->inner.resumable()); }

bool Simulation::step() { return impl_->inner.step(); }
Outcome Simulation::run_to(double end, const std::atomic<bool>* stop) {
  return internal::plain(impl_->inner.run_to(end, stop));
}
void Simulation::restore(const State& state) { impl_->inner.restore(internal::Face::of(state)); }
void Simulation::reset() { impl_->inner.reset(); }

const Sample& Simulation::sample() {
  internal::fill(impl_->inner.sample(), impl_->sample);
  return impl_->sample;
}

Report Simulation::report() const { return internal::plain(impl_->held(), impl_->inner.report()); }

GroundPoint Simulation::ground_at(double x, double y) const {
  return internal::ground_at(internal::present_ground(impl_->held(), impl_->inner.state()), x, y);
}
std::vector<double> Simulation::ground_heights(const GroundWindow& window) const {
  return internal::ground_heights(internal::present_ground(impl_->held(), impl_->inner.state()),
                                  window);
}

Actuator Simulation::actuator(std::string_view name) const {
  return {impl_->inner.actuator(name).index};
}
Body Simulation::body(std::string_view name) const { return {impl_->inner.body(name).index}; }
Wheel Simulation::wheel(std::string_view name) const { return {impl_->inner.wheel(name).index}; }

const BodySample& Simulation::sample(Body body) {
  expect_index(body.index, sample().bodies.size(), "body");
  return impl_->sample.bodies[static_cast<std::size_t>(body.index)];
}
const WheelSample& Simulation::sample(Wheel wheel) {
  expect_index(wheel.index, sample().wheels.size(), "wheel");
  return impl_->sample.wheels[static_cast<std::size_t>(wheel.index)];
}
const ActuatorSample& Simulation::sample(Actuator actuator) {
  expect_index(actuator.index, sample().actuators.size(), "actuator");
  return impl_->sample.actuators[static_cast<std::size_t>(actuator.index)];
}

void Simulation::set_target(Actuator actuator, Target target, double value) {
  expect_index(actuator.index, impl_->held().model.actuators().size(), "actuator");
  impl_->inner.set_target({actuator.index}, quantity_of(target), value);
}
void Simulation::release(Actuator actuator) {
  expect_index(actuator.index, impl_->held().model.actuators().size(), "actuator");
  impl_->inner.release({actuator.index});
}
void Simulation::set_wrench(Body body, const Wrench& wrench) {
  expect_index(body.index, impl_->held().model.bodies().size(), "body");
  impl_->inner.set_wrench({body.index}, internal::inner(wrench));
}

void Simulation::set_contacts(std::span<const HostContact> contacts) {
  impl_->contacts.clear();
  for (const HostContact& contact : contacts) {
    impl_->contacts.push_back({.body_a = contact.body_a,
                               .body_b = contact.body_b,
                               .point = internal::inner(contact.point),
                               .normal = internal::inner(contact.normal),
                               .gap = contact.gap,
                               .friction = contact.friction,
                               .restitution = contact.restitution});
  }
  impl_->inner.set_contacts(impl_->contacts);
}

const std::vector<HostContactForce>& Simulation::contact_forces() {
  impl_->contact_forces.clear();
  for (const internal::HostContactForce& contact : impl_->inner.host_contacts()) {
    impl_->contact_forces.push_back(
        {internal::plain(contact.point), internal::plain(contact.force)});
  }
  return impl_->contact_forces;
}

void Simulation::add_controller(const ControllerOptions& options, Controller controller) {
  impl_->inner.add_controller(
      {.rate_hz = options.rate_hz, .start_time = options.start_time},
      [this, call = std::move(controller)](internal::Simulation&) { call(*this); });
}

void Simulation::record(const std::filesystem::path& folder) {
  stop_recording();
  impl_->writer = std::make_unique<internal::RunWriter>(impl_->held(), folder);
  impl_->inner.set_observer(impl_->writer.get());
}

void Simulation::stop_recording() {
  if (!impl_->writer) return;
  const std::unique_ptr<internal::RunWriter> writer = std::move(impl_->writer);
  impl_->inner.set_observer(nullptr);
  writer->close();
  const internal::RunReport report = impl_->inner.report();
  const std::filesystem::path& folder = writer->folder();
  internal::save_checkpoint(folder / internal::kCheckpointFile, impl_->held(), report.resumable);
  internal::write_summary(folder, internal::summary_json(impl_->held(), report, folder));
}

}  // namespace grouser
