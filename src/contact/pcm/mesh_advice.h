#pragma once

#include <string>
#include <vector>

#include "contact/pcm/pcm_scene.h"

namespace grouser::internal {

/// What may go wrong with the meshes of a scene, a sentence for each kind, before it is run: sharp edges of
/// targets, at which penetrations jump; base triangles too large for the patch; open targets. Names the
/// worst mesh of each.
std::vector<std::string> advise(const PcmScene& scene);

/// Edge length of base triangles that resolves contact with a target: a quarter of the smaller one's size,
/// which is the second longest side of its box [m].
double advisable_edge(const Aabb& base, const Aabb& target);

}  // namespace grouser::internal
