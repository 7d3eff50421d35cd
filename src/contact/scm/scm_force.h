#pragma once

#include <vector>

#include "contact/laws/bekker.h"
#include "contact/laws/shear.h"
#include "contact/scm/footprint.h"
#include "terrain/soil_map.h"

namespace grouser::internal {

/// A fit may have a negative k_c that makes narrow plates carry nothing; no soil does that. Below this
/// part of k_φ, k_c/b + k_φ is held.
inline constexpr double kLeastStiffness = 0.05;

/// What the soil does to a body, in short.
struct ScmReaction {
  Wrench wrench;             ///< at the body's origin, axes of W
  Vec3 wall = Vec3::Zero();  ///< the part of it that the walls around the footprint give [N]
  double sinkage = 0;        ///< of the deepest cell, below the untouched ground [m], >= 0
  double area = 0;           ///< of contact, seen from above [m²]
};

/// What a body remembers of its last committed step.
struct ScmBodyMemory {
  Pose X_WB;  ///< then: shear displacement goes on from there
  /// How far the walls around its footprint are bent over, seen from above, as ShearLaw tells [m].
  Vec2 push = Vec2::Zero();
  /// Nodes in contact at the last update of the soil, or kept down by the body above them: soil may slide there
  /// next.
  NodeRect touched;
  /// Twist and reaction then. As long as the soil is not updated, a body that moves just like that feels
  /// just that: the step after a commit need not ask again.
  Twist V_WB;
  ScmReaction reaction;
  bool holds = false;  ///< whether the reaction still holds

  friend bool operator==(const ScmBodyMemory& a, const ScmBodyMemory& b);
  void hash(Hasher& hasher) const;
};

/// Stresses in a cell, beside the cell itself.
struct CellLoad {
  double sinkage = 0;         ///< below the column's level [m]
  double pressure = 0;        ///< normal stress [Pa]
  Vec2 shear = Vec2::Zero();  ///< z of ShearLaw [m]
  Vec3 force = Vec3::Zero();  ///< on the body [N]
};

/// The same for all cells of a footprint, like ContactCells.
struct CellLoads {
  std::vector<double> sinkage, pressure, shear_x, shear_y, force_x, force_y, force_z;

  std::size_t size() const { return sinkage.size(); }
  void resize(std::size_t count);
  void clear() { resize(0); }

  CellLoad operator[](std::size_t k) const {
    return {.sinkage = sinkage[k],
            .pressure = pressure[k],
            .shear = Vec2(shear_x[k], shear_y[k]),
            .force = Vec3(force_x[k], force_y[k], force_z[k])};
  }
};

/// The force of the soil on a body, and how it comes about.
struct ScmForce : ScmReaction {
  CellLoads loads;
  Vec2 push = Vec2::Zero();    ///< ScmBodyMemory::push, once committed [m]
  double least_stiffness = 0;  ///< smallest k_c/b + k_φ that was met, over k_φ [-]
};

/// Laws of a soil under a patch.
struct PatchLaws {
  BekkerLaw bekker;
  ShearLaw shear;
  double passive = 1;  ///< ShearLaw::passive_part()
};

/// Work space for scm_force(); one per body.
struct ScmScratch {
  ScmScratch(const ScmBody& body, const ElevationMap& map) : footprint_scratch(body, map) {}

  FootprintScratch footprint_scratch;
  Footprint footprint;
  ScmForce force;

  std::vector<PatchLaws> laws;        // per patch and soil
  std::vector<const PatchLaws*> law;  // per cell
  struct PatchSums {
    double load = 0, bears = 0, weight = 0, deepest_border = 0;
  };
  std::vector<PatchSums> sums;  // per patch
  /// Cells one after the other under the same laws, hence of one patch.
  struct Stretch {
    std::size_t begin, end;
    const PatchLaws* laws;
    std::size_t patch;
  };
  std::vector<Stretch> stretches;
  std::vector<std::size_t> filled;  // cells that press on loose fill
  struct Wall {
    const BoundaryPiece* piece;
    const SoilMemory* column;  // of the soil that is pressed next
    double depth;              // of the body below its level [m]
    bool ahead;                // whether that lies where the body is pushed to
  };
  std::vector<Wall> walls;
  std::vector<double> wall_depths, wall_exponents;  // per wall two: pressed to, and from
  std::vector<double> wall_pushed;                  // per wall: mobilised part

  /// What else loops over the cells need.
  struct Cells {
    std::vector<double> x, y, z;  // middle of the covered part, arm from the body's origin [m]
    std::vector<double> stretch;  // area of the body's surface over that seen from above
    std::vector<double> area;     // seen from above [m²]
    std::vector<double> deepest;  // sinkage ever [m]
    std::vector<double> stiffness, exponent, cohesion, tan_friction, modulus;
    std::vector<double> sheared;    // way slid since the last commit, over the modulus [-]
    std::vector<double> mobilised;  // part of the strength [-]
    std::vector<double> along_x, along_y, along_z;  // the same as a vector in the surface
    std::vector<double> yields;  // pressure over Bekker's at which the soil gives way [-], 0 ... 1
    std::vector<double> undamped;            // pressure without what damping adds [Pa]
    std::vector<double> base, power, value;  // in between

    void resize(std::size_t count);
  } cells;
};

/// Force of the soil on a body at pose and twist (of its origin, axes of W). Pure in soil and memory;
/// leaves footprint and loads in the scratch.
///
/// After Krenn & Hirzinger, "SCM - a soil contact model for multi-body system simulations" (2009).
/// Differs: pressure acts along the surface's normal (ScmOptions::Horizontal), walls around the
/// footprint resist by passive earth pressure, shear is mobilised by displacement and may weaken what it
/// acts on, columns unload elastically and remember it, area and boundary are exact within cells.
const ScmForce& scm_force(const ScmBody& body, const Pose& X_WB, const Twist& V_WB,
                          const ScmBodyMemory& memory, const ScmSoil& soil, const SoilMap& soils,
                          const ScmOptions& options, ScmScratch& scratch);

/// After scm_force() at an accepted step: what it pressed down stays so, and how far it sheared. The
/// only writer of the columns' memory besides the update of the soil.
void scm_commit(const Pose& X_WB, const Twist& V_WB, const ScmOptions& options, ScmScratch& scratch,
                ScmBodyMemory& memory, ScmSoil& soil);

}  // namespace grouser::internal
