// A rover's day by hand, and the books of the whole.
#include "power/power_plant.h"

#include <gtest/gtest.h>

#include <vector>

namespace grouser::internal {
namespace {

PowerSpec small_plant() {
  PowerSpec spec;
  spec.battery = {.capacity = 3600e2,
                  .start_charge = 0.5,
                  .voltage = {{0, 20}, {1, 20}},
                  .resistance = 0.5,
                  .charge_efficiency = 0.9};
  spec.solar =
      SolarSpec{.area = 1, .efficiency = 0.2, .irradiance = 500, .optical_depth = 0, .diffuse = 0};
  spec.loads = {{.name = "computer", .power = 10}, {.name = "clock", .power = 2, .asleep = true}};
  spec.motors = {{.voltage = 24,
                  .stall_torque = 0.1,
                  .no_load_speed = 800,
                  .gear_ratio = 100,
                  .gear_efficiency = 0.8,
                  .friction = 0.01}};
  return spec;
}

struct Plant {
  PowerSpec spec = small_plant();
  PowerState state;
  std::vector<double> thermal;

  explicit Plant(const PowerSpec& from) : spec(from), thermal(thermal_size(from)) {
    start_power(spec, {}, state, thermal);
  }
  void go(const PowerConditions& conditions, const std::vector<MotorEnergy>& motors) {
    advance_power(spec, conditions, motors, state, thermal);
  }
};

// At noon the panel gives 100 W. The motor of motor_test takes 23.8 W, computer and clock 12 W, an instrument
// 22.2 W: 42 W are left, which charge the battery at 2 A: 40 W reach its cells, 36 W are stored.
TEST(PowerPlant, WorkedExample) {
  Plant plant(small_plant());
  MotorEnergy motor;
  motor.add(motor_flow(plant.spec.motors[0], 2, 4), 1);
  plant.go({.day = {.start_hour = 12}, .time = -0.5, .duration = 1, .payload = 22.2}, {motor, {}});
  EXPECT_NEAR(plant.state.solar, 100, 1e-9);
  EXPECT_NEAR(plant.state.mechanical, 8, 1e-12);
  EXPECT_NEAR(plant.state.copper + plant.state.gear, 15.8, 1e-12);
  EXPECT_NEAR(plant.state.loads, 12, 1e-12);
  EXPECT_NEAR(plant.state.stored - plant.state.stored_at_start, 36, 1e-9);
  EXPECT_NEAR(plant.state.internal, 2, 1e-9);
  EXPECT_NEAR(plant.state.charging, 4, 1e-9);
  EXPECT_LT(plant.state.balance_error(), 1e-12);
}

TEST(PowerPlant, SleepsOnLittle) {
  Plant plant(small_plant());
  plant.go({.day = {.start_hour = 0}, .duration = 10, .asleep = true}, {{}, {}});
  EXPECT_NEAR(plant.state.loads, 20, 1e-12);
  EXPECT_EQ(plant.state.solar, 0);
}

TEST(PowerPlant, FullAndEmptyAreSaid) {
  PowerSpec spec = small_plant();
  spec.battery.start_charge = 1;
  Plant full(spec);
  full.go({.day = {.start_hour = 12}, .duration = 10}, {{}, {}});
  EXPECT_NEAR(full.state.unused, 880, 0.1);
  EXPECT_NEAR(full.state.solar, 120, 1e-6);
  spec.battery.start_charge = 0;
  Plant empty(spec);
  empty.go({.day = {.start_hour = 0}, .duration = 10}, {{}, {}});
  EXPECT_NEAR(empty.state.unserved, 120, 1e-9);
  EXPECT_GE(empty.state.stored, 0);
  EXPECT_LT(full.state.balance_error() + empty.state.balance_error(), 1e-12);
}

// A node of 1000 J/K and 0.1 W/K at -60 °C needs 4 W to stay at -20 °C: a heater of 10 W is on two fifths of the time.
TEST(PowerPlant, HeaterHoldsItsNode) {
  PowerSpec spec = small_plant();
  spec.heaters = {{.power = 10,
                   .on_below = -20.5,
                   .off_above = -19.5,
                   .heat_capacity = 1000,
                   .conductance = 0.1}};
  Plant plant(spec);
  const Day day{.start_hour = 0, .temperature = -60};
  start_power(plant.spec, day, plant.state, plant.thermal);
  for (int k = 0; k < 40000; ++k) {
    plant.go({.day = day, .time = 0, .duration = 1, .asleep = true}, {{}, {}});
  }
  EXPECT_NEAR(plant.state.heaters / 40000, 4, 0.05);  // measured 4.00
  EXPECT_NEAR(plant.thermal[1], -20, 1);
}

// Odd steps, driving, braking and standing, through a day: nothing is lost from the books.
TEST(PowerPlant, BooksBalance) {
  PowerSpec spec = small_plant();
  spec.motors[0].regenerates = true;
  spec.heaters = {{.power = 10, .on_below = -20, .off_above = -10}};
  Plant plant(spec);
  const Day day{.start_hour = 5, .temperature = -60, .temperature_swing = 30};
  double time = 0;
  for (int k = 0; time < day.length; ++k) {
    const double h = k % 7 == 0 ? 60 : 0.3;
    MotorEnergy motor, ideal;
    motor.add(motor_flow(spec.motors[0], k % 3 - 1.2, 1 + k % 5), h);
    ideal.add(ideal_flow(k % 4 - 1.0, 0.5), h);
    plant.go({.day = day,
              .time = time,
              .duration = h,
              .payload = k % 11 == 0 ? 30.0 : 0.0,
              .asleep = k % 13 == 0},
             {motor, ideal});
    time += h;
  }
  EXPECT_LT(plant.state.balance_error(), 1e-10);  // measured 1e-13
}

}  // namespace
}  // namespace grouser::internal
