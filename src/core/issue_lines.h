#pragma once

#include <string>
#include <vector>

#include "core/error.h"

namespace grouser::internal {

/// One line for each finding. Of more than four with the same message the first three are told, behind
/// them how many more there are.
std::vector<std::string> lines_of(const std::vector<Issue>& issues);

}  // namespace grouser::internal
