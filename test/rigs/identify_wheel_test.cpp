#include "rigs/identify_wheel.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"

namespace grouser::internal {
namespace {

const WheelOnTest kWheel{.form = {.radius = 0.125, .width = 0.1}, .soil = find_soil("dry_sand")};

/// Tests as a known model would give them.
std::vector<WheelTest> tests_by(const WheelModel& model, const WheelOnTest& wheel,
                                const std::vector<double>& loads,
                                const std::vector<double>& slips) {
  std::vector<WheelTest> tests;
  for (const double load : loads) {
    for (const double slip : slips) {
      WheelTest test{.name = "synthetic", .slip = slip, .speed = 0.1, .load = load};
      test.from = 2;
      test.to = 4;
      for (int k = 1; k <= 8; ++k) test.history.push_back({0.5 * k, 0});
      const WheelPrediction truth = predict(model, wheel, test);
      test.sinkage = truth.sinkage;
      test.pull = truth.pull;
      test.torque = truth.torque;
      for (std::size_t k = 0; k < 8; ++k) test.history[k].sinkage = truth.history[k];
      tests.push_back(test);
    }
  }
  return tests;
}

TEST(IdentifyWheel, FindsTerraAgain) {
  const TerraModel truth{.dig = 0.05,
                         .fill_length = 0.2,
                         .dig_limit = 0.4,
                         .dig_load = 0.6,
                         .pressure = 1.5,
                         .strength = 0.9,
                         .shear = 1.3,
                         .compaction = 0.5,
                         .bulldozing = 0.8};
  const auto tests = tests_by(truth, kWheel, {60, 140}, {0.05, 0.2, 0.4, 0.6, 0.8});
  const auto held_out = tests_by(truth, kWheel, {100}, {0.3, 0.7});
  const WheelIdentification fit = identify_terra(kWheel, tests, held_out, {}, {.resamples = 2});
  const TerraModel found = std::get<TerraModel>(fit.model);
  EXPECT_NEAR(found.pressure, truth.pressure, 1e-3 * truth.pressure);
  EXPECT_NEAR(found.dig, truth.dig, 0.01 * truth.dig);
  EXPECT_NEAR(found.fill_length, truth.fill_length, 0.01 * truth.fill_length);
  EXPECT_NEAR(found.dig_load, truth.dig_load, 0.02);
  EXPECT_NEAR(found.strength, truth.strength, 0.01);
  EXPECT_NEAR(found.shear, truth.shear, 0.02);
  EXPECT_LT(fit.held_out_misfit.sinkage, 1e-3);
  EXPECT_LT(fit.held_out_misfit.pull_rms, 0.1);
}

TEST(IdentifyWheel, FindsWongAndReeceAgain) {
  BwrModel truth;
  truth.stress = {.peak = 0.5, .peak_per_slip = 0.1, .rear = 0.3};
  WheelOnTest wheel = kWheel;
  wheel.soil.shear_modulus = 0.012;
  auto tests = tests_by(truth, wheel, {60, 140}, {0.1, 0.3, 0.5, 0.7});
  const WheelIdentification fit = identify_bwr(kWheel, tests, {}, {}, {.resamples = 2});
  EXPECT_NEAR(fit.wheel.soil.shear_modulus, 0.012, 1e-4);
  const BwrOptions found = std::get<BwrModel>(fit.model).stress;
  EXPECT_NEAR(found.peak, 0.5, 0.01);
  EXPECT_NEAR(found.peak_per_slip, 0.1, 0.01);
  EXPECT_NEAR(found.rear, 0.3, 0.01);
  EXPECT_NE(wheel_yaml(fit).find("model: bwr"), std::string::npos);
  EXPECT_NE(wheel_fit_csv(fit).find("pull_model_N"), std::string::npos);
}

TEST(IdentifyWheel, PredictsTheClassicalBalance) {
  const WheelTest test{.slip = 0.4, .load = 80};
  const WheelPrediction ours = predict(BwrModel{}, kWheel, test);
  const BwrBalance classical = bwr_balance(kWheel.form, kWheel.soil, {.slip = 0.4}, 80);
  EXPECT_NEAR(ours.sinkage, classical.sinkage, 1e-3 * classical.sinkage);
  EXPECT_NEAR(ours.pull, classical.pull, 0.05);
  EXPECT_NEAR(ours.torque, classical.torque, 0.01);
}

TEST(WheelTests, AreReadFromTables) {
  const auto tests = wheel_tests(parse_csv(
      "slip,load_N,pull_N,sinkage_mm,slip_angle_deg\n0.2,100,10,12,0\n0.4,90,15,14,10\n", "a.csv"));
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_DOUBLE_EQ(tests[1].sinkage, 0.014);
  EXPECT_NEAR(tests[1].slip_angle, 0.174533, 1e-6);
  EXPECT_FALSE(tests[0].torque);
  EXPECT_THROW(wheel_tests(parse_csv("slip,load_N\n0.2,100\n", "a.csv")), Error);
  EXPECT_THROW(wheel_tests(parse_csv("slip,load_N,pull_N,sinkage_m\n1.2,1,1,x\n", "a.csv")), Error);
}

}  // namespace
}  // namespace grouser::internal
