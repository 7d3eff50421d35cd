#pragma once

#include <span>

#include "sim/evaluate.h"
#include "sim/sample.h"

namespace grouser::internal {

/// A Sample of the right sizes.
Sample make_sample(const World& world);

/// The wheels of all rovers, at an instant that the world has been evaluated at, with the efforts of
/// prescribed motion.
void sample_wheels(const World& world, const double* q, const double* v, const State& committed,
                   WorldScratch& scratch, std::span<WheelSample> out);

/// All rovers, at an instant whose kinematics are in the scratch.
void sample_rovers(const World& world, const State& committed, const WorldScratch& scratch,
                   std::span<RoverSample> out);

/// Efforts of all actuators become those of a step of time stepping; prescribed ones stay.
void use_step_efforts(const Model& model, const VecX& efforts, VecX& out);

/// Everything about the instant; evaluates the world there. Efforts are those of the step of time stepping it lies
/// in, if given: its servos act as they do at the end of the step, not as they would at the instant.
void take_sample(const World& world, double time, const double* q, const double* v,
                 const State& committed, const VecX* step_efforts, WorldScratch& scratch,
                 Sample& out);

}  // namespace grouser::internal
