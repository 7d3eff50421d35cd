#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/pcm/pcm_force.h"
#include "multibody/kinematics.h"
#include "nonsmooth/moreau_jean.h"
#include "sim/simulate.h"
#include "sim/world.h"

namespace grouser {

/// Work space for the contact of meshes; one per run.
struct MeshContactScratch {
  explicit MeshContactScratch(const World& world);

  std::optional<PcmScratch> pcm;  ///< nothing if no meshes of the world may touch
  std::vector<Pose> X_WS;         ///< per surface
  std::vector<Twist> V_WS;        ///< per surface, at its origin, axes of W
  std::vector<double>
      depths;  ///< per pair: PcmScratch::greatest_depth, kept while a sample is taken [m]
};

/// Forces of all contacts of meshes, from kinematics that are current; adds them to the wrenches per body
/// (at its origin, axes of W). There is no memory.
void add_mesh_contact_wrenches(const World& world, const Kinematics& kinematics,
                               MeshContactScratch& scratch, std::span<Wrench> wrenches);

/// After add_mesh_contact_wrenches(): adds what an implicit step has beside the mass of each body, damping · C +
/// stiffness · K of the forces' slopes: of contact with what is fixed to `bodies` (about O of its tree), of contact
/// between two bodies to `between`.
void add_mesh_slopes(const World& world, const Kinematics& kinematics, double damping,
                     double stiffness, const MeshContactScratch& scratch,
                     std::span<SpatialMatrix> bodies, std::vector<StiffForce>& between);

/// Before a run: adds what may go wrong with the meshes to the warnings.
void warn_of_meshes(const World& world, RunReport& report);

/// After a run: adds how deep each pair got, and a warning for each that came near or to the end of its
/// penetration lines, beyond which contact is lost.
void report_mesh_contacts(const World& world, const MeshContactScratch& scratch, RunReport& report);

}  // namespace grouser
