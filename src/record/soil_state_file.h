#pragma once

#include <cstddef>

#include "contact/scm/scm_state.h"
#include "record/hdf5_file.h"

namespace grouser {

/// Writes soft soil with all its bits below /state/soil. As large as what was changed, not as the map.
void write_soil(hid_t file, const ScmState& state);

/// Reads it back. `map` is the untouched ground. Throws h5::Failure if the soil is of another ground or
/// damaged.
ScmState read_soil(hid_t file, const ElevationMap& map, std::size_t bodies);

}  // namespace grouser
