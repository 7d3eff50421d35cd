#pragma once

#include <vector>

#include "sim/world.h"

namespace grouser::internal {

/// Bodies of a rover's tree but its wheels and what they carry: chassis, suspension, arms.
std::vector<int> chassis_bodies(const Model& model, const Rover& rover);

/// What ground a body may touch, by any contact system; the softest, if by several.
GroundContact ground_of_body(const World& world, int body);

/// Weight of a rover's tree [N].
double rover_weight(const World& world, const Rover& rover);

/// Whether a contact system lets one of the wheels touch anything.
bool has_wheel_contact(const World& world, const Rover& rover);

}  // namespace grouser::internal
