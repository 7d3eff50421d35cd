#include "sim/wheel_bearing.h"

#include <algorithm>

#include "core/index.h"

namespace grouser::internal {
namespace {

constexpr double kHighest = -0.3, kDeepest = 0.6;  // depths that are tried, over the radius [-]
constexpr int kHalvings = 24;
constexpr double kNudge = 0.02;        // of the radius: how stiff the ground is [-]
constexpr double kHardSinkage = 2e-5;  // of rigid wheels under their load, as bodies rest [m]

}  // namespace

WheelBearing::WheelBearing(const World& world, const StandingTree& tree)
    : world_(world),
      poses_(tree.kinematics().X_WB),
      twists_(poses_.size()),
      points_(poses_.size()),
      wrenches_(poses_.size()) {
  for (const auto& system : world.contacts) {
    scratch_.push_back(system->make_scratch());
    state_.contacts.push_back(system->initial_memory({poses_, twists_, points_}));
  }
}

std::vector<double> WheelBearing::forces_at(const StandingTree& tree,
                                            const std::vector<double>& depths) {
  poses_ = tree.kinematics().X_WB;
  const std::vector<Wheel>& wheels = tree.rover().wheels;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    poses_[at(wheels[w].body)].p.z() -= depths[w] + tree.gaps()[w].smooth;
  }
  for (std::size_t b = 0; b < poses_.size(); ++b) points_[b] = poses_[b].p;
  std::ranges::fill(wrenches_, Wrench{});
  const ContactInput input{
      .time = 0, .bodies = {poses_, twists_, points_}, .ground = present_ground(world_, state_)};
  for (std::size_t s = 0; s < world_.contacts.size(); ++s) {
    if (world_.contacts[s]->is_rigid()) continue;
    world_.contacts[s]->evaluate(input, state_.contacts[s], Purpose::step, *scratch_[s], wrenches_);
  }
  std::vector<double> forces;
  for (const Wheel& wheel : wheels) {
    // At rest the ground's whole force is vertical, and what it presses along its normal is a part of that.
    const Vec3& F = wrenches_[at(wheel.body)].force;
    forces.push_back(F.z() > 0 ? F.squaredNorm() / F.z() : 0);
  }
  return forces;
}

std::vector<WheelSpring> WheelBearing::springs_for(const StandingTree& tree,
                                                   const std::vector<double>& loads) {
  const std::vector<Wheel>& wheels = tree.rover().wheels;
  const double share = tree.weight() / static_cast<double>(wheels.size());
  std::vector<double> wanted, low, high, middle(wheels.size());
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    wanted.push_back(std::max(
        loads[w], 0.02 * share));  // a spring of a wheel in the air, for when it comes down
    low.push_back(kHighest * wheels[w].radius);
    high.push_back(kDeepest * wheels[w].radius);
  }
  const std::vector<double> most = forces_at(tree, high);
  for (int k = 0; k < kHalvings; ++k) {
    for (std::size_t w = 0; w < wheels.size(); ++w) middle[w] = (low[w] + high[w]) / 2;
    const std::vector<double> forces = forces_at(tree, middle);
    for (std::size_t w = 0; w < wheels.size(); ++w) {
      (forces[w] < wanted[w] ? low : high)[w] = middle[w];
    }
  }
  std::vector<double> deeper = high, higher = high;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    deeper[w] += kNudge * wheels[w].radius;
    higher[w] -= kNudge * wheels[w].radius;
  }
  const std::vector<double> above = forces_at(tree, deeper), below = forces_at(tree, higher);
  std::vector<WheelSpring> springs;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    if (most[w] <= 0) {
      const WheelGap& gap = tree.gaps()[w];
      springs.push_back({.sinkage = gap.least - gap.smooth, .stiffness = share / kHardSinkage});
      continue;
    }
    const double stiffness = (above[w] - below[w]) / (deeper[w] - higher[w]);
    springs.push_back({.load = wanted[w],
                       .sinkage = high[w],
                       .stiffness = std::max(stiffness, share / wheels[w].radius)});
  }
  return springs;
}

}  // namespace grouser::internal
