#include "contact/scm/footprint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace grouser {
namespace {

constexpr double kNone = BodyRaster::kNone;
constexpr double kLeast = 1e-9;  // of a cell: less coverage is rounding
constexpr double kBears =
    0.1;  // of the depth that bears most in a patch: a cell this deep counts fully

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// As the machine's instructions choose: the second where a number is none.
double greater(double a, double b) { return a > b ? a : b; }

/// Makes cells, patches and boundary of what the body's raster shows.
class FootprintFinder {
 public:
  FootprintFinder(double unloading, FootprintScratch& scratch, Footprint& footprint)
      : s_(scratch),
        out_(footprint),
        grid_(footprint.window.grid),
        box_(scratch.raster.box()),
        cells_(box_.cells),
        covered_(scratch.raster.covered()),
        unloading_(unloading) {}

  void run() {
    find_body();
    out_.patches.resize(at(s_.patches.label(cells_, covered_, kLeast)));
    if (out_.patches.empty()) return;
    find_bearing();
    s_.gradient.compute(cells_, s_.bears);
    find_lengths();
    border_distance(cells_, covered_, kLeast, s_.border);
    make_cells();
    find_boundary();
  }

 private:
  /// Heights of the body over the cells in contact.
  void find_body() {
    s_.body.assign(cells_.size(), kNone);
    s_.gaps.clear();
    for (int j = 0; j < cells_.ny; ++j) {
      const std::size_t first = cells_.index(0, j);
      s_.raster.mean_heights(j, &s_.height[node_of(first)], &s_.body[first]);
      for (std::size_t c = first; c < first + at(cells_.nx); ++c) {
        const bool covered = covered_[c] > kLeast;
        if (covered && s_.body[c] == kNone) s_.gaps.push_back({c, kNone});
        s_.body[c] = covered ? s_.body[c] : kNone;
      }
    }
    fill_gaps();
  }

  /// Cells that are covered in part, between their samples: as deep as those next to them, or as a thin
  /// part that stands out below. What is left touches by less than the thickness of a line.
  void fill_gaps() {
    for (FootprintScratch::Gap& gap : s_.gaps) gap.body = mean_around(gap.cell);
    for (const FootprintScratch::Gap& gap : s_.gaps) {
      s_.body[gap.cell] = gap.body;
      if (gap.body == kNone) covered_[gap.cell] = 0;
    }
  }

  double mean_around(std::size_t middle) const {
    const auto stride = at(cells_.stride());
    double sum = 0, weight = 0;
    for (const std::size_t row : {middle - stride, middle, middle + stride}) {
      for (const std::size_t c : {row - 1, row, row + 1}) {
        if (s_.body[c] == kNone) continue;
        sum += covered_[c] * s_.body[c];
        weight += covered_[c];
      }
    }
    const double bearing = s_.height[node_of(middle)];
    const double piece = s_.raster.lowest_between(column_of(middle), row_of(middle));
    const double around = weight > 0 ? std::min(sum / weight, bearing) : kNone;
    return piece < bearing ? std::min(piece, around) : around;
  }

  // Of a cell given by its index in padded arrays.
  int column_of(std::size_t cell) const { return static_cast<int>(cell % at(cells_.stride())) - 1; }
  int row_of(std::size_t cell) const { return static_cast<int>(cell / at(cells_.stride())) - 1; }
  std::size_t node_of(std::size_t cell) const {
    return grid_.index(box_.first_i + column_of(cell), box_.first_j + row_of(cell));
  }

  /// Weighs what is covered: soil that just leans on the body, or springs back to it, makes long slivers
  /// along a patch. They carry nothing and must not make its outline longer.
  void find_bearing() {
    s_.bears.assign(cells_.size(), 0);
    s_.deepest.assign(out_.patches.size(), 0);
    for (const CellRun& run : s_.patches.runs()) {
      find_bearing_depths(run);
      double& deepest = s_.deepest[at(run.patch)];
      deepest = std::max(deepest, *std::max_element(&s_.bears[run.begin], &s_.bears[run.end]));
    }
    const double cell_area = grid_.spacing * grid_.spacing;
    for (const CellRun& run : s_.patches.runs()) {
      const double full = kBears * s_.deepest[at(run.patch)];
      double& area = out_.patches[at(run.patch)].area;
      for (std::size_t c = run.begin; c < run.end; ++c) {
        s_.bears[c] = covered_[c] * (s_.bears[c] < full ? s_.bears[c] / full : 1);
        area += s_.bears[c] * cell_area;
      }
    }
  }

  /// How much columns bear, up to the factor of their patch: as their sinkage, on Bekker's curve, less
  /// where they spring back or where loose soil has yet to be pressed.
  void find_bearing_depths(const CellRun& run) {
    const BekkerLaw law{.unloading = unloading_};
    const std::size_t first = node_of(run.begin);
    const SoilMemory* columns = &out_.window.memory[first];
    const double *base = &out_.window.base[first], *body = &s_.body[run.begin];
    double* __restrict bears = &s_.bears[run.begin];
    for (std::size_t k = 0; k < run.end - run.begin; ++k) {
      const SoilMemory& column = columns[k];
      const double z = greater(base[k] + column.deposit - body[k], 0);
      const double deepest = greater(z, law.deepest_before(column.sunk));
      const double pressed = z * greater(1 - unloading_ * (1 - z / deepest), 0);  // 0/0 gives 0
      const double loose = column.fill > 0 ? z - column.dent() : 0;
      bears[k] = greater(loose, pressed);
    }
  }

  /// The gradient reaches a cell beyond a patch; it counts for the patch next to it.
  void find_lengths() {
    for (int j = 0; j < cells_.ny; ++j) {
      const std::size_t first = cells_.index(0, j);
      for (std::size_t c = first; c < first + at(cells_.nx); ++c) {
        if (s_.gradient.length(c) == 0) continue;
        const std::int32_t patch = s_.patches.label_near(cells_, c);
        if (patch >= 0) out_.patches[at(patch)].length += s_.gradient.length(c) * grid_.spacing;
      }
    }
  }

  void make_cells() {
    out_.touches.assign(out_.window.size(), 0);
    std::size_t count = 0;
    for (const CellRun& run : s_.patches.runs()) count += run.end - run.begin;
    out_.cells.resize(count);
    std::size_t next = 0;
    for (const CellRun& run : s_.patches.runs()) {
      std::fill_n(&out_.touches[node_of(run.begin)], run.end - run.begin, 1);
      make_cells(run, next);
      next += run.end - run.begin;
    }
  }

  // Number by number: vectors of two would be put together in memory first.
  void make_cells(const CellRun& run, std::size_t next) {
    const double ds = grid_.spacing;
    const int i = box_.first_i + column_of(run.begin), j = box_.first_j + row_of(run.begin);
    const double y = grid_.origin.y() + j * ds;
    const auto stride = static_cast<std::ptrdiff_t>(cells_.stride());
    for (std::size_t c = run.begin; c < run.end; ++c, ++next) {
      const auto k = static_cast<int>(c - run.begin);
      const double* body = &s_.body[c];
      ContactCell& cell = out_.cells[next];
      cell.node = static_cast<std::int32_t>(grid_.index(i + k, j));
      cell.patch = run.patch;
      cell.coverage = covered_[c];
      cell.bears = s_.bears[c];
      cell.body = *body;
      cell.slope.x() = slope(body[-1], *body, body[1]);
      cell.slope.y() = slope(body[-stride], *body, body[stride]);
      cell.centre.x() = grid_.origin.x() + (i + k) * ds;
      cell.centre.y() = y;
      cell.border = s_.border[c] * ds;
      if (s_.gradient.length(c) > 0) make_edge(c, cell);
    }
  }

  /// Of the body's surface, by differences over the cells in contact: a wall between two cells counts with
  /// its full height.
  double slope(double before, double here, double after) const {
    const double inverse = 1 / grid_.spacing;
    const bool first = before == kNone, last = after == kNone;
    const double rise = (last ? here : after) - (first ? here : before);
    return rise * (first || last ? inverse : 0.5 * inverse);
  }

  /// At the border, the middle of what is covered lies inward.
  void make_edge(std::size_t c, ContactCell& cell) {
    if (cell.coverage > 1 - 1e-9) return;
    const double inward = 0.5 * grid_.spacing * (1 - cell.coverage) / s_.gradient.length(c);
    cell.centre.x() += inward * s_.gradient.inward_x(c);
    cell.centre.y() += inward * s_.gradient.inward_y(c);
  }

  /// Each cell of contact at the boundary stands for a piece of it. The gradient reaches a cell beyond the
  /// contact; what is there belongs to the next cell inward. So each side has its full length, wherever it
  /// lies on the grid.
  void find_boundary() {
    s_.inward_x.assign(cells_.size(), 0);
    s_.inward_y.assign(cells_.size(), 0);
    const auto stride = static_cast<std::ptrdiff_t>(cells_.stride());
    for (int j = 0; j < cells_.ny; ++j) {
      const std::size_t first = cells_.index(0, j);
      for (std::size_t c = first; c < first + at(cells_.nx); ++c) {
        if (s_.gradient.length(c) < kLeast) continue;
        const double x = s_.gradient.inward_x(c), y = s_.gradient.inward_y(c);
        const NodeStep step = s_.body[c] == kNone ? step_of(x, y) : NodeStep{};
        const std::size_t to = c + static_cast<std::size_t>(step.j * stride + step.i);
        s_.inward_x[to] += x;
        s_.inward_y[to] += y;
      }
    }
    std::int32_t cell = 0;
    for (const CellRun& run : s_.patches.runs()) {
      for (std::size_t c = run.begin; c < run.end; ++c, ++cell) {
        const double x = s_.inward_x[c], y = s_.inward_y[c], square = x * x + y * y;
        if (square < kLeast * kLeast) continue;
        const double length = std::sqrt(square), outward = -1 / length;
        BoundaryPiece& piece = out_.boundary.emplace_back();
        piece.cell = cell;
        piece.outward.x() = outward * x;
        piece.outward.y() = outward * y;
        piece.length = length * grid_.spacing;
      }
    }
  }

  FootprintScratch& s_;
  Footprint& out_;
  const GridSpec& grid_;
  const Coverage::Box& box_;
  const PaddedGrid& cells_;
  std::vector<double>& covered_;
  double unloading_;
};

/// Heights below which the body touches. Ahead of a body that rolls or slides, pressed soil follows its
/// surface up to where that leaves the ground, somewhere between two nodes. A straight line from node
/// to node would run below it, and the body seem to touch up to half a cell too little: hence each node
/// is as high as the highest of its neighbours that the body stands over.
void find_heights(FootprintScratch& scratch, Footprint& footprint) {
  const SoilWindow& window = footprint.window;
  const GridSpec& grid = window.grid;
  const PaddedGrid cells{grid.nx, grid.ny};
  scratch.bearing.assign(cells.size(), -kNone);  // where the body stands, padded
  scratch.height.resize(grid.size());
  footprint.ceiling.resize(grid.size());
  for (int j = 0; j < grid.ny; ++j) {
    const std::size_t n = grid.index(0, j);
    const SoilMemory* columns = &window.memory[n];
    const double *base = &window.base[n], *lowest = &scratch.raster.lowest()[n];
    double* __restrict height = &scratch.height[n];
    double* __restrict ceiling = &footprint.ceiling[n];
    double* __restrict bearing = &scratch.bearing[cells.index(0, j)];
    for (int i = 0; i < grid.nx; ++i) {
      const SoilMemory& column = columns[i];
      const double level = base[i] + column.deposit;
      const bool over = lowest[i] <= level - column.lowered + grid.spacing;
      height[i] = level - column.dent();
      ceiling[i] = over ? lowest[i] : kNone;
      bearing[i] = over ? height[i] : -kNone;
    }
  }
  for (int j = 0; j < grid.ny; ++j) {
    const double* here = &scratch.bearing[cells.index(0, j)];
    const double *below = here - cells.stride(), *above = here + cells.stride();
    double* height = &scratch.height[grid.index(0, j)];
    for (int i = 0; i < grid.nx; ++i) {
      const double left = greater(here[i - 1], greater(below[i - 1], above[i - 1]));
      const double right = greater(here[i + 1], greater(below[i + 1], above[i + 1]));
      height[i] = greater(height[i], greater(greater(below[i], above[i]), greater(left, right)));
    }
  }
}

}  // namespace

std::int32_t Footprint::node_beyond(const ContactCell& cell, NodeStep step, int reach) const {
  const GridSpec& grid = window.grid;
  int i = cell.node % grid.nx, j = cell.node / grid.nx;
  for (int steps = 0; steps < reach; ++steps) {
    i += step.i;
    j += step.j;
    if (i < 0 || j < 0 || i >= grid.nx || j >= grid.ny) return -1;
    if (touches[grid.index(i, j)] == 0) return static_cast<std::int32_t>(grid.index(i, j));
  }
  return -1;
}

void find_footprint(const ScmBody& body, const Pose& X_WB, const ScmSoil& soil,
                    const ScmOptions& options, FootprintScratch& scratch, Footprint& footprint) {
  footprint.cells.clear();
  footprint.patches.clear();
  footprint.boundary.clear();
  const Aabb box = body.bounds();
  const Vec3 centre = X_WB * box.centre(), half = X_WB.R.cwiseAbs() * (0.5 * box.size());
  const Rect around{(centre - half).head<2>(), (centre + half).head<2>()};
  if (centre.z() - half.z() > soil.map.range(around).max) return;
  // That range may be wider than it need be, depending on what the soil was like before; what follows
  // must not. The body counts where it is less than a cell above the ground.
  const GridSpec& grid = soil.map.grid();
  const NodeRect below = nodes_around(grid, around, 1);
  if (below.empty()) return;
  scratch.ground.find(soil, below, scratch.base);
  const Rect rect = scratch.raster.gather(body, X_WB, scratch.ground, grid.spacing);
  if (scratch.raster.empty() || !(rect.lower.x() <= rect.upper.x())) return;
  SoilWindow& window = footprint.window;
  const NodeRect nodes = nodes_around(grid, rect, kOverhang);
  if (nodes.empty()) return;
  window.load(soil, nodes, scratch.base);
  scratch.raster.sample(window.grid, options);
  find_heights(scratch, footprint);
  scratch.raster.outline(body, window.grid, scratch.height, options);
  FootprintFinder(options.unloading, scratch, footprint).run();
}

}  // namespace grouser
