#pragma once

#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/digests.h"
#include "record/hdf5_file.h"

/// Internal to record: includes HDF5.
namespace grouser::internal::h5 {

/// Chunks of 64 KiB are quick to write, and waste little in a short run; wide rows get more.
inline hsize_t rows_per_chunk(std::size_t row_bytes) {
  const std::size_t rows = (std::size_t{64} << 10) / std::max<std::size_t>(row_bytes, 1);
  return std::clamp<std::size_t>(rows, 4, 1024);
}

/// Makes an empty dataset that grows by rows. Groups on the way are made.
inline Handle create_growing(hid_t file, const std::string& path, hid_t type,
                             const std::vector<hsize_t>& row_shape, hsize_t chunk_rows) {
  std::vector<hsize_t> extents{0}, largest{H5S_UNLIMITED}, chunk{chunk_rows};
  for (auto* shape : {&extents, &largest, &chunk}) {
    shape->insert(shape->end(), row_shape.begin(), row_shape.end());
  }
  const Handle space(
      H5Screate_simple(static_cast<int>(extents.size()), extents.data(), largest.data()), H5Sclose,
      "no data space");
  const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "no dataset properties");
  checked(H5Pset_chunk(options.get(), static_cast<int>(chunk.size()), chunk.data()), "chunk");
  checked(H5Pset_obj_track_times(options.get(), false), "no dataset properties");
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "no link properties");
  checked(H5Pset_create_intermediate_group(links.get(), 1), "no link properties");
  return {
      H5Dcreate2(file, path.c_str(), type, space.get(), links.get(), options.get(), H5P_DEFAULT),
      H5Dclose, path.c_str()};
}

/// Writes rows behind the `written` ones before them.
inline void append_rows(hid_t dataset, hid_t type, hsize_t written, std::vector<hsize_t> count,
                        const void* rows) {
  std::vector<hsize_t> start(count.size(), 0), extents = count;
  start[0] = written;
  extents[0] += written;
  checked(H5Dset_extent(dataset, extents.data()), "cannot extend a dataset");
  const Handle in_file(H5Dget_space(dataset), H5Sclose, "no data space");
  checked(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                              nullptr),
          "cannot select rows");
  const Handle in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                         H5Sclose, "no data space");
  checked(H5Dwrite(dataset, type, in_memory.get(), in_file.get(), H5P_DEFAULT, rows),
          "cannot write rows");
}

/// A dataset that grows by rows, with the rows that wait to be written, and the digests of its rows in another one.
template <class Number>
struct GrowingDataset {
  hid_t type = -1;
  std::vector<hsize_t> row_shape;
  std::size_t width = 1;  ///< numbers per row
  Handle id, digests;
  std::vector<Number> waiting;

  void create(hid_t file, const std::string& path) {
    constexpr hsize_t kDigestRows = 128;  // per chunk of 1 KiB: short runs stay small
    id = create_growing(file, path, type, row_shape, rows_per_chunk(width * sizeof(Number)));
    digests = create_growing(file, digests_of(path), H5T_NATIVE_UINT64, {}, kDigestRows);
  }

  void open(hid_t file, const std::string& path) {
    id = open_dataset(file, path.c_str());
    digests = open_dataset(file, digests_of(path).c_str());
  }

  void close() {
    id.reset();
    digests.reset();
  }

  /// Appends what waits behind the `written` rows before it.
  void append(hsize_t written) {
    if (waiting.empty()) return;
    const std::size_t rows = waiting.size() / width;
    std::vector<hsize_t> count{rows};
    count.insert(count.end(), row_shape.begin(), row_shape.end());
    append_rows(id.get(), type, written, count, waiting.data());
    std::vector<std::uint64_t> hashes(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      hashes[row] = row_digest(static_cast<std::size_t>(written) + row,
                               std::as_bytes(std::span(waiting).subspan(row * width, width)));
    }
    append_rows(digests.get(), H5T_NATIVE_UINT64, written, {rows}, hashes.data());
    waiting.clear();
  }
};

}  // namespace grouser::internal::h5
