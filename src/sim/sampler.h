#pragma once

#include "sim/evaluate.h"
#include "sim/sample.h"

namespace grouser {

/// A Sample of the right sizes.
Sample make_sample(const World& world);

/// Everything about the instant; evaluates the world there.
void take_sample(const World& world, double time, const double* q, const double* v,
                 const State& committed, WorldScratch& scratch, Sample& out);

}  // namespace grouser
