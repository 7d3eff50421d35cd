#pragma once

#include "math/spatial.h"

namespace grouser::internal {

/// Clock, sun and air of the place where a rover is. Hours are local solar time: a day has 24 of them,
/// however long it is, and the sun is highest at 12.
struct Day {
  double length = 88775.244;     ///< solar day [s], > 0; that of Mars: Allison & McEwen (2000)
  double start_hour = 12;        ///< at time 0 [h], in [0, 24)
  double latitude = 0;           ///< [rad], north is positive
  double declination = 0;        ///< of the sun, the season [rad]
  double temperature = 20;       ///< of the surroundings, mean over the day [°C]
  double temperature_swing = 0;  ///< half the difference of the extremes, warmest at 14 h [K], >= 0
};

/// Local solar time [h], in [0, 24).
double hour_of(const Day& day, double time);

/// First time [s] after `time` at which the clock shows `hour`.
double next_time_of_hour(const Day& day, double time, double hour);

/// Unit vector to the sun in W: x east, y north, z up; below the horizon by night.
///     sin e = sin φ sin δ + cos φ cos δ cos H,  H the hour angle, 0 at noon.
/// Duffie & Beckman, Solar Engineering of Thermal Processes, 4th ed. (2013), ch. 1.
Vec3 sun_direction(const Day& day, double time);

/// Temperature of the surroundings [°C].
double ambient_temperature(const Day& day, double time);

}  // namespace grouser::internal
