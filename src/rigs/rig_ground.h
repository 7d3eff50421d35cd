#pragma once

#include <memory>

#include "contact/scm/options.h"
#include "contact/scm/scm_body.h"
#include "sim/ground.h"

/// What the rigs stand on: level soil, the same everywhere.
namespace grouser::internal {

struct RigGround {
  Soil soil;
  double spacing = 0.005;      ///< of the soil's grid [m], > 0
  Rect area;                   ///< covered at least [m]
  Vec2 offset = Vec2::Zero();  ///< of the grid: a node lies there [m]
};

/// Throws Error(input) naming what is out of range.
std::shared_ptr<const Ground> make_ground(const RigGround& rig);

/// A body made ready for soil of a grid of that spacing [m]. Throws Error(input) if the mesh is not closed.
std::shared_ptr<const ScmBody> soil_body(const TriMesh& mesh, const ScmOptions& options,
                                         double spacing);

}  // namespace grouser::internal
