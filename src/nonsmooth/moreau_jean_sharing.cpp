// How redundant contacts share the load of a step.
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "nonsmooth/moreau_jean.h"

namespace grouser::internal {

/// Whether a contact may bear load: it is pressed and does not slide, or ends the step within a hair of touching.
/// Where friction is exhausted, or torques against turning hang on the load, it stays as it is.
bool MoreauJean::bears(std::size_t contact) const {
  constexpr double kHair = 1e-8;  // [m]
  constexpr double kEdge = 1e-6;  // of the friction there is
  const double normal = r_[3 * contact], mu = problem_.blocks[contact].mu;
  const double tangent = std::hypot(r_[3 * contact + 1], r_[3 * contact + 2]);
  if (normal > 0) return mu == 0 || tangent < (1 - kEdge) * mu * normal;
  const int block = static_cast<int>(contact);
  const double change =
      rows_.velocity(block, v_end_.data())[0] - rows_.velocity(block, v_free_.data())[0];
  return options_.theta * h_ * (closing_[contact] + change) <= kHair;
}

/// Of the normal impulses that lead to the same motion takes those of slightly elastic contacts, after the motion
/// was found with those that the solver came to. Tangential ones stay, so that no contact is left with less than half
/// as much again as they need: at the edge of its cone it would be hard to solve in the next step. Not done in large problems, where it would take longer than their solution.
void MoreauJean::share_load(std::span<const RigidContact> contacts) {
  constexpr double kReserve = 1.5;
  if (!problem_.W.is_dense() || contacts.size() < 2) return;
  sharers_.clear();
  sharing_.begin(contacts.size());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts[c].rolling > 0 || contacts[c].spinning > 0 || !bears(c)) continue;
    const double tangent = std::hypot(r_[3 * c + 1], r_[3 * c + 2]);
    const double least =
        tangent > 0 ? std::min(r_[3 * c], kReserve * tangent / problem_.blocks[c].mu) : 0;
    sharers_.push_back(c);
    sharing_.add(std::max(0.0, r_[3 * c]), least);
  }
  const auto W = problem_.W.dense();
  for (std::size_t i = 0; i < sharers_.size(); ++i) {
    for (std::size_t j = 0; j < sharers_.size(); ++j) {
      const double yield = i == j ? yield_[sharers_[i]] : 0;
      const Eigen::Index row = static_cast<Eigen::Index>(3 * sharers_[i]);
      sharing_.set_mobility(i, j, W(row, static_cast<Eigen::Index>(3 * sharers_[j])) - yield);
    }
  }
  sharing_.share();
  for (std::size_t i = 0; i < sharers_.size(); ++i) r_[3 * sharers_[i]] = sharing_.load(i);
}

}  // namespace grouser::internal
