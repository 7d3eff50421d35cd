// Friction against rolling and spinning in a step.
#include <algorithm>
#include <limits>

#include "nonsmooth/moreau_jean.h"

namespace grouser::internal {
namespace {

bool turn_together(const RigidContact& a, const RigidContact& b) {
  return a.body_a == b.body_a && a.body_b == b.body_b && a.rolling == b.rolling &&
         a.spinning == b.spinning && a.normal == b.normal;
}

}  // namespace

/// How much they admit is set by limit_turning().
void MoreauJean::add_turning(std::span<const RigidContact> contacts) {
  turning_.clear();
  for (std::size_t first = 0, last = 0; first < contacts.size(); first = last) {
    const RigidContact& contact = contacts[first];
    while (last < contacts.size() && turn_together(contact, contacts[last])) ++last;
    if (contact.rolling > 0) {
      rows_.add_rolling(contact.body_a, contact.body_b, axes_[first]);
      problem_.add_disk(0);
      turning_.push_back({.first = first, .last = last, .length = contact.rolling});
    }
    if (contact.spinning > 0) {
      rows_.add_load(contact.body_a, contact.body_b, contact.p_Wa,
                     {.torque = axes_[first].normal, .force = Vec3::Zero()});
      problem_.add_box(0, 0);
      turning_.push_back({.first = first, .last = last, .length = contact.spinning});
    }
  }
}

/// Along which torque a row of a block in turning_ acts.
Vec3 MoreauJean::turning_axis(std::size_t turning, int row) const {
  const ContactAxes& axes = axes_[turning_[turning].first];
  const ConeBlock& block = problem_.blocks[axes_.size() + turning];
  if (block.kind == BlockKind::box) return axes.normal;
  return row == 0 ? axes.first : axes.second;
}

/// Sum of the normal impulses of its contacts, which are the first blocks.
double MoreauJean::pressed(const Turning& turning) const {
  double sum = 0;
  for (std::size_t c = turning.first; c < turning.last; ++c) sum += std::max(0.0, r_[3 * c]);
  return sum;
}

/// Friction against turning admits as much as contacts are pressed now.
void MoreauJean::limit_turning() {
  for (std::size_t t = 0; t < turning_.size(); ++t) {
    ConeBlock& block = problem_.blocks[axes_.size() + t];
    block.upper = turning_[t].length * pressed(turning_[t]);
    block.lower = block.kind == BlockKind::box ? -block.upper : 0;
  }
}

/// Friction against turning hardly changes how contacts are pressed: with its limits from the solution before,
/// solutions close in by a factor of about its length over the distance of contacts. They must come as close as
/// Newton's method does, or else what redundant contacts share would stray.
ConeReport MoreauJean::solve() {
  constexpr int kMostPasses = 50;
  constexpr double kClose = 1e-12;
  const ConeOptions options = cone_options();
  const double goal = options.newton_tolerance > 0 ? kClose : options.tolerance;
  limit_turning();
  ConeReport report = solver_.solve(problem_, options, r_);
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 1; !turning_.empty() && report.solved; ++pass) {
    limit_turning();
    report.residual = cone_residual(problem_, r_);
    report.solved = report.residual <= options.tolerance;
    const bool is_done = report.residual <= goal || (report.solved && report.residual > before / 2);
    if (is_done || pass == kMostPasses) break;
    before = report.residual;
    report = solver_.solve(problem_, options, r_);
  }
  return report;
}

}  // namespace grouser::internal
