#pragma once

#include "assets/wheel.h"

namespace grouser::internal {

/// A wheel with a rim, from a valid spec.
TriMesh rim_wheel(const WheelSpec& spec);

/// A rimless wheel, from a valid spec.
TriMesh rimless_wheel(const WheelSpec& spec);

/// Findings about legs that do not fit the wheel, the hub or each other.
void check_legs(const WheelSpec& spec, const std::string& place, IssueList& issues);

/// About the number of triangles of a wheel whose other parameters are valid.
double triangle_estimate(const WheelSpec& spec);

}  // namespace grouser::internal
