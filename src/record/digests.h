#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/hdf5_file.h"

/// Internal to record: check sums of what HDF5 stores without any, so that damage is noticed. HDF5 itself checks its
/// metadata, attributes among them, in the format that we write. All digests are XXH64.
namespace grouser::internal::h5 {

/// Of one row of a growing dataset: of its number, as eight little-endian bytes, and of its bytes in the file.
std::uint64_t row_digest(std::size_t row, std::span<const std::byte> bytes);

/// The dataset that holds the digests of another one's rows.
std::string digests_of(const std::string& path);

/// A few counts that are written again and again, with their digest behind them in the same write.
Handle create_counts(hid_t file, const char* path, std::size_t size);
void write_counts(hid_t dataset, std::span<const std::int64_t> counts);
/// Throws Failure if they do not match their digest or one is negative. `attempts`: how often to look, a millisecond
/// apart, if a writer may be at it.
std::vector<std::size_t> read_counts(hid_t file, const char* path, std::size_t size, int attempts);

/// Gives each dataset of fixed size but the counts an attribute "digest".
void add_digests(hid_t file);
/// Throws Failure with the first dataset that does not match its attribute.
void check_digests(hid_t file);

}  // namespace grouser::internal::h5
