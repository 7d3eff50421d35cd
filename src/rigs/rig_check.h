#pragma once

#include <string>

#include "core/error.h"

/// Checks of what a user asks of a rig.
namespace grouser::internal {

/// Adds a finding if the value is not finite or not within [low, high].
void check_range(IssueList& issues, const std::string& field, double value, double low, double high,
                 const std::string& unit);

}  // namespace grouser::internal
