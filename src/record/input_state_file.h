#pragma once

#include "record/hdf5_file.h"
#include "sim/world.h"

namespace grouser::internal {

/// Writes what a simulation was told from outside to /state/inputs, if it was told anything.
void write_inputs(hid_t file, const Inputs& inputs);

/// Reads it back; nothing if the file holds none. Throws h5::Failure if it is damaged or names actuators or bodies that
/// the model does not have.
Inputs read_inputs(hid_t file, const Model& model);

/// The same of what watchers remember; a file that holds none, of an older program, gives that of a fresh start.
void write_watch(hid_t file, const WatchMemory& watch);
WatchMemory read_watch(hid_t file);

}  // namespace grouser::internal
