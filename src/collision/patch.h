#pragma once

#include <array>
#include <span>

#include "collision/convex.h"

namespace grouser::internal {

/// A point of the patch in which two solids overlap.
struct PatchPoint {
  Vec3 p = Vec3::Zero();  ///< half way between both surfaces, in W [m]
  double depth = 0;       ///< of the overlap there, along the patch's normal [m], >= 0
  double share = 1;       ///< of the patch that this point stands for [-]; they sum to 1
};

/// How two convex solids A and B overlap. Force laws that are continuous in depth, taken at each point
/// and weighted by its share, give a force that is continuous as points come and go. Shares go by the length
/// of boundary next to a point times its depth: corners that have just dipped in hardly count, one corner or
/// edge that dips in alone carries all, and the corners of a flat contact share it.
struct ContactPatch {
  static constexpr int kMostPoints = 16;

  Vec3 normal = Vec3::UnitZ();  ///< unit, out of B into A: A leaves B along it
  double depth = 0;             ///< by which A must move along the normal to be free of B [m], > 0
  double curvature = 0;         ///< 1/R_A + 1/R_B at the patch [1/m]; 0 for flat on flat
  int count = 0;
  std::array<PatchPoint, kMostPoints> all;

  std::span<const PatchPoint> points() const {
    return {all.data(), static_cast<std::size_t>(count)};
  }
};

struct NarrowPhaseOptions {
  bool single_point = false;  ///< one deepest point only, as in the paper
};

/// Whether the solids overlap (touching is not overlapping), and if so how. A pure function of its
/// arguments: the same bits for the same input.
bool find_patch(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                const NarrowPhaseOptions& options, ContactPatch& patch);

}  // namespace grouser::internal
