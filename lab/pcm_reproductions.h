#pragma once

#include <vector>

#include "lab/reproduce.h"

namespace grouser::internal {

/// Contact of meshes: the examples of "Polygonal contact model revisited" (2023).
std::vector<Reproduction> pcm_reproductions();

/// Parts of it, a file each.
std::vector<ReproductionRow> pcm_sharp_edges();
std::vector<ReproductionRow> pcm_bubbles();

}  // namespace grouser::internal
