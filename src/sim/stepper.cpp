#include "sim/stepper.h"

#include "sim/time_stepping.h"

namespace grouser {
namespace {

/// One of those that integrate accelerations.
class SmoothStepper final : public Stepper {
 public:
  SmoothStepper(const World& world, WorldOde& ode)
      : world_(world), ode_(ode), integrator_(make_integrator(world.settings.integrator, ode)) {}

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
  /// Of the poses that were evaluated last.
  std::vector<std::string> overlaps(const VecX&) override {
    if (!world_.body_contacts) return {};
    return overlap_warnings(world_, ode_.scratch().contacts);
  }

 private:
  const World& world_;
  WorldOde& ode_;
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace

std::unique_ptr<Stepper> make_stepper(const World& world, const State& committed, WorldOde& ode) {
  if (world.has_rigid_contact()) return std::make_unique<TimeStepping>(world, committed, ode);
  return std::make_unique<SmoothStepper>(world, ode);
}

}  // namespace grouser
