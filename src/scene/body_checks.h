#pragma once

#include <span>

#include "scene/tree_data.h"

namespace grouser::internal {

/// Reports mass properties that no body has, or that betray a wrong unit when held against the
/// body's own shapes. `solid` says that the inertia was computed from the shape.
void check_inertia(const RigidInertia& inertia, std::span<const VisualData> shapes, bool solid,
                   const Place& place, IssueList& issues);

}  // namespace grouser::internal
