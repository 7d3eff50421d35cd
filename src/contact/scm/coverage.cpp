#include "contact/scm/coverage.h"

#include <algorithm>
#include <cmath>

#include "math/lesser.h"

namespace grouser::internal {
namespace {

double within(double value, double end) { return lesser(greater(value, 0), end); }

}  // namespace

void Coverage::reset(int nx, int ny) {
  nx_ = nx;
  ny_ = ny;
  x_low_ = nx;
  y_low_ = ny;
  x_high_ = y_high_ = 0;
  lines_.assign(static_cast<std::size_t>(nx + 1) * static_cast<std::size_t>(ny), 0);
}

void Coverage::add_line(double from_x, double from_y, double to_x, double to_y) {
  const double end_x = nx_, end_y = ny_;
  const double ax = within(from_x, end_x), ay = within(from_y, end_y);
  const double bx = within(to_x, end_x), by = within(to_y, end_y);
  x_low_ = lesser(x_low_, lesser(ax, bx));
  x_high_ = greater(x_high_, greater(ax, bx));
  y_low_ = lesser(y_low_, lesser(ay, by));
  y_high_ = greater(y_high_, greater(ay, by));
  if (ay == by) return;
  const bool up = ay < by;
  const double low_x = up ? ax : bx, low_y = up ? ay : by;
  const double high_x = up ? bx : ax, high_y = up ? by : ay;
  // The region is left of the line: what is right of a line that runs up does not belong to it.
  const double sign = up ? 1 : -1;
  const double slope = (high_x - low_x) / (high_y - low_y);
  const int last = std::min(static_cast<int>(high_y), ny_ - 1);
  int row = std::min(static_cast<int>(low_y), ny_ - 1);
  double x = low_x, y = low_y;
  for (; row < last; ++row) {
    const double next = row + 1, next_x = low_x + slope * (next - low_y);
    add_in_row(row, sign * (next - y), x, within(next_x, end_x));
    y = next;
    x = within(next_x, end_x);
  }
  add_in_row(row, sign * (high_y - y), x, high_x);
}

/// A line over the height `dy` of a row, from x0 to x1.
void Coverage::add_in_row(int row, double dy, double x0, double x1) {
  double* cells = &lines_[static_cast<std::size_t>(row) * static_cast<std::size_t>(nx_ + 1)];
  double left = lesser(x0, x1);
  const double right = greater(x0, x1);
  int i = std::min(static_cast<int>(left), nx_ - 1);
  if (right <= i + 1.0) {  // all in one cell, as most are
    const double middle = 0.5 * (left + right) - i;
    cells[i] -= dy * (1 - middle);
    cells[i + 1] -= dy * middle;
    return;
  }
  const double per_width = dy / (right - left);
  while (true) {
    const double end = lesser(right, i + 1.0);
    const double part = per_width * (end - left);
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
      length[i] = std::sqrt(gx * gx + gy * gy) * (1 / kMeanError);
    }
  }
}

}  // namespace grouser::internal
