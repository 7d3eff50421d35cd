#include "lab/cmu_wheel_tests.h"

#include <cmath>
#include <numbers>

namespace grouser::internal {

double CmuWheelTest::slip() const {
  const double along = std::cos(slip_angle_deg * std::numbers::pi / 180);
  return rim >= along ? 1 - along / rim : rim / along - 1;
}

const std::vector<CmuWheelTest>& cmu_wheel_tests() {
  static const std::vector<CmuWheelTest> tests = {
      // angle, rim, load, pull, lateral, sinkage
      {0, 0.30, 21.8, -24.1, 1.6, 32.4},   {0, 0.50, 23.2, -17.2, 1.1, 23.7},
      {0, 0.80, 23.7, -7.3, 0.8, 15.1},    {0, 1.00, 24.6, -1.3, 0.8, 14.4},
      {0, 1.30, 24.6, 0.7, -0.3, 17.9},    {0, 2.00, 25.3, 1.0, 0.5, 22.7},
      {0, 4.01, 24.0, 0.8, 0.2, 25.4},     {0, 9.98, 25.7, 1.5, 0.5, 25.7},
      {15, 0.30, 21.2, -25.1, 9.6, 34.2},  {15, 0.50, 22.6, -17.6, 7.8, 25.0},
      {15, 0.80, 23.7, -8.4, 7.0, 17.6},   {15, 1.00, 23.6, -3.6, 7.2, 17.2},
      {15, 1.30, 23.3, -0.1, 5.1, 18.5},   {15, 2.00, 24.8, 0.6, 4.1, 23.4},
      {15, 4.00, 23.7, 0.8, 2.4, 25.5},    {15, 9.97, 23.9, 1.6, 1.4, 26.7},
      {30, 0.30, 20.9, -25.4, 17.4, 37.7}, {30, 0.50, 21.6, -17.5, 13.9, 29.1},
      {30, 0.80, 22.9, -9.0, 11.9, 22.8},  {30, 1.00, 22.0, -4.7, 10.1, 21.6},
      {30, 1.30, 22.3, -1.3, 8.5, 22.2},   {30, 2.00, 23.2, 0.3, 6.1, 23.9},
      {30, 4.00, 22.2, 1.2, 3.8, 26.5},    {30, 9.97, 22.6, 1.7, 2.4, 27.8},
      {45, 0.30, 21.8, -25.1, 26.1, 39.6}, {45, 0.50, 21.6, -16.7, 20.3, 33.3},
      {45, 0.80, 21.9, -8.8, 15.7, 27.7},  {45, 1.00, 22.1, -5.6, 13.7, 26.3},
      {45, 1.30, 21.5, -2.1, 11.1, 25.2},  {45, 2.00, 21.9, 0.1, 8.2, 26.1},
      {45, 4.00, 21.4, 1.1, 5.2, 28.1},    {45, 9.97, 23.0, 2.2, 3.3, 29.6},
  };
  return tests;
}

Soil cmu_sand() {
  Soil soil;
  soil.name = "cmu_sand";
  soil.description = "dry sand of plate and wheel tests at Carnegie Mellon University";
  soil.source = "C. Pavlov and A. Johnson, github.com/robomechanics/3d-terramechanics";
  soil.validity = "discs of 60 to 100 mm, 0.5 to 59 kPa";
  soil.least_width = 0.03;
  soil.greatest_width = 0.05;
  soil.sinkage_exponent = 1.300;
  soil.cohesive_modulus = -1.53e5;
  soil.frictional_modulus = 8.29e6;
  soil.cohesion = 0;
  soil.friction_angle = soil.repose_angle = 29 * std::numbers::pi / 180;
  soil.shear_modulus = 0.01;
  soil.density = 1330;
  soil.estimated = {"cohesion", "friction_angle", "shear_modulus"};
  return soil;
}

}  // namespace grouser::internal
