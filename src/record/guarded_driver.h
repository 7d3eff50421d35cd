#pragma once

#include <hdf5.h>

/// Internal to record: includes HDF5.
namespace grouser::internal::h5 {

/// What became of the writes to a file.
struct DiskStatus {
  int error = 0;  ///< errno of the first failed write, 0 if there was none
};

/// Makes HDF5 write files through a driver that survives a full disk.
///
/// HDF5 does not: after a failed write it cannot close the file, and 1.10 crashes when the
/// program ends. With this driver HDF5 never sees a failure. The first one is noted in `status`;
/// from then on nothing reaches the file, and what HDF5 writes is kept in memory so that it can
/// read it back and close in peace. The file thus stays as if the program had been killed at the
/// failed write, a case that HDF5's order of writing in SWMR mode allows for. Whoever writes must
/// look at `status` after each flush, and stop if it has an error.
///
/// `status` must outlive the file. Files are ordinary HDF5 files for every other driver.
/// The class of a driver is described as in HDF5 1.10.
void set_guarded_driver(hid_t access_properties, DiskStatus& status);

}  // namespace grouser::internal::h5
