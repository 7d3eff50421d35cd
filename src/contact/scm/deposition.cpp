#include "contact/scm/deposition.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/index.h"
#include "math/power.h"

namespace grouser::internal {
namespace {

/// As many floats at once as the widest vector units take; the same bits with any.
constexpr std::size_t kLanes = 16;
using Lanes = float __attribute__((vector_size(4 * kLanes)));
using Bits = std::uint32_t __attribute__((vector_size(4 * kLanes)));

Lanes lanes(const std::vector<float>& values, std::size_t k) {
  Lanes out;
  std::memcpy(&out, &values[k], sizeof out);
  return out;
}

void put(const Lanes& in, std::vector<float>& values, std::size_t k) {
  std::memcpy(&values[k], &in, sizeof in);
}

float sum_of(const Lanes& a) {
  using Half = float __attribute__((vector_size(2 * kLanes)));
  Half low, high;
  std::memcpy(&low, &a, sizeof low);
  std::memcpy(&high, reinterpret_cast<const char*>(&a) + sizeof low, sizeof high);
  const Half sum = low + high;
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

/// 1/√x for x > 0, to a few units of the last place. A guess from the bits of x, then Newton's method
/// three times: faster than to divide and to take roots, which are not made for many at once.
Lanes inverse_root(const Lanes& x) {
  Bits bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = 0x5f375a86U - (bits >> 1);
  Lanes y;
  std::memcpy(&y, &bits, sizeof y);
  const Lanes half = 0.5F * x;
  for (int step = 0; step < 3; ++step) y *= 1.5F - half * y * y;
  return y;
}

/// Height of soil that a wall takes per time as the body pushes it out [m/s]; `dent`: that of the cell.
double swept_by(const BoundaryPiece& wall, const ContactCell& cell,
                const SoilToucher::Motion& motion, double dent, double spacing) {
  const double along_normal = motion.closing / (1 + cell.slope.squaredNorm());
  const Vec2 v = Vec2(motion.slide_x, motion.slide_y) + along_normal * cell.slope;
  // If the surface rises to the rim, what is left of the depth there is the wall.
  const double rise = std::max(0.0, cell.slope.dot(wall.outward)) * spacing;
  const double depth = std::max(0.0, dent - rise);
  return std::max(0.0, v.dot(wall.outward)) * depth * wall.length / (spacing * spacing);
}

/// What the surface takes by closing in on the soil, and what a wall takes, by the rates at which they do; as
/// in find_sources(). `wall`: the boundary there, or null.
void split(const SoilToucher& body, const ContactCell& cell, const BoundaryPiece* wall, double dent,
           SoilSource& source) {
  const SoilToucher::Motion motion = body.motion(cell);
  double all = std::max(0.0, motion.closing);
  Vec2 ahead = all / (1 + cell.slope.norm()) * cell.slope;
  if (wall != nullptr) {
    const double swept = swept_by(*wall, cell, motion, dent, body.footprint->window.grid.spacing);
    ahead += swept * wall->outward;
    all += swept;
  }
  const double length = ahead.norm();
  if (length == 0) return;
  source.pushed = length / all;
  source.ahead = ahead / length;
}

/// Of a column that was pressed and left before anyone looked: how much of it was covered is not known
/// any more. All, if its neighbours were pressed too; else half.
double dent_left(const SoilWork& work, int i, int j) {
  const SoilMemory& column = work.column(i, j);
  if (column.dent() == 0 || column.lowered > 0) return 0;
  bool inside = true;
  for (int l = std::max(0, j - 1); l <= std::min(work.grid.ny - 1, j + 1); ++l) {
    for (int k = std::max(0, i - 1); k <= std::min(work.grid.nx - 1, i + 1); ++k) {
      inside &= work.column(k, l).dent() > 0;
    }
  }
  return inside ? column.dent() : 0.5 * column.dent();
}

void raise_cosines(double exponent, DepositionScratch& s) {
  const std::size_t count = s.cosines.size();
  s.powers.assign(s.cosines.begin(), s.cosines.end());
  s.exponents.assign(count, exponent);
  power(s.powers.data(), s.exponents.data(), count, s.powers.data());
  for (std::size_t b = 0; b < count; ++b) s.cosines[b] = static_cast<float>(s.powers[b]);
}

/// Shares of one source, before they are scaled, to all sides, and the cosines that those ahead have
/// besides. Single precision will do: what rounding does to a share, another one gets.
void weigh(const SoilEmitter& source, Thinning thinning, DepositionScratch& s) {
  const auto ux = static_cast<float>(source.ahead.x()), uy = static_cast<float>(source.ahead.y());
  const auto si = static_cast<float>(source.i), sj = static_cast<float>(source.j);
  const float line = thinning == Thinning::line ? 1 : 0, area = 1 - line;
  for (std::size_t b = 0; b < s.cosines.size(); b += kLanes) {
    const Lanes i = lanes(s.receivers.i, b) - si, j = lanes(s.receivers.j, b) - sj;
    const Lanes near = inverse_root(i * i + j * j);
    const Lanes cosine = (i * ux + j * uy) * near;
    put(lanes(s.receivers.weight, b) * near * (line * near + area), s.all_round, b);
    put(cosine > 0 ? cosine : Lanes{}, s.cosines, b);
  }
}

void share_out(const SoilEmitter& source, double exponent, Thinning thinning,
               DepositionScratch& s) {
  weigh(source, thinning, s);
  if (exponent != 1 && source.pushed > 0) raise_cosines(exponent, s);
  Lanes sums{}, sums_ahead{};
  for (std::size_t b = 0; b < s.cosines.size(); b += kLanes) {
    const Lanes share = lanes(s.all_round, b);
    sums += share;
    sums_ahead += share * lanes(s.cosines, b);
  }
  const double sum = sum_of(sums), sum_ahead = sum_of(sums_ahead);
  const double pushed = sum_ahead > 0 ? source.pushed : 0;  // nothing ahead: to all sides
  const auto scale = static_cast<float>(source.height * (1 - pushed) / sum);
  const auto scale_ahead = static_cast<float>(pushed > 0 ? source.height * pushed / sum_ahead : 0);
  for (std::size_t b = 0; b < s.cosines.size(); b += kLanes) {
    const Lanes scales = scale + scale_ahead * lanes(s.cosines, b);
    put(lanes(s.receivers.gain, b) + lanes(s.all_round, b) * scales, s.receivers.gain, b);
  }
}

}  // namespace

// Number by number: vectors of three would be put together in memory only to be taken apart again.
SoilToucher::Motion SoilToucher::motion(const ContactCell& cell) const {
  const double *w = V_WB.angular.data(), *v = V_WB.linear.data(), *p = X_WB.p.data();
  const double rx = cell.centre.x() - p[0], ry = cell.centre.y() - p[1], rz = cell.body - p[2];
  const double vx = v[0] + w[1] * rz - w[2] * ry;
  const double vy = v[1] + w[2] * rx - w[0] * rz;
  const double vz = v[2] + w[0] * ry - w[1] * rx;
  const double sx = cell.slope.x(), sy = cell.slope.y();  // the outward normal is (sx, sy, -1)
  const double closing = vx * sx + vy * sy - vz;
  const double along_normal = closing / (1 + sx * sx + sy * sy);
  return {closing, vx - along_normal * sx, vy - along_normal * sy};
}

void SoilReceivers::reserve(std::size_t count) {
  for (std::vector<float>* values : {&i, &j, &weight, &gain}) values->reserve(count + kLanes);
  node.reserve(count);
  outward.reserve(count);
}

void SoilReceivers::fill_up() {
  constexpr float kFar = 1e6;
  const std::size_t count = (size() + kLanes - 1) / kLanes * kLanes;
  i.resize(count, kFar);
  j.resize(count, kFar);
  weight.resize(count, 0);
  gain.assign(count, 0);
}

void SoilReceivers::clear() {
  i.clear();
  j.clear();
  node.clear();
  weight.clear();
  outward.clear();
}

void SoilReceivers::add(int column, int row, std::size_t padded, double node_weight,
                        const Vec2& node_outward) {
  i.push_back(static_cast<float>(column));
  j.push_back(static_cast<float>(row));
  node.push_back(static_cast<std::int32_t>(padded));
  weight.push_back(static_cast<float>(node_weight));
  outward.push_back(node_outward);
}

void find_sources(const SoilToucher& body, const NodeRect& skipped, SoilWork& work,
                  DepositionScratch& s) {
  s.sources.clear();
  s.sources.reserve(work.grid.size());
  s.pressed.assign(work.grid.size(), 0);
  s.region = contact_rect(*body.footprint).joined(skipped);
  s.region.i0 -= work.window.i0;
  s.region.j0 -= work.window.j0;
  const ContactCells& cells = body.footprint->cells;
  const std::vector<BoundaryPiece>& boundary = body.footprint->boundary;
  std::size_t next = 0;  // of the boundary, whose pieces are in the order of cells
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const ContactCell& cell = cells[k];
    const bool rim = next < boundary.size() && boundary[next].cell == static_cast<std::int32_t>(k);
    const BoundaryPiece* wall = rim ? &boundary[next++] : nullptr;
    const SoilWork::Place at = work.place(body.footprint->window, cell.node);
    const SoilMemory& column = work.column(at.i, at.j);
    s.pressed[work.grid.index(at.i, at.j)] = 1;
    const double height = to_soil_quanta(cell.coverage * column.dent() - column.lowered);
    if (height <= 0) continue;
    s.sources.push_back({.i = at.i, .j = at.j, .height = height});
    split(body, cell, wall, column.dent(), s.sources.back());
  }
  for (int j = skipped.j0 - work.window.j0; j < skipped.j0 - work.window.j0 + skipped.ny; ++j) {
    for (int i = skipped.i0 - work.window.i0; i < skipped.i0 - work.window.i0 + skipped.nx; ++i) {
      if (work.held[work.grid.index(i, j)] != 0) continue;
      const double height = to_soil_quanta(dent_left(work, i, j) - work.column(i, j).lowered);
      if (height <= 0) continue;
      s.sources.push_back({.i = i, .j = j, .height = height});
      s.pressed[work.grid.index(i, j)] = 1;
    }
  }
}

void find_emitters(int side, const SoilWork& work, DepositionScratch& s) {
  // Blocks lie still on the map, wherever the window is.
  const int first_i = work.window.i0 / side, first_j = work.window.j0 / side;
  const int per_row = (work.window.i0 + work.grid.nx - 1) / side - first_i + 1;
  const int rows = (work.window.j0 + work.grid.ny - 1) / side - first_j + 1;
  s.blocks.reserve(work.grid.size());
  s.blocks.assign(at(per_row) * at(rows), -1);
  s.emitters.reserve(work.grid.size());
  s.emitters.clear();
  for (const SoilSource& source : s.sources) {
    const int i = (work.window.i0 + source.i) / side - first_i;
    const int j = (work.window.j0 + source.j) / side - first_j;
    std::int32_t& slot = s.blocks[at(j) * at(per_row) + at(i)];
    if (slot < 0) {
      slot = static_cast<std::int32_t>(s.emitters.size());
      s.emitters.emplace_back();
    }
    SoilEmitter& sum = s.emitters[at(slot)];
    sum.i += source.height * source.i;
    sum.j += source.height * source.j;
    sum.height += source.height;
    sum.ahead += source.height * source.pushed * source.ahead;
  }
  for (SoilEmitter& emitter : s.emitters) {
    const double ahead = emitter.ahead.norm();
    emitter.i /= emitter.height;
    emitter.j /= emitter.height;
    emitter.pushed = ahead / emitter.height;
    if (ahead > 0) emitter.ahead /= ahead;
  }
}

void find_border(SoilWork& work, DepositionScratch& s) {
  // Of a cell: a body that stands over all its border pushes soil there too.
  constexpr double kLeastRoom = 1e-3;
  s.receivers.reserve(work.grid.size());
  const double ds = work.window.grid.spacing;
  s.receivers.clear();
  const std::size_t row = static_cast<std::size_t>(work.grid.stride());
  // One node around what is pressed.
  const int i0 = std::max(0, s.region.i0 - 1), j0 = std::max(0, s.region.j0 - 1);
  const int i1 = std::min(work.grid.nx, s.region.i0 + s.region.nx + 1);
  const int j1 = std::min(work.grid.ny, s.region.j0 + s.region.ny + 1);
  for (int j = j0; j < j1; ++j) {
    for (int i = i0; i < i1; ++i) {
      const std::size_t p = work.grid.index(i, j);
      const double *low = &s.pressed[p - row], *mid = &s.pressed[p], *high = &s.pressed[p + row];
      const double right = low[1] + 2 * mid[1] + high[1];
      const double left = low[-1] + 2 * mid[-1] + high[-1];
      if (work.held[p] != 0 || mid[0] != 0) continue;
      if (left + right + low[0] + high[0] == 0) continue;
      const double above = high[-1] + 2 * high[0] + high[1];
      const double below = low[-1] + 2 * low[0] + low[1];
      // Under the body there is less room than beside it.
      const Vec2 outward(left - right, below - above);
      s.receivers.add(i, j, p, outward.norm() * std::clamp(work.room(p) / ds, kLeastRoom, 1.0),
                      outward);
    }
  }
}

double lay_down(const ScmOptions& options, Thinning thinning, SoilWork& work,
                DepositionScratch& s) {
  SoilReceivers& to = s.receivers;
  const float weight = std::accumulate(to.weight.begin(), to.weight.end(), 0.0F);
  if (s.sources.empty() || !(weight > 0)) return 0;
  to.fill_up();
  for (std::vector<float>* values : {&s.all_round, &s.cosines}) {
    values->reserve(work.grid.size() + kLanes);
    values->resize(to.gain.size());
  }
  double taken = 0;
  for (const SoilEmitter& emitter : s.emitters) {
    share_out(emitter, options.ahead_exponent, thinning, s);
  }
  for (const SoilSource& source : s.sources) {
    work.press(source.i, source.j, source.height);
    taken += source.height;
  }
  // Rounded once per node; what that leaves over goes to the node that gets most.
  double given = 0;
  for (const float gain : to.gain) given += to_soil_quanta(double{gain});
  const auto most =
      static_cast<std::size_t>(std::max_element(to.gain.begin(), to.gain.end()) - to.gain.begin());
  for (std::size_t b = 0; b < to.size(); ++b) {
    const double height = to_soil_quanta(double{to.gain[b]}) + (b == most ? taken - given : 0);
    work.heap(at(to.node[b]), work.step_along(to.outward[b]), height);
  }
  return taken;
}

}  // namespace grouser::internal
