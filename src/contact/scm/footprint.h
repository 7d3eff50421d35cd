#pragma once

#include <cstdint>
#include <vector>

#include "contact/scm/coverage.h"
#include "contact/scm/options.h"
#include "contact/scm/scm_body.h"
#include "contact/scm/scm_soil.h"

namespace grouser {

/// A connected region of contact. Bekker's plate width b is 2A/L: exact for discs and long strips.
struct ContactPatch {
  double area = 0;    ///< seen from above [m²]
  double length = 0;  ///< of its boundary [m]

  double plate_width() const { return 2 * area / length; }
};

/// A cell of the grid that the body presses on.
struct ContactCell {
  std::int32_t node = 0;       ///< of the window
  std::int32_t patch = 0;      ///< index into Footprint::patches
  double coverage = 0;         ///< part of the cell's area in contact (0, 1]
  double body = 0;             ///< mean height of the body's surface over it [m]
  Vec2 slope = Vec2::Zero();   ///< of that surface, (∂z/∂x, ∂z/∂y) [-]
  Vec2 centre = Vec2::Zero();  ///< of the covered part [m]
  double border = 0;           ///< distance to the boundary of the patch, about [m]
};

/// Where a body touches the soil, and how deep.
struct Footprint {
  SoilWindow window;
  std::vector<ContactCell> cells;  ///< in order of nodes
  std::vector<ContactPatch> patches;

  bool empty() const { return cells.empty(); }
};

/// Work space for find_footprint(); one per body.
struct FootprintScratch {
  FootprintScratch(const ScmBody& body, const ElevationMap& map);

  BaseHeights base;
  std::vector<std::int32_t> triangles;  // that may touch
  std::vector<Vec3> points;             // vertices in W, valid where stamped
  std::vector<std::int32_t> placed;     // the vertices that are
  std::vector<Vec3> in_samples;         // their positions in samples, z in W
  std::vector<double> depth;            // how far they are below the bearing surface
  std::vector<std::uint32_t> stamps;    // per vertex: the call that placed it
  std::uint32_t stamp = 0;
  std::vector<double> samples;  // lowest height of the body per sample
  std::vector<double> bearing;  // height at which each column begins to bear
  Coverage coverage;
  std::vector<double> body, border;        // per node
  std::vector<std::int32_t> label, stack;  // per node: its patch; nodes still to be labelled
};

/// Presses the body, at X_WB, into the soil. Pure in the soil.
void find_footprint(const ScmBody& body, const Pose& X_WB, const ScmSoil& soil,
                    const ScmOptions& options, FootprintScratch& scratch, Footprint& footprint);

}  // namespace grouser
