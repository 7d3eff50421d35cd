#pragma once

#include <nlohmann/json.hpp>

#include "sim/world.h"

/// What a World holds, before anything moves: for users who want to know what they have, and for tools.
namespace grouser::internal {

/// {"name", "mass_kg", "com_m", "bodies", "wheelbase_m", "track_m", "wheels": [...], "joints": [...], "motors": [...],
/// "loops": [...]}. Lengths in the frame of the chassis, at the initial positions of the joints.
nlohmann::ordered_json rover_facts(const World& world, const Rover& rover);

/// {"name", "gravity_m_s2", "duration_s", "integrator", "terrain", "rovers", "bodies", "contacts", "commands", "paths",
/// "events", "warnings"}
nlohmann::ordered_json scene_facts(const World& world);

}  // namespace grouser::internal
