#include "contact/scm/body_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/scm/cell_kernels.h"

namespace grouser {
namespace {

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

void BodyRaster::sample(const ScmBody& body, const GridSpec& window, double near,
                        const ScmOptions& options) {
  const bool by_vertices = options.detection == ScmOptions::Detection::vertices;
  m_ = by_vertices ? 1 : options.samples;
  nx_ = window.nx;
  ny_ = window.ny;
  sx_ = window.nx * m_;
  sy_ = window.ny * m_;
  samples_.assign(static_cast<std::size_t>(sx_) * static_cast<std::size_t>(sy_), kNone);
  between_.assign(window.size(), kNone);
  kernels::to_samples(surface_.x.size(), frame(window), surface_.x.data(), surface_.y.data());
  if (by_vertices) {
    sample_vertices();
  } else {
    for (const LowSurface::Part& part : surface_.parts()) sample_part(body, part, near);
  }
  find_lowest();
}

/// The papers' way: the lowest vertex over each cell stands for all of it.
void BodyRaster::sample_vertices() {
  for (std::size_t v = 0; v < surface_.x.size(); ++v) {
    const double i = std::round(surface_.x[v]), j = std::round(surface_.y[v]);
    if (!(i >= 0 && j >= 0 && i < sx_ && j < sy_)) continue;
    double& lowest = samples_[static_cast<std::size_t>(j) * at(sx_) + static_cast<std::size_t>(i)];
    lowest = std::min(lowest, surface_.z[v]);
  }
}

void BodyRaster::sample_part(const ScmBody& body, const LowSurface::Part& part, double near) {
  const std::size_t first = at(part.cluster->first_triangle);
  const kernels::TriangleCorners corners{.a = &body.corner(0)[first],
                                         .b = &body.corner(1)[first],
                                         .c = &body.corner(2)[first],
                                         .x = &surface_.x[part.first],
                                         .y = &surface_.y[part.first],
                                         .z = &surface_.z[part.first]};
  kernels::TriangleSetup setup;
  kernels::set_up(at(part.cluster->triangles), corners, sx_, sy_, &setup);
  for (std::size_t t = 0; t < at(part.cluster->triangles); ++t) {
    if (setup.lowest[t] > part.ground + near) continue;
    if (!surface_.looks_down(static_cast<std::int32_t>(first + t))) continue;
    if (!sample_triangle(setup, t)) sample_centre(corners, t);
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

/// Lowers the samples to a triangle. False if it stands over none.
bool BodyRaster::sample_triangle(const kernels::TriangleSetup& s, std::size_t t) {
  constexpr double kSlack = -1e-12;  // samples on a common edge belong to both triangles
  bool found = false;
  for (std::int32_t j = s.j0[t]; j <= s.j1[t]; ++j) {
    double* row = &samples_[static_cast<std::size_t>(j) * static_cast<std::size_t>(sx_)];
    const double dy = j - s.y[t];
    for (std::int32_t i = s.i0[t]; i <= s.i1[t]; ++i) {
      const double dx = i - s.x[t];
      const double wb = s.bx[t] * dx + s.by[t] * dy, wc = s.cx[t] * dx + s.cy[t] * dy;
      if (!(wb >= kSlack && wc >= kSlack && 1 - wb - wc >= kSlack)) continue;
      row[i] = std::min(row[i], s.z[t] + (s.zx[t] * dx + s.zy[t] * dy));
      found = true;
    }
  }
  return found;
}

void BodyRaster::find_lowest() {
  lowest_ = between_;
  for (int j = 0; j < ny_; ++j) {
    double* out = &lowest_[at(j) * at(nx_)];
    for (int l = 0; l < m_; ++l) {
      const double* row = &samples_[at(j * m_ + l) * at(sx_)];
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
  for (const LowSurface::Part& part : surface_.parts()) outline_part(body, part);
  box_ = coverage_.box();
  coverage_.finish(covered_);
}

void BodyRaster::outline_part(const ScmBody& body, const LowSurface::Part& part) {
  const std::size_t first = at(part.cluster->first_triangle);
  const double* depth = &surface_.depth[part.first];
  for (std::size_t t = 0; t < at(part.cluster->triangles); ++t) {
    const std::size_t a = at(body.corner(0)[first + t]);
    const std::size_t b = at(body.corner(1)[first + t]);
    const std::size_t c = at(body.corner(2)[first + t]);
    if (!(depth[a] > 0 || depth[b] > 0 || depth[c] > 0)) continue;
    if (!surface_.looks_down(static_cast<std::int32_t>(first + t))) continue;
    add_boundary(body.neighbours(first + t), part.first + a, part.first + b, part.first + c);
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

double BodyRaster::mean_height(int i, int j, double height) const {
  double sum = 0;
  int count = 0;
  for (int l = 0; l < m_; ++l) {
    const double* row =
        &samples_[at((box_.first_j + j) * m_ + l) * at(sx_) + at((box_.first_i + i) * m_)];
    for (int k = 0; k < m_; ++k) {
      if (!(row[k] < height)) continue;
      sum += row[k];
      ++count;
    }
  }
  return count > 0 ? sum / count : kNone;
}

}  // namespace grouser
