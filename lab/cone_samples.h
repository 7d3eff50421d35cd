#pragma once

#include <string>

#include "nonsmooth/cone_problem.h"

namespace grouser::internal {

/// A generated problem to try solvers on.
struct ConeSample {
  std::string family;
  ConeProblem problem;
};

inline constexpr int kConeSamples = 500;

/// One of kConeSamples problems of 1 to 300 contacts, always the same for an index: boxes on the ground with
/// more corners than needed, towers, walls, pyramids, heaps, rovers with six wheels; at rest, sliding or
/// striking; masses of one problem up to a ratio of 1e6, friction 0 to 1.2. W is sparse where bodies are many.
ConeSample make_cone_sample(int index);

/// What is hard on solvers.
enum class HardCone {
  tower,     ///< ten cubes on each other, every other one 1e6 times heavier; 40 contacts
  heap,      ///< 200 contacts of lumps whose masses differ by up to 1e6, friction differs as well
  one_body,  ///< 200 contacts of one body with uneven ground and walls
};

/// Always the same for a seed; at rest, sliding or striking.
ConeSample make_hard_cone(HardCone kind, int seed);

}  // namespace grouser::internal
