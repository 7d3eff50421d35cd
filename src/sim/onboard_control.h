#pragma once

#include <memory>
#include <vector>

#include "sim/controller.h"
#include "sim/evaluate.h"

namespace grouser::internal {

/// The on-board controllers of a World; what they hold is in State::memory. Both must outlive them. They pause
/// while the rover is parked.
std::vector<std::unique_ptr<SampledController>> onboard_controllers(const World& world,
                                                                    WorldScratch& scratch);

/// What an on-board controller remembers, a slice of State::memory: ticks behind us, then of each wheel the averages of
/// the speeds of rim and ground [m/s], the factor less 1 and the angle [rad].
struct OnboardSlots {
  static constexpr std::size_t kTicks = 0, kWheels = 1, kPerWheel = 4;
  static constexpr std::size_t kRim = 0, kGround = 1, kFactor = 2, kAngle = 3;

  static std::size_t size(const Rover& rover) { return kWheels + kPerWheel * rover.wheels.size(); }
};

/// Adds what on-board controllers hold to what the wheels of their rovers are asked.
void apply_onboard(const World& world, const State& committed, WorldScratch& scratch);

}  // namespace grouser::internal
