#pragma once

#include <memory>

#include "integrate/integrator.h"
#include "sim/simulate.h"
#include "sim/world_ode.h"

namespace grouser::internal {

/// Advances a World: an Integrator, and what the two families of them do differently. Smooth ones (Runge-Kutta,
/// SUNDIALS) integrate accelerations and see forces at instants. Time stepping finds velocities at the end of a step,
/// with the impulses that lead there, and sees forces over steps.
class Stepper : public Integrator {
 public:
  /// Whether forces of contact, efforts of servos and velocities are those of whole steps.
  virtual bool sees_steps() const = 0;

  /// After an accepted step: what contacts remember of it, if this finds their forces itself.
  virtual void commit_step(State&) const {}
  /// Where it is used, per actuator: effort over the last step [N m], [N]; of prescribed ones 0. Else nothing.
  virtual const VecX* step_efforts() const { return nullptr; }
  /// If steps are seen: velocity that times the length of the last one moved the position of its joint
  /// [rad/s], [m/s].
  virtual double mean_velocity(int /*dof*/) const { return 0; }
  virtual void report(RunReport&) const {}
};

/// As the World's settings ask for. All must outlive it; what `committed` remembers is the present state's memory.
std::unique_ptr<Stepper> make_stepper(const World& world, const State& committed, WorldOde& ode);

}  // namespace grouser::internal
