#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/pcm/detection.h"
#include "contact/pcm/material.h"

namespace grouser::internal {

/// A contact element at work. In the frame of the base.
struct PatchElement {
  std::int32_t triangle = 0;     ///< of the base
  std::int32_t target = 0;       ///< triangle of the target that its line hit
  Vec3 p = Vec3::Zero();         ///< where the force acts, on the penetration line [m]
  double area = 0;               ///< [m²]
  double depth = 0;              ///< u [m], > 0
  double pressure = 0;           ///< normal force by area [Pa]
  Vec3 slip = Vec3::Zero();      ///< of the base on the target, across the line [m/s]
  Vec3 traction = Vec3::Zero();  ///< on the base, pressure and friction [Pa]
};

/// Forces of all contact elements on the base, at its origin, axes of the base; those on the target are the
/// opposite. `V_TB` is the motion of the base seen from the target, at the base's origin, axes of the base.
/// Elements are summed in the order of their triangles. Fills `patch`.
///
/// An element presses with c A u + d_l A u̇ along its line (LayerPair::pressure), where the two layers meet:
/// at u c/c_base below the base, so that it does not matter which of two equal bodies is the base.
Wrench patch_wrench(const BaseSurface& base, const ContactElements& elements, const LayerPair& law,
                    const Twist& V_TB, std::vector<PatchElement>& patch);

}  // namespace grouser::internal
