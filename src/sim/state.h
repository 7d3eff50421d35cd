#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contact/bbcc/bbcc_state.h"
#include "contact/scm/scm_state.h"
#include "sim/inputs.h"

namespace grouser {

/// Everything needed to go on from an instant, and nothing else. Copying it is a snapshot; equality
/// is bitwise, so it is also the test of determinism.
struct State {
  double time = 0;               ///< [s]
  VecX q;                        ///< positions, see JointType
  VecX v;                        ///< velocities
  std::vector<double> memory;    ///< committed memory; the World says which slice belongs to whom
  std::optional<ScmState> soil;  ///< if bodies of the World press into soft soil
  BbccState contacts;            ///< of bodies that touch each other or hard ground
  Inputs inputs;                 ///< what it is told from outside

  friend bool operator==(const State& a, const State& b);
};

/// Stable hash of all bits of the state.
std::uint64_t hash(const State& state);

}  // namespace grouser
