#pragma once

#include <vector>

#include "contact/scm/scm_force.h"

namespace grouser::internal {

/// All that soft soil and the bodies on it remember. A value: copying it is a snapshot.
struct ScmState {
  ScmSoil soil;
  std::vector<ScmBodyMemory> bodies;
  double updated = 0;  ///< time of the last update of the soil [s]
  double updates = 0;  ///< ticks of its clock that are behind us

  friend bool operator==(const ScmState&, const ScmState&) = default;
  void hash(Hasher& hasher) const;
};

}  // namespace grouser::internal
