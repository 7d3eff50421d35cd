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

double BbccState::impact_speed(const PartPair& pair) const {
  const auto found = std::ranges::lower_bound(touches, pair, {}, &BbccTouch::pair);
  return found != touches.end() && found->pair == pair ? found->impact_speed : 0;
}

}  // namespace grouser
