#pragma once

#include <span>

#include "sim/evaluate.h"
#include "sim/sample.h"

namespace grouser {

/// A Sample of the right sizes.
Sample make_sample(const World& world);

/// The wheels of all rovers, at an instant that the world has been evaluated at, with the efforts of
/// prescribed motion.
void sample_wheels(const World& world, const double* q, const double* v, const State& committed,
                   const WorldScratch& scratch, std::span<WheelSample> out);

/// Everything about the instant; evaluates the world there.
void take_sample(const World& world, double time, const double* q, const double* v,
                 const State& committed, WorldScratch& scratch, Sample& out);

}  // namespace grouser
