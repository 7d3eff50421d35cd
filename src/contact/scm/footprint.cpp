#include "contact/scm/footprint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace grouser {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// The triangles that reach below a height, placed in W, and the rectangle they stand over.
struct LowTriangles {
  const ScmBody& body;
  const Pose& X_WB;
  FootprintScratch& scratch;

  /// Box of all points that were placed.
  Rect gather(double height) {
    scratch.triangles.clear();
    scratch.placed.clear();
    ++scratch.stamp;
    Rect rect{Vec2::Constant(kNone), Vec2::Constant(-kNone)};
    const Vec3 up_B = X_WB.R.row(2);
    const auto limit = static_cast<float>(height - X_WB.p.z() + 1e-6 * (1 + std::abs(height)));
    body.bvh().traverse(
        [&](const Bvh::Node& node) {
          Float8 lowest{};
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto u = static_cast<float>(up_B[static_cast<Eigen::Index>(axis)]);
            lowest += u * (u > 0 ? node.lower[axis] : node.upper[axis]);
          }
          return bits_of((lowest <= float8(limit)) & (node.lower[0] <= node.upper[0]));
        },
        [&](std::span<const std::int32_t> triangles) {
          for (const std::int32_t t : triangles) {
            if (body.normal(at(t)).dot(up_B) >= 0) continue;  // looks up
            scratch.triangles.push_back(t);
            for (const std::int32_t v : body.mesh().triangles[at(t)]) place(v, rect);
          }
        });
    return rect;
  }

  void place(std::int32_t vertex, Rect& rect) {
    const std::size_t v = at(vertex);
    if (scratch.stamps[v] == scratch.stamp) return;
    scratch.stamps[v] = scratch.stamp;
    const Vec3 p = X_WB * body.mesh().vertices[v];
    scratch.points[v] = p;
    scratch.placed.push_back(vertex);
    rect.lower = rect.lower.cwiseMin(p.head<2>());
    rect.upper = rect.upper.cwiseMax(p.head<2>());
  }
};

/// Bilinear in the values of a window's nodes; the border's beyond it.
double interpolate(const GridSpec& grid, const std::vector<double>& values, double x, double y) {
  const double u = std::clamp((x - grid.origin.x()) / grid.spacing, 0.0, grid.nx - 1.0);
  const double v = std::clamp((y - grid.origin.y()) / grid.spacing, 0.0, grid.ny - 1.0);
  const int i = std::min(static_cast<int>(u), grid.nx - 2);
  const int j = std::min(static_cast<int>(v), grid.ny - 2);
  const double a = u - i, b = v - j;
  const double* row = &values[grid.index(i, j)];
  const double* next = row + grid.nx;
  return (1 - b) * ((1 - a) * row[0] + a * row[1]) + b * ((1 - a) * next[0] + a * next[1]);
}

/// Lowers the samples to a triangle. Positions are in samples, counted from the first one.
void sample_triangle(const Vec3& a, const Vec3& b, const Vec3& c, int nx, int ny,
                     std::vector<double>& samples) {
  const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
  if (area == 0) return;
  const auto [x_low, x_high] = std::minmax({a.x(), b.x(), c.x()});
  const auto [y_low, y_high] = std::minmax({a.y(), b.y(), c.y()});
  const int i0 = std::max(0, static_cast<int>(std::ceil(x_low)));
  const int j0 = std::max(0, static_cast<int>(std::ceil(y_low)));
  const int i1 = std::min(nx - 1, static_cast<int>(std::floor(x_high)));
  const int j1 = std::min(ny - 1, static_cast<int>(std::floor(y_high)));
  const double inverse = 1 / area;
  const double bx = (c.y() - a.y()) * inverse, by = (a.x() - c.x()) * inverse;
  const double cx = (a.y() - b.y()) * inverse, cy = (b.x() - a.x()) * inverse;
  constexpr double kSlack = -1e-12;  // samples on a common edge belong to both triangles
  for (int j = j0; j <= j1; ++j) {
    double* row = &samples[static_cast<std::size_t>(j) * static_cast<std::size_t>(nx)];
    const double dy = j - a.y();
    for (int i = i0; i <= i1; ++i) {
      const double dx = i - a.x();
      const double wb = bx * dx + by * dy, wc = cx * dx + cy * dy;
      if (wb < kSlack || wc < kSlack || 1 - wb - wc < kSlack) continue;
      const double z = a.z() + wb * (b.z() - a.z()) + wc * (c.z() - a.z());
      row[i] = std::min(row[i], z);
    }
  }
}

class FootprintFinder {
 public:
  FootprintFinder(const ScmBody& body, const Pose& X_WB, const ScmOptions& options,
                  FootprintScratch& scratch, Footprint& footprint)
      : body_(body),
        up_B_(X_WB.R.row(2)),
        m_(options.samples),
        s_(scratch),
        out_(footprint),
        grid_(footprint.window.grid) {}

  void run() {
    prepare();
    for (const std::int32_t t : s_.triangles) add_triangle(t);
    coverage_ = &s_.coverage.finish();
    make_cells();
    if (out_.cells.empty()) return;
    find_patches();
    find_borders();
    find_slopes();
  }

 private:
  void prepare() {
    const SoilWindow& window = out_.window;
    s_.bearing.resize(window.size());
    for (std::size_t n = 0; n < window.size(); ++n) {
      s_.bearing[n] = window.bearing(n);
    }
    for (const std::int32_t v : s_.placed) {
      const Vec3& p = s_.points[at(v)];
      s_.depth[at(v)] = interpolate(grid_, s_.bearing, p.x(), p.y()) - p.z();
      s_.in_samples[at(v)] = in_samples(p);
    }
    sx_ = grid_.nx * m_;
    sy_ = grid_.ny * m_;
    s_.samples.assign(static_cast<std::size_t>(sx_) * static_cast<std::size_t>(sy_), kNone);
    s_.coverage.reset(grid_);
  }

  /// Positions in samples: sample 0 of a cell stands half a sample from its border.
  Vec3 in_samples(const Vec3& p) const {
    const double scale = m_ / grid_.spacing, first = 0.5 * (m_ - 1);
    return {(p.x() - grid_.origin.x()) * scale + first, (p.y() - grid_.origin.y()) * scale + first,
            p.z()};
  }

  void add_triangle(std::int32_t t) {
    const Triangle& v = body_.mesh().triangles[at(t)];
    const std::array<double, 3> d = {s_.depth[at(v[0])], s_.depth[at(v[1])], s_.depth[at(v[2])]};
    if (d[0] <= 0 && d[1] <= 0 && d[2] <= 0) return;
    sample_triangle(s_.in_samples[at(v[0])], s_.in_samples[at(v[1])], s_.in_samples[at(v[2])], sx_,
                    sy_, s_.samples);
    add_boundary(t, v, d);
  }

  /// The parts of its outline that bound the contact: sides towards faces that look up, as far as they
  /// are below the soil, and the line along which the triangle dips into it. Seen from above, a triangle
  /// that looks down runs clockwise.
  void add_boundary(std::int32_t t, const Triangle& v, const std::array<double, 3>& d) {
    std::array<Vec2, 2> cut;
    int cuts = 0;
    bool enters_first = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3;
      const Vec2 a = s_.points[at(v[k])].head<2>(), b = s_.points[at(v[l])].head<2>();
      const bool in_a = d[k] > 0, in_b = d[l] > 0;
      Vec2 crossing = Vec2::Zero();
      if (in_a != in_b && cuts < 2) {
        crossing = a + d[k] / (d[k] - d[l]) * (b - a);
        if (cuts == 0) enters_first = in_b;
        cut[static_cast<std::size_t>(cuts++)] = crossing;
      }
      if (!in_a && !in_b) continue;
      const std::int32_t neighbour = body_.neighbours(at(t))[k];
      if (body_.normal(at(neighbour)).dot(up_B_) < 0) continue;  // goes on there
      s_.coverage.add_line(in_b ? b : crossing, in_a ? a : crossing);
    }
    if (cuts < 2) return;
    // The outline of the part below runs from where it leaves to where it enters; turned round.
    const Vec2& enter = enters_first ? cut[0] : cut[1];
    const Vec2& leave = enters_first ? cut[1] : cut[0];
    s_.coverage.add_line(enter, leave);
  }

  /// Mean height of the body over the samples of a cell that are in contact; kNone if there are none.
  double mean_body(int i, int j, double bearing) const {
    double sum = 0;
    int count = 0;
    for (int l = 0; l < m_; ++l) {
      const double* row =
          &s_.samples[static_cast<std::size_t>(j * m_ + l) * static_cast<std::size_t>(sx_) +
                      static_cast<std::size_t>(i * m_)];
      for (int k = 0; k < m_; ++k) {
        if (!(row[k] < bearing)) continue;
        sum += row[k];
        ++count;
      }
    }
    return count > 0 ? sum / count : kNone;
  }

  void make_cells() {
    constexpr double kLeast = 1e-9;  // of a cell: less is rounding
    s_.body.assign(out_.window.size(), kNone);
    for (int j = 0; j < grid_.ny; ++j) {
      for (int i = 0; i < grid_.nx; ++i) {
        const std::size_t n = grid_.index(i, j);
        if ((*coverage_)[n] < kLeast) continue;
        s_.body[n] = mean_body(i, j, s_.bearing[n]);
        out_.cells.push_back({.node = static_cast<std::int32_t>(n),
                              .patch = 0,
                              .coverage = (*coverage_)[n],
                              .body = s_.body[n]});
      }
    }
    // Cells that are covered in part, between their samples: as deep as those next to them.
    for (ContactCell& cell : out_.cells) {
      if (cell.body == kNone) cell.body = mean_around(cell);
    }
    std::erase_if(out_.cells, [](const ContactCell& cell) { return cell.body == kNone; });
    for (const ContactCell& cell : out_.cells) s_.body[at(cell.node)] = cell.body;
  }

  double mean_around(const ContactCell& cell) const {
    const int i = cell.node % grid_.nx, j = cell.node / grid_.nx;
    double sum = 0, weight = 0;
    for (int l = std::max(0, j - 1); l <= std::min(grid_.ny - 1, j + 1); ++l) {
      for (int k = std::max(0, i - 1); k <= std::min(grid_.nx - 1, i + 1); ++k) {
        const std::size_t n = grid_.index(k, l);
        if (s_.body[n] == kNone) continue;
        sum += (*coverage_)[n] * s_.body[n];
        weight += (*coverage_)[n];
      }
    }
    return weight > 0 ? std::min(sum / weight, s_.bearing[at(cell.node)]) : kNone;
  }

  /// Cells that share a side or a corner are one patch.
  void find_patches() {
    s_.label.assign(out_.window.size(), -2);  // no cell
    for (const ContactCell& cell : out_.cells) s_.label[at(cell.node)] = -1;
    for (const ContactCell& cell : out_.cells) {
      if (s_.label[at(cell.node)] >= 0) continue;
      flood(cell.node, static_cast<std::int32_t>(out_.patches.size()));
      out_.patches.emplace_back();
    }
    const double cell_area = grid_.spacing * grid_.spacing;
    for (ContactCell& cell : out_.cells) {
      cell.patch = s_.label[at(cell.node)];
      out_.patches[at(cell.patch)].area += cell.coverage * cell_area;
    }
    add_lengths();
  }

  void flood(std::int32_t seed, std::int32_t patch) {
    s_.stack.assign(1, seed);
    s_.label[at(seed)] = patch;
    while (!s_.stack.empty()) {
      const std::int32_t node = s_.stack.back();
      s_.stack.pop_back();
      const int i = node % grid_.nx, j = node / grid_.nx;
      for (int l = std::max(0, j - 1); l <= std::min(grid_.ny - 1, j + 1); ++l) {
        for (int k = std::max(0, i - 1); k <= std::min(grid_.nx - 1, i + 1); ++k) {
          const std::size_t n = grid_.index(k, l);
          if (s_.label[n] != -1) continue;
          s_.label[n] = patch;
          s_.stack.push_back(static_cast<std::int32_t>(n));
        }
      }
    }
  }

  /// The gradient of the coverage reaches a cell beyond the patch; it counts for the patch next to it.
  void add_lengths() {
    for (const ContactCell& cell : out_.cells) {
      const int i = cell.node % grid_.nx, j = cell.node / grid_.nx;
      for (int l = j - 1; l <= j + 1; ++l) {
        for (int k = i - 1; k <= i + 1; ++k) {
          if (k < 0 || l < 0 || k >= grid_.nx || l >= grid_.ny) continue;
          std::int32_t& label = s_.label[grid_.index(k, l)];
          if (label == -2) label = -3 - cell.patch;  // outside, next to this patch
        }
      }
    }
    for (int j = 0; j < grid_.ny; ++j) {
      for (int i = 0; i < grid_.nx; ++i) {
        const std::int32_t label = s_.label[grid_.index(i, j)];
        if (label == -2) continue;
        const Vec2 gradient = BoundaryLength::gradient(grid_, *coverage_, i, j);
        out_.patches[at(label >= 0 ? label : -3 - label)].length +=
            BoundaryLength::of_gradient(grid_, gradient);
      }
    }
  }

  /// Distance to the boundary by two sweeps over the window, with 1 and √2 for neighbours; a cell that
  /// is covered in part begins with what is covered of it.
  void find_borders() {
    const double ds = grid_.spacing;
    s_.border.assign(out_.window.size(), 0);
    for (const ContactCell& cell : out_.cells) {
      s_.border[at(cell.node)] = cell.coverage > 1 - 1e-9 ? kNone : 0.5 * ds * cell.coverage;
    }
    const auto relax = [&](int i, int j, int di, int dj) {
      const int k = i + di, l = j + dj;
      const bool inside = k >= 0 && l >= 0 && k < grid_.nx && l < grid_.ny;
      const double step = ds * (di != 0 && dj != 0 ? std::numbers::sqrt2 : 1);
      const double from = inside ? s_.border[grid_.index(k, l)] : 0;
      double& value = s_.border[grid_.index(i, j)];
      // Next to a cell that is not covered the boundary is half a cell away.
      value = std::min(value, from > 0 ? from + step : 0.5 * step);
    };
    const auto full = [&](int i, int j) { return s_.border[grid_.index(i, j)] > 0; };
    for (int j = 0; j < grid_.ny; ++j) {
      for (int i = 0; i < grid_.nx; ++i) {
        if (!full(i, j)) continue;
        relax(i, j, -1, 0);
        relax(i, j, -1, -1);
        relax(i, j, 0, -1);
        relax(i, j, 1, -1);
      }
    }
    for (int j = grid_.ny - 1; j >= 0; --j) {
      for (int i = grid_.nx - 1; i >= 0; --i) {
        if (!full(i, j)) continue;
        relax(i, j, 1, 0);
        relax(i, j, 1, 1);
        relax(i, j, 0, 1);
        relax(i, j, -1, 1);
      }
    }
    for (ContactCell& cell : out_.cells) cell.border = s_.border[at(cell.node)];
  }

  /// Slope of the body's surface by differences over the cells in contact: a wall between two cells
  /// counts with its full height. And the middle of what is covered, which lies inward at the border.
  void find_slopes() {
    const auto body = [&](int i, int j) {
      const bool inside = i >= 0 && j >= 0 && i < grid_.nx && j < grid_.ny;
      return inside ? s_.body[grid_.index(i, j)] : kNone;
    };
    const auto difference = [&](double before, double here, double after) {
      if (before == kNone) return after == kNone ? 0 : (after - here) / grid_.spacing;
      return after == kNone ? (here - before) / grid_.spacing
                            : (after - before) / (2 * grid_.spacing);
    };
    for (ContactCell& cell : out_.cells) {
      const int i = cell.node % grid_.nx, j = cell.node / grid_.nx;
      cell.slope = Vec2(difference(body(i - 1, j), cell.body, body(i + 1, j)),
                        difference(body(i, j - 1), cell.body, body(i, j + 1)));
      cell.centre = grid_.node(i, j);
      if (cell.coverage > 1 - 1e-9) continue;
      const Vec2 inward = BoundaryLength::gradient(grid_, *coverage_, i, j);
      const double length = inward.norm();
      if (length > 0) {
        cell.centre += 0.5 * grid_.spacing * (1 - cell.coverage) / length * inward;
      }
    }
  }

  const ScmBody& body_;
  Vec3 up_B_;
  int m_;
  FootprintScratch& s_;
  Footprint& out_;
  const GridSpec& grid_;
  const std::vector<double>* coverage_ = nullptr;
  int sx_ = 0, sy_ = 0;  // samples along x and y
};

}  // namespace

FootprintScratch::FootprintScratch(const ScmBody& scm_body, const ElevationMap& map)
    : base(map),
      points(scm_body.mesh().vertices.size()),
      in_samples(points.size()),
      depth(points.size()),
      stamps(points.size(), 0) {}

void find_footprint(const ScmBody& body, const Pose& X_WB, const ScmSoil& soil,
                    const ScmOptions& options, FootprintScratch& scratch, Footprint& footprint) {
  footprint.cells.clear();
  footprint.patches.clear();
  const Aabb box = body.bvh().bounds();
  const Vec3 centre = X_WB * box.centre(), half = X_WB.R.cwiseAbs() * (0.5 * box.size());
  const Rect around{(centre - half).head<2>(), (centre + half).head<2>()};
  const double highest = soil.map.range(around).max;
  if (centre.z() - half.z() > highest) return;
  const Rect rect = LowTriangles{body, X_WB, scratch}.gather(highest);
  if (scratch.triangles.empty()) return;
  if (!footprint.window.load(soil, rect, 2, scratch.base)) return;
  FootprintFinder(body, X_WB, options, scratch, footprint).run();
}

}  // namespace grouser
