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
    make_cells();
    if (out_.cells.empty()) return;
    find_bearing();
    s_.gradient.compute(cells_, s_.bears);
    find_patches();
    find_slopes();
    find_boundary();
  }

 private:
  void make_cells() {
    s_.body.assign(cells_.size(), kNone);
    s_.padded.clear();
    bool gaps = false;
    for (int j = 0; j < cells_.ny; ++j) {
      for (int i = 0; i < cells_.nx; ++i) {
        const std::size_t c = cells_.index(i, j);
        if (covered_[c] <= kLeast) continue;
        const std::size_t n = grid_.index(box_.first_i + i, box_.first_j + j);
        s_.body[c] = s_.raster.mean_height(i, j, s_.height[n]);
        gaps = gaps || s_.body[c] == kNone;
        s_.padded.push_back(c);
        // Number by number: vectors of two would be put together in memory first.
        ContactCell& cell = out_.cells.emplace_back();
        cell.node = static_cast<std::int32_t>(n);
        cell.coverage = covered_[c];
        cell.body = s_.body[c];
        cell.centre.x() = grid_.origin.x() + (box_.first_i + i) * grid_.spacing;
        cell.centre.y() = grid_.origin.y() + (box_.first_j + j) * grid_.spacing;
      }
    }
    if (gaps) fill_gaps();
  }

  /// Cells that are covered in part, between their samples: as deep as those next to them, or as a thin
  /// part that stands out below. What is left touches by less than the thickness of a line.
  void fill_gaps() {
    for (ContactCell& cell : out_.cells) {
      if (cell.body == kNone) cell.body = mean_around(cell);
    }
    std::erase_if(out_.cells, [&](const ContactCell& cell) {
      if (cell.body == kNone) covered_[index_of(cell)] = 0;
      return cell.body == kNone;
    });
    s_.padded.clear();
    for (const ContactCell& cell : out_.cells) {
      s_.padded.push_back(index_of(cell));
      s_.body[index_of(cell)] = cell.body;
    }
  }

  double mean_around(const ContactCell& cell) const {
    const std::size_t middle = index_of(cell), stride = static_cast<std::size_t>(cells_.stride());
    double sum = 0, weight = 0;
    for (const std::size_t row : {middle - stride, middle, middle + stride}) {
      for (const std::size_t c : {row - 1, row, row + 1}) {
        if (s_.body[c] == kNone) continue;
        sum += covered_[c] * s_.body[c];
        weight += covered_[c];
      }
    }
    const double bearing = s_.height[at(cell.node)];
    const double piece = s_.raster.lowest_between(cell.node % grid_.nx - box_.first_i,
                                                  cell.node / grid_.nx - box_.first_j);
    const double around = weight > 0 ? std::min(sum / weight, bearing) : kNone;
    return piece < bearing ? std::min(piece, around) : around;
  }

  std::size_t index_of(const ContactCell& cell) const {
    return cells_.index(cell.node % grid_.nx - box_.first_i, cell.node / grid_.nx - box_.first_j);
  }
  /// The same, of a cell in out_.cells.
  std::size_t padded(const ContactCell& cell) const {
    return s_.padded[static_cast<std::size_t>(&cell - out_.cells.data())];
  }

  /// How much a column bears, up to the factor of its patch: as its sinkage, on Bekker's curve, less
  /// where it springs back or where loose soil has yet to be pressed.
  double bearing_depth(const ContactCell& cell) const {
    const SoilMemory& column = out_.window.memory[at(cell.node)];
    const BekkerLaw law{.unloading = unloading_};
    const double z = std::max(0.0, out_.window.level(at(cell.node)) - cell.body);
    const double deepest = std::max(z, law.deepest_before(column.sunk));
    const double pressed = z * law.elastic_part(z, deepest);
    return column.fill > 0 ? std::max(pressed, z - column.dent()) : pressed;
  }

  /// Labels patches, and weighs what is covered: soil that just leans on the body, or springs back to
  /// it, makes long slivers along a patch. They carry nothing and must not make its outline longer.
  void find_bearing() {
    out_.patches.resize(at(s_.patches.label(cells_, covered_, kLeast)));
    s_.bears.assign(cells_.size(), 0);
    s_.deepest.assign(out_.patches.size(), 0);
    for (ContactCell& cell : out_.cells) {
      const std::size_t c = padded(cell);
      cell.patch = s_.patches.label_of(c);
      s_.bears[c] = bearing_depth(cell);
      s_.deepest[at(cell.patch)] = std::max(s_.deepest[at(cell.patch)], s_.bears[c]);
    }
    for (ContactCell& cell : out_.cells) {
      double& bears = s_.bears[padded(cell)];
      const double full = kBears * s_.deepest[at(cell.patch)];
      bears = cell.bears = cell.coverage * (bears < full ? bears / full : 1);
    }
  }

  /// The gradient reaches a cell beyond a patch; it counts for the patch next to it.
  void find_patches() {
    const double ds = grid_.spacing;
    for (int j = 0; j < cells_.ny; ++j) {
      const std::size_t first = cells_.index(0, j);
      for (std::size_t c = first; c < first + at(cells_.nx); ++c) {
        if (s_.gradient.length(c) == 0) continue;
        const std::int32_t patch = s_.patches.label_near(cells_, c);
        if (patch >= 0) out_.patches[at(patch)].length += s_.gradient.length(c) * ds;
      }
    }
    border_distance(cells_, covered_, kLeast, s_.border);
    for (ContactCell& cell : out_.cells) {
      const std::size_t c = padded(cell);
      cell.border = s_.border[c] * ds;
      out_.patches[at(cell.patch)].area += cell.bears * ds * ds;
    }
  }

  /// Slope of the body's surface by differences over the cells in contact: a wall between two cells
  /// counts with its full height. And the middle of what is covered, which lies inward at the border.
  void find_slopes() {
    const double inverse = 1 / grid_.spacing;
    const auto difference = [&](double before, double here, double after) {
      if (before == kNone) return after == kNone ? 0 : (after - here) * inverse;
      return after == kNone ? (here - before) * inverse : (after - before) * (0.5 * inverse);
    };
    const auto stride = static_cast<std::size_t>(cells_.stride());
    for (ContactCell& cell : out_.cells) {
      const std::size_t c = padded(cell);
      cell.slope = Vec2(difference(s_.body[c - 1], cell.body, s_.body[c + 1]),
                        difference(s_.body[c - stride], cell.body, s_.body[c + stride]));
      if (cell.coverage > 1 - 1e-9) continue;
      const Vec2 inward = s_.gradient.at(c);
      const double length = inward.norm();
      if (length > 0) {
        cell.centre += 0.5 * grid_.spacing * (1 - cell.coverage) / length * inward;
      }
    }
  }

  /// Each cell of contact at the boundary stands for a piece of it. The gradient reaches a cell beyond the
  /// contact; what is there belongs to the next cell inward. So each side has its full length, wherever it
  /// lies on the grid.
  void find_boundary() {
    out_.touches.assign(out_.window.size(), 0);
    s_.inward_x.assign(cells_.size(), 0);
    s_.inward_y.assign(cells_.size(), 0);
    for (const ContactCell& cell : out_.cells) out_.touches[at(cell.node)] = 1;
    for (int j = 0; j < cells_.ny; ++j) {
      for (int i = 0; i < cells_.nx; ++i) {
        const std::size_t c = cells_.index(i, j);
        if (s_.gradient.length(c) < kLeast) continue;
        const Vec2 inward = s_.gradient.at(c);
        const NodeStep step = s_.body[c] == kNone ? step_of(inward) : NodeStep{};
        const std::size_t to = cells_.index(i + step.i, j + step.j);
        s_.inward_x[to] += inward.x();
        s_.inward_y[to] += inward.y();
      }
    }
    for (std::size_t k = 0; k < out_.cells.size(); ++k) {
      const std::size_t c = padded(out_.cells[k]);
      const Vec2 inward(s_.inward_x[c], s_.inward_y[c]);
      const double length = inward.norm();
      if (length < kLeast) continue;
      out_.boundary.push_back({.cell = static_cast<std::int32_t>(k),
                               .outward = -inward / length,
                               .length = length * grid_.spacing});
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
    for (int i = 0; i < grid.nx; ++i) {
      const std::size_t n = grid.index(i, j);
      scratch.height[n] = window.bearing(n);
      double& lowest = footprint.ceiling[n];
      lowest = scratch.raster.lowest()[n];
      if (lowest > window.surface(n) + grid.spacing) lowest = kNone;
      if (lowest < kNone) scratch.bearing[cells.index(i, j)] = scratch.height[n];
    }
  }
  const auto greater = [](double a, double b) { return a > b ? a : b; };
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

NodeStep step_of(const Vec2& direction) {
  constexpr double kSlanted = 0.38268343236508977;  // sin 22.5°
  const double least = kSlanted * direction.norm();
  const auto step = [&](double d) { return d > least ? 1 : (d < -least ? -1 : 0); };
  return {step(direction.x()), step(direction.y())};
}

std::int32_t Footprint::node_beyond(const ContactCell& cell, const Vec2& direction,
                                    int reach) const {
  const auto [di, dj] = step_of(direction);
  const GridSpec& grid = window.grid;
  int i = cell.node % grid.nx, j = cell.node / grid.nx;
  for (int steps = 0; steps < reach; ++steps) {
    i += di;
    j += dj;
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
  scratch.raster.sample(body, window.grid, grid.spacing, options);
  find_heights(scratch, footprint);
  scratch.raster.outline(body, window.grid, scratch.height, options);
  FootprintFinder(options.unloading, scratch, footprint).run();
}

}  // namespace grouser
