#pragma once

#include <vector>

#include "contact/scm/footprint.h"
#include "terrain/soil_map.h"

namespace grouser {

/// What a body remembers of its last committed step.
struct ScmBodyMemory {
  Pose X_WB;  ///< then: shear displacement goes on from there
};

/// Stresses in a cell, beside the cell itself.
struct CellLoad {
  double sinkage = 0;         ///< below the column's level [m]
  double pressure = 0;        ///< normal stress [Pa]
  Vec2 shear = Vec2::Zero();  ///< shear displacement [m]
  Vec3 force = Vec3::Zero();  ///< on the body [N]
};

/// The force of the soil on a body, and how it comes about.
struct ScmForce {
  Wrench wrench;                ///< at the body's origin, axes of W
  std::vector<CellLoad> loads;  ///< per cell of the footprint
  double least_stiffness = 0;   ///< smallest k_c/b + k_φ that was met [N/m^(n+2)]
};

struct ScmScratch {
  ScmScratch(const ScmBody& body, const ElevationMap& map) : footprint_scratch(body, map) {}

  FootprintScratch footprint_scratch;
  Footprint footprint;
  ScmForce force;
};

/// Force of the soil on a body at pose and twist (of its origin, axes of W). Pure in soil and memory;
/// leaves footprint and loads in the scratch.
///
/// After Krenn & Hirzinger, "SCM - a soil contact model for multi-body system simulations" (2009).
/// Differs: pressure acts along the surface's normal (ScmOptions::Horizontal), shear is mobilised by
/// displacement, columns unload elastically and remember it, area and boundary are exact within cells.
const ScmForce& scm_force(const ScmBody& body, const Pose& X_WB, const Twist& V_WB,
                          const ScmBodyMemory& memory, const ScmSoil& soil, const SoilMap& soils,
                          const ScmOptions& options, ScmScratch& scratch);

/// After scm_force() at an accepted step: what it pressed down stays so, and how far it sheared. The
/// only writer of the columns' memory besides update_soil().
void scm_commit(const Pose& X_WB, const ScmOptions& options, ScmScratch& scratch,
                ScmBodyMemory& memory, ScmSoil& soil);

}  // namespace grouser
