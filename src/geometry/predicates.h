#pragma once

#include "math/spatial.h"

namespace grouser::internal {

/// Sign (-1, 0, 1) of twice the area of a, b, c in the plane: 1 if they turn left.
/// Signs are those of the exact value, except that one below 2⁻⁹⁰ of the terms it is the sum of
/// counts as zero: plain doubles decide most cases, pairs of doubles (Dekker 1971) the rest.
int orientation(const Vec2& a, const Vec2& b, const Vec2& c);

/// Sign of (b - a) × (c - a) · (d - a): 1 if d lies on the side of the plane a, b, c from which
/// they turn left. The same care.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace grouser::internal
