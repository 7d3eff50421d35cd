#include "contact/scm/erosion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace grouser {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// What slides comes to rest a little below the angle of repose: beyond half the excess, which would
/// lead to that angle, goes another part of it, but no more than a small part of the height that stands.
/// Settles in a fraction of the sweeps.
constexpr double kBeyond = 0.5, kMostBeyond = 0.05;

/// Values of the eight neighbours of a node. One operation on all is written once and takes one or a few
/// vector instructions, with the same bits everywhere.
using Eight = double __attribute__((vector_size(64)));

/// Part of the room under a body that counts as excess: more than half of it slides in at a time, never
/// all of it.
constexpr double kFilled = 1.2;

Eight larger(const Eight& a, const Eight& b) { return a > b ? a : b; }

class Eroder {
 public:
  Eroder(const SoilMap& soils, SoilWork& work, ErosionScratch& scratch)
      : soils_(soils), work_(work), s_(scratch) {
    const std::int32_t row = work.grid.stride();
    offset_ = {-row - 1, -row, -row + 1, -1, 1, row - 1, row, row + 1};
    const double ds = work.window.grid.spacing, diagonal = std::numbers::sqrt2 * ds;
    distance_ = Eight{diagonal, ds, diagonal, ds, ds, diagonal, ds, diagonal};
  }

  ErosionReport run(std::span<const NodeRect> from) {
    prepare();
    for (const NodeRect& rect : from) queue(rect);
    ErosionReport report;
    while (!s_.next.empty()) {
      if (report.sweeps == kMostErosionSweeps) {
        report.settled = false;
        break;
      }
      ++report.sweeps;
      std::swap(s_.now, s_.next);
      s_.next.clear();
      if (report.sweeps % 2 == 0) std::reverse(s_.now.begin(), s_.now.end());
      for (const std::int32_t n : s_.now) {
        s_.queued[at(n)] = 0;
        slide(n);
      }
    }
    report.moved = moved_;
    return report;
  }

 private:
  void prepare() {
    const std::size_t size = work_.grid.size();
    s_.height.resize(size);
    for (std::size_t p = 0; p < size; ++p) {
      s_.height[p] = work_.held[p] != 0 ? std::numeric_limits<double>::infinity()
                                        : work_.base[p] + work_.change[p];
    }
    s_.queued.assign(size, 0);
    s_.next.clear();
    s_.next.reserve(size);
    s_.now.reserve(size);
    s_.tan_repose.clear();
    s_.tan_slack.clear();
    for (const Soil& soil : soils_.soils()) {
      s_.tan_repose.push_back(std::tan(soil.repose_angle));
      s_.tan_slack.push_back(std::tan(soil.repose_angle + kReposeSlack) - s_.tan_repose.back());
    }
    gentlest_ = *std::min_element(s_.tan_repose.begin(), s_.tan_repose.end());
  }

  void queue(std::int32_t n) {
    if (s_.queued[at(n)] != 0 || work_.held[at(n)] != 0) return;
    s_.queued[at(n)] = 1;
    s_.next.push_back(n);
  }

  void queue(const NodeRect& rect) {
    const SoilWindow& window = work_.window;
    const int i0 = std::max(0, rect.i0 - window.i0), j0 = std::max(0, rect.j0 - window.j0);
    const int i1 = std::min(work_.grid.nx, rect.i0 + rect.nx - window.i0);
    const int j1 = std::min(work_.grid.ny, rect.j0 + rect.ny - window.j0);
    for (int j = j0; j < j1; ++j) {
      for (int i = i0; i < i1; ++i) queue(static_cast<std::int32_t>(work_.grid.index(i, j)));
    }
  }

  std::size_t soil_at(std::int32_t n) const {
    if (s_.tan_repose.size() == 1) return 0;
    const int row = work_.grid.stride();
    const Vec2 place = work_.window.grid.node(n % row - 1, n / row - 1);
    return static_cast<std::size_t>(soils_.index_at(place.x(), place.y()));
  }

  /// False if not even the gentlest soil would slide: spares most nodes the rest, above all the look-up
  /// in a map of zones.
  bool may_slide(std::int32_t n) const {
    const double* mid = &s_.height[at(n)];
    const double *low = mid - work_.grid.stride(), *high = mid + work_.grid.stride();
    const double straight = std::min(std::min(low[0], high[0]), std::min(mid[-1], mid[1]));
    const double across = std::min(std::min(low[-1], low[1]), std::min(high[-1], high[1]));
    return mid[0] - straight > distance_[1] * gentlest_ ||
           mid[0] - across > distance_[0] * gentlest_;
  }

  Eight around(const double* value) const {
    const double *low = value - work_.grid.stride(), *high = value + work_.grid.stride();
    return Eight{low[-1], low[0], low[1], value[-1], value[1], high[-1], high[0], high[1]};
  }

  void slide(std::int32_t n) {
    if (!may_slide(n)) return;
    const std::size_t soil = soil_at(n);
    const double tan_repose = s_.tan_repose[soil], tan_slack = s_.tan_slack[soil];
    // By how much the drop to each neighbour exceeds what stands, and what may be left of that.
    const double* height = &s_.height[at(n)];
    const double* base = &work_.base[at(n)];
    const Eight stands = larger(distance_ * tan_repose, *base - around(base));
    const Eight below = around(height);
    // Under a body there may be little room; what slides in must not lift it.
    const Eight room = kFilled * (around(&work_.ceiling[at(n)]) - below);
    const Eight drop = *height - below - stands;
    const Eight excess = larger(drop < room ? drop : room, Eight{});
    const Eight over = excess - distance_ * tan_slack;
    double sum = 0, most = 0, most_over = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      sum += excess[k];
      most = std::max(most, excess[k]);
      most_over = std::max(most_over, over[k]);
    }
    if (most_over == 0) return;
    const double beyond = std::min(kBeyond * most, kMostBeyond * distance_[1] * tan_repose);
    const Eight shares = excess * ((0.5 * most + beyond) / sum);
    for (std::size_t k = 0; k < 8; ++k) {
      if (shares[k] > 0) move(n, n + offset_[k], to_soil_quanta(shares[k]));
    }
    // What leans on the node may follow; what it fell on may slide on.
    const Eight lean = around(height) - *height - distance_ * gentlest_;
    const Eight restless = larger(lean, excess);
    for (std::size_t k = 0; k < 8; ++k) {
      if (restless[k] > 0) queue(n + offset_[k]);
    }
    queue(n);
  }

  void move(std::int32_t from, std::int32_t to, double height) {
    moved_ += height;
    add(from, -height);
    add(to, height);
  }

  void add(std::int32_t n, double height) {
    work_.change[at(n)] += height;
    s_.height[at(n)] = work_.base[at(n)] + work_.change[at(n)];
  }

  const SoilMap& soils_;
  SoilWork& work_;
  ErosionScratch& s_;
  std::array<std::int32_t, 8> offset_;
  Eight distance_;
  double gentlest_ = 0, moved_ = 0;
};

}  // namespace

ErosionReport erode(std::span<const NodeRect> from, const SoilMap& soils, SoilWork& work,
                    ErosionScratch& scratch) {
  return Eroder(soils, work, scratch).run(from);
}

}  // namespace grouser
