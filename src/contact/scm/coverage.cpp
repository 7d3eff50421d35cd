#include "contact/scm/coverage.h"

#include <algorithm>
#include <cmath>

namespace grouser {

void Coverage::reset(int nx, int ny) {
  nx_ = nx;
  ny_ = ny;
  x_low_ = nx;
  y_low_ = ny;
  x_high_ = y_high_ = 0;
  lines_.assign(static_cast<std::size_t>(nx + 1) * static_cast<std::size_t>(ny), 0);
}

void Coverage::add_line(const Vec2& from, const Vec2& to) {
  const auto clamped = [&](const Vec2& p) {
    return Vec2(std::clamp(p.x(), 0.0, static_cast<double>(nx_)),
                std::clamp(p.y(), 0.0, static_cast<double>(ny_)));
  };
  const Vec2 a = clamped(from), b = clamped(to);
  x_low_ = std::min({x_low_, a.x(), b.x()});
  x_high_ = std::max({x_high_, a.x(), b.x()});
  y_low_ = std::min({y_low_, a.y(), b.y()});
  y_high_ = std::max({y_high_, a.y(), b.y()});
  if (a.y() == b.y()) return;
  const double sign = a.y() < b.y() ? 1 : -1;
  const Vec2& low = sign > 0 ? a : b;
  const Vec2& high = sign > 0 ? b : a;
  const double slope = (high.x() - low.x()) / (high.y() - low.y());
  const int first = std::min(static_cast<int>(low.y()), ny_ - 1);
  const int last = std::min(static_cast<int>(high.y()), ny_ - 1);
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
  double* cells = &lines_[static_cast<std::size_t>(row) * static_cast<std::size_t>(nx_ + 1)];
  const double dy = y1 - y0;
  double left = std::min(x0, x1), right = std::max(x0, x1);
  left = std::clamp(left, 0.0, static_cast<double>(nx_));
  right = std::clamp(right, 0.0, static_cast<double>(nx_));
  int i = std::min(static_cast<int>(left), nx_ - 1);
  const double width = right - left;
  while (true) {
    const double end = std::min(right, i + 1.0);
    const double part = width > 0 ? dy * (end - left) / width : dy;
    const double middle = 0.5 * (left + end) - i;  // of the piece within its cell
    cells[i] -= part * (1 - middle);
    cells[i + 1] -= part * middle;
    if (end >= right || i + 1 >= nx_) break;
    left = end;
    ++i;
  }
}

Coverage::Box Coverage::box() const {
  if (x_low_ > x_high_) return {};
  const int i = std::max(static_cast<int>(x_low_) - 1, 0);
  const int j = std::max(static_cast<int>(y_low_) - 1, 0);
  return {.first_i = i,
          .first_j = j,
          .cells = {std::min(static_cast<int>(x_high_) + 2, nx_) - i,
                    std::min(static_cast<int>(y_high_) + 2, ny_) - j}};
}

void Coverage::finish(std::vector<double>& covered) const {
  const Box box = this->box();
  covered.assign(box.cells.size(), 0);
  for (int j = 0; j < box.cells.ny; ++j) {
    const double* row =
        &lines_[static_cast<std::size_t>(box.first_j + j) * static_cast<std::size_t>(nx_ + 1) +
                static_cast<std::size_t>(box.first_i)];
    double* out = &covered[box.cells.index(0, j)];
    double sum = 0;
    for (int i = 0; i < box.cells.nx; ++i) {
      sum += row[i];
      out[i] = std::clamp(sum, 0.0, 1.0);
    }
  }
}

void CoverageGradient::compute(const PaddedGrid& grid, const std::vector<double>& coverage) {
  for (std::vector<double>* values : {&x_, &y_, &length_}) values->resize(grid.size());
  for (int j = 0; j < grid.ny; ++j) {
    const std::size_t first = grid.index(0, j);
    const double* here = &coverage[first];
    const double *below = here - grid.stride(), *above = here + grid.stride();
    double* __restrict x = &x_[first];
    double* __restrict y = &y_[first];
    double* __restrict length = &length_[first];
    for (int i = 0; i < grid.nx; ++i) {
      const double ne = above[i + 1], nw = above[i - 1], se = below[i + 1], sw = below[i - 1];
      const double gx = 0.125 * (2 * (here[i + 1] - here[i - 1]) + ((ne - nw) + (se - sw)));
      const double gy = 0.125 * (2 * (above[i] - below[i]) + ((ne - se) + (nw - sw)));
      x[i] = gx;
      y[i] = gy;
      length[i] = std::sqrt(gx * gx + gy * gy) / kMeanError;
    }
  }
}

}  // namespace grouser
