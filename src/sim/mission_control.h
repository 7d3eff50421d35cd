#pragma once

#include <memory>

#include "sim/controller.h"
#include "sim/evaluate.h"

namespace grouser::internal {

/// The controller that does the activities of a World's mission one after another; nothing without a mission. What
/// it remembers is in State::memory. Both must outlive it.
///
/// A rover that stands, in an activity that may be parked or after the last one, is parked once all its
/// coordinates and those of all other bodies were slower than Mission::rest_speed for a second: brakes hold it, and
/// the engine goes on in steps of up to Mission::rest_step, in which only power and clocks change. Worlds in which
/// something is commanded over time, or that are stepped by a multistep method, are never parked.
std::unique_ptr<SampledController> mission_controller(const World& world, WorldScratch& scratch);

/// Whether nothing but the mission changes what the World is asked over time.
bool may_park(const World& world);

}  // namespace grouser::internal
