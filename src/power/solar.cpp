#include "power/solar.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {

double solar_power(const SolarSpec& panel, const Day& day, double time, const Mat3& R_WC) {
  const Vec3 sun = sun_direction(day, time);
  if (sun.z() <= 0) return 0;
  const double beam = std::exp(-panel.optical_depth / sun.z());
  const double facing = std::max(0.0, sun.dot(R_WC * panel.normal));
  const double light = panel.irradiance * (beam * facing + panel.diffuse * (1 - beam) * sun.z());
  const double clean =
      (1 - panel.dust) * std::pow(1 - panel.dust_per_day, std::max(0.0, time) / day.length);
  return panel.area * panel.efficiency * clean * light;
}

}  // namespace grouser::internal
