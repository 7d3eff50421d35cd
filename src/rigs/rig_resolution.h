#pragma once

#include "contact/scm/options.h"
#include "core/error.h"

namespace grouser::internal {

/// How finely a rig that moves in soft soil is computed.
struct RigResolution {
  double spacing = 0.005;  ///< of the soil's grid [m], 1e-4 ... 1
  double step = 1e-3;      ///< of the integrator [s], 1e-6 ... 0.1
  ScmOptions scm;
};

/// Adds a finding for each field out of range.
void check(const RigResolution& resolution, IssueList& issues);

}  // namespace grouser::internal
