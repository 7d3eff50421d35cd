#include "contact/scm/footprint.h"

namespace grouser::internal {

void find_underside(const ScmBody& body, const Pose& X_WB, const ScmSoil& soil,
                    const ScmOptions& options, FootprintScratch& scratch, Footprint& footprint) {
  Underside& underside = footprint.underside;
  underside.rect = {};
  if (options.deformation == ScmOptions::Deformation::none) return;  // no soil moves
  if (!scratch.ground.find_below(body.bounds(), X_WB, soil, scratch.base)) return;
  scratch.ground.level_out();  // soil may come from there
  const Rect rect = scratch.raster.gather(body, X_WB, scratch.ground, 0);
  if (scratch.raster.empty() || !(rect.lower.x() <= rect.upper.x())) return;
  const GridSpec& grid = soil.map.grid();
  const NodeRect nodes = nodes_around(grid, rect, 1);
  if (nodes.empty()) return;
  underside.rect = nodes;
  scratch.raster.sample({.origin = grid.node(nodes.i0, nodes.j0),
                         .spacing = grid.spacing,
                         .nx = nodes.nx,
                         .ny = nodes.ny},
                        options);
  underside.lowest = scratch.raster.lowest();
}

}  // namespace grouser::internal
