#pragma once

#include <vector>

#include "assets/wheel.h"

namespace grouser::internal {

/// What the parts of a wheel with a rim have in common: its section through the axle, the lines of its
/// mesh across the width, and how bars are turned along it.
class WheelSection {
 public:
  /// The spec must be valid.
  explicit WheelSection(const WheelSpec& spec);

  double radius(double y) const;        ///< of the tread without grousers [m]
  double inner_radius(double y) const;  ///< of the inside of the rim [m]
  double shift(double y) const;         ///< angle by which grousers are ahead of the middle [rad]
  bool hollow() const { return spec_.rim_thickness > 0; }
  bool spoked() const { return hollow() && spec_.spokes.count > 0; }

  /// Half the width of a grouser around the axle [m].
  double grouser_half_width() const;

  /// Largest angle between neighbouring nodes around the axle [rad] such that the flat faces between
  /// them stay well inside the thickness of the rim.
  double largest_step() const { return largest_step_; }

  /// Lines of the mesh, from -width/2 to width/2: every kink of the profile and the edges of the spokes,
  /// and as many between them as the edge length asks for. Mirrored if the profile is.
  std::vector<double> rows() const;

 private:
  double turn_between(double y0, double y1) const;
  int pieces_between(double y0, double y1) const;

  WheelSpec spec_;
  double shift_per_length_ = 0;  // dφ/dy [rad/m]
  double largest_step_ = 0;
};

/// Smallest and largest of the profile's radii [m].
struct RadiusRange {
  double min, max;
};
RadiusRange tread_radii(const WheelSpec& spec);

/// Number of pieces, at least one, into which a length is cut so that none is longer than `longest`.
int pieces(double length, double longest);

}  // namespace grouser::internal
