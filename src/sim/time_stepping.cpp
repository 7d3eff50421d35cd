#include "sim/time_stepping.h"

#include <algorithm>
#include <cmath>

#include "multibody/forces.h"
#include "sim/run_report.h"

namespace grouser {
namespace {

MoreauJeanOptions options_of(const World& world) {
  const IntegratorOptions& options = world.settings.integrator;
  const bool is_hard =
      world.soil_contacts.empty() && world.wheel_contacts.empty() && !world.mesh_contacts;
  const double theta = options.theta > 0 ? options.theta : is_hard ? 0.5 : 1;
  return {.theta = theta, .cone = {.tolerance = options.impulse_tolerance}};
}

/// More overlap than this, beyond the margin, is corrected again [m].
constexpr double kDeep = 3e-5;

/// Springs and tethers along their lines. That a line turns is left out: the force across is small.
void add_element_slopes(const Model& model, const Kinematics& kinematics, double time, double h,
                        double damping, std::vector<StiffForce>& out) {
  const auto add = [&](const auto& element, const LineOfAction& line) -> StiffForce& {
    return out.emplace_back(
        StiffForce{.body_a = element.a.body,
                   .body_b = element.b.body,
                   .p_W = line.p_Wa,
                   .load = {.torque = Vec3::Zero(), .force = line.direction},
                   .slope = damping * element.damping + damping * damping * element.stiffness});
  };
  for (const SpringDamper& spring : model.springs()) {
    const LineOfAction line = line_between(model, kinematics, spring.a, spring.b);
    if (line.length > 0 && (spring.stiffness > 0 || spring.damping > 0)) add(spring, line);
  }
  for (const Tether& tether : model.tethers()) {
    const LineOfAction line = line_between(model, kinematics, tether.a, tether.b);
    if (line.length == 0) continue;
    const auto [length, rate] = unloaded_length(tether, time);
    const double stretch = line.length - length;
    // Negative if loose: it may be taut at the end.
    const double pull =
        tether.stiffness * stretch + (stretch > 0 ? tether.damping * (line.rate - rate) : 0);
    StiffForce& force = add(tether, line);
    force.most = h * std::max(0.0, pull);
    force.slack = h * std::max(0.0, -pull) / force.slope;
  }
}

}  // namespace

TimeStepping::TimeStepping(const World& world, const State& committed, WorldOde& ode)
    : world_(world),
      committed_(committed),
      ode_(ode),
      scratch_(ode.scratch()),
      moreau_jean_(world.model, options_of(world)),
      y_(VecX::Zero(world.model.position_size() + world.model.velocity_size())),
      previous_(y_),
      joint_tau_(VecX::Zero(world.model.velocity_size())),
      joint_inertia_(joint_tau_),
      tau_(joint_tau_),
      dof_inertia_(tau_),
      prescribed_(tau_),
      effort_(VecX::Zero(static_cast<Eigen::Index>(world.model.actuators().size()))) {
  if (!world.soil_contacts.empty() || !world.wheel_contacts.empty() || world.mesh_contacts) {
    body_inertia_.resize(static_cast<std::size_t>(world.model.body_count()));
  }
}

void TimeStepping::start(double time, const double* y, double /*step_hint*/) {
  time_ = previous_time_ = time;
  y_ = Eigen::Map<const VecX>(y, y_.size());
  previous_ = y_;
  contacts_.points = committed_.contacts.points;
}

void TimeStepping::step(double stop) {
  previous_time_ = time_;
  previous_ = y_;
  // The last step of a stretch lands on `stop` to the bit; rounding must not leave a sliver.
  constexpr double kSliver = 1e-9;
  const double step = world_.settings.integrator.step;
  const bool last = stop - time_ <= step * (1 + kSliver);
  const double h = last ? stop - time_ : step;
  double *q = y_.data(), *v = q + world_.model.position_size();

  StepReport report = take(h, previous_.data() + world_.model.position_size(), q, v);
  if (was_misjudged(h)) {
    guess_ = y_.tail(world_.model.velocity_size());
    report = take(h, guess_.data(), q, v);
  }
  if (world_.body_contacts && (report.overlap > kDeep || h * largest_jump() > kDeep)) {
    const bool has_missed = report.corrected && !report.position.solved;
    report.corrected = true;
    report.position.solved = separate(q, v) && !has_missed;
  }
  for (std::size_t c = 0; c < contacts_.points.size(); ++c) {
    contacts_.points[c].force = contacts_.wrenches[c].force;
    contacts_.points[c].torque = contacts_.wrenches[c].torque;
  }
  ode_.project(last ? stop : time_ + h, q);
  read_efforts(v);
  note(report);
  time_ = last ? stop : time_ + h;
  ++steps_;
}

StepReport TimeStepping::take(double h, const double* guess, double* q, double* v) {
  moreau_jean_.begin(previous_.data(), previous_.data() + world_.model.position_size(), h, guess);
  find_forces(time_ + moreau_jean_.options().theta * h, h);
  StepReport report = move(h, q, v);
  while (!all_within_limits(v)) report = move(h, q, v);
  return report;
}

/// By how much a velocity changed in the step, at most [m/s], [rad/s].
double TimeStepping::largest_jump() const {
  const int nv = world_.model.velocity_size();
  return (y_.tail(nv) - previous_.tail(nv)).cwiseAbs().maxCoeff();
}

/// What was deep in each other is moved apart along straight lines; bodies that turn may overlap still. And bodies
/// that were struck may have gone where free motion did not lead. False if some are deep in each other all the same.
bool TimeStepping::separate(double* q, const double* v) {
  constexpr int kMostTimes = 4;
  Kinematics& kinematics = scratch_.dynamics.kinematics;
  for (int times = 0; times <= kMostTimes; ++times) {
    evaluate_kinematics(world_, q, v, kinematics);
    find_rigid_contacts(world_, kinematics, world_.settings.integrator.margin, {},
                        scratch_.contacts, left_);
    const bool is_apart = std::ranges::all_of(
        left_.contacts, [](const RigidContact& contact) { return contact.gap >= -kDeep; });
    if (is_apart) return true;
    if (times < kMostTimes) moreau_jean_.separate(left_.contacts, q);
  }
  return false;
}

/// Meshes near each other that touch or part within the step are not where forces were looked at: a stiff body would
/// fall, be thrown back and fall for ever. Once more from where the step ended puts that right.
bool TimeStepping::was_misjudged(double h) const {
  constexpr double kSmall = 1e-6;  // [m], [rad]
  if (!world_.mesh_contacts || scratch_.meshes.pcm->near.empty()) return false;
  return h * largest_jump() > kSmall;
}

/// From the forces found to the end of the step.
StepReport TimeStepping::move(double h, double* q, double* v) {
  const auto span = [](const VecX& x) {
    return std::span<const double>(x.data(), static_cast<std::size_t>(x.size()));
  };
  set_joint_forces(h);
  moreau_jean_.push({.tau = span(tau_),
                     .wrenches = scratch_.wrenches,
                     .dof_inertia = span(dof_inertia_),
                     .body_inertia = body_inertia_,
                     .stiff = stiff_,
                     .prescribed = span(prescribed_)});
  if (world_.body_contacts) {
    find_rigid_contacts(world_, moreau_jean_.free_end(), world_.settings.integrator.margin,
                        committed_.contacts.points, scratch_.contacts, contacts_);
  }
  return moreau_jean_.finish(contacts_.contacts, drives_, contacts_.wrenches, efforts_, q, v);
}

/// Servos that are linear belong to the smooth forces, the others to the problem.
void TimeStepping::set_joint_forces(double h) {
  tau_ = joint_tau_;
  dof_inertia_ = joint_inertia_;
  drives_.clear();
  efforts_.clear();
  for (const Servo& servo : servos_) {
    const JointDrive& drive = servo.drive;
    if (servo.is_row) {
      drives_.push_back(drive);
      efforts_.push_back(std::clamp(servo.effort, -drive.limit, drive.limit));
    } else {
      tau_[drive.dof] += servo.effort;
      dof_inertia_[drive.dof] += h * drive.gain;
    }
  }
}

/// Servos that went beyond their limits become rows.
bool TimeStepping::all_within_limits(const double* v) {
  bool all = true;
  for (Servo& servo : servos_) {
    const JointDrive& drive = servo.drive;
    if (servo.is_row || std::abs(drive.gain * (drive.target - v[drive.dof])) <= drive.limit) {
      continue;
    }
    servo.is_row = true;
    all = false;
  }
  return all;
}

/// What the servos gave in the step.
void TimeStepping::read_efforts(const double* v) {
  std::size_t row = 0;
  for (const Servo& servo : servos_) {
    const JointDrive& drive = servo.drive;
    effort_[servo.actuator] =
        servo.is_row ? efforts_[row++] : drive.gain * (drive.target - v[drive.dof]);
  }
}

double TimeStepping::mean_velocity(int dof) const {
  const double theta = moreau_jean_.options().theta;
  const int at = world_.model.position_size() + dof;
  return (1 - theta) * previous_[at] + theta * y_[at];
}

void TimeStepping::find_forces(double time, double h) {
  const Model& model = world_.model;
  const double *q = moreau_jean_.midway_q(), *v = moreau_jean_.midway_v();
  scratch_.soil.fresh = true;  // slopes are wanted too
  compliant_wrenches(world_, time, moreau_jean_.midway(), committed_, scratch_);
  scratch_.soil.fresh = false;
  find_slopes(time, h);
  joint_tau_.setZero();
  add_joint_springs(model, q, v, joint_tau_.data());
  find_joint_laws(h);
  actuator_targets(world_, time, committed_, scratch_);
  servos_.clear();
  for (std::size_t a = 0; a < scratch_.targets.size(); ++a) {
    const Actuator& actuator = model.actuators()[a];
    if (actuator.type == ActuatorType::prescribed) {
      prescribed_[actuator.dof] =
          prescribed_acceleration(world_, committed_.inputs, a, scratch_.targets[a],
                                  q[model.position_of_dof(actuator.dof)], v[actuator.dof]);
    } else {
      find_servo(static_cast<int>(a), scratch_.targets[a], h);
    }
  }
}

/// How forces that are stiff fall as bodies move.
void TimeStepping::find_slopes(double time, double h) {
  const Kinematics& midway = moreau_jean_.midway();
  const double damping = moreau_jean_.options().theta * h, stiffness = damping * damping;
  stiff_.clear();
  add_element_slopes(world_.model, midway, time, h, damping, stiff_);
  if (body_inertia_.empty()) return;
  std::ranges::fill(body_inertia_, SpatialMatrix{});
  add_soil_slopes(world_, midway, damping, stiffness, scratch_.soil, body_inertia_);
  add_wheel_slopes(world_, midway, time, committed_, scratch_.layout.wheels, damping,
                   scratch_.wheels, body_inertia_);
  if (world_.mesh_contacts) {
    add_mesh_slopes(world_, midway, damping, stiffness, scratch_.meshes, body_inertia_, stiff_);
  }
}

/// Springs and dampers at joints act as they will at the end of the step.
void TimeStepping::find_joint_laws(double h) {
  const double theta = moreau_jean_.options().theta;
  for (std::size_t dof = 0; dof < world_.model.laws().size(); ++dof) {
    const DofLaw& law = world_.model.laws()[dof];
    joint_inertia_[static_cast<Eigen::Index>(dof)] =
        theta * h * law.damping + theta * theta * h * h * law.stiffness;
  }
}

/// A servo is as fast as the step resolves: its gains are implicit, and its limit holds exactly. As long as the
/// limit is far it is linear, which is cheaper than a row and the same.
void TimeStepping::find_servo(int index, const ActuatorTarget& target, double h) {
  const Actuator& actuator = world_.model.actuators()[static_cast<std::size_t>(index)];
  const double theta = moreau_jean_.options().theta;
  const double x = moreau_jean_.midway_q()[world_.model.position_of_dof(actuator.dof)];
  const double rate = moreau_jean_.midway_v()[actuator.dof];
  const double kp = actuator.type == ActuatorType::position ? actuator.kp : 0;
  const double kd = actuator.type == ActuatorType::torque ? 0 : actuator.kd;
  const double gain = theta * kd + theta * theta * h * kp;
  if (gain == 0) {
    effort_[index] = actuator_effort(actuator, target, x, rate);
    joint_tau_[actuator.dof] += effort_[index];
    return;
  }
  const double effort = kp * (target.position - x) + kd * (target.velocity - rate) + target.effort;
  servos_.push_back({.actuator = index,
                     .drive = {.dof = actuator.dof,
                               .gain = gain,
                               .target = moreau_jean_.guess()[actuator.dof] + effort / gain,
                               .limit = actuator.max_effort},
                     .effort = effort,
                     .is_row = std::abs(effort) >= actuator.max_effort});
}

std::vector<std::string> TimeStepping::overlaps(const VecX& q) {
  if (!world_.body_contacts) return {};
  Kinematics& kinematics = scratch_.dynamics.kinematics;
  evaluate_kinematics(world_, q.data(), y_.data() + world_.model.position_size(), kinematics);
  find_rigid_contacts(world_, kinematics, world_.settings.integrator.margin, {}, scratch_.contacts,
                      contacts_);
  return overlap_warnings(world_, scratch_.contacts);
}

void TimeStepping::report(RunReport& report) const { report_impulses(statistics_, report); }

void TimeStepping::note(const StepReport& report) {
  ++statistics_.steps;
  if (!report.cone.solved) ++statistics_.unsolved;
  if (report.corrected && !report.position.solved) ++statistics_.uncorrected;
  statistics_.worst_residual = std::max(statistics_.worst_residual, report.cone.residual);
  statistics_.worst_overlap = std::max(statistics_.worst_overlap, report.overlap);
}

void TimeStepping::interpolate(double time, double* y) {
  const double h = time_ - previous_time_;
  const int nq = world_.model.position_size(), nv = world_.model.velocity_size();
  if (time >= time_ || h <= 0) {
    std::copy_n(y_.data(), y_.size(), y);
    return;
  }
  const double theta = moreau_jean_.options().theta;
  mean_velocity_ = (1 - theta) * previous_.tail(nv) + theta * y_.tail(nv);
  std::copy_n(previous_.data(), nq, y);
  advance_positions(world_.model, mean_velocity_.data(), time - previous_time_, y);
  std::copy_n(y_.data() + nq, nv, y + nq);
}

}  // namespace grouser
