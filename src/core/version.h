#pragma once

#include <string_view>

#include "grouser/error.h"

namespace grouser::internal {

/// `git describe` of the source tree at build time, with "-dirty" if it had local changes.
/// Empty if the sources were not in a git repository or had no commit.
std::string_view git_describe();

}  // namespace grouser::internal
