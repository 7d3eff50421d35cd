#pragma once

#include <cstdint>
#include <vector>

#include "contact/pcm/clean_surface.h"
#include "contact/pcm/detection.h"

namespace grouser::internal {

/// Work space of one evaluation.
struct IntersectionScratch {
  /// What is known of one mesh.
  struct Regions {
    enum Kind : std::uint8_t { unknown, cut, inside, outside };
    std::vector<Kind> kinds;  ///< per triangle
    std::vector<std::int32_t> cut_ones;
    std::vector<std::int32_t> active;  ///< cut, or inside the other mesh; ascending
  };
  Regions base, target;
  std::vector<std::int32_t> stack;
};

/// Intersection construction, the way of the first paper (Hippmann 2004): finds triangles that cut each
/// other, spreads from them over what is inside the other mesh, and casts the lines of all active base
/// triangles at all active target triangles. The same bits as detect_penetration(), for closed meshes that
/// are thicker than u_max and not inside each other as a whole. Slower; kept to check the other one.
/// Differs: regions are told apart by where one of their triangles is, not by polygons of intersection
/// lines.
void detect_intersection(const BaseSurface& base, const CleanSurface& clean_base,
                         const CleanSurface& clean_target, const Pose& X_TB, DetectionFrame frame,
                         ContactElements& elements, IntersectionScratch& work,
                         DetectionScratch& scratch);

}  // namespace grouser::internal
