#include "nonsmooth/moreau_jean.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"

namespace grouser::internal {
namespace {

/// A joint this near to its end stop after the free motion has it as a row [rad], [m].
constexpr double kNearStop = 1e-6;
/// More overlap than this is corrected [m].
constexpr double kOverlap = 1e-9;
/// ε: how much contacts give way, of what their impulse would move [-].
constexpr double kElastic = 1e-6;

bool has_stop(const Model& model, int dof) {
  const DofLaw& law = model.laws()[at(dof)];
  const Joint& joint = model.joints()[at(model.joint_of_dof(dof))];
  return has_plain_coordinates(joint.type) && !model.prescribed()[at(dof)] &&
         (std::isfinite(law.lower) || std::isfinite(law.upper));
}

}  // namespace

MoreauJean::MoreauJean(const Model& model, const MoreauJeanOptions& options)
    : model_(model),
      options_(options),
      q_(VecX::Zero(model.position_size())),
      v_(VecX::Zero(model.velocity_size())),
      v_guess_(v_),
      q_theta_(q_),
      v_theta_(v_),
      v_free_(v_),
      v_end_(v_),
      v_mean_(v_),
      bias_(v_),
      acceleration_(v_),
      midway_(model),
      free_end_(model),
      rnea_(model),
      mass_(model),
      loops_(model),
      rows_(model),
      free_q_(q_) {
  for (int dof = 0; dof < model.velocity_size(); ++dof) {
    if (model.laws()[at(dof)].friction > 0 && !model.prescribed()[at(dof)]) rubbing_.push_back(dof);
    if (has_stop(model, dof)) stopped_.push_back(dof);
  }
}

void MoreauJean::begin(const double* q, const double* v, double h, const double* guess) {
  h_ = h;
  q_ = Eigen::Map<const VecX>(q, q_.size());
  v_ = Eigen::Map<const VecX>(v, v_.size());
  v_guess_ = Eigen::Map<const VecX>(guess, v_.size());
  v_theta_ = (1 - options_.theta) * v_ + options_.theta * v_guess_;
  q_theta_ = q_;
  advance_positions(model_, v_theta_.data(), options_.theta * h, q_theta_.data());
  forward_kinematics(model_, q_theta_, v_theta_, midway_);
}

void MoreauJean::push(const StepForces& forces) {
  stiff_.assign(forces.stiff.begin(), forces.stiff.end());
  acceleration_ = (v_guess_ - v_) / h_;
  if (model_.has_prescribed()) {
    for (Eigen::Index i = 0; i < v_.size(); ++i) {
      const std::size_t dof = static_cast<std::size_t>(i);
      if (model_.prescribed()[dof]) acceleration_[i] = forces.prescribed[dof];
    }
  }
  rnea(model_, midway_, acceleration_.data(), forces.wrenches, rnea_, bias_.data());
  if (forces.body_inertia.empty()) {
    crba(model_, midway_, mass_);
  } else {
    crba(model_, midway_, forces.body_inertia, mass_);
  }
  for (std::size_t i = 0; i < forces.dof_inertia.size(); ++i) {
    mass_.row(static_cast<int>(i)).back() += forces.dof_inertia[i];
  }
  mass_.factorize(model_);
  v_free_ = h_ * (Eigen::Map<const VecX>(forces.tau.data(), v_.size()) - bias_);
  mass_.solve(v_free_.data());         // zero where prescribed
  v_free_ += v_ + h_ * acceleration_;  // from the guess; from v where prescribed
  if (model_.loop_row_count() > 0) {
    evaluate_loops(model_, midway_, q_theta_.data(), loops_);
  }
  rows_.begin(midway_, mass_, loops_);
  rows_.close_loops(v_free_.data());
  v_mean_ = v_ + options_.theta * (v_free_ - v_);
  free_q_ = q_;
  advance_positions(model_, v_mean_.data(), h_, free_q_.data());
  knows_free_end_ = false;
}

const Kinematics& MoreauJean::free_end() {
  if (!knows_free_end_) forward_kinematics(model_, free_q_, v_free_, free_end_);
  knows_free_end_ = true;
  return free_end_;
}

void MoreauJean::add_contacts(std::span<const RigidContact> contacts) {
  axes_.clear();
  // Back to where the body is midway, with the same arm: a wheel that rolls is pressed below its middle.
  const auto midway = [&](int body, const Vec3& p_W) -> Vec3 {
    if (body == kWorld) return p_W;
    return p_W + midway_.X_WB[at(body)].p - free_end().X_WB[at(body)].p;
  };
  for (const RigidContact& contact : contacts) {
    axes_.push_back(contact_axes(contact.normal));
    rows_.add_contact(contact.body_a, contact.body_b, midway(contact.body_a, contact.p_Wa),
                      midway(contact.body_b, contact.p_Wb), axes_.back());
    problem_.add_cone(contact.friction);
  }
}

void MoreauJean::add_stiff_forces() {
  for (const StiffForce& force : stiff_) {
    rows_.add_load(force.body_a, force.body_b, force.p_W, force.load);
    problem_.add_box(-force.most, std::numeric_limits<double>::infinity());
  }
}

void MoreauJean::add_joints(std::span<const JointDrive> drives) {
  for (const JointDrive& drive : drives) {
    rows_.add_dof(drive.dof);
    problem_.add_box(-h_ * drive.limit, h_ * drive.limit);
  }
  for (const int dof : rubbing_) {
    const double most = h_ * model_.laws()[at(dof)].friction;
    rows_.add_dof(dof);
    problem_.add_box(-most, most);
  }
  stops_.clear();
  for (const int dof : stopped_) {
    const DofLaw& law = model_.laws()[at(dof)];
    const double x = free_q_[model_.position_of_dof(dof)];
    if (x - law.lower < kNearStop) stops_.push_back({dof, 1, x - law.lower});
    if (law.upper - x < kNearStop) stops_.push_back({dof, -1, law.upper - x});
  }
  for (const Stop& stop : stops_) {
    rows_.add_dof(stop.dof, stop.sign);
    problem_.add_unilateral();
  }
}

/// U_N that a contact must have at least, positive opening.
double MoreauJean::least_velocity(int block, double gap, double restitution) const {
  const double before = rows_.velocity(block, v_.data())[0];
  const double free = rows_.velocity(block, v_free_.data())[0];
  const double closes = free - gap / (options_.theta * h_);
  if (gap < 0 && before < 0) return std::max(-restitution * before, std::min(0.0, closes));
  return std::min(0.0, closes);
}

void MoreauJean::set_velocities(std::span<const RigidContact> contacts,
                                std::span<const JointDrive> drives) {
  problem_.q.resize(at(problem_.rows()));
  int block = 0;
  for (const RigidContact& contact : contacts) {
    const int row = problem_.blocks[at(block)].row;
    const Vec3 u = rows_.velocity(block, v_free_.data());
    problem_.q[at(row)] = u[0] - least_velocity(block, contact.gap, contact.restitution);
    problem_.q[at(row + 1)] = u[1];
    problem_.q[at(row + 2)] = u[2];
    ++block;
  }
  for (std::size_t t = 0; t < turning_.size(); ++t, ++block) {
    const ConeBlock& turning = problem_.blocks[at(block)];
    const Vec3 u = rows_.velocity(block, v_free_.data());
    for (int k = 0; k < rows_of(turning.kind); ++k) problem_.q[at(turning.row + k)] = u[k];
  }
  for (const StiffForce& force : stiff_) {
    const double change =
        rows_.velocity(block, v_free_.data())[0] - rows_.velocity(block, v_guess_.data())[0];
    problem_.q[at(problem_.blocks[at(block++)].row)] = change + force.slack;
  }
  for (const JointDrive& drive : drives) {
    const int row = problem_.blocks[at(block++)].row;
    problem_.q[at(row)] = v_free_[drive.dof] - drive.target;
  }
  for (const int dof : rubbing_) problem_.q[at(problem_.blocks[at(block++)].row)] = v_free_[dof];
  for (const Stop& stop : stops_) {
    const int row = problem_.blocks[at(block)].row;
    problem_.q[at(row)] = stop.sign * v_free_[stop.dof] - least_velocity(block, stop.gap, 0);
    ++block;
  }
}

void MoreauJean::warm_start(std::span<const Wrench> wrenches, std::span<const double> efforts) {
  r_.assign(at(problem_.rows()), 0);
  std::size_t row = 0;
  for (std::size_t c = 0; c < wrenches.size(); ++c, row += 3) {
    const Vec3& force = wrenches[c].force;
    r_[row] = h_ * std::max(0.0, axes_[c].normal.dot(force));
    r_[row + 1] = h_ * axes_[c].first.dot(force);
    r_[row + 2] = h_ * axes_[c].second.dot(force);
  }
  for (std::size_t t = 0; t < turning_.size(); ++t) {
    Vec3 torque = Vec3::Zero();
    for (std::size_t c = turning_[t].first; c < turning_[t].last; ++c) torque += wrenches[c].torque;
    for (int k = 0; k < rows_of(problem_.blocks[axes_.size() + t].kind); ++k) {
      r_[row++] = h_ * turning_axis(t, k).dot(torque);
    }
  }
  row += stiff_.size();
  for (const double effort : efforts) r_[row++] = h_ * effort;
}

/// Contacts give way a little as their force changes, u = -ε λ (r - r⁻), λ the mean of the block's W: springs of
/// m/(ε h²), far stiffer than any body, that remember their force. How redundant contacts share a load then
/// follows from how they shared it before; without it rounding decides, and loads jump. What rests does not creep.
void MoreauJean::make_elastic() {
  yield_.clear();
  closing_.clear();
  for (std::size_t b = 0; b < axes_.size() + turning_.size(); ++b) {
    const int row = problem_.blocks[b].row, rows = rows_of(problem_.blocks[b].kind);
    double sum = 0;
    for (int k = 0; k < rows; ++k) sum += problem_.W.diagonal(row + k);
    const double yield = kElastic * sum / rows;
    if (b < axes_.size()) {
      yield_.push_back(yield);
      closing_.push_back(problem_.q[at(row)]);
    }
    for (int k = 0; k < rows; ++k) {
      problem_.W.diagonal(row + k) += yield;
      problem_.q[at(row + k)] -= yield * r_[at(row + k)];
    }
  }
}

void MoreauJean::read_impulses(std::span<Wrench> wrenches, std::span<double> efforts) const {
  std::size_t row = 0;
  for (std::size_t c = 0; c < wrenches.size(); ++c, row += 3) {
    wrenches[c].torque.setZero();
    wrenches[c].force =
        (r_[row] * axes_[c].normal + r_[row + 1] * axes_[c].first + r_[row + 2] * axes_[c].second) /
        h_;
  }
  for (std::size_t t = 0; t < turning_.size(); ++t) {
    Vec3 torque = Vec3::Zero();
    for (int k = 0; k < rows_of(problem_.blocks[axes_.size() + t].kind); ++k) {
      torque += r_[row++] / h_ * turning_axis(t, k);
    }
    const double all = pressed(turning_[t]);
    if (all == 0) continue;
    for (std::size_t c = turning_[t].first; c < turning_[t].last; ++c) {
      wrenches[c].torque += std::max(0.0, r_[3 * c]) / all * torque;
    }
  }
  row += stiff_.size();
  for (double& effort : efforts) effort = r_[row++] / h_;
}

/// What sticks shall stay: errors of each step would add up to a creep. A few contacts are solved to rounding,
/// which from a good start is one more step of Newton's method. A wedged wheel's last digits, on the other
/// hand, are not worth seconds.
ConeOptions MoreauJean::cone_options() const {
  ConeOptions options = options_.cone;
  if (problem_.W.is_dense()) options.newton_tolerance = 1e-13;
  options.good_enough = std::max(options.tolerance, 1e-5);
  return options;
}

StepReport MoreauJean::finish(std::span<const RigidContact> contacts,
                              std::span<const JointDrive> drives,
                              std::span<Wrench> contact_wrenches, std::span<double> drive_efforts,
                              double* q, double* v) {
  StepReport report;
  problem_.clear_blocks();
  add_contacts(contacts);
  add_turning(contacts);
  add_stiff_forces();
  add_joints(drives);
  v_end_ = v_free_;
  if (!problem_.blocks.empty()) {
    rows_.fill(problem_.W);
    std::size_t block = contacts.size() + turning_.size();
    const auto soften = [&](double slope) {
      problem_.W.diagonal(problem_.blocks[block++].row) += 1 / slope;
    };
    for (const StiffForce& force : stiff_) soften(force.slope);
    for (const JointDrive& drive : drives) soften(h_ * drive.gain);
    set_velocities(contacts, drives);
    warm_start(contact_wrenches, drive_efforts);
    make_elastic();
    report.cone = solve();
    rows_.add_velocity(r_.data(), v_end_.data());
    share_load(contacts);
    read_impulses(contact_wrenches, drive_efforts);
  } else {
    report.cone.solved = true;
  }
  v_mean_ = v_ + options_.theta * (v_end_ - v_);
  std::copy_n(q_.data(), q_.size(), q);
  advance_positions(model_, v_mean_.data(), h_, q);
  correct_positions(contacts, report, q);
  std::copy_n(v_end_.data(), v_end_.size(), v);
  return report;
}

/// Gap at the end of the step, linear in how the end velocity differs from the free one.
double MoreauJean::end_gap(int block, double gap) const {
  const double change =
      rows_.velocity(block, v_end_.data())[0] - rows_.velocity(block, v_free_.data())[0];
  return gap + options_.theta * h_ * change;
}

void MoreauJean::correct_positions(std::span<const RigidContact> contacts, StepReport& report,
                                   double* q) {
  overlap_.clear_blocks();
  overlap_.q.clear();
  normal_rows_.clear();
  const auto look = [&](int block, double gap) {
    normal_rows_.push_back(problem_.blocks[at(block)].row);
    overlap_.q.push_back(end_gap(block, gap));
    overlap_.add_unilateral();
    report.overlap = std::max(report.overlap, -overlap_.q.back());
  };
  int block = 0;
  for (const RigidContact& contact : contacts) look(block++, contact.gap);
  block = static_cast<int>(problem_.blocks.size() - stops_.size());
  for (const Stop& stop : stops_) look(block++, stop.gap);
  if (report.overlap <= kOverlap) return;
  report.corrected = true;
  report.position = push_apart(q);
}

/// Moves positions along the normals until overlap_ is gone, to first order.
ConeReport MoreauJean::push_apart(double* q) {
  overlap_.W.set_part(problem_.W, normal_rows_, place_);
  r_overlap_.assign(normal_rows_.size(), 0);
  const ConeReport report = solver_.solve(overlap_, options_.cone, r_overlap_);
  std::ranges::fill(r_, 0.0);
  for (std::size_t k = 0; k < normal_rows_.size(); ++k) r_[at(normal_rows_[k])] = r_overlap_[k];
  v_mean_.setZero();
  rows_.add_velocity(r_.data(), v_mean_.data());
  advance_positions(model_, v_mean_.data(), 1, q);
  return report;
}

ConeReport MoreauJean::separate(std::span<const RigidContact> contacts, double* q) {
  problem_.clear_blocks();
  overlap_.clear_blocks();
  overlap_.q.clear();
  normal_rows_.clear();
  rows_.begin(midway_, mass_, loops_);
  add_contacts(contacts);
  for (const RigidContact& contact : contacts) {
    normal_rows_.push_back(problem_.blocks[normal_rows_.size()].row);
    overlap_.q.push_back(contact.gap);
    overlap_.add_unilateral();
  }
  rows_.fill(problem_.W);
  r_.resize(at(problem_.rows()));
  return push_apart(q);
}

}  // namespace grouser::internal
