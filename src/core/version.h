#pragma once

#include <string_view>

namespace grouser::internal {

/// Version of the library, "major.minor.patch".
std::string_view version();

/// `git describe` of the source tree at build time, with "-dirty" if it had local changes.
/// Empty if the sources were not in a git repository or had no commit.
std::string_view git_describe();

}  // namespace grouser::internal
