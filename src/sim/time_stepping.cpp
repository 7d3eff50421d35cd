#include "sim/time_stepping.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "multibody/forces.h"
#include "sim/run_report.h"

namespace grouser::internal {
namespace {

MoreauJeanOptions options_of(const World& world) {
  const IntegratorOptions& options = world.settings.integrator;
  const bool is_hard =
      std::ranges::all_of(world.contacts, [](const auto& system) { return system->is_rigid(); });
  const double theta = options.theta > 0 ? options.theta : is_hard ? 0.5 : 1;
  return {.theta = theta, .cone = {.tolerance = options.impulse_tolerance}};
}

/// More overlap than this, beyond the margin, is corrected again [m].
constexpr double kDeep = 3e-5;

/// Springs and tethers along their lines. That a line turns is left out: the force across is small.
void add_element_stiffness(const Model& model, const Kinematics& kinematics, double time, double h,
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

/// A sum of squares of single rows.
void add_rows(const PairStiffness& pair, std::vector<StiffForce>& out) {
  constexpr double kNone = 1e-12;  // of the largest
  const Eigen::SelfAdjointEigenSolver<Mat6> solver(pair.matrix);
  const Vec6& values = solver.eigenvalues();  // ascending
  for (int k = 0; k < 6; ++k) {
    if (!(values[k] > kNone * values[5])) continue;
    const Vec6 row = solver.eigenvectors().col(k);
    out.push_back({.body_a = pair.body_a,
                   .body_b = pair.body_b,
                   .p_W = pair.p_W,
                   .load = {.torque = row.head<3>(), .force = row.tail<3>()},
                   .slope = values[k]});
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
  for (const auto& system : world.contacts) {
    if (system->is_rigid()) {
      has_rigid_ = true;
    } else {
      body_inertia_.resize(static_cast<std::size_t>(world.model.body_count()));
    }
  }
}

void TimeStepping::start(double time, const double* y, double /*step_hint*/) {
  time_ = previous_time_ = time;
  y_ = Eigen::Map<const VecX>(y, y_.size());
  previous_ = y_;
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
  if (has_rigid_ && (report.overlap > kDeep || h * largest_jump() > kDeep)) {
    const bool has_missed = report.corrected && !report.position.solved;
    report.corrected = true;
    report.position.solved = separate(q, v) && !has_missed;
  }
  ode_.project(last ? stop : time_ + h, q);
  read_efforts(v);
  note(report);
  time_ = last ? stop : time_ + h;
  ++steps_;
}

void TimeStepping::commit_step(State& state) const {
  for (std::size_t s = 0; s < world_.contacts.size(); ++s) {
    if (!world_.contacts[s]->is_rigid()) continue;
    const std::size_t first = contacts_.firsts[s], count = contacts_.firsts[s + 1] - first;
    world_.contacts[s]->commit_rigid(std::span(contacts_.points).subspan(first, count),
                                     std::span(contacts_.wrenches).subspan(first, count),
                                     state.contacts[s]);
  }
}

/// Where rigid bodies touch, by all systems.
void TimeStepping::find_rigid(std::span<const Pose> X_WB, FoundContacts& out) {
  out.clear();
  out.firsts.clear();
  for (std::size_t s = 0; s < world_.contacts.size(); ++s) {
    out.firsts.push_back(out.points.size());
    if (!world_.contacts[s]->is_rigid()) continue;
    world_.contacts[s]->find_rigid(X_WB, world_.settings.integrator.margin, committed_.contacts[s],
                                   *scratch_.contacts[s], out);
  }
  out.firsts.push_back(out.points.size());
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
  for (int times = 0; times <= kMostTimes; ++times) {
    find_rigid(scratch_.motions_at(world_, q, v).X_WB, left_);
    const bool is_apart = std::ranges::all_of(
        left_.contacts, [](const RigidContact& contact) { return contact.gap >= -kDeep; });
    if (is_apart) return true;
    if (times < kMostTimes) moreau_jean_.separate(left_.contacts, q);
  }
  return false;
}

/// Bodies that touch or part within the step are not where forces were looked at: a stiff one would fall, be thrown
/// back and fall for ever. Once more from where the step ended puts that right.
bool TimeStepping::was_misjudged(double h) const {
  constexpr double kSmall = 1e-6;  // [m], [rad]
  for (std::size_t s = 0; s < world_.contacts.size(); ++s) {
    if (world_.contacts[s]->may_jump(*scratch_.contacts[s])) return h * largest_jump() > kSmall;
  }
  return false;
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
  if (has_rigid_) find_rigid(moreau_jean_.free_end().X_WB, contacts_);
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
  const Kinematics& midway = moreau_jean_.midway();
  const BodyMotions motions = motions_.fill(model, midway);
  compliant_wrenches(world_, time, midway, motions, committed_, Purpose::stiffness, scratch_);
  find_stiffness(time, h, motions);
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
void TimeStepping::find_stiffness(double time, double h, const BodyMotions& motions) {
  const double reach = moreau_jean_.options().theta * h;
  stiff_.clear();
  add_element_stiffness(world_.model, moreau_jean_.midway(), time, h, reach, stiff_);
  if (body_inertia_.empty()) return;
  stiffness_.clear();
  const ContactInput input{time, motions, present_ground(world_, committed_)};
  for (std::size_t s = 0; s < world_.contacts.size(); ++s) {
    if (world_.contacts[s]->is_rigid()) continue;
    world_.contacts[s]->stiffness(input, committed_.contacts[s], reach, *scratch_.contacts[s],
                                  stiffness_);
  }
  std::ranges::fill(body_inertia_, SpatialMatrix{});
  for (const BodyStiffness& body : stiffness_.bodies) {
    body_inertia_[at(body.body)] += to_matrix(body.matrix);
  }
  for (const PairStiffness& pair : stiffness_.pairs) add_rows(pair, stiff_);
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
  const double stall = actuator.stall_effort * target.available;
  const double limit = std::min(actuator.max_effort, stall);
  const double line = effort_limit(actuator, target, std::copysign(1.0, effort), rate);
  if (line < limit && std::abs(effort) > line) {  // the motor turns as fast as its torque allows
    const double slope = theta * stall / actuator.no_load_speed;
    const double given = std::copysign(line, effort);
    servos_.push_back({.actuator = index,
                       .drive = {.dof = actuator.dof,
                                 .gain = slope,
                                 .target = moreau_jean_.guess()[actuator.dof] + given / slope,
                                 .limit = limit},
                       .effort = given,
                       .is_row = false});
    return;
  }
  servos_.push_back({.actuator = index,
                     .drive = {.dof = actuator.dof,
                               .gain = gain,
                               .target = moreau_jean_.guess()[actuator.dof] + effort / gain,
                               .limit = limit},
                     .effort = effort,
                     .is_row = std::abs(effort) >= limit});
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

}  // namespace grouser::internal
