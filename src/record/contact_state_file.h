#pragma once

#include "contact/bbcc/bbcc_scene.h"
#include "contact/bbcc/bbcc_state.h"
#include "record/hdf5_file.h"

namespace grouser {

/// Writes what touching bodies remember to /state/contacts.
void write_contacts(hid_t file, const BbccState& state);

/// Reads it back. Throws h5::Failure if it is damaged or names parts that `scene` does not have.
BbccState read_contacts(hid_t file, const BbccScene& scene);

}  // namespace grouser
