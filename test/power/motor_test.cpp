// A motor by hand: 24 V, 0.1 N m at stall, 800 rad/s without load, so k = 0.03 N m/A and R = 7.2 Ω.
#include "power/motor.h"

#include <gtest/gtest.h>

#include <cmath>

namespace grouser::internal {
namespace {

const MotorSpec kMotor{.voltage = 24,
                       .stall_torque = 0.1,
                       .no_load_speed = 800,
                       .gear_ratio = 100,
                       .gear_efficiency = 0.8,
                       .back_efficiency = 0.5,
                       .friction = 0.01};

double sum(const MotorFlow& flow) {
  return flow.mechanical + flow.copper + flow.gear + flow.braked;
}

TEST(Motor, ConstantAndResistanceFollowFromTheLine) {
  EXPECT_DOUBLE_EQ(motor_constant(kMotor), 0.03);
  EXPECT_DOUBLE_EQ(winding_resistance(kMotor), 7.2);
}

// 2 N m at 4 rad/s: shaft 2 / (100 · 0.8) + 0.01 = 0.035 N m at 400 rad/s, so 14 W at the shaft, 8 W of them at the
// joint; 0.035 / 0.03 = 7/6 A, 9.8 W of heat; 23.8 W in all, which is (7.2 · 7/6 + 0.03 · 400) V · 7/6 A.
TEST(Motor, DrivesAJoint) {
  const MotorFlow flow = motor_flow(kMotor, 2, 4);
  EXPECT_NEAR(flow.mechanical, 8, 1e-12);
  EXPECT_NEAR(flow.gear, 6, 1e-12);
  EXPECT_NEAR(flow.copper, 9.8, 1e-12);
  EXPECT_NEAR(flow.electrical, 23.8, 1e-12);
  EXPECT_NEAR(flow.electrical, (7.2 * 7 / 6 + 0.03 * 400) * 7 / 6, 1e-12);
}

// 4 N m against 4 rad/s: of 16 W half pass the gear, friction takes 4 W, 4 W are generated at 0.01 N m, a third of
// an ampere, of which the winding heats 0.8 W.
TEST(Motor, BrakesAndRegenerates) {
  MotorSpec motor = kMotor;
  const MotorFlow burnt = motor_flow(motor, -4, 4);
  EXPECT_NEAR(burnt.electrical, 0, 1e-12);
  EXPECT_NEAR(burnt.braked, 3.2, 1e-12);
  motor.regenerates = true;
  const MotorFlow back = motor_flow(motor, -4, 4);
  EXPECT_NEAR(back.electrical, -3.2, 1e-12);
  EXPECT_NEAR(back.gear, 12, 1e-12);
  EXPECT_NEAR(back.copper, 0.8, 1e-12);
}

TEST(Motor, NoPowerIsLostFromTheBooks) {
  for (const double torque : {-7.0, -1.5, -0.2, 0.0, 0.3, 5.0}) {
    for (const double rate : {-6.0, -0.01, 0.0, 0.5, 9.0}) {
      const MotorFlow flow = motor_flow(kMotor, torque, rate), ideal = ideal_flow(torque, rate);
      EXPECT_NEAR(flow.electrical, sum(flow), 1e-12) << torque << " " << rate;
      EXPECT_GE(flow.gear, -1e-15);
      EXPECT_GE(flow.electrical, 0);
      EXPECT_NEAR(ideal.electrical, sum(ideal), 1e-12);
    }
  }
}

// What the shaft has left at a joint rate is on the line of the data sheet.
TEST(Motor, LineOfTheJoint) {
  const JointLine line = joint_line(kMotor);
  EXPECT_NEAR(line.stall_torque, 7.2, 1e-12);   // (0.1 - 0.01) · 100 · 0.8
  EXPECT_NEAR(line.no_load_speed, 7.2, 1e-12);  // 800 · 0.9 / 100
  const double torque = line.stall_torque * (1 - 4 / line.no_load_speed);
  const MotorFlow flow = motor_flow(kMotor, torque, 4);
  const double current = std::sqrt(flow.copper / 7.2);
  EXPECT_NEAR(7.2 * current + 0.03 * 400, 24, 1e-12);  // the voltage is all used
}

TEST(Motor, WarmsUpAndLosesTorque) {
  const double once = next_temperature(kMotor, 20, 10, 20, 600);
  EXPECT_NEAR(once, 70 - 50 * std::exp(-1.0), 1e-12);
  double often = 20;
  for (int k = 0; k < 600; ++k) often = next_temperature(kMotor, often, 10, 20, 1);
  EXPECT_NEAR(often, once, 1e-10);  // measured 1e-13
  EXPECT_EQ(available_torque(kMotor, 100), 1);
  EXPECT_DOUBLE_EQ(available_torque(kMotor, 115), 0.5);
  EXPECT_EQ(available_torque(kMotor, 130), 0);
}

}  // namespace
}  // namespace grouser::internal
