#pragma once

#include <optional>
#include <span>

#include "geometry/tri_mesh.h"
#include "lab/bench/bench.h"

namespace grouser::internal {

std::vector<BenchRow> pcm_bench();

/// Mean time [µs] that Simbody's ElasticFoundationForce takes for a ball at each of the given poses on a fixed
/// mesh, whose vertices are springs, where Simbody was there at build time.
std::optional<double> time_simbody(const TriMesh& fixed, const TriMesh& ball,
                                   std::span<const Pose> poses);

}  // namespace grouser::internal
