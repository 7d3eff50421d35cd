#pragma once

#include "collision/face.h"

/// Where two faces that look at each other overlap.
namespace grouser::internal {

/// A point of the overlap, across the contact normal.
struct ClipPoint {
  double u, v;    // [m]
  double depth;   // how far B's surface lies above A's there [m]
  double middle;  // half way between both, along the normal [m]
};

/// Corners of the part of the plane that both faces cover and in which they overlap, but for those with no depth.
struct ClipRegion {
  static constexpr int kMost = 2 * Face::kMostCorners + 2;

  int count = 0;
  std::array<ClipPoint, kMost> point;
  std::array<double, kMost> weight;  // not normalised
};

/// The overlap of A's face, which looks down the normal, with B's, which looks up. A point of a round
/// surface meets the other at one point: the region is then empty, as it is if the faces miss each other by
/// rounding. Weights are the half lengths of both edges at a corner times its depth: when corners split,
/// merge, or come up out of the other solid, the mean of whatever is continuous over the region changes
/// continuously.
void clip(const Face& A, const Face& B, double depth, ClipRegion& region);

/// Merges neighbours, closest first, until no more than `most` points are left.
void reduce(int most, ClipRegion& region);

}  // namespace grouser::internal
