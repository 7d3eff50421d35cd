#pragma once

#include <filesystem>
#include <vector>

namespace grouser::internal {

/// Writes a run as tables for spreadsheets: bodies.csv, joints.csv, energy.csv, events.csv and,
/// where the run has such things, actuators.csv, forces.csv, wheels.csv and soil_cells.csv, which
/// has a row per cell under a body. The first column is the time; the first line names the columns, e.g. "rover/trunk.x [m]". Numbers are the shortest
/// decimals that read back as the same bits. Each file appears when complete; the folder is made.
/// Returns the files. Throws Error(io) naming the file that could not be written.
std::vector<std::filesystem::path> export_csv(const std::filesystem::path& run,
                                              const std::filesystem::path& out_folder);

}  // namespace grouser::internal
