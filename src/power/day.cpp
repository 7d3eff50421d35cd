#include "power/day.h"

#include <cmath>
#include <numbers>

namespace grouser::internal {
namespace {

constexpr double kHours = 24, kWarmestHour = 14;
constexpr double kRadiansPerHour = 2 * std::numbers::pi / kHours;

}  // namespace

double hour_of(const Day& day, double time) {
  const double hour = std::fmod(day.start_hour + kHours * time / day.length, kHours);
  return hour < 0 ? hour + kHours : hour;
}

double next_time_of_hour(const Day& day, double time, double hour) {
  constexpr double kNow = 1e-6;  // closer than this the hour is past [h]
  double wait = std::fmod(hour - hour_of(day, time) + kHours, kHours);
  if (wait <= kNow) wait += kHours;
  return time + wait / kHours * day.length;
}

Vec3 sun_direction(const Day& day, double time) {
  const double angle = kRadiansPerHour * (hour_of(day, time) - 12);
  const double sin_d = std::sin(day.declination), cos_d = std::cos(day.declination);
  const double sin_l = std::sin(day.latitude), cos_l = std::cos(day.latitude);
  return {-cos_d * std::sin(angle), sin_d * cos_l - cos_d * sin_l * std::cos(angle),
          sin_d * sin_l + cos_d * cos_l * std::cos(angle)};
}

double ambient_temperature(const Day& day, double time) {
  return day.temperature +
         day.temperature_swing * std::cos(kRadiansPerHour * (hour_of(day, time) - kWarmestHour));
}

}  // namespace grouser::internal
