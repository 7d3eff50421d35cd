#pragma once

#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "record/digests.h"
#include "record/hdf5_file.h"

/// Internal to record: includes HDF5.
namespace grouser::internal::h5 {

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

/// Reads the rows [first, first + count) of a growing dataset. Throws Failure if they are not all there, or one does
/// not match its digest.
template <class Number>
std::vector<Number> read_rows(hid_t file, const std::string& path, hid_t type, std::size_t first,
                              std::size_t count) {
  const Handle dataset = open_dataset(file, path.c_str());
  std::vector<hsize_t> extents = shape(dataset.get());
  if (extents.empty() || extents[0] < first + count) {
    throw Failure("it is damaged: " + path + " is too short");
  }
  std::vector<hsize_t> start(extents.size(), 0);
  start[0] = first;
  extents[0] = count;
  auto values = read_block<Number>(dataset.get(), type, start, extents);
  const Handle digests = open_dataset(file, digests_of(path).c_str());
  const auto expected =
      read_block<std::uint64_t>(digests.get(), H5T_NATIVE_UINT64, {first}, {count});
  const std::size_t width = values.size() / std::max<std::size_t>(count, 1);
  for (std::size_t row = 0; row < count; ++row) {
    const auto bytes = std::as_bytes(std::span(values).subspan(row * width, width));
    if (row_digest(first + row, bytes) == expected[row]) continue;
    throw Failure("it is damaged: row " + std::to_string(first + row) + " of " + path +
                  " does not match its digest");
  }
  return values;
}

}  // namespace grouser::internal::h5
