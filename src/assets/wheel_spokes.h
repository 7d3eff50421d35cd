#pragma once

#include <vector>

#include "assets/mesh_builder.h"
#include "assets/wheel_section.h"

namespace grouser::internal {

/// The edges of a rim's inside at both ends of its width.
struct InnerRings {
  std::vector<MeshBuilder::RingNode> back;   ///< at the lowest y
  std::vector<MeshBuilder::RingNode> front;  ///< at the highest y
};

/// Adds the inside of the rim and, if there are any, spokes and hub: where a spoke stands, the faces of
/// rim and hub are left out and joined by its walls, so that all is one surface.
InnerRings build_inside(const WheelSpec& spec, const WheelSection& section,
                        const std::vector<double>& rows, MeshBuilder& builder);

/// At most this number of triangles, from the number of the rim's rows.
double inside_estimate(const WheelSpec& spec, const WheelSection& section, double rows);

}  // namespace grouser::internal
