#include "contact/scm/scm_walls.h"

#include <algorithm>

#include "math/power.h"

namespace grouser {
namespace {

/// Nodes from the rim of what bears to the soil of the wall.
constexpr int kWallReach = 2;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// Middle of what touches [m].
Vec3 middle_of(const std::vector<ContactCell>& cells) {
  Vec3 sum = Vec3::Zero();
  double area = 0;
  for (const ContactCell& cell : cells) {
    sum += cell.coverage * Vec3(cell.centre.x(), cell.centre.y(), cell.body);
    area += cell.coverage;
  }
  return sum / area;
}

/// The pieces that the body pushes against soil, and per piece how deep that will be pressed and was.
void find_walls(const Vec2& push, ScmScratch& s) {
  s.walls.clear();
  s.wall_depths.clear();
  s.wall_exponents.clear();
  const SoilWindow& window = s.footprint.window;
  for (const BoundaryPiece& piece : s.footprint.boundary) {
    if (push.dot(piece.outward) <= 0) continue;
    const ContactCell& cell = s.footprint.cells[at(piece.cell)];
    std::int32_t beyond = s.footprint.node_beyond(cell, push, kWallReach);
    // At the side of a body that slides along its wall, no soil lies ahead but the wall itself.
    if (beyond < 0) beyond = s.footprint.node_beyond(cell, piece.outward, kWallReach);
    if (beyond < 0) continue;
    const double depth = window.level(at(beyond)) - cell.body;
    if (depth <= 0) continue;
    const SoilMemory& column = window.memory[at(beyond)];
    const BekkerLaw& bekker = s.law[at(piece.cell)]->bekker;
    s.walls.push_back({&piece, &column, depth});
    s.wall_depths.insert(s.wall_depths.end(),
                         {depth, std::min(depth, bekker.deepest_before(column.sunk))});
    s.wall_exponents.insert(s.wall_exponents.end(), 2, bekker.exponent + 1);
  }
}

/// Force per length of a wall [N/m], fully mobilised. `to` and `from`: depths that the soil is pressed to and
/// from, to the power n + 1. Of a column that was pressed in part, the rest is still to be pressed; what
/// part it was shows in the soil that was moved away.
double strength_of(const ScmScratch::Wall& wall, const PatchLaws& law, double to, double from,
                   bool moves) {
  const double pressed = moves ? wall.column->pressed_part() : 1;
  return law.passive * law.bekker.stiffness * (to - pressed * from) / (law.bekker.exponent + 1);
}

}  // namespace

void add_walls(const Pose& X_WB, const Pose& X_back, const Vec2& push, const ScmOptions& options,
               ScmScratch& s) {
  const ShearLaw& shear = s.law.front()->shear;
  ScmForce& sum = s.force;
  const Vec3 p_W = middle_of(s.footprint.cells);
  const Vec2 step = (p_W - X_back * p_W).head<2>();
  sum.push = shear.saturated(push + step);
  find_walls(sum.push, s);
  power(s.wall_depths.data(), s.wall_exponents.data(), s.wall_depths.size(), s.wall_depths.data());
  const bool moves = options.deformation != ScmOptions::Deformation::none;
  for (std::size_t w = 0; w < s.walls.size(); ++w) {
    const ScmScratch::Wall& wall = s.walls[w];
    const BoundaryPiece& piece = *wall.piece;
    const PatchLaws& law = *s.law[at(piece.cell)];
    const double strength =
        strength_of(wall, law, s.wall_depths[2 * w], s.wall_depths[2 * w + 1], moves);
    const double along = -shear.mobilised(sum.push.dot(piece.outward)) * strength * piece.length;
    const Vec3 force(along * piece.outward.x(), along * piece.outward.y(), 0);
    const ContactCell& cell = s.footprint.cells[at(piece.cell)];
    const double height = cell.body + wall.depth / (law.bekker.exponent + 2);
    const Vec3 arm = Vec3(cell.centre.x(), cell.centre.y(), height) - X_WB.p;
    sum.wall += force;
    sum.wrench.force += force;
    sum.wrench.torque += arm.cross(force);
  }
}

}  // namespace grouser
