#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "math/spatial.h"

namespace grouser::internal {

/// A wheel as a cylinder, where it stands.
struct WheelPose {
  Vec3 centre = Vec3::Zero();  ///< [m]
  Vec3 axle = Vec3::UnitY();   ///< unit
  double radius = 0;           ///< [m]
  double width = 0;            ///< [m]
};

struct WheelGap {
  double least = 0;  ///< vertically to the ground, negative below it [m]
  /// A smooth function of the pose, a little below `least`: as if the wheel were soft. A wheel that lies in a dip
  /// touches at two points, between which the least gap has a kink [m].
  double smooth = 0;
  Vec3 point =
      Vec3::Zero();  ///< of the wheel, where such a soft one would be pressed in the mean [m]
};

/// Vertical distance between the lower part of a wheel's rim and the ground, height(x, y) [m].
template <class Height>
WheelGap wheel_gap(const WheelPose& wheel, Height&& height) {
  constexpr int kAngles = 8;      // to either side of the lowest point
  constexpr double kStep = 0.1;   // between them [rad]
  constexpr double kSoft = 5e-4;  // [m]
  constexpr double kTiny = 1e-9;
  Vec3 down = -Vec3::UnitZ() + wheel.axle.z() * wheel.axle;
  if (down.norm() < kTiny) down = Vec3::UnitX();  // it lies flat
  down.normalize();
  const Vec3 ahead = wheel.axle.cross(down);
  struct Place {
    double gap;
    Vec3 p;
  };
  const auto look = [&](double side, double angle) {
    const Vec3 p = wheel.centre + side * wheel.width * wheel.axle +
                   wheel.radius * (std::cos(angle) * down + std::sin(angle) * ahead);
    return Place{p.z() - height(p.x(), p.y()), p};
  };
  std::array<Place, 3 * (2 * kAngles + 3)> places;
  std::size_t count = 0;
  WheelGap result{.least = 1e300};
  for (const double side : {-0.5, 0.0, 0.5}) {
    for (int k = -kAngles - 1; k <= kAngles + 1; ++k) {
      places[count++] = look(side, kStep * k);
      result.least = std::min(result.least, places[count - 1].gap);
      if (k <= -kAngles) continue;
      // Between angles: at the lowest point of the parabola through three.
      const double before = places[count - 3].gap, here = places[count - 2].gap,
                   after = places[count - 1].gap;
      if (!(here <= before && here < after)) continue;
      const double vertex = (before - after) / (2 * (before - 2 * here + after));
      result.least = std::min(result.least, look(side, kStep * (k - 1 + vertex)).gap);
    }
  }
  double sum = 0;
  for (const Place& place : places) {
    const double weight = std::exp((result.least - place.gap) / kSoft);
    sum += weight;
    result.point += weight * place.p;
  }
  result.point /= sum;
  result.smooth = result.least - kSoft * std::log(sum);
  return result;
}

}  // namespace grouser::internal
