#include <cmath>
#include <cstdint>
#include <limits>

#include "core/parallel.h"
#include "terrain/no_data_fill.h"

namespace grouser::internal {
namespace {

constexpr int kNoRow = -1;

// Per node the row, within its own column, of the nearest node with data.
std::vector<int> nearest_in_column(const std::vector<double>& heights, int nx, int ny) {
  std::vector<int> row(heights.size());
  const auto at = [nx](int i, int j) {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(i);
  };
  for (int i = 0; i < nx; ++i) {
    int last = kNoRow;
    for (int j = 0; j < ny; ++j) {
      if (!std::isnan(heights[at(i, j)])) last = j;
      row[at(i, j)] = last;
    }
    last = kNoRow;
    for (int j = ny - 1; j >= 0; --j) {
      if (!std::isnan(heights[at(i, j)])) last = j;
      int& best = row[at(i, j)];
      if (last != kNoRow && (best == kNoRow || last - j < j - best)) best = last;
    }
  }
  return row;
}

// Lower envelope of the parabolas (i - k)² + d(k)² along one row: exact Euclidean distances in
// linear time, after Felzenszwalb & Huttenlocher, Theory of Computing 8 (2012).
class RowEnvelope {
 public:
  explicit RowEnvelope(int nx) : apex_(static_cast<std::size_t>(nx)), from_(apex_.size() + 1) {}

  /// distance_squared(k) < 0 where column k has no data at all. There must be one that has.
  template <class Distance>
  void build(int nx, const Distance& distance_squared) {
    count_ = 0;
    for (int k = 0; k < nx; ++k) {
      const double d = distance_squared(k);
      if (d < 0) continue;
      double start = -std::numeric_limits<double>::infinity();
      while (count_ > 0) {
        const int a = apex_[count_ - 1];
        start = (d + double(k) * k - distance_squared(a) - double(a) * a) / (2.0 * (k - a));
        if (start > from_[count_ - 1]) break;
        --count_;
        start = -std::numeric_limits<double>::infinity();
      }
      apex_[count_] = k;
      from_[count_] = start;
      ++count_;
    }
    from_[count_] = std::numeric_limits<double>::infinity();
    current_ = 0;
  }

  /// The column of the nearest data; to be called with rising i.
  int nearest(int i) {
    while (from_[current_ + 1] < i) ++current_;
    return apex_[current_];
  }

 private:
  std::vector<int> apex_;
  std::vector<double> from_;  // where each parabola begins to be the lowest
  std::size_t count_ = 0, current_ = 0;
};

}  // namespace

FillReport fill_nearest(std::vector<double>& heights, int nx, int ny) {
  const std::vector<int> row = nearest_in_column(heights, nx, ny);
  const std::vector<double> original = heights;
  const std::size_t width = static_cast<std::size_t>(nx);
  std::vector<std::size_t> filled(static_cast<std::size_t>(ny), 0);
  parallel_for(filled.size(), 16, [&](std::size_t begin, std::size_t end) {
    RowEnvelope envelope(nx);
    for (std::size_t j = begin; j < end; ++j) {
      const int* rows = row.data() + j * width;
      const auto squared = [&](int k) {
        const double d = rows[k] - static_cast<double>(j);
        return rows[k] == kNoRow ? -1.0 : d * d;
      };
      envelope.build(nx, squared);
      for (int i = 0; i < nx; ++i) {
        const std::size_t node = j * width + static_cast<std::size_t>(i);
        const int k = envelope.nearest(i);
        if (!std::isnan(original[node])) continue;
        heights[node] =
            original[static_cast<std::size_t>(rows[k]) * width + static_cast<std::size_t>(k)];
        ++filled[j];
      }
    }
  });
  FillReport report;
  for (const std::size_t count : filled) report.filled += count;
  return report;
}

}  // namespace grouser::internal
