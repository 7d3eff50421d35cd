#pragma once

#include <cstdint>
#include <vector>

#include "collision/part_pair.h"
#include "core/hash.h"
#include "math/spatial.h"

namespace grouser::internal {

/// What two parts in contact remember.
struct BbccTouch {
  PartPair pair;
  double impact_speed = 0;  ///< largest at which they closed since they touch [m/s], >= 0

  friend bool operator==(const BbccTouch&, const BbccTouch&) = default;
};

/// A point of contact of rigid bodies, and the load there over the last step: what the next begins with.
struct PressedPoint {
  PartPair pair;
  std::int32_t point = 0;     ///< number among those of the pair
  Vec3 p_W = Vec3::Zero();    ///< [m]
  Vec3 force = Vec3::Zero();  ///< on the first part, axes of W [N]
  Vec3 torque =
      Vec3::Zero();  ///< on the first part, about the point, of friction against turning [N m]

  friend bool operator==(const PressedPoint&, const PressedPoint&) = default;
};

/// Everything that body contact remembers. A value: copying it is a snapshot.
struct BbccState {
  std::vector<BbccTouch> touches;    ///< parts that touched at the last commit; sorted by pair
  std::vector<PressedPoint> points;  ///< of rigid bodies; sorted by pair, then point

  bool empty() const { return touches.empty() && points.empty(); }
  friend bool operator==(const BbccState&, const BbccState&) = default;
  /// Adds nothing while it is empty.
  void hash(Hasher& hasher) const;
};

/// Looks up pairs that come in order.
class ImpactSpeeds {
 public:
  /// Of `first` and pairs after it.
  ImpactSpeeds(const BbccState& state, const PartPair& first);

  /// Of parts that touched at the last commit; 0 of others [m/s]. `pair` must not precede the last one.
  double of(const PartPair& pair) {
    while (next_ != end_ && next_->pair < pair) ++next_;
    return next_ != end_ && next_->pair == pair ? next_->impact_speed : 0;
  }

 private:
  std::vector<BbccTouch>::const_iterator next_, end_;
};

}  // namespace grouser::internal
