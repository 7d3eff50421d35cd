#include "contact/scm/erosion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/index.h"
#include "math/double4.h"

namespace grouser::internal {
namespace {

/// What slides comes to rest a little below the angle of repose: beyond half the excess, which would
/// lead to that angle, goes this part of the drop that stands. It spares most of the small slides that
/// would follow. Where the ground itself is about as steep it is the other half of the excess, if that is
/// less: a slide must not set off a larger one above it, and so on up the hill.
constexpr double kBeyond = 0.04;

/// Part of the room under a body that counts as excess: more than half of it slides in at a time, never
/// more than all of it.
constexpr double kFilled = 1.2;

/// The rows below, at and above a node. Of each a node, one on either side, and one more that does not count:
/// an operation on all is written once and takes one or two vector instructions.
using Rows = std::array<Double4, 3>;

double sum_of(const Double4& a) { return (a[0] + a[2]) + (a[1] + a[3]); }
double largest_of(const Double4& a) { return std::max(std::max(a[0], a[2]), std::max(a[1], a[3])); }

/// to_soil_quanta() of each.
Double4 to_quanta(const Double4& heights) {
  constexpr double kShift = 0x1.8p52 * kSoilQuantum;
  return (heights + kShift) - kShift;
}

/// What a soil lets stand between neighbours on level ground [m].
struct Limits {
  /// Tangent of the angle of repose, what may be added to it, and the spacing [m].
  Limits(double tan, double more, double ds) {
    constexpr double kAny = 1e9;
    const double diagonal = std::numbers::sqrt2 * ds;
    const Double4 across{diagonal, ds, diagonal, 0}, along{ds, 0, ds, 0};
    drop = {across * tan, along * tan, across * tan};
    for (Double4& row : drop) row[3] = kAny;
    slack = {across * more, along * more, across * more};
    straight = ds * tan;
  }
  Rows drop;        // from a node to those around it; none to itself, any to what does not count
  Rows slack;       // what may remain above that
  double straight;  // drop to the next in the row
};

class Eroder {
 public:
  Eroder(const SoilMap& soils, SoilWork& work, ErosionScratch& scratch)
      : soils_(soils),
        work_(work),
        s_(scratch),
        row_(work.grid.stride()),
        around_{-row_ - 1, -row_, -row_ + 1, -1, 1, row_ - 1, row_, row_ + 1},
        gentlest_(gentlest()) {}

  ErosionReport run(std::span<const NodeRect> from) {
    s_.queued.resize(work_.grid.size() + 1);  // rows are looked at in fours
    std::copy(work_.held.begin(), work_.held.end(), s_.queued.begin());
    s_.queued.back() = 1;
    s_.now.resize(work_.grid.size() + 1);
    s_.next.resize(work_.grid.size() + 1);
    for (const NodeRect& rect : from) queue(rect);
    ErosionReport report;
    while (waiting_ > 0) {
      if (report.sweeps == kMostErosionSweeps) {
        report.settled = false;
        break;
      }
      ++report.sweeps;
      std::swap(s_.now, s_.next);
      const auto end = s_.now.begin() + waiting_;
      waiting_ = 0;
      if (report.sweeps % 2 == 0) std::reverse(s_.now.begin(), end);
      for (auto n = s_.now.begin(); n != end; ++n) {
        s_.queued[at(*n)] = 0;
        slide(*n);
      }
    }
    report.moved = moved_;
    return report;
  }

 private:
  /// Of the eight nodes around one: 4 times the row, and the lane.
  static constexpr std::array<unsigned, 8> kLane{0, 1, 2, 4, 6, 8, 9, 10};
  static constexpr unsigned kAround = 0x757;  // the same as bits

  /// Of the soil with the smallest angle of repose; takes down those of all.
  Limits gentlest() {
    s_.tan_repose.clear();
    s_.tan_slack.clear();
    for (const Soil& soil : soils_.soils()) {
      s_.tan_repose.push_back(std::tan(soil.repose_angle));
      s_.tan_slack.push_back(std::tan(soil.repose_angle + kReposeSlack) - s_.tan_repose.back());
    }
    const auto least = std::min_element(s_.tan_repose.begin(), s_.tan_repose.end());
    return limits_of(static_cast<std::size_t>(least - s_.tan_repose.begin()));
  }

  Limits limits_of(std::size_t soil) const {
    return {s_.tan_repose[soil], s_.tan_slack[soil], work_.window.grid.spacing};
  }

  /// Of a node against those around it [m].
  struct Excess {
    Rows change;  // of the nodes
    Rows stands;  // drop of the changes that does
    Rows drop;    // by how much it exceeds what stands
    Rows room;    // for more, there
    Rows value;   // the smaller of both, or 0
  };

  /// To be looked at in the next sweep. Held nodes are marked from the start.
  void queue(std::int32_t n) {
    if (s_.queued[at(n)] != 0) return;
    s_.queued[at(n)] = 1;
    s_.next[at(waiting_++)] = n;
  }

  /// Which of four nodes in a row are marked, a bit each.
  unsigned marked(std::size_t first) const {
    std::uint32_t bytes;
    std::memcpy(&bytes, &s_.queued[first], sizeof bytes);
    return (bytes * 0x10204080U) >> 28;  // bits 0, 8, 16 and 24 side by side
  }

  void queue(const NodeRect& rect) {
    const SoilWindow& window = work_.window;
    const int i0 = std::max(0, rect.i0 - window.i0), j0 = std::max(0, rect.j0 - window.j0);
    const int i1 = std::min(work_.grid.nx, rect.i0 + rect.nx - window.i0);
    const int j1 = std::min(work_.grid.ny, rect.j0 + rect.ny - window.j0);
    for (int j = j0; j < j1; ++j) {
      for (int i = i0; i < i1; i += 4) {
        const auto n = static_cast<std::int32_t>(work_.grid.index(i, j));
        const unsigned steep = steep_of_four(n);
        for (int k = 0; k < std::min(4, i1 - i); ++k) {
          if ((steep >> k & 1) != 0) queue(n + k);
        }
      }
    }
  }

  /// Which of a node and the next three in its row may slide, a bit each.
  unsigned steep_of_four(std::int32_t n) const {
    const Double4 own = load4(&work_.change[at(n)]), own_base = load4(&work_.base[at(n)]);
    Long4 steep{};
    for (std::size_t k = 0; k < 8; ++k) {
      const std::size_t there = at(n + around_[k]);
      const std::size_t row = kLane[k] / 4, lane = kLane[k] % 4;
      const Double4 change = load4(&work_.change[there]), base = load4(&work_.base[there]);
      const Double4 stands = greater(gentlest_.drop[row][lane] - (own_base - base), Double4{});
      const Double4 room = kFilled * (load4(&work_.ceiling[there]) - base - change);
      steep |= lesser(own - change - stands, room) > gentlest_.slack[row][lane];
    }
    return bits_of(steep);
  }

  Limits limits_at(std::int32_t n) const {
    const Vec2 place = work_.window.grid.node(n % row_ - 1, n / row_ - 1);
    return limits_of(static_cast<std::size_t>(soils_.index_at(place.x(), place.y())));
  }

  /// False if there is none that would not stand.
  bool find_excess(std::int32_t n, const Limits& limits, Excess& excess) const {
    const double own = work_.change[at(n)], own_base = work_.base[at(n)];
    Long4 over{};
    for (std::size_t r = 0; r < 3; ++r) {
      const std::size_t first = at(n + (static_cast<std::int32_t>(r) - 1) * row_ - 1);
      const Double4 change = load4(&work_.change[first]), base = load4(&work_.base[first]);
      excess.change[r] = change;
      excess.stands[r] = greater(limits.drop[r] - (own_base - base), Double4{});
      excess.drop[r] = own - change - excess.stands[r];
      excess.room[r] = kFilled * (load4(&work_.ceiling[first]) - base - change);
      excess.value[r] = greater(lesser(excess.drop[r], excess.room[r]), Double4{});
      over |= excess.value[r] > limits.slack[r];
    }
    return bits_of(over) != 0;
  }

  void slide(std::int32_t n) {
    Excess excess;
    if (!find_excess(n, gentlest_, excess)) return;
    if (soils_.soils().size() == 1) {
      move(n, gentlest_, excess);
    } else if (const Limits limits = limits_at(n); find_excess(n, limits, excess)) {
      move(n, limits, excess);
    }
  }

  void move(std::int32_t n, const Limits& limits, const Excess& excess) {
    const Rows& e = excess.value;
    const double sum = sum_of(e[0] + e[1] + e[2]);
    const double most = largest_of(greater(greater(e[0], e[1]), e[2]));
    const Rows& stands = excess.stands;
    // How steep a drop stands, in the mean over where the soil goes.
    const double weighted = sum_of(e[0] * stands[0] + e[1] * stands[1] + e[2] * stands[2]);
    const double per_sum = 1 / sum;
    const double beyond =
        std::min(std::max(0.5 * most, kBeyond * weighted * per_sum), kBeyond * limits.straight);
    const double part = (0.5 * most + beyond) * per_sum;
    Rows shares;
    for (std::size_t r = 0; r < 3; ++r) {
      const Double4 fits = greater(excess.room[r] * (1 / kFilled), Double4{});
      shares[r] = to_quanta(lesser(e[r] * part, fits));
    }
    const double total = sum_of(shares[0] + shares[1] + shares[2]);
    moved_ += total;
    Rows change{excess.change[0] + shares[0], excess.change[1] + shares[1],
                excess.change[2] + shares[2]};
    const double own = work_.change[at(n)] - total;
    change[1][1] = own;
    unsigned restless = 0;
    Long4 again{};
    for (std::size_t r = 0; r < 3; ++r) {
      const std::size_t first = at(n + (static_cast<std::int32_t>(r) - 1) * row_ - 1);
      store4(change[r], &work_.change[first]);
      again |= lesser(excess.drop[r] - total - shares[r], excess.room[r] - kFilled * shares[r]) >
               limits.slack[r];
      // What leans on the node may follow; what it fell on may slide on.
      const Double4 rise = load4(&work_.base[first]) - work_.base[at(n)];
      const Double4 leans = greater(gentlest_.drop[r] - rise, Double4{}) + gentlest_.slack[r];
      const Double4 above = change[r] - own;
      const Long4 may_slide = (shares[r] > 0) | (above > leans);
      restless |= (bits_of(may_slide) & ~marked(first)) << (4 * r);
    }
    // Few are left to be marked: most are already.
    for (restless &= kAround; restless != 0; restless &= restless - 1) {
      const std::int32_t bit = std::countr_zero(restless);
      queue(n + (bit / 4 - 1) * row_ + bit % 4 - 1);
    }
    if (bits_of(again) != 0) queue(n);
  }

  const SoilMap& soils_;
  SoilWork& work_;
  ErosionScratch& s_;
  const std::int32_t row_;
  const std::array<std::int32_t, 8> around_;
  const Limits gentlest_;
  std::int32_t waiting_ = 0;  // number of nodes in `next`
  double moved_ = 0;
};

}  // namespace

ErosionReport erode(std::span<const NodeRect> from, const SoilMap& soils, SoilWork& work,
                    ErosionScratch& scratch) {
  return Eroder(soils, work, scratch).run(from);
}

}  // namespace grouser::internal
