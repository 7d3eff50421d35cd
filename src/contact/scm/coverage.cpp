#include "contact/scm/coverage.h"

#include <algorithm>
#include <cmath>

namespace grouser {

void Coverage::reset(int nx, int ny) {
  grid_ = {nx, ny};
  lines_.assign(static_cast<std::size_t>(nx + 1) * static_cast<std::size_t>(ny), 0);
}

void Coverage::add_line(const Vec2& from, const Vec2& to) {
  const auto clamped = [&](const Vec2& p) {
    return Vec2(std::clamp(p.x(), 0.0, static_cast<double>(grid_.nx)),
                std::clamp(p.y(), 0.0, static_cast<double>(grid_.ny)));
  };
  const Vec2 a = clamped(from), b = clamped(to);
  if (a.y() == b.y()) return;
  const double sign = a.y() < b.y() ? 1 : -1;
  const Vec2& low = sign > 0 ? a : b;
  const Vec2& high = sign > 0 ? b : a;
  const double slope = (high.x() - low.x()) / (high.y() - low.y());
  const int first = std::min(static_cast<int>(low.y()), grid_.ny - 1);
  const int last = std::min(static_cast<int>(high.y()), grid_.ny - 1);
  for (int row = first; row <= last; ++row) {
    const double y0 = std::max(low.y(), static_cast<double>(row));
    const double y1 = row == last ? high.y() : std::min(high.y(), row + 1.0);
    if (y1 <= y0) continue;
    const double x0 = low.x() + slope * (y0 - low.y());
    const double x1 = row == last ? high.x() : low.x() + slope * (y1 - low.y());
    // The region is left of the line: what is right of a line that runs up does not belong to it.
    add_in_row(row, sign * y0, sign * y1, x0, x1);
  }
}

void Coverage::add_in_row(int row, double y0, double y1, double x0, double x1) {
  double* cells = &lines_[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.nx + 1)];
  const double dy = y1 - y0;
  double left = std::min(x0, x1), right = std::max(x0, x1);
  left = std::clamp(left, 0.0, static_cast<double>(grid_.nx));
  right = std::clamp(right, 0.0, static_cast<double>(grid_.nx));
  int i = std::min(static_cast<int>(left), grid_.nx - 1);
  const double width = right - left;
  while (true) {
    const double end = std::min(right, i + 1.0);
    const double part = width > 0 ? dy * (end - left) / width : dy;
    const double middle = 0.5 * (left + end) - i;  // of the piece within its cell
    cells[i] -= part * (1 - middle);
    cells[i + 1] -= part * middle;
    if (end >= right || i + 1 >= grid_.nx) break;
    left = end;
    ++i;
  }
}

const std::vector<double>& Coverage::finish() {
  cells_.assign(grid_.size(), 0);
  for (int j = 0; j < grid_.ny; ++j) {
    const double* row =
        &lines_[static_cast<std::size_t>(j) * static_cast<std::size_t>(grid_.nx + 1)];
    double* out = &cells_[grid_.index(0, j)];
    double sum = 0;
    for (int i = 0; i < grid_.nx; ++i) {
      sum += row[i];
      out[i] = std::clamp(sum, 0.0, 1.0);
    }
  }
  return cells_;
}

void CoverageGradient::compute(const PaddedGrid& grid, const std::vector<double>& coverage) {
  x_.assign(grid.size(), 0);
  y_.assign(grid.size(), 0);
  length_.assign(grid.size(), 0);
  const auto along = [&](const double* below, const double* here, const double* above,
                         std::size_t cell, int count) {
    for (int i = 0; i < count; ++i) {
      const double ne = above[i + 1], nw = above[i - 1], se = below[i + 1], sw = below[i - 1];
      const double gx = 0.125 * (2 * (here[i + 1] - here[i - 1]) + ((ne - nw) + (se - sw)));
      const double gy = 0.125 * (2 * (above[i] - below[i]) + ((ne - se) + (nw - sw)));
      x_[cell + static_cast<std::size_t>(i)] = gx;
      y_[cell + static_cast<std::size_t>(i)] = gy;
      length_[cell + static_cast<std::size_t>(i)] = std::sqrt(gx * gx + gy * gy) / 1.002273;
    }
  };
  for (int j = 0; j < grid.ny; ++j) {
    const double* here = &coverage[grid.index(0, j)];
    along(here - grid.stride(), here, here + grid.stride(), grid.index(0, j), grid.nx);
  }
}

}  // namespace grouser
