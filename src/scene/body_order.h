#pragma once

#include <vector>

#include "scene/tree_data.h"

namespace grouser::internal {

/// A body in its place in the order that a Model wants.
struct OrderedBody {
  const BodyData* data = nullptr;
  int parent = kWorld;  ///< index in the ordered list, or kWorld
};

/// Sorts bodies depth first, so that parents precede children and each tree stands together;
/// siblings keep the order of the file. Reports unknown parents and cycles.
std::vector<OrderedBody> order_bodies(const std::vector<BodyData>& bodies, IssueList& issues);

}  // namespace grouser::internal
