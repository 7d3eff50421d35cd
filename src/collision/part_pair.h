#pragma once

#include <compare>
#include <cstdint>

namespace grouser::internal {

/// Two parts that may touch: part i of collider a and part j of collider b, a < b. Grounds count on after
/// the colliders and have one part.
struct PartPair {
  std::int32_t a = 0, i = 0, b = 0, j = 0;

  friend auto operator<=>(const PartPair&, const PartPair&) = default;
};

}  // namespace grouser::internal
