#pragma once

#include <vector>

#include "terrain/soil.h"

/// Tests of a smooth wheel in sand at Carnegie Mellon University: C. Pavlov and A. Johnson,
/// github.com/robomechanics/3d-terramechanics (MIT licence). The carriage travels at 10 mm/s.
namespace grouser::internal {

inline constexpr double kCmuWheelRadius = 0.058, kCmuWheelWidth = 0.05;  // [m]

/// Means over three trials each. Forces are those of the soil, in the wheel's own axes.
struct CmuWheelTest {
  double slip_angle_deg = 0;  ///< heading against travel
  double rim = 0;             ///< speed of the rim / speed of travel [-]
  double load = 0;            ///< [N]
  double pull = 0;            ///< along the heading [N]
  double lateral = 0;         ///< along the axle, against the side that the wheel slides to [N]
  double sinkage_mm = 0;      ///< [mm]; its zero is uncertain by a few millimetres

  /// Driving 1 - v/(ωr), braking ωr/v - 1, with v along the heading.
  double slip() const;
};

/// All tests up to a slip angle of 45°, but those of a locked wheel: it sank to its axle.
const std::vector<CmuWheelTest>& cmu_wheel_tests();

/// The sand: n, k_c and k_φ as `grouser identify soil` finds them from 18 plate tests by the same authors
/// (docs/identify.md), density and angle of repose as measured; friction is taken as the angle of repose, no
/// cohesion, and K is assumed. Nothing is fitted to the wheel.
Soil cmu_sand();

}  // namespace grouser::internal
