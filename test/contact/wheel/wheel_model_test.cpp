#include "contact/wheel/wheel_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "contact/wheel/travelling_shear.h"
#include "core/error.h"
#include "lab/rolling_wheel.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

/// With the mass that a rheological wheel carries.
WheelModel model_named(const char* name, double mass = 10) {
  WheelModel model = *find_wheel_model(name);
  if (auto* rheological = std::get_if<RheologicalModel>(&model)) rheological->mass = mass;
  return model;
}

class EveryModel : public testing::TestWithParam<const char*> {
 protected:
  WheelModel model(double mass = 10) const { return model_named(GetParam(), mass); }
  bool is(const char* name) const { return std::string(GetParam()) == name; }
};

INSTANTIATE_TEST_SUITE_P(Wheel, EveryModel, testing::ValuesIn(kWheelModelNames),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EveryModel, CarriesTheLoadAtRest) {
  RollingWheel wheel{.model = model(), .travel = 0, .rim = 0};
  wheel.run(3);
  const double load = wheel.mass * wheel.gravity;
  EXPECT_NEAR(wheel.reaction.normal, load, 3e-4 * load);  // measured 1.2e-4
  EXPECT_NEAR(wheel.reaction.pull, 0, 1e-9);
  EXPECT_NEAR(wheel.reaction.lateral, 0, 1e-12);
  EXPECT_GT(wheel.reaction.sinkage, 0.005);
  // Let go at once it sinks no deeper than where its weight has done the work of pressing: for Bekker's
  // wheel 44.3 mm · 2.13^(1/1.13) = 86.5 mm.
  EXPECT_LT(wheel.reaction.sinkage, 0.0865);
}

// Bekker's formula for the sinkage of a wheel, with the numbers put in by hand: dlr_a under 98.07 N,
// k = 2370/0.1 + 60300 = 84000, [3 · 98.0665/(0.1 · 2.37 · 84000 · 0.5)]^(2/2.26) = 0.04432 m. A wheel that
// is let down slowly sinks so far.
TEST(BekkerWheel, SinksAsBekkerSays) {
  for (const char* name : {"bekker", "bjh"}) {
    RollingWheel wheel{.model = model_named(name), .travel = 0, .rim = 0, .damping = 2e3};
    wheel.run(20);
    EXPECT_NEAR(wheel.depth, 0.04432, 5e-6);  // measured 1.2e-6
    EXPECT_NEAR(bekker_sinkage(wheel.form, wheel.prepared(), 98.0665), 0.04432, 1e-5);
  }
}

// At rest the soil carries 10 times stiffer than along the curve, on the line through the deepest point.
TEST(GroundPress, UnloadsAlongTheElasticLine) {
  const PressLaw law{.unloading = 10, .delay = 0.01};
  const WheelSoil soil{.exponent = 1, .stiffness = 1e6};
  const double sunk = sunk_after(law, 0, 0, 0.02);
  EXPECT_DOUBLE_EQ(sunk, 0.018);
  EXPECT_NEAR(press(law, soil, 0.02, 0, sunk), 2e4, 1e-8);
  EXPECT_NEAR(press(law, soil, 0.019, 0, sunk), 1e4, 1e-8);
  EXPECT_EQ(press(law, soil, 0.018, 0, sunk), 0);
  EXPECT_NEAR(press(law, soil, 0.03, 0, sunk), 3e4, 1e-8);
  EXPECT_EQ(press(law, soil, -0.01, -1, sunk), 0);
  // A rate lifts it by 1 + x/√(1 + x²), x = 10 · 0.01 · 0.2/0.02 = 1.
  EXPECT_NEAR(press(law, soil, 0.02, 0.2, 0), 2e4 * (1 + std::sqrt(0.5)), 1e-8);
  EXPECT_NEAR(sunk_after(law, sunk, 0.25, 0), 0.75 * sunk, 1e-15);
}

TEST(Bjh, ShearsByTheSlipTimesTheLength) {
  for (const double slip : {-0.4, 0.3, 0.7}) {
    RollingWheel wheel{.model = BjhModel{},
                       .travel = 0.05,
                       .rim = slip > 0 ? 0.05 / (1 - slip) : 0.05 * (1 + slip)};
    wheel.run(40);
    const double length = contact_length(wheel.form, wheel.depth), K = 0.015;
    EXPECT_NEAR(wheel.memory.shear.x(), slip * length, 1e-6 * length);
    const double x = std::abs(slip) * length / K;
    const double strength = 188 * 0.1 * length + wheel.reaction.normal * std::tan(24.8 * kDegree);
    const double thrust = std::copysign(strength * (1 - (1 - std::exp(-x)) / x), slip);
    EXPECT_NEAR(wheel.reaction.torque, 0.125 * thrust, 1e-6 * strength);
  }
}

// In steady motion the states give back the classical formulas; the fast rule costs what is measured.
TEST(Bwr, IsTheClassicalWheelInSteadyMotion) {
  const Soil soil = find_soil("lunar_ishigami");
  for (const double slip : {-0.5, -0.1, 0.1, 0.3, 0.8}) {
    for (const double angle : {0.0, 15 * kDegree, -30 * kDegree}) {
      const double travel = 0.05, rim = slip > 0 ? travel / (1 - slip) : travel * (1 + slip);
      RollingWheel wheel{.model = BwrModel{},
                         .form = {.radius = 0.09, .width = 0.1},
                         .soil = soil,
                         .travel = travel,
                         .rim = rim,
                         .side = -travel * std::tan(angle)};
      wheel.run(60);
      const WheelReaction classical = bwr_reaction(wheel.form, soil, {slip, angle}, wheel.depth);
      const double load = wheel.mass * wheel.gravity;
      EXPECT_NEAR(wheel.reaction.normal, classical.normal, 2e-4 * load);  // measured 9.2e-5
      EXPECT_NEAR(wheel.reaction.pull, classical.pull, 2e-4 * load);
      EXPECT_NEAR(wheel.reaction.lateral, classical.lateral, 2e-4 * load);
      EXPECT_NEAR(wheel.reaction.torque, classical.torque, 2e-4 * load * 0.09);
    }
  }
}

// Backwards is forwards seen in a mirror, left is right.
TEST_P(EveryModel, IsTheSameBackwardsAndToTheOtherSide) {
  for (const double side : {0.0, 0.02}) {
    RollingWheel ahead{.model = model(), .travel = 0.04, .rim = 0.06, .side = side};
    RollingWheel back{.model = model(), .travel = -0.04, .rim = -0.06, .side = -side};
    ahead.run(4);
    back.run(4);
    EXPECT_NEAR(ahead.reaction.pull, -back.reaction.pull, 1e-9);
    EXPECT_NEAR(ahead.reaction.torque, -back.reaction.torque, 1e-9);
    EXPECT_NEAR(ahead.reaction.lateral, -back.reaction.lateral, 1e-9);
    EXPECT_NEAR(ahead.reaction.normal, back.reaction.normal, 1e-9);
    EXPECT_NEAR(ahead.reaction.sinkage, back.reaction.sinkage, 1e-12);
    if (side != 0) {
      EXPECT_LT(ahead.reaction.lateral, -1);
    }
  }
}

// The other way round after a stretch: signs follow, whatever was remembered.
TEST_P(EveryModel, Reverses) {
  RollingWheel wheel{.model = model(), .travel = 0.04, .rim = 0.08};
  wheel.run(10);
  const WheelReaction there = wheel.reaction;
  EXPECT_GT(there.torque, 0);
  wheel.travel = -0.04;
  wheel.rim = -0.08;
  wheel.run(10);
  EXPECT_NEAR(wheel.reaction.torque, -there.torque, 0.02 * there.torque);
  EXPECT_NEAR(wheel.reaction.pull, -there.pull, 0.02 * std::abs(there.torque / 0.125));
}

// A wheel that spins on the spot for long turns round within some K of rim travel.
TEST_P(EveryModel, TurnsRoundSoonAfterSpinningOnTheSpot) {
  RollingWheel wheel{.model = model(), .travel = 0, .rim = 0.2};
  wheel.run(20);
  EXPECT_GT(wheel.reaction.torque, 1);
  wheel.rim = -0.2;
  wheel.run(1.5);  // 0.3 m, 20 K
  EXPECT_LT(wheel.reaction.torque, -1);
}

/// Firm, so that next to nothing resists but friction, and sheared by little.
Soil firm_soil() {
  Soil soil = find_soil("dlr_a");  // φ = 24.8°
  soil.frictional_modulus = 1e7;
  soil.shear_modulus = 2e-4;
  soil.cohesion = 0;
  return soil;
}

// On a slope below the friction angle a wheel with its brake on stands; above it slides.
TEST_P(EveryModel, HoldsBelowTheFrictionAngleAndSlidesAbove) {
  RollingWheel below{.model = model(), .soil = firm_soil(), .slope = 20 * kDegree, .rim = 0};
  below.run(4);
  const double way = below.way;
  below.run(4);
  EXPECT_NEAR(below.way, way, 1e-6) << below.speed;
  EXPECT_GT(below.way, -0.1);
  RollingWheel above{.model = model(), .soil = firm_soil(), .slope = 30 * kDegree, .rim = 0};
  above.run(4);
  EXPECT_LT(above.speed, is("rheological") ? -0.2 : -0.5);  // viscous resistance: 0.29 m/s
}

// A sliding block with its brake on comes to rest, and stays.
TEST_P(EveryModel, SlidesToRest) {
  RollingWheel wheel{.model = model(), .soil = firm_soil(), .rim = 0, .speed = 0.5};
  wheel.run(6);
  EXPECT_NEAR(wheel.speed, 0, 1e-3);
  EXPECT_GT(wheel.way, 0.005);
  EXPECT_LT(wheel.way, 0.1);
}

// Torque, weight and travel together: what the soil gives is never more than it got. Random motion with jumps
// to other speeds, bounces into the air and reversals.
TEST_P(EveryModel, CreatesNoEnergy) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> speed(-0.2, 0.2), pause(0.01, 1), hop(0, 1);
  RollingWheel wheel{.model = model(), .travel = 0, .rim = 0};
  double highest = 0;
  for (int k = 0; k < 300; ++k) {
    wheel.travel = hop(random) < 0.2 ? 0 : speed(random);
    wheel.rim = hop(random) < 0.2 ? *wheel.travel : speed(random);
    wheel.side = hop(random) < 0.5 ? 0 : speed(random);
    if (hop(random) < 0.1) wheel.sinking = -0.3;
    wheel.run(pause(random));
    ASSERT_TRUE(std::isfinite(wheel.depth) && std::isfinite(wheel.reaction.pull));
    highest = std::max(highest, wheel.work);
  }
  EXPECT_LE(highest, 1e-9);
  EXPECT_LT(wheel.work, -10);
}

TEST_P(EveryModel, LeavesTheGroundAndComesBack) {
  RollingWheel wheel{.model = model(), .travel = 0.05, .rim = 0.06};
  wheel.run(3);
  const double depth = wheel.depth;
  wheel.sinking = -1.5;
  double least = wheel.depth;
  for (int k = 0; k < 200; ++k) {
    wheel.go();
    least = std::min(least, wheel.depth);
    if (wheel.depth > 0) continue;
    EXPECT_EQ(wheel.reaction.normal, 0);
    EXPECT_EQ(wheel.reaction.pull, 0);
    EXPECT_EQ(wheel.reaction.torque, 0);
  }
  EXPECT_LT(least, -0.02);
  wheel.run(5);
  EXPECT_NEAR(wheel.depth, depth, 0.05 * depth);
}

// Phobos: the same in 1/1720 of the gravity, no creep and no bouncing.
TEST_P(EveryModel, StandsAndRollsInMilliGravity) {
  RollingWheel wheel{.model = model(), .gravity = 0.0057, .travel = 0, .rim = 0};
  wheel.run(60);
  const double load = 10 * 0.0057;
  EXPECT_NEAR(wheel.reaction.normal, load, 0.01 * load);
  wheel.travel = 0.002;
  wheel.rim = 0.003;
  wheel.run(60);
  EXPECT_NEAR(wheel.reaction.normal, load, 0.02 * load);
  EXPECT_GT(wheel.reaction.torque, 0);
  EXPECT_LT(wheel.reaction.torque, load);
}

// The force at the end of a step is that which the next one begins with, to the bit.
TEST_P(EveryModel, ForceIsContinuousAcrossCommits) {
  RollingWheel wheel{.model = model(), .travel = 0.05, .rim = 0.07, .side = 0.01};
  wheel.run(1);
  const WheelSoil soil = wheel.prepared();
  const WheelMotion motion = wheel.motion();
  for (const double dt : {1e-3, 1e-2}) {
    WheelMemory memory = wheel.memory;
    const WheelReaction before = wheel_force(wheel.model, wheel.form, soil, motion, memory, dt);
    const WheelReaction committed = wheel_commit(wheel.model, wheel.form, soil, motion, dt, memory);
    const WheelReaction after = wheel_force(wheel.model, wheel.form, soil, motion, memory, 0);
    EXPECT_EQ(before.pull, committed.pull);
    EXPECT_EQ(after.pull, before.pull);
    EXPECT_EQ(after.normal, before.normal);
    EXPECT_EQ(after.lateral, before.lateral);
    EXPECT_EQ(after.torque, before.torque);
  }
}

// Around rest, first touch and pure rolling forces change as little as the motion.
TEST_P(EveryModel, HasNoJumps) {
  RollingWheel wheel{.model = model(), .travel = 0.05, .rim = 0.07};
  wheel.run(2);
  const WheelSoil soil = wheel.prepared();
  const WheelMemory rolled = wheel.memory;
  for (const WheelMemory& memory : {WheelMemory{}, rolled}) {
    for (const WheelMotion& at :
         {WheelMotion{}, WheelMotion{.depth = 0.02}, WheelMotion{.depth = 0, .depth_rate = 1},
          WheelMotion{.depth = 0.02, .rim = 0.05, .travel = 0.05},
          WheelMotion{.depth = 0.02, .travel = 0.05}, WheelMotion{.depth = 0.02, .rim = 0.05}}) {
      for (const double dt : {0.0, 5e-3}) {
        const WheelReaction here = wheel_force(wheel.model, wheel.form, soil, at, memory, dt);
        const auto near = [&](const WheelMotion& by) {
          const WheelReaction r = wheel_force(wheel.model, wheel.form, soil, by, memory, dt);
          EXPECT_NEAR(r.pull, here.pull, 1e-2);
          EXPECT_NEAR(r.normal, here.normal, 1e-2);
          EXPECT_NEAR(r.lateral, here.lateral, 1e-2);
        };
        for (const double d : {-1e-7, 1e-7}) {
          WheelMotion m = at;
          m.depth += 1e-3 * d;
          near(m);
          m = at, m.rim += d, near(m);
          m = at, m.travel += d, near(m);
          m = at, m.side += d, near(m);
          m = at, m.depth_rate += d, near(m);
        }
      }
    }
  }
}

// Steps of 10 ms, free to travel, driven by the rim.
TEST_P(EveryModel, StaysStableAtTenMilliseconds) {
  RollingWheel wheel{.model = model(), .soil = find_soil("dry_sand"), .step = 0.01, .rim = 0.05};
  wheel.run(10);
  EXPECT_NEAR(wheel.reaction.normal, wheel.mass * wheel.gravity, 1);
  EXPECT_GT(wheel.speed, 0.01);
  EXPECT_LE(wheel.speed, 0.0501);
}

TEST(WheelModel, ShearFollowsItsSeries) {
  for (const double x : {1e-9, 9.9e-4, 1.01e-3, 0.1, 5.0}) {
    const double long_form = 1 - (1 - std::exp(-x)) / x;
    EXPECT_NEAR(mean_mobilised(x), x < 1e-3 ? x / 2 - x * x / 6 : long_form, 1e-12 + 1e-9 * x);
  }
  EXPECT_EQ(mean_mobilised(0), 0);
}

TEST(WheelModel, KnowsItsNames) {
  for (const char* name : kWheelModelNames) EXPECT_STREQ(name_of(*find_wheel_model(name)), name);
  EXPECT_FALSE(find_wheel_model("scm"));
}

TEST(WheelModel, NamesAllThatIsOutOfRange) {
  Soil soil = find_soil("dlr_a");
  soil.sinkage_exponent = 3.5;
  try {
    validate(TerraModel{.fill_length = 0, .pressure = -1}, {.radius = 0}, soil);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.issues().size(), 4u);
  }
  for (const char* name : kWheelModelNames) {
    EXPECT_NO_THROW(validate(*find_wheel_model(name), {}, find_soil("dlr_a")));
  }
}

}  // namespace
}  // namespace grouser::internal
