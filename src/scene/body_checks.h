#pragma once

#include <span>
#include <string>

#include "scene/tree_data.h"

namespace grouser::internal {

/// The principal moments, and which sum is too small if they break the triangle inequality; empty if
/// there are none.
std::string moments_text(const RigidInertia& inertia);

/// Reports mass properties that no body has, or that betray a wrong unit when held against the
/// body's own shapes. `solid` says that the inertia was computed from the shape.
void check_inertia(const RigidInertia& inertia, std::span<const VisualData> shapes, bool solid,
                   const Place& place, IssueList& issues);

}  // namespace grouser::internal
