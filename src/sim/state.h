#pragma once

#include <cstdint>
#include <vector>

#include "contact/contact_memory.h"
#include "sim/inputs.h"
#include "sim/watch_memory.h"

namespace grouser::internal {

/// Everything needed to go on from an instant, and nothing else. Copying it is a snapshot; equality
/// is bitwise, so it is also the test of determinism.
struct State {
  double time = 0;  ///< [s]
  VecX q;           ///< positions, see JointType
  VecX v;           ///< velocities
  std::vector<double>
      memory;  ///< of stepper and path followers; the World says which slice is whose
  std::vector<ContactMemory> contacts;  ///< per contact system of the World
  Inputs inputs;                        ///< what it is told from outside
  WatchMemory watch;                    ///< what watchers saw; not part of the hash

  friend bool operator==(const State& a, const State& b);
};

/// Stable hash of all bits that the motion follows from: all but `watch`.
std::uint64_t hash(const State& state);

}  // namespace grouser::internal
