#pragma once

#include <string>

namespace grouser::internal {

/// Prints what a rover holds, a built-in one or that of a file; returns the exit code.
int describe_rover(const std::string& name_or_file, bool json);

/// Prints what a scene holds, a built-in one or a file, and about how long it takes to run.
int describe_scene(const std::string& name_or_file, bool json);

}  // namespace grouser::internal
