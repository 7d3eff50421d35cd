#pragma once

#include <hdf5.h>

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "record/hdf5_file.h"

/// Internal to record: includes HDF5.
namespace grouser::h5 {

/// Reads the block at `start` of extent `count`. Throws Failure if it is not all there.
template <class Number>
std::vector<Number> read_block(hid_t dataset, hid_t type, const std::vector<hsize_t>& start,
                               const std::vector<hsize_t>& count) {
  const auto size = std::accumulate(count.begin(), count.end(), hsize_t{1}, std::multiplies<>());
  std::vector<Number> values(static_cast<std::size_t>(size));
  if (values.empty()) return values;
  const Handle in_file(H5Dget_space(dataset), H5Sclose, "no data space");
  checked(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                              nullptr),
          "cannot select rows");
  const Handle in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                         H5Sclose, "no data space");
  checked(H5Dread(dataset, type, in_memory.get(), in_file.get(), H5P_DEFAULT, values.data()),
          "cannot read rows");
  return values;
}

}  // namespace grouser::h5
