#pragma once

#include <optional>
#include <vector>

#include "scene/place.h"
#include "sim/world.h"

/// Which rover and which wheels a scene means.
namespace grouser::internal {

/// Index of the rover of that name or, without one, of the only one; reports the failure.
std::optional<std::size_t> find_rover(const std::vector<Rover>& rovers,
                                      const std::optional<PlacedName>& name, const Place& place,
                                      IssueList& issues);

/// The wheels of these names or, without any, all (`steerable`: those that can be steered); reports
/// names that are unknown.
std::vector<const Wheel*> find_wheels(const Rover& rover, const std::vector<PlacedName>& names,
                                      bool steerable, const Place& place, IssueList& issues);

}  // namespace grouser::internal
