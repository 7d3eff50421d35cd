#pragma once

#include <hdf5.h>

#include "record/run_reader.h"
#include "sim/ground.h"

/// Internal to record: the ground in a run file, for pictures and viewers.
namespace grouser::internal {

/// Writes heights on a grid of at most a million nodes, and the rocks as one mesh.
void write_ground(hid_t file, const Ground& ground);

/// Nothing if the run has none. Throws h5::Failure if what is there makes no sense.
std::optional<RecordedGround> read_recorded_ground(hid_t file);

}  // namespace grouser::internal
