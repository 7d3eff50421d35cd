#include "power/battery.h"

#include <gtest/gtest.h>

#include <cmath>

namespace grouser::internal {
namespace {

BatterySpec flat(double voltage) {
  return {.capacity = 1000,
          .voltage = {{0, voltage}, {1, voltage}},
          .resistance = 0.5,
          .charge_efficiency = 0.9};
}

TEST(Battery, VoltageIsInterpolated) {
  const BatterySpec battery;
  EXPECT_EQ(open_voltage(battery, 0), 24);
  EXPECT_DOUBLE_EQ(open_voltage(battery, 0.05), 25.25);
  EXPECT_DOUBLE_EQ(open_voltage(battery, 0.95), 29.5);
  EXPECT_EQ(open_voltage(battery, 1), 30);
}

// 20 V behind 0.5 Ω at 2 A: 38 W at the terminals, 2 W lost, 40 W from the store.
TEST(Battery, Discharges) {
  const BatteryFlow flow = battery_flow(flat(20), 500, 38, 3);
  EXPECT_NEAR(flow.given, 114, 1e-12);
  EXPECT_NEAR(flow.internal, 6, 1e-12);
  EXPECT_NEAR(flow.stored, -120, 1e-12);
  EXPECT_EQ(flow.charging, 0);
}

// At -2 A: 42 W in, 2 W lost, and a tenth of the other 40 W.
TEST(Battery, Charges) {
  const BatteryFlow flow = battery_flow(flat(20), 500, -42, 3);
  EXPECT_NEAR(flow.given, -126, 1e-12);
  EXPECT_NEAR(flow.internal, 6, 1e-12);
  EXPECT_NEAR(flow.charging, 12, 1e-12);
  EXPECT_NEAR(flow.stored, 108, 1e-12);
}

TEST(Battery, GivesNoMoreThanItHas) {
  const BatteryFlow empty = battery_flow(flat(20), 10, 38, 3);
  EXPECT_NEAR(empty.stored, -10, 1e-12);
  EXPECT_NEAR(empty.given + empty.internal, 10, 1e-12);
  EXPECT_LT(empty.given, 114);
  const BatteryFlow strongest = battery_flow(flat(20), 900, 1e4, 1);
  EXPECT_NEAR(strongest.given, 200, 1e-9);  // V² / 4R
}

TEST(Battery, TakesNoMoreThanFits) {
  const BatteryFlow full = battery_flow(flat(20), 982, -42, 3);
  EXPECT_NEAR(full.stored, 18, 1e-12);
  EXPECT_NEAR(-full.given, full.stored + full.internal + full.charging, 1e-12);
  EXPECT_EQ(battery_flow(flat(20), 1000, -42, 3).given, 0);
}

// With a voltage V = V₀ (1 + s) and no resistance, energy goes by the power alone; the current differs.
TEST(Battery, EnergyIsKeptWhateverTheVoltage) {
  BatterySpec battery = flat(20);
  battery.voltage = {{0, 20}, {1, 40}};
  double energy = 900, given = 0, internal = 0;
  for (int k = 0; k < 1000; ++k) {
    const BatteryFlow flow = battery_flow(battery, energy, 30, 0.02);
    energy += flow.stored;
    given += flow.given;
    internal += flow.internal;
  }
  EXPECT_NEAR(given, 600, 1e-9);
  EXPECT_NEAR(900 - energy, given + internal, 1e-9);  // measured 2e-12
}

}  // namespace
}  // namespace grouser::internal
