#include "record/digests.h"

#include <chrono>
#include <string_view>
#include <thread>

#include "core/hash.h"

namespace grouser::internal::h5 {
namespace {

constexpr const char* kDigestAttribute = "digest";

std::uint64_t counts_digest(std::span<const std::int64_t> counts) {
  Hasher hasher;
  hasher.bytes(std::as_bytes(counts));
  return hasher.digest();
}

herr_t note_dataset(hid_t, const char* name, const H5O_info_t* info, void* names) {
  // Nothing may be thrown through HDF5.
  try {
    if (info->type == H5O_TYPE_DATASET) {
      static_cast<std::vector<std::string>*>(names)->push_back("/" + std::string(name));
    }
    return 0;
  } catch (...) {
    return -1;
  }
}

std::vector<std::string> all_datasets(hid_t file) {
  std::vector<std::string> names;
  checked(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note_dataset, &names, H5O_INFO_BASIC),
          "cannot list the datasets");
  return names;
}

bool is_fixed(hid_t dataset, std::string_view path) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, "bad dataset");
  return H5Pget_layout(properties.get()) == H5D_CONTIGUOUS && !path.ends_with("/committed");
}

// Of all bytes as they are in the file.
std::uint64_t content_digest(hid_t file, hid_t dataset, const std::string& path) {
  hsize_t file_size = 0;
  checked(H5Fget_filesize(file, &file_size), "bad file");
  const Handle type(H5Dget_type(dataset), H5Tclose, path.c_str());
  const Handle space(H5Dget_space(dataset), H5Sclose, path.c_str());
  const auto count =
      static_cast<hsize_t>(checked(H5Sget_simple_extent_npoints(space.get()), path.c_str()));
  const std::size_t size = H5Tget_size(type.get());
  if (size == 0 || count > file_size / size) throw Failure("it is damaged: " + path);
  std::vector<std::byte> bytes(count * size);
  if (!bytes.empty()) {
    checked(H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
            path.c_str());
  }
  Hasher hasher;
  hasher.bytes(bytes);
  return hasher.digest();
}

}  // namespace

std::uint64_t row_digest(std::size_t row, std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.u64(row);
  hasher.bytes(bytes);
  return hasher.digest();
}

std::string digests_of(const std::string& path) { return "/digests" + path; }

Handle create_counts(hid_t file, const char* path, std::size_t size) {
  const hsize_t extent = size + 1;
  const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, "no data space");
  Handle dataset(
      H5Dcreate2(file, path, H5T_NATIVE_INT64, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose, path);
  write_counts(dataset.get(), std::vector<std::int64_t>(size, 0));
  return dataset;
}

void write_counts(hid_t dataset, std::span<const std::int64_t> counts) {
  std::vector<std::int64_t> stored(counts.begin(), counts.end());
  stored.push_back(static_cast<std::int64_t>(counts_digest(counts)));
  checked(H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.data()),
          "cannot write");
  checked(H5Dflush(dataset), "cannot flush");
}

std::vector<std::size_t> read_counts(hid_t file, const char* path, std::size_t size, int attempts) {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const Handle dataset = open_dataset(file, path);  // each time, as HDF5 keeps what it has read
    if (shape(dataset.get()) != std::vector<hsize_t>{size + 1}) break;
    std::vector<std::int64_t> stored(size + 1);
    checked(H5Dread(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.data()),
            path);
    const auto counts = std::span(stored).first(size);
    if (static_cast<std::int64_t>(counts_digest(counts)) != stored.back()) continue;
    std::vector<std::size_t> result;
    for (const std::int64_t count : counts) {
      if (count < 0) throw Failure(std::string("it is damaged: ") + path + " is negative");
      result.push_back(static_cast<std::size_t>(count));
    }
    return result;
  }
  throw Failure(std::string("it is damaged: ") + path + " does not match its digest");
}

void add_digests(hid_t file) {
  for (const std::string& path : all_datasets(file)) {
    const Handle dataset = open_dataset(file, path.c_str());
    if (!is_fixed(dataset.get(), path)) continue;
    set_attribute(dataset.get(), kDigestAttribute, content_digest(file, dataset.get(), path));
  }
}

void check_digests(hid_t file) {
  for (const std::string& path : all_datasets(file)) {
    const Handle dataset = open_dataset(file, path.c_str());
    if (!is_fixed(dataset.get(), path)) continue;
    if (unsigned_attribute(dataset.get(), kDigestAttribute) !=
        content_digest(file, dataset.get(), path)) {
      throw Failure("it is damaged: " + path + " does not match its digest");
    }
  }
}

}  // namespace grouser::internal::h5
