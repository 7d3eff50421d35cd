#pragma once

#include <vector>

#include "terrain/height_field.h"

namespace grouser::internal {

struct ProfileOptions {
  /// Corners (s, z) of the profile [m], s strictly rising, >= 1. Before the first and after the
  /// last the height stays.
  std::vector<Vec2> points;
  double direction = 0;  ///< of the s axis, which leads through x = y = 0, from x towards y [rad]
  bool smooth = false;   ///< monotone cubics instead of straight lines between the points
  Rect domain = infinite_rect();  ///< [m]
};

/// A profile z(s) drawn out at right angles to itself: steps, ramps, a test track. Smooth profiles
/// have a continuous gradient and overshoot nowhere: piecewise cubics with the limited slopes of
/// Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5 (1984).
class ProfileField final : public HeightField {
 public:
  /// Throws Error(input) naming every point that is not finite or out of order.
  explicit ProfileField(ProfileOptions options);

  const ProfileOptions& options() const { return options_; }

  Rect domain() const override { return options_.domain; }
  SurfacePoint at(double x, double y) const override;
  HeightRange range(const Rect& rect) const override;

 private:
  struct Point {
    double z, slope;
  };
  Point profile(double s) const;

  ProfileOptions options_;
  Vec2 axis_;                   // unit vector along s
  std::vector<double> slopes_;  // of a smooth profile at its points
};

}  // namespace grouser::internal
