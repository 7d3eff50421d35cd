#pragma once

#include <span>

#include "core/index.h"
#include "math/spatial.h"

namespace grouser::internal {

/// How bodies stand and move, as contact sees them: plain arrays over all bodies, which our multibody code or that of
/// a host fills.
struct BodyMotions {
  std::span<const Pose> X_WB;   ///< per body
  std::span<const Twist> V_WR;  ///< per body, at its reference point, axes of W
  std::span<const Vec3>
      p_WR;  ///< per body: that point; its origin, or any other that moves with it [m]

  /// Of a body at a point of it, axes of W.
  Twist twist_at(int body, const Vec3& p_W) const {
    return V_WR[at(body)].shifted(p_W - p_WR[at(body)]);
  }
};

}  // namespace grouser::internal
