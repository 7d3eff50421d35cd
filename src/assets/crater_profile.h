#pragma once

#include "terrain/height_field.h"

/// The section of an impact crater, over the distance x from its centre in radii of the rim's crest.
/// Heights are in units of the fresh depth, crest to floor, so that a fresh crater spans exactly 1.
namespace grouser::internal {

struct ProfilePoint {
  double height, slope;  ///< h and dh/dx
};

/// `degradation` from 0 to kMaxDegradation is the part of the depth that diffusion, ∂h/∂t = κ ∇²h, has
/// taken. Height and slope are continuous, zero from crater_reach(degradation) on.
ProfilePoint crater_profile(double x, double degradation);

/// Where the height has become zero, in radii.
double crater_reach(double degradation);

/// Bounds of the height for all distances between two.
HeightRange crater_profile_range(double x_min, double x_max, double degradation);

}  // namespace grouser::internal
