#pragma once

#include <cstdint>
#include <filesystem>

#include "core/error.h"

namespace grouser::internal {

/// GDAL takes words in an Arc/Info ASCII grid for zero and does not mind heights that are left
/// over. This reads the text once and adds to `issues`, with their lines, the first words that are
/// no numbers, and a number of heights other than `expected`.
void check_ascii_grid(const std::filesystem::path& file, std::uint64_t expected, IssueList& issues);

}  // namespace grouser::internal
