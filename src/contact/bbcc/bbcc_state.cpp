#include "contact/bbcc/bbcc_state.h"

#include <algorithm>

namespace grouser::internal {

ImpactSpeeds::ImpactSpeeds(const BbccState& state, const PartPair& first)
    : next_(std::ranges::lower_bound(state.touches, first, {}, &BbccTouch::pair)),
      end_(state.touches.end()) {}

}  // namespace grouser::internal
