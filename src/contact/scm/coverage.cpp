#include "contact/scm/coverage.h"

#include <algorithm>
#include <cmath>

namespace grouser {

void Coverage::reset(const GridSpec& grid) {
  grid_ = grid;
  cells_.assign(static_cast<std::size_t>(grid.nx + 1) * static_cast<std::size_t>(grid.ny), 0);
}

void Coverage::add_line(const Vec2& from, const Vec2& to) {
  // In cells, counted from the lower left corner of the first one.
  const auto clamped = [&](const Vec2& p) {
    const double x = (p.x() - grid_.origin.x()) / grid_.spacing + 0.5;
    const double y = (p.y() - grid_.origin.y()) / grid_.spacing + 0.5;
    return Vec2(std::clamp(x, 0.0, static_cast<double>(grid_.nx)),
                std::clamp(y, 0.0, static_cast<double>(grid_.ny)));
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
  double* cells = &cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.nx + 1)];
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
  const auto nx = static_cast<std::size_t>(grid_.nx), ny = static_cast<std::size_t>(grid_.ny);
  for (std::size_t j = 0; j < ny; ++j) {
    const double* row = &cells_[j * (nx + 1)];
    double sum = 0;
    for (std::size_t i = 0; i < nx; ++i) {
      sum += row[i];
      cells_[j * nx + i] = std::clamp(sum, 0.0, 1.0);  // in place: what is overwritten was used
    }
  }
  cells_.resize(nx * ny);
  return cells_;
}

Vec2 BoundaryLength::gradient(const GridSpec& grid, const std::vector<double>& coverage, int i,
                              int j) {
  const auto at = [&](int di, int dj) {
    const int k = i + di, l = j + dj;
    const bool inside = k >= 0 && l >= 0 && k < grid.nx && l < grid.ny;
    return inside ? coverage[grid.index(k, l)] : 0;
  };
  const double scale = 1 / (8 * grid.spacing);
  const double ne = at(1, 1), nw = at(-1, 1), se = at(1, -1), sw = at(-1, -1);
  return {scale * (2 * (at(1, 0) - at(-1, 0)) + ne - nw + se - sw),
          scale * (2 * (at(0, 1) - at(0, -1)) + ne - se + nw - sw)};
}

}  // namespace grouser
