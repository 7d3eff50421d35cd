#include "contact/bbcc/bbcc_state.h"

#include <algorithm>

namespace grouser {

void BbccState::hash(Hasher& hasher) const {
  hasher.u64(touches.size());
  for (const BbccTouch& touch : touches) {
    for (const std::int32_t n : {touch.pair.a, touch.pair.i, touch.pair.b, touch.pair.j}) {
      hasher.u64(static_cast<std::uint64_t>(n));
    }
    hasher.f64(touch.impact_speed);
  }
}

ImpactSpeeds::ImpactSpeeds(const BbccState& state, const PartPair& first)
    : next_(std::ranges::lower_bound(state.touches, first, {}, &BbccTouch::pair)),
      end_(state.touches.end()) {}

}  // namespace grouser
