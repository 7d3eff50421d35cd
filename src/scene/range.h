#pragma once

#include <string>

namespace grouser::internal {

/// Legal values of a number, with its unit. The bounds are wide: they are there to catch wrong units
/// and slips of the keyboard, and to keep arithmetic far from overflow.
struct Range {
  double low = 0;
  double high = 0;
  bool above_low = false;  ///< `low` itself is illegal
  const char* unit = "-";
  const char* hint = "";  ///< said when a number is too large, e.g. on units
};

/// What is wrong with a finite number; empty if it is legal.
std::string range_defect(const Range& range, double value);

/// "> 0 and <= 1e6 [kg]"
std::string legal_text(const Range& range);

namespace ranges {

inline constexpr const char* kMetresHint = "lengths are in metres, not millimetres";

inline constexpr Range kMass{0, 1e6, true, "kg", "masses are in kilograms, not grams"};
inline constexpr Range kMoment{0, 1e10, false, "kg m²", "moments of inertia are in kg m²"};
inline constexpr Range kProduct{-1e10, 1e10, false, "kg m²", "moments of inertia are in kg m²"};
inline constexpr Range kLength{0, 1000, true, "m", kMetresHint};
inline constexpr Range kLengthOrZero{0, 1000, false, "m", kMetresHint};
inline constexpr Range kOffset{-1000, 1000, false, "m", kMetresHint};  ///< within a body
inline constexpr Range kPosition{-1e5, 1e5, false, "m", kMetresHint};  ///< in the world
inline constexpr Range kScale{-1e4, 1e4, false, "-"};
inline constexpr Range kComponent{-1e6, 1e6, false, "-"};  ///< of an axis, scaled to unit length
inline constexpr Range kColor{0, 1, false, "-", "colours go from 0 to 1, not to 255"};
inline constexpr Range kOrientation{-360, 360, false, "deg"};

inline constexpr Range kJointPosition{-1e5, 1e5, false, "rad or m"};
inline constexpr Range kJointDegrees{-1e7, 1e7, false, "deg"};
inline constexpr Range kJointVelocity{-1e4, 1e4, false, "rad/s or m/s"};
inline constexpr Range kVelocity{-1e4, 1e4, false, "m/s"};
inline constexpr Range kAngularVelocity{-1e4, 1e4, false, "rad/s"};
inline constexpr Range kEffort{-1e9, 1e9, false, "N m or N"};
inline constexpr Range kMaxEffort{0, 1e9, true, "N m or N"};
inline constexpr Range kArmature{0, 1e6, false, "kg m² or kg"};
inline constexpr Range kJointStiffness{0, 1e12, false, "N m/rad or N/m"};
inline constexpr Range kStopStiffness{0, 1e12, true, "N m/rad or N/m"};
inline constexpr Range kJointDamping{0, 1e12, false, "N m s/rad or N s/m"};
inline constexpr Range kFriction{0, 1e9, false, "N m or N"};
inline constexpr Range kFrictionSpeed{1e-9, 1e4, false, "rad/s or m/s"};
inline constexpr Range kStiffness{0, 1e12, false, "N/m"};
inline constexpr Range kTetherStiffness{0, 1e12, true, "N/m"};
inline constexpr Range kDamping{0, 1e12, false, "N s/m"};
inline constexpr Range kFactor{-1e6, 1e6, false, "- or m/rad"};
inline constexpr Range kTension{0, 1e9, false, "N"};

inline constexpr Range kGravity{-300, 300, false, "m/s²", "gravity is in m/s², not mm/s²"};
inline constexpr Range kTime{-1e7, 1e7, false, "s"};
inline constexpr Range kTimeOrZero{0, 1e7, false, "s"};
inline constexpr Range kDuration{0, 1e7, true, "s"};
inline constexpr Range kStep{1e-9, 1, false, "s", "steps are in seconds, not milliseconds"};
inline constexpr Range kMaxStep{0, 1e4, false, "s"};
inline constexpr Range kRelativeTolerance{1e-14, 0.1, false, "-"};
inline constexpr Range kAbsoluteTolerance{1e-20, 1, false, "unit of each state"};
inline constexpr Range kTheta{0.5, 1, false, "-"};
inline constexpr Range kContactMargin{1e-9, 0.01, false, "m",
                                      "overlap at rest, far below the bodies' size"};
inline constexpr Range kMaxSteps{1, 1e12, false, "-"};
inline constexpr Range kSeed{0, 9007199254740992.0, false, "-"};  // 2^53: exact in a double
inline constexpr Range kRate{0, 1e5, true, "Hz"};
inline constexpr Range kRateOrNone{0, 1e5, false, "Hz"};
inline constexpr Range kFrequency{0, 1e4, false, "Hz"};
inline constexpr Range kPhase{-1e3, 1e3, false, "rad"};
inline constexpr Range kDriveSpeed{0, 100, true, "m/s"};
inline constexpr Range kTurnRate{0, 100, true, "rad/s"};
inline constexpr Range kHeading{0, 3.2, true, "rad"};

}  // namespace ranges
}  // namespace grouser::internal
