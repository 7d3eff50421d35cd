#include "power/solar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/angle.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

TEST(Day, ClockGoesRound) {
  const Day day{.length = 2400, .start_hour = 20};
  EXPECT_DOUBLE_EQ(hour_of(day, 300), 23);
  EXPECT_DOUBLE_EQ(hour_of(day, 500), 1);
  EXPECT_DOUBLE_EQ(next_time_of_hour(day, 0, 2), 600);
  EXPECT_DOUBLE_EQ(next_time_of_hour(day, 600, 2), 3000);
}

// At noon the sun stands at 90° - φ + δ in the south; at the equinox it rises in the east at 6.
TEST(Day, SunStandsWhereItShould) {
  const Day day{
      .length = 2400, .start_hour = 0, .latitude = 40 * kDegree, .declination = 10 * kDegree};
  const Vec3 noon = sun_direction(day, 1200);
  EXPECT_NEAR(std::asin(noon.z()), 60 * kDegree, 1e-12);
  EXPECT_LT(noon.y(), 0);
  EXPECT_NEAR(noon.x(), 0, 1e-12);
  EXPECT_NEAR(sun_direction(day, 777).norm(), 1, 1e-12);
  const Day equinox{.length = 2400, .start_hour = 6, .latitude = 40 * kDegree};
  EXPECT_NEAR((sun_direction(equinox, 0) - Vec3::UnitX()).norm(), 0, 1e-12);
}

// Length of the day: cos H = -tan φ tan δ.
TEST(Day, SunSetsWhenItShould) {
  const Day day{
      .length = 24, .start_hour = 12, .latitude = 40 * kDegree, .declination = 20 * kDegree};
  const double hour = std::acos(-std::tan(40 * kDegree) * std::tan(20 * kDegree)) / (15 * kDegree);
  EXPECT_GT(sun_direction(day, hour - 1e-3).z(), 0);
  EXPECT_LT(sun_direction(day, hour + 1e-3).z(), 0);
}

TEST(Solar, WithoutAirAndDustByTheCosine) {
  const Day day{.start_hour = 12};
  const SolarSpec panel{
      .area = 2, .efficiency = 0.25, .irradiance = 600, .optical_depth = 0, .diffuse = 0};
  EXPECT_NEAR(solar_power(panel, day, 0, Mat3::Identity()), 300, 1e-9);
  const Mat3 tilted = rotation_from_rpy(Vec3(60 * kDegree, 0, 0));
  EXPECT_NEAR(solar_power(panel, day, 0, tilted), 150, 1e-9);
  EXPECT_EQ(solar_power(panel, day, day.length / 2, Mat3::Identity()), 0);
}

// Overhead: 600 W/m² (e^-0.5 + 0.7 (1 - e^-0.5)) · 0.9.
TEST(Solar, AirScattersAndDustTakes) {
  const Day day{.start_hour = 12};
  const SolarSpec panel{.area = 1,
                        .efficiency = 1,
                        .irradiance = 600,
                        .optical_depth = 0.5,
                        .diffuse = 0.7,
                        .dust = 0.1,
                        .dust_per_day = 0.01};
  const double beam = std::exp(-0.5);
  const double light = 600 * 0.9 * (beam + 0.7 * (1 - beam));
  EXPECT_NEAR(solar_power(panel, day, 0, Mat3::Identity()), light, 1e-9);
  EXPECT_NEAR(solar_power(panel, day, 3 * day.length, Mat3::Identity()), light * std::pow(0.99, 3),
              1e-6);
}

// Over a day at the equator without air: S A η / π of the day.
TEST(Solar, OverADay) {
  const Day day{.length = 1000, .start_hour = 0};
  const SolarSpec panel{
      .area = 1, .efficiency = 1, .irradiance = 100, .optical_depth = 0, .diffuse = 0};
  double energy = 0;
  for (int k = 0; k < 1000; ++k) energy += solar_power(panel, day, k + 0.5, Mat3::Identity());
  EXPECT_NEAR(energy, 1e5 / std::numbers::pi, 0.1);  // measured 0.05, of the midpoint rule
}

}  // namespace
}  // namespace grouser::internal
