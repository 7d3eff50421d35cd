#pragma once

#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "record/hdf5_file.h"

/// Internal to record: includes HDF5.
namespace grouser::h5 {

/// Chunks of 64 KiB are quick to write, and waste little in a short run; wide rows get more.
inline hsize_t rows_per_chunk(std::size_t row_bytes) {
  const std::size_t rows = (std::size_t{64} << 10) / std::max<std::size_t>(row_bytes, 1);
  return std::clamp<std::size_t>(rows, 4, 1024);
}

/// A dataset that grows by rows, with the rows that wait to be written.
template <class Number>
struct GrowingDataset {
  hid_t type = -1;
  std::vector<hsize_t> row_shape;
  std::size_t width = 1;  ///< numbers per row
  Handle id;
  std::vector<Number> waiting;

  void create(hid_t file, const std::string& path) {
    std::vector<hsize_t> extents{0}, largest{H5S_UNLIMITED};
    std::vector<hsize_t> chunk{rows_per_chunk(width * sizeof(Number))};
    for (auto* shape : {&extents, &largest, &chunk}) {
      shape->insert(shape->end(), row_shape.begin(), row_shape.end());
    }
    const Handle space(
        H5Screate_simple(static_cast<int>(extents.size()), extents.data(), largest.data()),
        H5Sclose, "no data space");
    const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "no dataset properties");
    checked(H5Pset_chunk(options.get(), static_cast<int>(chunk.size()), chunk.data()), "chunk");
    checked(H5Pset_obj_track_times(options.get(), false), "no dataset properties");
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "no link properties");
    checked(H5Pset_create_intermediate_group(links.get(), 1), "no link properties");
    id = Handle(
        H5Dcreate2(file, path.c_str(), type, space.get(), links.get(), options.get(), H5P_DEFAULT),
        H5Dclose, path.c_str());
  }

  /// Appends what waits behind the `written` rows before it.
  void append(hsize_t written) {
    if (waiting.empty()) return;
    std::vector<hsize_t> start(row_shape.size() + 1, 0), count{waiting.size() / width};
    start[0] = written;
    count.insert(count.end(), row_shape.begin(), row_shape.end());
    std::vector<hsize_t> extents = count;
    extents[0] += written;
    checked(H5Dset_extent(id.get(), extents.data()), "cannot extend a dataset");
    const Handle in_file(H5Dget_space(id.get()), H5Sclose, "no data space");
    checked(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr),
            "cannot select rows");
    const Handle in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                           H5Sclose, "no data space");
    checked(H5Dwrite(id.get(), type, in_memory.get(), in_file.get(), H5P_DEFAULT, waiting.data()),
            "cannot write rows");
    waiting.clear();
  }
};

}  // namespace grouser::h5
