#pragma once

#include "geometry/tri_mesh.h"
#include "render/renderer.h"

namespace grouser::internal {

/// A thing on a floor with lines a round number apart, which show its size.
Image preview_of_solid(const TriMesh& mesh, const Vec3& color);

/// A piece of ground from above at a slant, tinted by height; things lie on it where they are.
Image preview_of_ground(const TriMesh& ground, const TriMesh& things = {});

/// The ground as it is drawn everywhere: tinted by height between its lowest and highest point.
RenderMesh ground_to_draw(TriMesh ground);

/// Lines this far apart [m] divide a thing of the given size into some ten pieces: 1, 10, 0.1 ...
double round_spacing(double size);

inline const Vec3 kRockColor(0.52, 0.47, 0.43);
inline const Vec3 kMetalColor(0.68, 0.69, 0.71);

}  // namespace grouser::internal
