#pragma once

#include <string>

#include "nonsmooth/cone_problem.h"

namespace grouser {

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

}  // namespace grouser
