#pragma once

#include "nonsmooth/moreau_jean.h"
#include "sim/evaluate.h"
#include "sim/stepper.h"

namespace grouser::internal {

/// A World advanced by Moreau and Jean's time stepping: contacts of bodies are rigid, joints have hard stops
/// and dry friction, servos are limited, loops are closed; soft soil and force elements act beside them, made
/// implicit where they are stiff.
class TimeStepping final : public Stepper {
 public:
  /// All must outlive this; what `committed` remembers is the present state's memory.
  TimeStepping(const World& world, const State& committed, WorldOde& ode);

  void start(double time, const double* y, double step_hint) override;
  void step(double stop) override;
  double previous_time() const override { return previous_time_; }
  double time() const override { return time_; }
  const double* y() const override { return y_.data(); }
  /// Positions move evenly from one end to the other; velocities jump at the beginning.
  void interpolate(double time, double* y) override;
  double suggested_step() const override { return world_.settings.integrator.step; }

  bool sees_steps() const override { return true; }
  /// Keeps the forces of contact.
  void commit_step(State& state) const override;
  const VecX* step_efforts() const override { return steps_ > 0 ? &effort_ : nullptr; }
  double mean_velocity(int dof) const override;
  /// How the impulses were found.
  void report(RunReport& report) const override;

 private:
  /// A servo in this step: linear, or a row of the problem, which its limit may hold.
  struct Servo {
    int actuator = 0;
    JointDrive drive;
    double effort = 0;  // at the beginning, were there no limit
    bool is_row = false;
  };

  /// Contacts of all systems.
  struct FoundContacts : RigidContacts {
    std::vector<std::size_t> firsts;  // per system: where its own begin; and the number of all
  };

  void find_rigid(std::span<const Pose> X_WB, FoundContacts& out);
  StepReport take(double h, const double* guess, double* q, double* v);
  bool was_misjudged(double h) const;
  void find_forces(double time, double h);
  void find_stiffness(double time, double h, const BodyMotions& motions);
  void find_servo(int index, const ActuatorTarget& target, double h);
  void find_joint_laws(double h);
  StepReport move(double h, double* q, double* v);
  double largest_jump() const;
  bool separate(double* q, const double* v);
  void set_joint_forces(double h);
  bool all_within_limits(const double* v);
  void read_efforts(const double* v);
  void note(const StepReport& report);

  const World& world_;
  const State& committed_;
  WorldOde& ode_;
  WorldScratch& scratch_;
  MoreauJean moreau_jean_;
  double time_ = 0, previous_time_ = 0;
  VecX y_, previous_, mean_velocity_, guess_;
  VecX joint_tau_, joint_inertia_;  // of all but servos
  VecX tau_, dof_inertia_, prescribed_;
  VecX effort_;  // per actuator
  std::vector<Servo> servos_;
  bool has_rigid_ = false;                   // contacts
  BodyMotionArrays motions_;                 // midway
  ContactStiffness stiffness_;               // of contacts
  std::vector<SpatialMatrix> body_inertia_;  // empty if no contacts give way
  std::vector<StiffForce> stiff_;            // between bodies
  std::vector<JointDrive> drives_;
  std::vector<double> efforts_;
  FoundContacts contacts_, left_;  // of the step; at its end, where it has to be corrected again
  ImpulseReport statistics_;
};

}  // namespace grouser::internal
