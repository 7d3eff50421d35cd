#include "sim/step_meter.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "sim/sampler.h"

namespace grouser::internal {
namespace {

std::size_t wheel_count(const World& world) {
  std::size_t count = 0;
  for (const Rover& rover : world.rovers) count += rover.wheels.size();
  return count;
}

}  // namespace

StepMeter::StepMeter(const World& world, const State& committed, WorldOde& ode, Stepper& stepper)
    : world_(world),
      committed_(committed),
      scratch_(ode.scratch()),
      stepper_(stepper),
      statistics_(world),
      needs_forces_(wheel_count(world) > 0 || world.model.has_prescribed()),
      kinematics_(world.model),
      end_(VecX::Zero(ode.size())),
      middle_(end_),
      q_(VecX::Zero(world.model.position_size())),
      effort_(VecX::Zero(static_cast<Eigen::Index>(world.model.actuators().size()))),
      before_(effort_),
      power_(world.model.actuators().size()),
      wheels_(wheel_count(world)),
      rovers_(world.rovers.size()) {
  if (world.power || !world.mission.activities.empty()) motions_.resize(power_.size());
}

void StepMeter::start() {
  time_ = committed_.time;
  q_ = committed_.q;
  look(time_, q_.data(), committed_.v.data(), true);
  for (std::size_t a = 0; a < power_.size(); ++a) power_[a] = power(a, committed_.v.data());
}

void StepMeter::step_to(double until) {
  if (until < stepper_.time()) {
    stepper_.interpolate(until, end_.data());
  } else {
    std::copy_n(stepper_.y(), end_.size(), end_.data());
  }
  const double *q = end_.data(), *v = q + world_.model.position_size();
  before_ = effort_;
  const double begin = time_;
  look(until, q, v, false);
  if (stepper_.sees_steps()) {
    add_work_of_time_step(until - begin);
  } else if (is_adaptive(world_.settings.integrator.method)) {
    add_work_of_adaptive_step(until, v);
  } else {
    add_work_of_fixed_step(q);
  }
  if (!world_.path_commands.empty()) sample_rovers(world_, committed_, scratch_, rovers_);
  statistics_.add_rovers(until - begin, rovers_);
  duration_ = until - begin;
  if (!motions_.empty() && duration_ > 0) find_motions(q);
  time_ = until;
  q_ = end_.head(q_.size());
}

void StepMeter::rest_to(double until) {
  if (!wheels_.empty()) statistics_.add_wheels(until, wheels_);
  statistics_.add_rovers(until - time_, rovers_);
  time_ = until;
}

/// As the work of steps: by the mean of the efforts at both ends, or by the effort of the step.
void StepMeter::find_motions(const double* q) {
  const Model& model = world_.model;
  for (std::size_t a = 0; a < motions_.size(); ++a) {
    const Actuator& actuator = model.actuators()[a];
    const Eigen::Index i = static_cast<Eigen::Index>(a);
    const int position = model.position_of_dof(actuator.dof);
    const bool of_step = stepper_.sees_steps() && actuator.type != ActuatorType::prescribed;
    motions_[a] = {.effort = of_step ? effort_[i] : 0.5 * (before_[i] + effort_[i]),
                   .rate = (q[position] - q_[position]) / duration_};
  }
}

/// Everything about the wheels, the way and the efforts at an instant; `anew` if what was found there before is out of
/// date.
void StepMeter::look(double time, const double* q, const double* v, bool anew) {
  const int traveller = statistics_.traveller();
  const Kinematics* kinematics = &scratch_.dynamics.kinematics;
  if (needs_forces_ && stepper_.sees_steps() && !world_.model.has_prescribed()) {
    const BodyMotions motions = scratch_.motions_at(world_, q, v);
    compliant_wrenches(world_, time, *kinematics, motions, committed_, Purpose::step, scratch_);
    scratch_.time = std::nan("");  // accelerations are not found
  } else if (needs_forces_) {
    if (anew || !is_evaluated(scratch_, time, q, v)) {
      evaluate(world_, time, q, v, committed_, Purpose::step, scratch_);
    }
    prescribed_efforts(world_, q, v, scratch_);
  } else if (traveller >= 0) {
    forward_kinematics_of_tree(world_.model, world_.model.joints()[at(traveller)].tree, q, v,
                               kinematics_);
    kinematics = &kinematics_;
  }
  if (traveller >= 0) {
    statistics_.move_to(kinematics->X_WB[at(traveller)].p);
    attitude_ = kinematics->X_WB[at(traveller)].R;
  }
  find_efforts(time, q, v);
  if (wheels_.empty()) return;
  scratch_.effort = effort_;
  sample_wheels(world_, q, v, committed_, scratch_, wheels_);
  if (stepper_.sees_steps() && time > time_) statistics_.add_wheels(time_, wheels_);
  statistics_.add_wheels(time, wheels_);
}

/// Those of prescribed motion are in the scratch.
void StepMeter::find_efforts(double time, const double* q, const double* v) {
  const Model& model = world_.model;
  if (model.has_prescribed()) effort_ = scratch_.effort;
  if (const VecX* efforts = stepper_.step_efforts()) {
    use_step_efforts(model, *efforts, effort_);
    return;
  }
  actuator_targets(world_, time, committed_, scratch_);
  for (std::size_t a = 0; a < scratch_.targets.size(); ++a) {
    const Actuator& actuator = model.actuators()[a];
    if (actuator.type == ActuatorType::prescribed) continue;
    effort_[static_cast<Eigen::Index>(a)] = actuator_effort(
        actuator, scratch_.targets[a], q[model.position_of_dof(actuator.dof)], v[actuator.dof]);
  }
}

double StepMeter::power(std::size_t actuator, const double* v) const {
  return effort_[static_cast<Eigen::Index>(actuator)] * v[world_.model.actuators()[actuator].dof];
}

void StepMeter::add_work_of_fixed_step(const double* q) {
  const Model& model = world_.model;
  for (std::size_t a = 0; a < model.actuators().size(); ++a) {
    const Eigen::Index i = static_cast<Eigen::Index>(a);
    const int position = model.position_of_dof(model.actuators()[a].dof);
    statistics_.add_work(a, 0.5 * (before_[i] + effort_[i]) * (q[position] - q_[position]));
  }
}

/// Efforts of prescribed motion are taken to be in the middle what they are at the ends on average: forces are not
/// asked for there.
void StepMeter::add_work_of_adaptive_step(double until, const double* v) {
  const Model& model = world_.model;
  if (model.actuators().empty()) return;
  const double middle = 0.5 * (time_ + until);
  stepper_.interpolate(middle, middle_.data());
  const double* v_middle = middle_.data() + model.position_size();
  actuator_targets(world_, middle, committed_, scratch_);
  for (std::size_t a = 0; a < model.actuators().size(); ++a) {
    const Actuator& actuator = model.actuators()[a];
    const Eigen::Index i = static_cast<Eigen::Index>(a);
    const double x = middle_[model.position_of_dof(actuator.dof)], rate = v_middle[actuator.dof];
    const double effort = actuator.type == ActuatorType::prescribed
                              ? 0.5 * (before_[i] + effort_[i])
                              : actuator_effort(actuator, scratch_.targets[a], x, rate);
    const double sum =
        std::max(0.0, power_[a]) + 4 * std::max(0.0, effort * rate) + std::max(0.0, power(a, v));
    statistics_.add_work(a, (until - time_) / 6 * sum);
    power_[a] = power(a, v);
  }
}

void StepMeter::add_work_of_time_step(double duration) {
  const Model& model = world_.model;
  for (std::size_t a = 0; a < model.actuators().size(); ++a) {
    const Actuator& actuator = model.actuators()[a];
    const Eigen::Index i = static_cast<Eigen::Index>(a);
    // Of prescribed motion the efforts at both ends are known, of all others that of the step.
    const bool is_prescribed = actuator.type == ActuatorType::prescribed;
    const double effort = is_prescribed ? 0.5 * (before_[i] + effort_[i]) : effort_[i];
    statistics_.add_work(a, effort * duration * stepper_.mean_velocity(actuator.dof));
  }
}

}  // namespace grouser::internal
