#include "contact/scm/scm_walls.h"

#include <algorithm>

#include "contact/scm/cell_kernels.h"
#include "core/index.h"
#include "math/power.h"

namespace grouser::internal {
namespace {

/// Nodes from the rim of what bears to the soil of the wall.
constexpr int kWallReach = 2;

/// Middle of what touches, from the body's origin [m].
Vec3 middle_of(const ScmScratch::Cells& cells) {
  return kernels::middle_of(cells.area.size(), cells.area.data(), cells.x.data(), cells.y.data(),
                            cells.z.data());
}

/// The pieces that the body pushes against soil, and per piece how deep that will be pressed and was.
void find_walls(const Vec2& push, ScmScratch& s) {
  s.walls.clear();
  s.wall_depths.clear();
  s.wall_exponents.clear();
  s.wall_pushed.clear();
  const SoilWindow& window = s.footprint.window;
  const double push_x = push.x(), push_y = push.y();
  const NodeStep ahead = step_of(push_x, push_y);
  for (const BoundaryPiece& piece : s.footprint.boundary) {
    const double out_x = piece.outward.x(), out_y = piece.outward.y();
    const double pushed = push_x * out_x + push_y * out_y;
    if (pushed <= 0) continue;
    const std::int32_t node = s.footprint.cells.node[at(piece.cell)];
    std::int32_t beyond = s.footprint.node_beyond(node, ahead, kWallReach);
    // At the side of a body that slides along its wall, no soil lies ahead but the wall itself.
    const bool is_ahead = beyond >= 0;
    if (!is_ahead) beyond = s.footprint.node_beyond(node, step_of(out_x, out_y), kWallReach);
    if (beyond < 0) continue;
    const double depth = window.level(at(beyond)) - s.footprint.cells.body[at(piece.cell)];
    if (depth <= 0) continue;
    const SoilMemory& column = window.memory[at(beyond)];
    const PatchLaws& law = *s.law[at(piece.cell)];
    s.walls.push_back({&piece, &column, depth, is_ahead});
    s.wall_depths.push_back(depth);
    s.wall_depths.push_back(std::min(depth, law.bekker.deepest_before(column.sunk)));
    s.wall_exponents.push_back(law.bekker.exponent + 1);
    s.wall_exponents.push_back(law.bekker.exponent + 1);
    s.wall_pushed.push_back(std::min(1.0, pushed / law.shear.modulus));
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
  ScmForce& sum = s.force;
  const Vec3 p_W = X_WB.p + middle_of(s.cells);
  const Vec2 step = (p_W - X_back * p_W).head<2>();
  sum.push = s.law.front()->shear.bent(push, step);
  find_walls(sum.push, s);
  power(s.wall_depths.data(), s.wall_exponents.data(), s.wall_depths.size(), s.wall_depths.data());
  const bool moves = options.deformation != ScmOptions::Deformation::none;
  // Number by number: vectors of three would go through memory on every turn.
  double fx = 0, fy = 0, tx = 0, ty = 0, tz = 0;
  for (std::size_t w = 0; w < s.walls.size(); ++w) {
    const ScmScratch::Wall& wall = s.walls[w];
    const auto cell = at(wall.piece->cell);
    const PatchLaws& law = *s.law[cell];
    const double strength =
        strength_of(wall, law, s.wall_depths[2 * w], s.wall_depths[2 * w + 1], moves);
    const double against = -s.wall_pushed[w] * strength * wall.piece->length;
    // Soil ahead is rubbed along too, with the part of its friction that this has mobilised. A wall that the body
    // only slides along is hardly pressed: which way its pieces look there is up to the grid.
    const double out_x = wall.piece->outward.x(), out_y = wall.piece->outward.y();
    const double along = (out_x * sum.push.y() - out_y * sum.push.x()) / law.shear.modulus;
    const double rub = wall.ahead ? law.shear.tan_friction * std::clamp(along, -1.0, 1.0) : 0;
    const double x = against * (out_x - rub * out_y), y = against * (out_y + rub * out_x);
    const double arm_z = s.cells.z[cell] + wall.depth / (law.bekker.exponent + 2);
    fx += x;
    fy += y;
    tx -= arm_z * y;
    ty += arm_z * x;
    tz += s.cells.x[cell] * y - s.cells.y[cell] * x;
  }
  sum.wall = Vec3(fx, fy, 0);
  sum.wrench.force += sum.wall;
  sum.wrench.torque += Vec3(tx, ty, tz);
}

}  // namespace grouser::internal
