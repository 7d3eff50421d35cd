#pragma once

#include "integrate/integrator.h"
#include "sim/evaluate.h"
#include "sim/rigid_contact.h"
#include "sim/simulate.h"

namespace grouser {

/// A World advanced by Moreau and Jean's time stepping: contacts of bodies are rigid, joints have hard stops
/// and dry friction, servos are limited, loops are closed; soft soil and force elements act beside them, made
/// implicit where they are stiff.
class TimeStepping final : public Integrator {
 public:
  /// All must outlive this; what `committed` remembers is the present state's memory.
  TimeStepping(const World& world, const State& committed, WorldScratch& scratch);

  void start(double time, const double* y, double step_hint) override;
  void step(double stop) override;
  double previous_time() const override { return previous_time_; }
  double time() const override { return time_; }
  const double* y() const override { return y_.data(); }
  /// Positions move evenly from one end to the other; velocities jump at the beginning.
  void interpolate(double time, double* y) override;
  double suggested_step() const override { return world_.settings.integrator.step; }

  /// Finds the contacts at positions, for overlap_warnings().
  void look_at(const VecX& q);
  /// Forces of contact over the last step.
  void commit(BbccState& contacts) const { contacts.points = contacts_.points; }
  const ImpulseReport& statistics() const { return statistics_; }

 private:
  void find_forces(double time, double h);
  void add_drive(const Actuator& actuator, const ActuatorTarget& target, double h);
  void add_joint_laws(double h);
  void note(const StepReport& report);

  const World& world_;
  const State& committed_;
  WorldScratch& scratch_;
  MoreauJean moreau_jean_;
  double time_ = 0, previous_time_ = 0;
  VecX y_, previous_, mean_velocity_;
  VecX tau_, dof_inertia_, prescribed_;
  std::vector<SpatialMatrix> body_inertia_;  // empty if nothing is stiff
  std::vector<JointDrive> drives_;
  std::vector<double> efforts_;
  RigidContacts contacts_;
  ImpulseReport statistics_;
};

}  // namespace grouser
