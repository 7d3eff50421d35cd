#include "contact/scm/deposition.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/float8.h"
#include "math/power.h"

namespace grouser {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// Sum in an order that vector units can follow, the same on all machines.
float sum_of(const std::vector<float>& values) {
  constexpr std::size_t kLanes = 8;
  Float8 lanes{}, part{};
  std::size_t k = 0;
  for (; k + kLanes <= values.size(); k += kLanes) {
    std::memcpy(&part, &values[k], sizeof part);
    lanes += part;
  }
  float sum = 0;
  for (; k < values.size(); ++k) sum += values[k];
  for (std::size_t l = 0; l < kLanes; ++l) sum += lanes[l];
  return sum;
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

void add_source(const SoilWork& work, SoilSource source, double lowered, DepositionScratch& s) {
  source.height = to_soil_quanta(source.height - lowered);
  if (source.height <= 0) return;
  s.sources.push_back(source);
  s.pressed[work.grid.index(source.i, source.j)] = 1;
}

void raise_cosines(double exponent, DepositionScratch& s) {
  const std::size_t count = s.receivers.size();
  s.powers.assign(s.cosines.begin(), s.cosines.end());
  s.exponents.assign(count, exponent);
  power(s.powers.data(), s.exponents.data(), count, s.powers.data());
  for (std::size_t b = 0; b < count; ++b) s.cosines[b] = static_cast<float>(s.powers[b]);
}

/// Shares of one source, before they are scaled, to all sides and ahead. Single precision will do: what
/// rounding does to a share, another one gets.
void weigh(const SoilEmitter& source, double exponent, Thinning thinning, DepositionScratch& s) {
  const std::size_t count = s.receivers.size();
  const auto ux = static_cast<float>(source.ahead.x()), uy = static_cast<float>(source.ahead.y());
  const float line = thinning == Thinning::line ? 1 : 0, area = 1 - line;
  const auto si = static_cast<float>(source.i), sj = static_cast<float>(source.j);
  const float *ti = s.receivers.i.data(), *tj = s.receivers.j.data();
  const float* weight = s.receivers.weight.data();
  float* __restrict all_round = s.all_round.data();
  float* __restrict cosines = s.cosines.data();
  for (std::size_t b = 0; b < count; ++b) {
    const float i = ti[b] - si, j = tj[b] - sj;
    const float near = 1 / std::sqrt(i * i + j * j);
    const float cosine = (i * ux + j * uy) * near;
    all_round[b] = weight[b] * near * (line * near + area);
    cosines[b] = cosine > 0 ? cosine : 0;
  }
  if (source.pushed == 0) return;
  if (exponent != 1) raise_cosines(exponent, s);
  float* __restrict ahead = s.ahead.data();
  for (std::size_t b = 0; b < count; ++b) ahead[b] = all_round[b] * cosines[b];
}

void share_out(const SoilEmitter& source, double exponent, Thinning thinning,
               DepositionScratch& s) {
  weigh(source, exponent, thinning, s);
  const std::size_t count = s.receivers.size();
  const double sum = sum_of(s.all_round);
  const double sum_ahead = source.pushed > 0 ? sum_of(s.ahead) : 0.0F;
  const double pushed = sum_ahead > 0 ? source.pushed : 0;  // nothing ahead: to all sides
  const double scale = source.height * (1 - pushed) / sum;
  const double scale_ahead = pushed > 0 ? source.height * pushed / sum_ahead : 0;
  double* __restrict gain = s.receivers.gain.data();
  const float *all_round = s.all_round.data(), *ahead = s.ahead.data();
  if (pushed == 0) {
    for (std::size_t b = 0; b < count; ++b) gain[b] += scale * double{all_round[b]};
  } else {
    for (std::size_t b = 0; b < count; ++b) {
      gain[b] += scale * double{all_round[b]} + scale_ahead * double{ahead[b]};
    }
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
  i.reserve(count);
  j.reserve(count);
  node.reserve(count);
  weight.reserve(count);
  outward.reserve(count);
  gain.reserve(count);
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
  const ContactCells& cells = body.footprint->cells;
  const std::vector<BoundaryPiece>& boundary = body.footprint->boundary;
  std::size_t next = 0;  // of the boundary, whose pieces are in the order of cells
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const ContactCell& cell = cells[k];
    const bool rim = next < boundary.size() && boundary[next].cell == static_cast<std::int32_t>(k);
    const BoundaryPiece* wall = rim ? &boundary[next++] : nullptr;
    const SoilWork::Place at = work.place(body.footprint->window, cell.node);
    const SoilMemory& column = work.column(at.i, at.j);
    SoilSource source{.i = at.i, .j = at.j, .height = cell.coverage * column.dent()};
    split(body, cell, wall, column.dent(), source);
    add_source(work, source, column.lowered, s);
    s.pressed[work.grid.index(at.i, at.j)] = 1;
  }
  for (int j = skipped.j0 - work.window.j0; j < skipped.j0 - work.window.j0 + skipped.ny; ++j) {
    for (int i = skipped.i0 - work.window.i0; i < skipped.i0 - work.window.i0 + skipped.nx; ++i) {
      if (work.held[work.grid.index(i, j)] != 0) continue;
      add_source(work, {.i = i, .j = j, .height = dent_left(work, i, j)}, work.column(i, j).lowered,
                 s);
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
  for (int j = 0; j < work.grid.ny; ++j) {
    for (int i = 0; i < work.grid.nx; ++i) {
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
  const std::size_t count = to.size();
  if (s.sources.empty() || !(sum_of(to.weight) > 0)) return 0;
  to.gain.assign(count, 0);
  for (std::vector<float>* values : {&s.all_round, &s.ahead, &s.cosines}) {
    values->reserve(work.grid.size());
    values->resize(count);
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
  for (double& gain : to.gain) given += gain = to_soil_quanta(gain);
  *std::max_element(to.gain.begin(), to.gain.end()) += taken - given;
  for (std::size_t b = 0; b < count; ++b) {
    work.heap(at(to.node[b]), work.step_along(to.outward[b]), to.gain[b]);
  }
  return taken;
}

}  // namespace grouser
