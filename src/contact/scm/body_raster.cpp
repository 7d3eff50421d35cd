#include "contact/scm/body_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/scm/cell_kernels.h"
#include "core/index.h"
#include "math/double4.h"
#include "math/lesser.h"

namespace grouser::internal {
kernels::SampleFrame BodyRaster::frame(const GridSpec& window) const {
  return {.heights = nullptr,
          .nx = window.nx,
          .ny = window.ny,
          .origin_x = window.origin.x(),
          .origin_y = window.origin.y(),
          .spacing = window.spacing,
          .per_cell = static_cast<double>(m_)};
}

kernels::FacetCorners BodyRaster::corners(std::size_t first) const {
  const LowSurface::Facets& facets = surface_.facets();
  return {.a = &facets.a[first],
          .b = &facets.b[first],
          .c = &facets.c[first],
          .d = &facets.d[first],
          .x = surface_.x.data(),
          .y = surface_.y.data(),
          .z = surface_.z.data()};
}

void BodyRaster::sample(const GridSpec& window, const ScmOptions& options) {
  const bool by_vertices = options.detection == ScmOptions::Detection::vertices;
  m_ = by_vertices ? 1 : options.samples;
  nx_ = window.nx;
  ny_ = window.ny;
  sx_ = window.nx * m_;
  sy_ = window.ny * m_;
  blocks_x_ = (sx_ + kBlock - 1) / kBlock;
  samples_.assign(block(0, (sy_ + kBlock - 1) / kBlock), kNone);
  between_.assign(window.size(), kNone);
  kernels::to_samples(surface_.vertex_count(), frame(window), surface_.x.data(), surface_.y.data());
  if (by_vertices) {
    sample_vertices();
  } else {
    sample_facets();
  }
  find_lowest();
}

/// The papers' way: the lowest vertex over each cell stands for all of it.
void BodyRaster::sample_vertices() {
  for (std::size_t v = 0; v < surface_.vertex_count(); ++v) {
    const double i = std::round(surface_.x[v]), j = std::round(surface_.y[v]);
    if (!(i >= 0 && j >= 0 && i < sx_ && j < sy_)) continue;
    double& lowest = samples_[sample(static_cast<int>(i), static_cast<int>(j))];
    lowest = std::min(lowest, surface_.z[v]);
  }
}

void BodyRaster::sample_facets() {
  kernels::FacetSetup setup;
  const std::size_t count = surface_.facets().size();
  for (std::size_t first = 0; first < count; first += setup.kMost) {
    const std::size_t some = std::min(setup.kMost, count - first);
    kernels::set_up(some, corners(first), sx_, sy_, &setup);
    for (std::size_t f = 0; f < some; ++f) {
      if (!sample_facet(setup, f)) sample_middle(corners(first), f);
    }
  }
}

/// Lowers what stands between samples, over the cell of a facet's middle.
void BodyRaster::sample_middle(const kernels::FacetCorners& corners, std::size_t f) {
  const auto middle = [&](const double* values) {
    return 0.25 * ((values[corners.a[f]] + values[corners.b[f]]) +
                   (values[corners.c[f]] + values[corners.d[f]]));
  };
  const double i = std::floor((middle(corners.x) + 0.5) / m_);
  const double j = std::floor((middle(corners.y) + 0.5) / m_);
  if (!(i >= 0 && j >= 0 && i < nx_ && j < ny_)) return;
  double& lowest = between_[static_cast<std::size_t>(j) * at(nx_) + static_cast<std::size_t>(i)];
  lowest = std::min(lowest, middle(corners.z));
}

/// Lowers the samples to a facet. False if it stands over none. Samples are taken a block at a time, inside
/// or not: a condition for each would cost more than it spares.
bool BodyRaster::sample_facet(const kernels::FacetSetup& s, std::size_t f) {
  constexpr double kSlack = -1e-12;  // samples on a common side belong to both facets
  constexpr Double4 kX{0, 1, 0, 1}, kY{0, 0, 1, 1};
  if (s.i0[f] > s.i1[f] || s.j0[f] > s.j1[f]) return false;
  const int first_j = s.j0[f] / kBlock, last_j = s.j1[f] / kBlock;
  const Double4 dy0 = static_cast<double>(first_j * kBlock) + kY - s.y[f];
  const double y0 = s.ey[0][f], y1 = s.ey[1][f], y2 = s.ey[2][f], y3 = s.ey[3][f], zy = s.zy[f];
  auto any = kX > kX;
  for (int i = s.i0[f] / kBlock; i <= s.i1[f] / kBlock; ++i) {
    const Double4 dx = static_cast<double>(i * kBlock) + kX - s.x[f];
    const Double4 e0 = s.ex[0][f] * dx, e1 = s.e1[f] + s.ex[1][f] * dx;
    const Double4 e2 = s.e2[f] + s.ex[2][f] * dx, e3 = s.ex[3][f] * dx;
    const Double4 z = s.z[f] + s.zx[f] * dx;
    double* values = &samples_[block(i, first_j)];
    Double4 dy = dy0;
    for (int j = first_j; j <= last_j; ++j, values += block(0, 1), dy += double{kBlock}) {
      const Double4 least =
          lesser(lesser(e0 + y0 * dy, e1 + y1 * dy), lesser(e2 + y2 * dy, e3 + y3 * dy));
      const auto inside = least >= kSlack;
      const Double4 height = z + zy * dy;
      const Double4 lowest = lesser(inside ? height : double4(kNone), load4(values));
      store4(lowest, values);
      any |= inside;
    }
  }
  return (any[0] | any[1] | any[2] | any[3]) != 0;
}

void BodyRaster::find_lowest() {
  lowest_ = between_;
  if (m_ == kBlock) {  // a cell's samples are a block
    for (std::size_t n = 0; n < lowest_.size(); ++n) {
      const double* s = &samples_[n * kBlock * kBlock];
      const double least = lesser(lesser(s[0], s[1]), lesser(s[2], s[3]));
      lowest_[n] = lesser(least, lowest_[n]);
    }
    return;
  }
  for (int j = 0; j < sy_; ++j) {
    double* out = &lowest_[at(j / m_) * at(nx_)];
    for (int i = 0; i < sx_; ++i) out[i / m_] = lesser(samples_[sample(i, j)], out[i / m_]);
  }
}

void BodyRaster::outline(const ScmBody& body, const GridSpec& window,
                         const std::vector<double>& heights, const ScmOptions& options) {
  if (options.detection == ScmOptions::Detection::vertices) {
    box_ = {.cells = {nx_, ny_}};
    covered_.assign(box_.cells.size(), 0);
    for (int j = 0; j < ny_; ++j) {
      for (int i = 0; i < nx_; ++i) {
        const std::size_t n = window.index(i, j);
        covered_[box_.cells.index(i, j)] = lowest_[n] < heights[n] ? 1 : 0;
      }
    }
    return;
  }
  kernels::SampleFrame on_heights = frame(window);
  on_heights.heights = heights.data();
  kernels::depths(surface_.vertex_count(), on_heights, surface_.x.data(), surface_.y.data(),
                  surface_.z.data(), surface_.depth.data());
  coverage_.reset(nx_, ny_);
  outline_facets(body);
  box_ = coverage_.box();
  coverage_.finish(covered_);
}

void BodyRaster::outline_facets(const ScmBody& body) {
  const LowSurface::Facets& facets = surface_.facets();
  for (std::size_t f = 0; f < facets.size(); ++f) {
    for (const FacetPart& part : body.parts(at(facets.number[f]))) {
      outline_part(part, facets.first[f]);
    }
  }
}

/// `first`: where the corners of the part's cluster begin.
void BodyRaster::outline_part(const FacetPart& part, std::int32_t first) {
  const std::size_t a = at(first + part.corners[0]), b = at(first + part.corners[1]);
  const std::size_t c = at(first + part.corners[2]), d = at(first + part.corners[3]);
  const double* depth = surface_.depth.data();
  const int in = (depth[a] > 0) + (depth[b] > 0) + (depth[c] > 0) + (depth[d] > 0);
  if (in == 0) return;
  const std::array<bool, 4> goes_on = {
      surface_.looks_down(part.neighbours[0]), surface_.looks_down(part.neighbours[1]),
      surface_.looks_down(part.neighbours[2]), surface_.looks_down(part.neighbours[3])};
  if (in == 4 && goes_on[0] && goes_on[1] && goes_on[2] && goes_on[3]) return;
  const bool three = c == d;
  add_boundary({{a, b, c}, {goes_on[0], goes_on[1], three ? goes_on[3] : true}});
  if (!three) add_boundary({{a, c, d}, {true, goes_on[2], goes_on[3]}});
}

/// The parts of a triangle's outline that bound the contact: sides beyond which it does not go on, as far as
/// they are below the soil, and the line along which the triangle dips into it. Seen from above, a
/// triangle that looks down runs clockwise.
void BodyRaster::add_boundary(const Outline& triangle) {
  const auto& [corners, goes_on] = triangle;
  const std::array<bool, 3> in = {surface_.depth[corners[0]] > 0, surface_.depth[corners[1]] > 0,
                                  surface_.depth[corners[2]] > 0};
  const bool all_in = in[0] && in[1] && in[2];
  if (!in[0] && !in[1] && !in[2]) return;
  if (all_in && goes_on[0] && goes_on[1] && goes_on[2]) return;
  // Number by number: vectors of two would be put together in memory first.
  const double to_cells = 1.0 / m_;
  double enter_x = 0, enter_y = 0, leave_x = 0, leave_y = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = k == 2 ? 0 : k + 1, p = corners[k], q = corners[l];
    if (!in[k] && !in[l]) continue;
    double from_x = (surface_.x[p] + 0.5) * to_cells, from_y = (surface_.y[p] + 0.5) * to_cells;
    double to_x = (surface_.x[q] + 0.5) * to_cells, to_y = (surface_.y[q] + 0.5) * to_cells;
    if (in[k] != in[l]) {
      const double part = surface_.depth[p] / (surface_.depth[p] - surface_.depth[q]);
      const double x = from_x + part * (to_x - from_x), y = from_y + part * (to_y - from_y);
      (in[l] ? enter_x : leave_x) = (in[l] ? from_x : to_x) = x;
      (in[l] ? enter_y : leave_y) = (in[l] ? from_y : to_y) = y;
    }
    if (!goes_on[k]) coverage_.add_line(to_x, to_y, from_x, from_y);
  }
  // The outline of the part below runs from where it leaves to where it enters; turned round.
  if (!all_in) coverage_.add_line(enter_x, enter_y, leave_x, leave_y);
}

void BodyRaster::mean_heights(int j, const double* heights, double* __restrict means) const {
  const int row = box_.first_j + j;
  if (m_ == kBlock) {  // a cell's samples are a block: a loop of vector code
    const double* samples = &samples_[block(box_.first_i, row)];
    for (int i = 0; i < box_.cells.nx; ++i) {
      double sum = 0, count = 0;
      for (int k = 0; k < kBlock * kBlock; ++k) {
        const double sample = samples[i * kBlock * kBlock + k];
        const bool below = sample < heights[i];
        sum += below ? sample : 0;
        count += below ? 1 : 0;
      }
      means[i] = count > 0 ? sum / count : kNone;
    }
    return;
  }
  for (int i = 0; i < box_.cells.nx; ++i) {
    double sum = 0, count = 0;
    for (int l = 0; l < m_ * m_; ++l) {
      const int column = (box_.first_i + i) * m_ + l % m_;
      const double sample = samples_[this->sample(column, row * m_ + l / m_)];
      if (!(sample < heights[i])) continue;
      sum += sample;
      ++count;
    }
    means[i] = count > 0 ? sum / count : kNone;
  }
}

}  // namespace grouser::internal
