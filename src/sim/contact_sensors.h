#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/evaluate.h"
#include "sim/sample.h"

namespace grouser::internal {

/// Where the force of contact on a body is measured: one of the shapes by which it touches others or the ground.
struct ContactSensor {
  std::string name;   ///< of the wheel, the element or the body
  std::string model;  ///< as ContactElementInfo has it
  int body = 0;
};

/// All of a World; what is fixed to the world has none.
std::vector<ContactSensor> contact_sensors(const World& world);

/// What they feel, in that order, at an instant that was evaluated for Purpose::look.
void read_contact_sensors(const World& world, const ContactInput& input, const State& committed,
                          const WorldScratch& scratch, std::vector<ContactReading>& out);

/// Force of soil, rocks, hard ground and other bodies on a body [N], axes of W, at an instant that was evaluated.
Vec3 contact_force(const World& world, int body, const State& committed,
                   const WorldScratch& scratch);

/// How deep a body stands in the ground [m], at an instant that was evaluated.
double contact_sinkage(const World& world, int body, const WorldScratch& scratch);

}  // namespace grouser::internal
