#include "contact/bbcc/bbcc_state.h"

#include <algorithm>

namespace grouser {

namespace {

void hash_pair(Hasher& hasher, const PartPair& pair) {
  for (const std::int32_t n : {pair.a, pair.i, pair.b, pair.j}) {
    hasher.u64(static_cast<std::uint64_t>(n));
  }
}

}  // namespace

void BbccState::hash(Hasher& hasher) const {
  hasher.u64(touches.size());
  for (const BbccTouch& touch : touches) {
    hash_pair(hasher, touch.pair);
    hasher.f64(touch.impact_speed);
  }
  hasher.u64(points.size());
  for (const PressedPoint& point : points) {
    hash_pair(hasher, point.pair);
    hasher.u64(static_cast<std::uint64_t>(point.point));
    for (const double x : point.p_W) hasher.f64(x);
    for (const double x : point.force) hasher.f64(x);
    for (const double x : point.torque) hasher.f64(x);
  }
}

ImpactSpeeds::ImpactSpeeds(const BbccState& state, const PartPair& first)
    : next_(std::ranges::lower_bound(state.touches, first, {}, &BbccTouch::pair)),
      end_(state.touches.end()) {}

}  // namespace grouser
