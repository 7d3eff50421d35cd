#include "sim/stepper.h"

#include <fmt/format.h>

#include "core/error.h"
#include "sim/time_stepping.h"

namespace grouser::internal {
namespace {

/// One of those that integrate accelerations.
class SmoothStepper final : public Stepper {
 public:
  SmoothStepper(const World& world, WorldOde& ode)
      : integrator_(make_integrator(world.settings.integrator, ode)) {}

  void start(double time, const double* y, double step_hint) override {
    integrator_->start(time, y, step_hint);
  }
  void step(double stop) override {
    integrator_->step(stop);
    steps_ = integrator_->step_count();
  }
  double previous_time() const override { return integrator_->previous_time(); }
  double time() const override { return integrator_->time(); }
  const double* y() const override { return integrator_->y(); }
  void interpolate(double time, double* y) override { integrator_->interpolate(time, y); }
  double suggested_step() const override { return integrator_->suggested_step(); }

  bool sees_steps() const override { return false; }

 private:
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace

std::unique_ptr<Stepper> make_stepper(const World& world, const State& committed, WorldOde& ode) {
  if (is_time_stepping(world.settings.integrator.method)) {
    return std::make_unique<TimeStepping>(world, committed, ode);
  }
  for (const auto& system : world.contacts) {
    if (!system->is_rigid()) continue;
    throw Error(ErrorKind::input,
                Issue{.message = fmt::format("contacts of rigid bodies ({}) need the method "
                                             "'moreau_jean'",
                                             system->name()),
                      .file = world.scene_file,
                      .line = world.settings.integrator_line,
                      .field = "integrator.method",
                      .value = to_string(world.settings.integrator.method)});
  }
  return std::make_unique<SmoothStepper>(world, ode);
}

}  // namespace grouser::internal
