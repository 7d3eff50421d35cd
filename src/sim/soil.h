#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/scm/scm_stiffness.h"
#include "contact/scm/soil_update.h"
#include "multibody/kinematics.h"
#include "sim/world.h"

namespace grouser {

/// What happened to the soil over a run, for its report.
struct SoilStatistics {
  long updates = 0;            ///< of the soil, on its own clock
  long unsettled = 0;          ///< of those, after how many some slope was still too steep
  double least_stiffness = 1;  ///< smallest k_c/b + k_φ that was met, over k_φ [-]
};

/// What of it a user should know.
std::vector<std::string> soil_warnings(const SoilStatistics& statistics);

/// Work space for the soil under the bodies of a World; one per run.
struct SoilScratch {
  explicit SoilScratch(const World& world);

  std::vector<ScmScratch> bodies;      ///< per contact
  std::vector<Pose> X_WS;              ///< per contact: shape in W
  std::vector<Twist> V_WS;             ///< per contact: at the shape's origin, axes of W
  std::vector<ScmReaction> reactions;  ///< per contact, at the shape's origin
  std::vector<ScmSlopes> slopes;       ///< per contact, at the shape's origin
  std::vector<char> current;  ///< per contact: whether `bodies` shows it there, on this soil
  std::vector<SoilToucher> touchers;
  std::optional<SoilUpdater> updater;
  /// Whether also bodies that did not move since the last commit are looked at, for their footprints.
  bool fresh = false;
};

/// The soil before anybody touched it; nothing if no body of the world may.
std::optional<ScmState> initial_soil(const World& world);

/// Reactions of the soil on all bodies, from kinematics that are current; adds them to the wrenches per
/// body (at its origin, axes of W). Pure in the soil.
void add_soil_wrenches(const World& world, const Kinematics& kinematics, const ScmState& soil,
                       SoilScratch& scratch, std::span<Wrench> wrenches);

/// After add_soil_wrenches() with SoilScratch::fresh: adds what an implicit step has beside the mass of each
/// body, damping · C + stiffness · K of the soil's slopes, about O of its tree.
void add_soil_slopes(const World& world, const Kinematics& kinematics, double damping,
                     double stiffness, SoilScratch& scratch, std::span<SpatialMatrix> bodies);

/// At an accepted step, the kinematics of which are given: the soil remembers, and is updated if its own
/// clock says so. Returns whether it was: forces then change.
bool commit_soil(const World& world, const Kinematics& kinematics, double time,
                 SoilScratch& scratch, ScmState& soil, SoilStatistics& statistics);

}  // namespace grouser
