#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "rigs/rig_files.h"

/// What the rigs measured as JSON, in SI units; slip angles and friction angles in degrees.
namespace grouser::internal {

/// {"rig", "soil", "plates": {"sinkage_exponent": {"identified", "put_in", "unit"}, ...}, "shear"}
nlohmann::ordered_json bevameter_json(const Soil& soil, const BevameterFit& fit);

/// {"rig", "soil", "cases": [{"asked_slip", "pass", "pull_N": {"mean", "std"}, ...}]}
nlohmann::ordered_json wheel_json(const WheelRigSpec& spec, const std::vector<WheelPass>& passes);

/// {"rig", "rover", "soil", "cases": [{"asked_slip", "tension_N": {"mean", "std"}, ...}]}
nlohmann::ordered_json drawbar_json(const DrawbarSpec& spec, const std::vector<DrawbarRun>& runs);

}  // namespace grouser::internal
