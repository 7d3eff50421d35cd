#include "contact/scm/body_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "contact/scm/cell_kernels.h"

namespace grouser {
namespace {

constexpr int kColumns = 4;  // of samples that are worked on at once

using Four = double __attribute__((vector_size(32)));
Four lesser(const Four& a, const Four& b) { return a < b ? a : b; }

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

}  // namespace

kernels::SampleFrame BodyRaster::frame(const GridSpec& window) const {
  return {.heights = nullptr,
          .nx = window.nx,
          .ny = window.ny,
          .origin_x = window.origin.x(),
          .origin_y = window.origin.y(),
          .spacing = window.spacing,
          .per_cell = static_cast<double>(m_)};
}

kernels::TriangleCorners BodyRaster::corners(std::size_t first) const {
  const LowSurface::Triangles& triangles = surface_.triangles();
  return {.a = &triangles.a[first],
          .b = &triangles.b[first],
          .c = &triangles.c[first],
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
  stride_ = at((sx_ + kColumns - 1) / kColumns * kColumns);
  samples_.assign(stride_ * at(sy_), kNone);
  between_.assign(window.size(), kNone);
  kernels::to_samples(surface_.x.size(), frame(window), surface_.x.data(), surface_.y.data());
  if (by_vertices) {
    sample_vertices();
  } else {
    sample_triangles();
  }
  find_lowest();
}

/// The papers' way: the lowest vertex over each cell stands for all of it.
void BodyRaster::sample_vertices() {
  for (std::size_t v = 0; v < surface_.x.size(); ++v) {
    const double i = std::round(surface_.x[v]), j = std::round(surface_.y[v]);
    if (!(i >= 0 && j >= 0 && i < sx_ && j < sy_)) continue;
    double& lowest = sample_row(static_cast<int>(j))[static_cast<std::size_t>(i)];
    lowest = std::min(lowest, surface_.z[v]);
  }
}

void BodyRaster::sample_triangles() {
  kernels::TriangleSetup setup;
  const std::size_t count = surface_.triangles().size();
  for (std::size_t first = 0; first < count; first += setup.kMost) {
    const std::size_t some = std::min(setup.kMost, count - first);
    kernels::set_up(some, corners(first), sx_, sy_, &setup);
    for (std::size_t t = 0; t < some; ++t) {
      if (!sample_triangle(setup, t)) sample_centre(corners(first), t);
    }
  }
}

/// Lowers what stands between samples, over the cell of a triangle's middle.
void BodyRaster::sample_centre(const kernels::TriangleCorners& corners, std::size_t t) {
  const auto middle = [&](const double* values) {
    return (values[corners.a[t]] + values[corners.b[t]] + values[corners.c[t]]) / 3;
  };
  const double i = std::floor((middle(corners.x) + 0.5) / m_);
  const double j = std::floor((middle(corners.y) + 0.5) / m_);
  if (!(i >= 0 && j >= 0 && i < nx_ && j < ny_)) return;
  double& lowest = between_[static_cast<std::size_t>(j) * at(nx_) + static_cast<std::size_t>(i)];
  lowest = std::min(lowest, middle(corners.z));
}

/// Lowers the samples to a triangle. False if it stands over none. Samples are taken four at a time, inside
/// or not: a condition for each would cost more than it spares.
bool BodyRaster::sample_triangle(const kernels::TriangleSetup& s, std::size_t t) {
  constexpr double kSlack = -1e-12;  // samples on a common edge belong to both triangles
  constexpr Four kLane{0, 1, 2, 3};
  const std::int32_t last_i = s.i1[t], last_j = s.j1[t];
  if (s.j0[t] > last_j) return false;
  const std::size_t stride = stride_;
  const double y = s.y[t], by = s.by[t], cy = s.cy[t], zy = s.zy[t];
  Four most = kLane - kNone;
  for (std::int32_t i = s.i0[t] / kColumns * kColumns; i <= last_i; i += kColumns) {
    const Four dx = static_cast<double>(i) + kLane - s.x[t];
    const Four wb_x = s.bx[t] * dx, wc_x = s.cx[t] * dx, z_x = s.zx[t] * dx;
    double* row = sample_row(s.j0[t]) + i;
    for (std::int32_t j = s.j0[t]; j <= last_j; ++j, row += stride) {
      const double dy = j - y;
      const Four wb = wb_x + by * dy, wc = wc_x + cy * dy;
      const Four least = lesser(lesser(wb, wc), 1 - wb - wc);
      const Four height = s.z[t] + (z_x + zy * dy);
      Four lowest;
      std::memcpy(&lowest, row, sizeof lowest);
      lowest = lesser(least >= kSlack ? height : kNone - Four{}, lowest);
      std::memcpy(row, &lowest, sizeof lowest);
      most = least > most ? least : most;
    }
  }
  return most[0] >= kSlack || most[1] >= kSlack || most[2] >= kSlack || most[3] >= kSlack;
}

void BodyRaster::find_lowest() {
  lowest_ = between_;
  for (int j = 0; j < ny_; ++j) {
    double* out = &lowest_[at(j) * at(nx_)];
    for (int l = 0; l < m_; ++l) {
      const double* row = sample_row(j * m_ + l);
      if (m_ == 2) {  // a loop of vector code for what is usual
        for (int i = 0; i < nx_; ++i) {
          const double lower = row[2 * i] < row[2 * i + 1] ? row[2 * i] : row[2 * i + 1];
          out[i] = lower < out[i] ? lower : out[i];
        }
      } else {
        for (int i = 0; i < sx_; ++i) out[i / m_] = std::min(out[i / m_], row[i]);
      }
    }
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
  kernels::depths(surface_.x.size(), on_heights, surface_.x.data(), surface_.y.data(),
                  surface_.z.data(), surface_.depth.data());
  coverage_.reset(nx_, ny_);
  outline_triangles(body);
  box_ = coverage_.box();
  coverage_.finish(covered_);
}

void BodyRaster::outline_triangles(const ScmBody& body) {
  const LowSurface::Triangles& triangles = surface_.triangles();
  const double* depth = surface_.depth.data();
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::size_t a = at(triangles.a[t]), b = at(triangles.b[t]), c = at(triangles.c[t]);
    if (!(depth[a] > 0 || depth[b] > 0 || depth[c] > 0)) continue;
    add_boundary(body.neighbours(at(triangles.number[t])), a, b, c);
  }
}

/// The parts of a triangle's outline that bound the contact: sides towards faces that look up, as far as
/// they are below the soil, and the line along which the triangle dips into it. Seen from above, a
/// triangle that looks down runs clockwise.
void BodyRaster::add_boundary(const Triangle& neighbours, std::size_t a, std::size_t b,
                              std::size_t c) {
  const std::array<std::size_t, 3> corners = {a, b, c};
  const std::array<bool, 3> in = {surface_.depth[a] > 0, surface_.depth[b] > 0,
                                  surface_.depth[c] > 0};
  const std::array<bool, 3> goes_on = {surface_.looks_down(neighbours[0]),
                                       surface_.looks_down(neighbours[1]),
                                       surface_.looks_down(neighbours[2])};
  const bool all_in = in[0] && in[1] && in[2];
  if (all_in && goes_on[0] && goes_on[1] && goes_on[2]) return;
  const double to_cells = 1.0 / m_;
  Vec2 enter = Vec2::Zero(), leave = Vec2::Zero();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3, p = corners[k], q = corners[l];
    if (!in[k] && !in[l]) continue;
    Vec2 from((surface_.x[p] + 0.5) * to_cells, (surface_.y[p] + 0.5) * to_cells);
    Vec2 to((surface_.x[q] + 0.5) * to_cells, (surface_.y[q] + 0.5) * to_cells);
    if (in[k] != in[l]) {
      const double part = surface_.depth[p] / (surface_.depth[p] - surface_.depth[q]);
      const Vec2 crossing = from + part * (to - from);
      (in[l] ? enter : leave) = crossing;
      (in[l] ? from : to) = crossing;
    }
    if (!goes_on[k]) coverage_.add_line(to, from);
  }
  // The outline of the part below runs from where it leaves to where it enters; turned round.
  if (!all_in) coverage_.add_line(enter, leave);
}

void BodyRaster::mean_heights(int j, const double* heights, double* __restrict means) const {
  const int row = (box_.first_j + j) * m_, first = box_.first_i * m_;
  if (m_ == 2) {  // a loop of vector code for what is usual
    const double *low = sample_row(row) + first, *high = sample_row(row + 1) + first;
    for (int i = 0; i < box_.cells.nx; ++i) {
      double sum = 0, count = 0;
      for (const double sample : {low[2 * i], low[2 * i + 1], high[2 * i], high[2 * i + 1]}) {
        const bool below = sample < heights[i];
        sum += below ? sample : 0;
        count += below ? 1 : 0;
      }
      means[i] = count > 0 ? sum / count : kNone;
    }
    return;
  }
  for (int i = 0; i < box_.cells.nx; ++i) {
    double sum = 0;
    int count = 0;
    for (int l = 0; l < m_; ++l) {
      const double* samples = sample_row(row + l) + first + i * m_;
      for (int k = 0; k < m_; ++k) {
        if (!(samples[k] < heights[i])) continue;
        sum += samples[k];
        ++count;
      }
    }
    means[i] = count > 0 ? sum / count : kNone;
  }
}

}  // namespace grouser
