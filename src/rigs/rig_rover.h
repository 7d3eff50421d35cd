#pragma once

#include <string>

#include "assets/wheel.h"
#include "contact/scm/options.h"
#include "contact/wheel/wheel_model.h"
#include "core/error.h"
#include "sim/world.h"

/// A rover put on a rig: what the rigs of whole rovers share.
namespace grouser::internal {

/// Adds a finding, with the nearest name, if no file is meant and there is no such built-in rover.
void check_rover(IssueList& issues, const std::string& rover);

/// The rover alone, nothing below it: a built-in one, or that of a file (load_rover()). Throws Error(input) if it has no
/// wheels or no free base.
World load_rig_rover(const std::string& rover);

/// What a model was built from.
ModelSpec spec_of(const Model& model);

/// Wheels turn exactly as told and head straight on: a servo would give way under load.
void prescribe_drives(const Rover& rover, ModelSpec& spec);

/// Puts mass on the chassis until the model has that in all [kg]. Throws Error(input) if it has more.
void add_ballast(double mass, const Rover& rover, ModelSpec& spec);

/// Sets the rover down with its lowest wheel on the ground. `outside` reaches beyond the wheels' radius [m].
void set_down(const Rover& rover, double outside, World& world);

/// Level soil below the rover and `travel` [m] ahead of it.
void add_soil(const Soil& soil, double spacing, double travel, const Rover& rover, World& world);

/// Wheels press into it as meshes with these grousers, by the options of the world.
void add_scm(const GrouserSpec& grousers, const ScmOptions& options, const Rover& rover,
             World& world);

/// Or stand on it by a fast model; grousers add to the radius at which shear acts.
void add_wheel_models(const WheelModel& model, double grouser_height, const Rover& rover,
                      World& world);

/// When wheels begin to turn.
struct DriveTimes {
  double settle = 1.5, ramp = 0.5;  ///< of standing, then of speeding up [s]
};

/// All wheels turn such that their rims go at a speed [m/s].
void drive_wheels(double rim_speed, const DriveTimes& times, const Rover& rover, World& world);

}  // namespace grouser::internal
