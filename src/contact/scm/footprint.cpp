#include "contact/scm/footprint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/index.h"
#include "math/lesser.h"

namespace grouser::internal {
namespace {

constexpr double kNone = BodyRaster::kNone;
constexpr double kLeast = 1e-9;  // of a cell: less coverage is rounding
constexpr double kBears =
    0.1;  // of the depth that bears most in a patch: a cell this deep counts fully

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
    border_distance(cells_, covered_, kLeast, s_.border);
    find_bearing();
    s_.gradient.compute(cells_, s_.bears);
    find_lengths();
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
      const double per_full = 1 / (kBears * s_.deepest[at(run.patch)]);
      const double* covered = &covered_[run.begin];
      double* __restrict bears = &s_.bears[run.begin];
      const std::size_t count = run.end - run.begin;
      for (std::size_t k = 0; k < count; ++k)
        bears[k] = covered[k] * lesser(bears[k] * per_full, 1);
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum += bears[k];
      out_.patches[at(run.patch)].area += sum * cell_area;
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

  void make_cells(const CellRun& run, std::size_t next) {
    ContactCells& cells = out_.cells;
    const std::size_t count = run.end - run.begin;
    const double ds = grid_.spacing;
    const int i = box_.first_i + column_of(run.begin), j = box_.first_j + row_of(run.begin);
    const auto node = static_cast<std::int32_t>(grid_.index(i, j));
    std::iota(&cells.node[next], &cells.node[next] + count, node);
    std::fill_n(&cells.patch[next], count, run.patch);
    std::copy_n(&covered_[run.begin], count, &cells.coverage[next]);
    std::copy_n(&s_.bears[run.begin], count, &cells.bears[next]);
    std::copy_n(&s_.body[run.begin], count, &cells.body[next]);
    std::fill_n(&cells.y[next], count, grid_.origin.y() + j * ds);
    const double x = grid_.origin.x();
    const double* border = &s_.border[run.begin];
    for (std::size_t k = 0; k < count; ++k) {
      cells.x[next + k] = x + (i + static_cast<int>(k)) * ds;
      cells.border[next + k] = border[k] * ds;
    }
    find_slopes(run, 1, &cells.slope_x[next]);
    find_slopes(run, cells_.stride(), &cells.slope_y[next]);
    for (std::size_t k = 0; k < count; ++k) {
      if (s_.gradient.length(run.begin + k) > 0) make_edge(run.begin + k, next + k);
    }
  }

  /// Of the body's surface, by differences over the cells in contact, which are `step` apart: a wall between
  /// two cells counts with its full height.
  void find_slopes(const CellRun& run, std::ptrdiff_t step, double* __restrict slopes) const {
    const double *here = &s_.body[run.begin], *before = here - step, *after = here + step;
    const double whole = 1 / grid_.spacing, half = 0.5 / grid_.spacing;
    for (std::size_t k = 0; k < run.end - run.begin; ++k) {
      const bool first = before[k] == kNone, last = after[k] == kNone;
      const double rise = (last ? here[k] : after[k]) - (first ? here[k] : before[k]);
      slopes[k] = rise * (first || last ? whole : half);
    }
  }

  /// At the border, the middle of what is covered lies inward.
  void make_edge(std::size_t c, std::size_t cell) {
    ContactCells& cells = out_.cells;
    if (cells.coverage[cell] > 1 - 1e-9) return;
    const double inward = 0.5 * grid_.spacing * (1 - cells.coverage[cell]) / s_.gradient.length(c);
    cells.x[cell] += inward * s_.gradient.inward_x(c);
    cells.y[cell] += inward * s_.gradient.inward_y(c);
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
void find_heights(FootprintScratch& scratch, const Footprint& footprint) {
  const SoilWindow& window = footprint.window;
  const GridSpec& grid = window.grid;
  const PaddedGrid cells{grid.nx, grid.ny};
  scratch.bearing.assign(cells.size(), -kNone);  // where the body stands, padded
  scratch.height.resize(grid.size());
  for (int j = 0; j < grid.ny; ++j) {
    const std::size_t n = grid.index(0, j);
    const SoilMemory* columns = &window.memory[n];
    const double *base = &window.base[n], *lowest = &scratch.raster.lowest()[n];
    double* __restrict height = &scratch.height[n];
    double* __restrict bearing = &scratch.bearing[cells.index(0, j)];
    for (int i = 0; i < grid.nx; ++i) {
      const SoilMemory& column = columns[i];
      const double level = base[i] + column.deposit;
      const bool over = lowest[i] <= level - column.lowered + grid.spacing;
      height[i] = level - column.dent();
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

/// Takes what of the body and of the soil may touch; false if nothing does.
bool find_window(const ScmBody& body, const Pose& X_WB, const ScmSoil& soil,
                 FootprintScratch& scratch, Footprint& footprint) {
  if (!scratch.ground.find_below(body.bounds(), X_WB, soil, scratch.base)) return false;
  const GridSpec& grid = soil.map.grid();
  // The body counts where it is less than a cell above the ground.
  const Rect rect = scratch.raster.gather(body, X_WB, scratch.ground, grid.spacing);
  if (scratch.raster.empty() || !(rect.lower.x() <= rect.upper.x())) return false;
  const NodeRect nodes = nodes_around(grid, rect, kOverhang);
  if (nodes.empty()) return false;
  footprint.window.load(soil, nodes, scratch.base);
  return true;
}

}  // namespace

void ContactCells::resize(std::size_t count) {
  for (std::vector<std::int32_t>* values : {&node, &patch}) values->resize(count);
  for (std::vector<double>* values :
       {&coverage, &bears, &body, &slope_x, &slope_y, &x, &y, &border}) {
    values->resize(count);
  }
}

void ContactCells::push_back(const ContactCell& cell) {
  node.push_back(cell.node);
  patch.push_back(cell.patch);
  coverage.push_back(cell.coverage);
  bears.push_back(cell.bears);
  body.push_back(cell.body);
  slope_x.push_back(cell.slope.x());
  slope_y.push_back(cell.slope.y());
  x.push_back(cell.centre.x());
  y.push_back(cell.centre.y());
  border.push_back(cell.border);
}

std::int32_t Footprint::node_beyond(std::int32_t node, NodeStep step, int reach) const {
  const GridSpec& grid = window.grid;
  int i = node % grid.nx, j = node / grid.nx;
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
  footprint.patches.clear();
  footprint.boundary.clear();
  footprint.underside.rect = {};
  if (find_window(body, X_WB, soil, scratch, footprint)) {
    scratch.raster.sample(footprint.window.grid, options);
    find_heights(scratch, footprint);
    scratch.raster.outline(body, footprint.window.grid, scratch.height, options);
    FootprintFinder(options.unloading, scratch, footprint).run();
  }
  if (footprint.patches.empty()) footprint.cells.clear();
}

}  // namespace grouser::internal
