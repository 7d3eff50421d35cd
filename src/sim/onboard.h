#pragma once

namespace grouser::internal {

enum class OnboardKind {
  speed,     ///< all wheels turn faster until the rover is as fast as they ask
  slip,      ///< each wheel turns faster by what its slip takes
  traction,  ///< wheels that slip more than others turn slower, the others faster
  heading,   ///< all wheels steer against the way the rover slides aside
};

const char* to_string(OnboardKind kind);

/// A controller on board of a rover, between what drives its wheels and their servos. At the ticks of its own clock it
/// looks at wheels and chassis and holds, until the next one, a factor of each wheel's rate and an angle added to
/// each wheel's steering:
///     speed     f += g T (v_asked - v) / v_asked                   the same of all wheels
///     slip      f = s / (1 - s)            slip s of the wheel, averaged over `average` seconds
///     traction  f += g T (mean s - s),     less the mean of f over all wheels
///     heading   δ -= g T β                 angle β from where the wheels steer to where the chassis goes
/// with gain g and period T. f and δ stay within `limit`; speed and slip never slow down. Nothing is done while the
/// rover is asked to stand or to turn on the spot, where δ is 0.
struct OnboardControl {
  OnboardKind kind = OnboardKind::slip;
  int rover = 0;
  double rate_hz = 5;  ///< [Hz], > 0
  double gain = 0.5;   ///< g [1/s], > 0
  double limit = 0.5;  ///< of f [-] or δ [rad], > 0
  double average = 2;  ///< time over which speeds are averaged [s], > 0
};

}  // namespace grouser::internal
