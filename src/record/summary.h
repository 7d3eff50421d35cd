#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/simulate.h"

namespace grouser::internal {

/// What a run amounted to, as the object that `grouser run --json` prints and summary.json holds:
/// {"scene", "outcome", "sim_time_s", "wall_time_s", "real_time_factor", "steps", "evaluations",
///  "state_hash", "warnings": [text],
///  "alarms": [{"kind", "body", "time_s", "message", "last_time_s", "duration_s"}], "output",
///  "wheels": [{"name", "slip_mean", "sinkage_max_m", "torque_rms_Nm", "normal_mean_N", "pull_mean_N",
///              "lateral_mean_N", "power_mean_W"}],
///  "soil": {"displaced_m3", "volume_error_m3"},
///  "distance_m", "energy_J", "loop_residual_max", "start_time_s", "events": [{"name", "time_s"}]}.
/// sim_time_s is the time simulated by this run, from start_time_s on. Null stands for what there is
/// none of, such as soft soil or the slip of a wheel that did not roll on anything, and for every number that is not finite.
nlohmann::ordered_json summary_json(const World& world, const RunReport& report,
                                    const std::filesystem::path& output);

/// One line, valid UTF-8.
std::string to_line(const nlohmann::ordered_json& summary);

/// Writes summary.json to the folder, complete or not at all.
void write_summary(const std::filesystem::path& folder, const nlohmann::ordered_json& summary);

}  // namespace grouser::internal
