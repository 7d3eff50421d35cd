#pragma once

#include <vector>

#include "record/run_reader.h"
#include "render/renderer.h"
#include "rut_colours.h"

namespace grouser::internal {

/// The ground of a run for a picture.
struct GroundPicture {
  RenderMesh mesh;
  double rut_spacing = 0;  ///< of the nodes with which ruts are drawn [m]
};

/// The ground, tinted by height. With soil, cells that were changed are drawn as finely as the soil
/// was computed, or so finely that they take a few million triangles, and have the colours of ruts.
GroundPicture ground_picture(const RecordedGround& ground, const RecordedSoil* soil,
                             const RutRange& range);

}  // namespace grouser::internal
