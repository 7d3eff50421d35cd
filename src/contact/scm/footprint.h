#pragma once

#include <cstdint>
#include <vector>

#include "contact/laws/bekker.h"
#include "contact/scm/body_raster.h"
#include "contact/scm/coverage.h"
#include "contact/scm/options.h"
#include "contact/scm/patches.h"
#include "contact/scm/scm_body.h"
#include "contact/scm/scm_soil.h"

namespace grouser::internal {

/// A connected region of contact. Bekker's plate width b is 2A/L: exact for discs and long strips.
struct SoilPatch {
  double area = 0;    ///< of what bears, seen from above [m²]
  double length = 0;  ///< of its boundary [m]

  /// 0 if nothing bears.
  double plate_width() const { return length > 0 ? 2 * area / length : 0; }
};

/// A cell of the grid that the body presses on.
struct ContactCell {
  std::int32_t node = 0;       ///< of the window
  std::int32_t patch = 0;      ///< index into Footprint::patches
  double coverage = 0;         ///< part of the cell's area in contact (0, 1]
  double bears = 0;            ///< of that, what counts for the patch's area and outline [-]
  double body = 0;             ///< mean height of the body's surface over it [m]
  Vec2 slope = Vec2::Zero();   ///< of that surface, (∂z/∂x, ∂z/∂y) [-]
  Vec2 centre = Vec2::Zero();  ///< of the covered part [m]
  double border = 0;           ///< distance to the boundary of the patch, about [m]
};

/// Cells in order of nodes, each quantity in an array of its own for loops of vector code. Read cell by cell
/// where speed does not matter.
struct ContactCells {
  std::vector<std::int32_t> node, patch;
  std::vector<double> coverage, bears, body, slope_x, slope_y, x, y, border;  // x, y: of the centre

  std::size_t size() const { return node.size(); }
  bool empty() const { return node.empty(); }
  void resize(std::size_t count);
  void clear() { resize(0); }
  void push_back(const ContactCell& cell);

  ContactCell operator[](std::size_t k) const {
    return {.node = node[k],
            .patch = patch[k],
            .coverage = coverage[k],
            .bears = bears[k],
            .body = body[k],
            .slope = Vec2(slope_x[k], slope_y[k]),
            .centre = Vec2(x[k], y[k]),
            .border = border[k]};
  }
};

/// A piece of a patch's boundary: where the body is below the soil there, it stands against a wall.
struct BoundaryPiece {
  std::int32_t cell = 0;         ///< index into Footprint::cells
  Vec2 outward = Vec2::UnitX();  ///< unit, seen from above
  double length = 0;             ///< [m]
};

/// To one of a node's eight neighbours.
struct NodeStep {
  int i = 0, j = 0;
};
/// The neighbour that lies best along a direction; (0, 0) if that is zero.
inline NodeStep step_of(double x, double y) {
  constexpr double kSlanted = 0.14644660940672624;  // sin² 22.5°
  const double least = kSlanted * (x * x + y * y);
  const auto step = [&](double d) { return d * d > least ? (d > 0 ? 1 : -1) : 0; };
  return {step(x), step(y)};
}
inline NodeStep step_of(const Vec2& direction) { return step_of(direction.x(), direction.y()); }

/// How far around the contact a footprint's window reaches at least [nodes].
inline constexpr int kOverhang = 3;

/// How low a body hangs over the ground, also where it does not touch: soil can rise no higher.
struct Underside {
  NodeRect rect;  ///< of the map: it is nowhere else below the highest node
  /// Per node of the rectangle, row by row: the body's lowest point over its cell [m], infinite where it does
  /// not stand.
  std::vector<double> lowest;

  double at(int i, int j) const {
    return lowest[static_cast<std::size_t>(j - rect.j0) * static_cast<std::size_t>(rect.nx) +
                  static_cast<std::size_t>(i - rect.i0)];
  }
};

/// Where a body touches the soil, and how deep.
struct Footprint {
  SoilWindow window;
  ContactCells cells;
  std::vector<SoilPatch> patches;
  std::vector<BoundaryPiece> boundary;  ///< at most one per cell, in order of cells
  std::vector<char> touches;            ///< per node of the window: 1 if it is one of the cells
  Underside underside;                  ///< as find_underside() left it, empty without

  bool empty() const { return cells.empty(); }
  /// The first node beyond the contact, up to `reach` steps from a cell's; -1 if there is none.
  std::int32_t node_beyond(std::int32_t node, NodeStep step, int reach) const;
};

/// Work space for find_footprint(); one per body.
struct FootprintScratch {
  FootprintScratch(const ScmBody& body, const ElevationMap& map) : base(map), raster(body) {}

  BaseHeights base;
  HighestNodes ground;
  BodyRaster raster;
  std::vector<double> bearing;  // per cell, padded: where the body stands, what bears it
  std::vector<double> height;   // per node: below it the body touches
  CoverageGradient gradient;
  PatchFinder patches;
  std::vector<double> body;     // per cell, padded: mean height of the body
  std::vector<double> border;   // per cell, padded: distance to the boundary, in cells
  std::vector<double> bears;    // per cell, padded: covered part of it that bears
  std::vector<double> deepest;  // per patch: what bears most
  // Per cell, padded: gradient of what bears, drawn into the contact.
  std::vector<double> inward_x, inward_y;
  struct Gap {
    std::size_t cell;  // padded
    double body;
  };
  std::vector<Gap> gaps;  // cells without a sample in contact
};

/// Presses the body, at X_WB, into the soil. Pure in the soil.
void find_footprint(const ScmBody& body, const Pose& X_WB, const ScmSoil& soil,
                    const ScmOptions& options, FootprintScratch& scratch, Footprint& footprint);

/// Finds Footprint::underside, at the pose of the footprint, for an update of the soil.
void find_underside(const ScmBody& body, const Pose& X_WB, const ScmSoil& soil,
                    const ScmOptions& options, FootprintScratch& scratch, Footprint& footprint);

}  // namespace grouser::internal
