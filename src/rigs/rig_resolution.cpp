#include "rigs/rig_resolution.h"

#include "rigs/rig_check.h"

namespace grouser::internal {

void check(const RigResolution& resolution, IssueList& issues) {
  check_range(issues, "spacing", resolution.spacing, 1e-4, 1, "m");
  check_range(issues, "step", resolution.step, 1e-6, 0.1, "s");
}

}  // namespace grouser::internal
