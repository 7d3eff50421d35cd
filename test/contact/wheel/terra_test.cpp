#include <gtest/gtest.h>

#include <cmath>

#include "contact/wheel/wheel_model.h"
#include "lab/rolling_wheel.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

// Steadily j = ℓ s/(1 - s); the thrust is (c b ℓ + N tan φ)(1 - K/j (1 - e^(-j/K))).
TEST(Terra, ShearsAsInSteadyMotion) {
  for (const double slip : {0.05, 0.3, 0.7}) {
    RollingWheel wheel{.model = TerraModel{.dig = 0, .compaction = 0, .bulldozing = 0},
                       .travel = 0.05,
                       .rim = 0.05 / (1 - slip)};
    wheel.run(40);
    const double length = contact_length(wheel.form, wheel.depth), K = 0.015;
    const double j = length * slip / (1 - slip);
    EXPECT_NEAR(wheel.memory.shear.x(), j, 1e-6 * j);
    const double strength = 188 * 0.1 * length + wheel.reaction.normal * std::tan(24.8 * kDegree);
    const double pull = strength * (1 - K / j * (1 - std::exp(-j / K)));
    EXPECT_NEAR(wheel.reaction.pull, pull, 1e-6 * pull);
    EXPECT_NEAR(wheel.reaction.torque, 0.125 * pull, 1e-6 * pull);
  }
}

// z_s of steady slip: k_in v⁺ (1 - z_s/z_sat) = v z_s/L_out, v⁺ less by z_eff/(z_eff + 0.02 r) and by the part of the
// strength that a shear of ℓ s/(1 - s) mobilises; k_in and z_sat times z_eff/0.1 r.
TEST(Terra, DigsUntilTheHoleFillsAsFast) {
  for (const double climb : {0.0, 0.3}) {
    RollingWheel wheel{
        .model = TerraModel{}, .slope = std::asin(climb), .travel = 0.05, .rim = 0.1};
    wheel.run(40);
    const double carrying = wheel.depth - wheel.memory.dug;
    const double length = contact_length(wheel.form, carrying + 0.1 * wheel.memory.dug);
    const double in = 0.1 * 0.05 * (1 - std::exp(-length / 0.015)) * carrying / (carrying + 0.0025);
    const double out = 0.05 / 0.1 * (1 - climb), limit = 0.325 * 0.125;
    EXPECT_NEAR(wheel.memory.dug, carrying / 0.0125 * in / (in / limit + out), 1e-6);
  }
}

// Rankine's passive pressure by hand, dry_sand (c 1040 Pa, φ 28°, so √K_p = tan 59° = 1.66428, K_p = 2.76983; ρ 1600):
// 0.1 · 0.02 · (½ · 1600 g · 0.02 · 2.76983 + 2 · 1040 · 1.66428). Its first part goes with g, its second does not.
TEST(WheelForm, SoilThatIsPushedWeighsByGravity) {
  const WheelForm form{.radius = 0.125, .width = 0.1};
  const auto pushed = [&](double gravity) {
    return bulldozing(wheel_soil(find_soil("dry_sand"), form, gravity), 0.1, 0.02);
  };
  EXPECT_NEAR(pushed(0), 6.92340, 1e-5);
  EXPECT_NEAR(pushed(9.80665), 6.92340 + 0.0886346 * 9.80665, 1e-5);
  EXPECT_NEAR(pushed(1.62), 6.92340 + 0.0886346 * 1.62, 1e-5);
}

// A wheel that has dug a hole of 10 mm and carries at 2 mm presses with k 0.002ⁿ, n 1.1: less than the wall of the hole
// could bear, so this is what pushes. At 20 mm the wall gives way first.
TEST(Terra, PushesSoilNoHarderThanItPresses) {
  const WheelForm form{.radius = 0.125, .width = 0.1};
  const Soil sand = find_soil("dry_sand");
  const WheelSoil soil = wheel_soil(sand, form, 1.62);
  const double k = 990 / 0.1 + 1528430;
  for (const double carrying : {0.002, 0.02}) {
    WheelMemory memory{.dug = 0.01, .bow = Vec2(1, 0)};
    const WheelReaction reaction =
        wheel_force(TerraModel{.compaction = 0}, form, soil, {.depth = 0.01 + carrying}, memory, 0);
    const double pressed = 0.1 * 0.01 * k * std::pow(carrying, 1.1);
    const double wall =
        0.1 * (0.5 * 1600 * 1.62 * 1e-4 * 2.76983 + 2 * 1040 * 0.01 * 1.66428);  // 3.498 N
    EXPECT_NEAR(-reaction.pull, carrying < 0.01 ? pressed : wall, 1e-4) << carrying;
    EXPECT_EQ(pressed < wall, carrying < 0.01);
  }
}

// Without slip or a hole Bekker's work of compaction resists, b k z^(n + 1)/(n + 1); with all strength mobilised 1.7 times
// that. Whatever gravity: only by the depth that a load needs.
TEST(Terra, IsResistedByCompaction) {
  const WheelForm form{.radius = 0.125, .width = 0.1};
  const double by_hand = 0.1 * (990 / 0.1 + 1528430) * std::pow(0.01, 2.1) / 2.1;  // 4.6220 N
  for (const double gravity : {9.80665, 1.62}) {
    const WheelSoil soil = wheel_soil(find_soil("dry_sand"), form, gravity);
    WheelMemory rolling{.bow = Vec2(1, 0)};
    const WheelReaction reaction =
        wheel_force(TerraModel{.compaction = 1}, form, soil, {.depth = 0.01}, rolling, 0);
    EXPECT_NEAR(-reaction.pull, by_hand, 1e-9) << gravity;
    WheelMemory sheared{.shear = Vec2(1, 0), .bow = Vec2(1, 0)};
    const WheelReaction slipping =
        wheel_force(TerraModel{.compaction = 1}, form, soil, {.depth = 0.01}, sheared, 0);
    EXPECT_NEAR(slipping.torque / 0.125 - slipping.pull, 1.7 * by_hand, 1e-9) << gravity;
  }
}

/// Slip at which a driven wheel of 18 kg (a quarter of four_wheel) rolls freely over dry sand.
double free_slip(const WheelModel& model, double gravity) {
  RollingWheel wheel{.model = model,
                     .form = {.radius = 0.25, .width = 0.2},
                     .soil = find_soil("dry_sand"),
                     .mass = 18,
                     .gravity = gravity,
                     .rim = 0.1,
                     .speed = 0.1};
  wheel.run(15);
  const double way = wheel.way;
  wheel.run(5);
  return 1 - (wheel.way - way) / 0.5;
}

// On flat, dry soil a lighter wheel sinks less, so that less resists it: from Earth over Mars to the Moon slip falls.
// So it does by Bekker, Wong and Reece, and by SCM (test/scene/slip_over_gravity_test.cpp).
TEST(Terra, SlipFallsWithGravityAsByBekkerWongAndReece) {
  double terra_before = 1, bwr_before = 1;
  for (const double gravity : {9.80665, 3.71, 1.62}) {
    const double terra = free_slip(TerraModel{}, gravity), bwr = free_slip(BwrModel{}, gravity);
    EXPECT_LT(terra, terra_before) << gravity;
    EXPECT_LT(bwr, bwr_before) << gravity;
    EXPECT_GT(terra, 0) << gravity;
    EXPECT_LT(std::abs(terra - bwr), 0.03) << gravity;
    terra_before = terra;
    bwr_before = bwr;
  }
}

TEST(Terra, DoesNotDigInTheAirNorWhenItRolls) {
  WheelMemory memory;
  const WheelForm form;
  const WheelSoil soil = wheel_soil(find_soil("dlr_a"), form, 9.81);
  wheel_commit(TerraModel{}, form, soil, {.depth = -0.01, .rim = 1}, 1, memory);
  EXPECT_EQ(memory.dug, 0);
  wheel_commit(TerraModel{}, form, soil, {.depth = 0.01, .rim = 0.1, .travel = 0.1}, 1, memory);
  EXPECT_EQ(memory.dug, 0);
  wheel_commit(TerraModel{}, form, soil, {.depth = 0.01, .rim = 0.05, .travel = 0.1}, 1, memory);
  EXPECT_EQ(memory.dug, 0);
}

}  // namespace
}  // namespace grouser::internal
