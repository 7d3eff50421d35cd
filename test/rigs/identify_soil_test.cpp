// Fits against campaigns whose truth is known, and against regressions done by hand.
#include "rigs/identify_soil.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "rigs/synthetic_tests.h"

namespace grouser::internal {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kFew = 50;  // resamples where intervals do not matter

void expect_truth(const PlateFit& fit, const Campaign& truth, double tolerance) {
  EXPECT_NEAR(fit.exponent.value / truth.n, 1, tolerance);
  EXPECT_NEAR(fit.cohesive_modulus.value / truth.k_c, 1, tolerance);
  EXPECT_NEAR(fit.frictional_modulus.value / truth.k_phi, 1, tolerance);
}

TEST(IdentifyPlates, ExactDataGiveTheTruth) {
  for (const double k_c : {1.5e4, -4e4}) {
    for (const FitMode mode : {FitMode::log, FitMode::pressure}) {
      const Campaign truth{.k_c = k_c};
      const PlateFit fit = identify_plates(plate_campaign(truth), {.fit = mode, .resamples = kFew});
      expect_truth(fit, truth, 5e-12);       // measured 1.2e-12
      EXPECT_NEAR(fit.r_squared, 1, 1e-15);  // measured 0
      EXPECT_LT(fit.rms, 1e-7);              // [Pa], measured 2e-9
      EXPECT_TRUE(fit.resampled);
    }
  }
}

TEST(IdentifyPlates, OffsetsAreFound) {
  const Campaign truth;
  for (const FitMode mode : {FitMode::log, FitMode::pressure}) {
    std::vector<PlateTest> tests = plate_campaign(truth);
    for (std::size_t t = 0; t < tests.size(); ++t) {
      for (PlatePoint& point : tests[t].points) point.sinkage -= 1e-4 * static_cast<double>(t);
    }
    const PlateFit fit = identify_plates(tests, {.fit = mode, .offset = true, .resamples = kFew});
    expect_truth(fit, truth, 5e-12);  // measured 7e-13
    for (std::size_t t = 0; t < tests.size(); ++t) {
      EXPECT_NEAR(fit.trials[t].offset, 1e-4 * static_cast<double>(t), 1e-14);  // 1.7e-15 [m]
    }
  }
}

// With one width, ln p = ln k + n ln z is a straight line: its regression, every trial weighing the
// same, is done here by the textbook's formula.
TEST(IdentifyPlates, OneWidthGivesTheRegressionLineOfLogarithms) {
  Campaign campaign{.widths = {0.05}, .trial_spread = 0.1, .noise = 0.05};
  std::vector<PlateTest> tests = plate_campaign(campaign, 7);
  tests[1].points.resize(9);
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const PlateTest& test : tests) {
    for (const PlatePoint& point : test.points) {
      const double weight = 1 / static_cast<double>(test.points.size());
      const double u = std::log(point.sinkage), v = std::log(point.pressure);
      w += weight, x += weight * u, y += weight * v, xx += weight * u * u, xy += weight * u * v;
    }
  }
  const double n = (w * xy - x * y) / (w * xx - x * x);
  const double k = std::exp((y - n * x) / w);
  const PlateFit fit = identify_plates(tests, {.least_sinkage = 0, .resamples = kFew});
  EXPECT_NEAR(fit.exponent.value, n, 5e-13 * n);            // measured 1.2e-13
  EXPECT_NEAR(fit.frictional_modulus.value, k, 5e-12 * k);  // 6e-13
  EXPECT_TRUE(fit.one_width);
  EXPECT_EQ(fit.cohesive_modulus.value, 0);
  EXPECT_THAT(fit.warnings, Contains(HasSubstr("cannot be told apart")));
}

// A trial measured ten times as densely says no more than the others.
TEST(IdentifyPlates, EveryTrialCountsTheSame) {
  std::vector<PlateTest> tests = plate_campaign({.trial_spread = 0.1}, 3);
  for (const FitMode mode : {FitMode::log, FitMode::pressure}) {
    const IdentifyOptions options{.fit = mode, .least_sinkage = 0, .resamples = kFew};
    const PlateFit fit = identify_plates(tests, options);
    std::vector<PlateTest> denser = tests;
    const std::vector<PlatePoint> once = denser[2].points;
    denser[2].points.clear();
    for (const PlatePoint& point : once) denser[2].points.insert(denser[2].points.end(), 10, point);
    // Measured 2e-16.
    EXPECT_NEAR(identify_plates(denser, options).exponent.value, fit.exponent.value, 1e-14);
  }
}

TEST(IdentifyPlates, OnlyTheFirstLoadingCounts) {
  Campaign truth;
  std::vector<PlateTest> tests = plate_campaign(truth);
  for (PlateTest& test : tests) {
    // Unloading and reloading from the tenth point: stiff, and along another line.
    const PlatePoint deep = test.points[9];
    std::vector<PlatePoint> branch;
    for (const double part : {0.8, 0.4, 0.1, 0.4, 0.8}) {
      branch.push_back({deep.sinkage - 0.003 * (1 - part), deep.pressure * part});
    }
    test.points.insert(test.points.begin() + 10, branch.begin(), branch.end());
  }
  const PlateFit fit = identify_plates(tests, {.resamples = kFew});
  expect_truth(fit, truth, 5e-12);  // as exact data
  EXPECT_EQ(fit.left_out.unloading, 5 * tests.size());
}

TEST(IdentifyPlates, FirstLoadingAllowsForNoise) {
  EXPECT_THAT(first_loading({0, 5, 10, 9.95, 10, 9, 5, 9, 10, 11}),
              ElementsAre(true, true, true, true, true, false, false, false, true, true));
  EXPECT_THAT(first_loading({-1, 0, 0}), ElementsAre(true, true, true));
  EXPECT_THAT(first_loading({}), IsEmpty());
}

TEST(IdentifyPlates, WhatIsLeftOutIsCounted) {
  std::vector<PlateTest> tests = plate_campaign({});
  for (PlateTest& test : tests) {
    test.points.insert(test.points.begin(), {{-0.001, 3}, {0.0005, 1}});
    test.points[9].pressure = -1;
  }
  const std::size_t trials = tests.size();
  const PlateFit by_default = identify_plates(tests, {.resamples = kFew});
  EXPECT_EQ(by_default.left_out.shallow, 2 * trials);  // 5 % of 30 mm are 1.5 mm
  EXPECT_EQ(by_default.left_out.no_pressure, trials);
  const PlateFit all = identify_plates(tests, {.fit = FitMode::pressure, .resamples = kFew});
  EXPECT_EQ(all.left_out.shallow, trials);
  EXPECT_EQ(all.left_out.no_pressure, 0u);
  const PlateFit deep = identify_plates(tests, {.least_sinkage = 0.0101, .resamples = kFew});
  EXPECT_EQ(deep.left_out.shallow, 7 * trials);
}

TEST(IdentifyPlates, TooFewPointsAreRefusedByName) {
  std::vector<PlateTest> tests = plate_campaign({});
  tests[4].points.resize(4);
  tests[4].line = 77;
  try {
    identify_plates(tests, {.least_sinkage = 0.0041});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.issues().front().line, 77);
    EXPECT_EQ(error.issues().front().file, "p.csv");
    EXPECT_EQ(error.issues().front().field, "trial '4'");
  }
  EXPECT_THROW(identify_plates({}), Error);
}

TEST(IdentifyPlates, DataThatTellNothingAreRefused) {
  std::vector<PlateTest> same = plate_campaign({});
  for (PlateTest& test : same) {
    for (PlatePoint& point : test.points) point.sinkage = 0.01;
  }
  EXPECT_THROW(identify_plates(same), Error);  // n could be anything
  std::vector<PlateTest> pulling = plate_campaign({});
  for (PlatePoint& point : pulling[3].points) point.pressure *= -1;
  EXPECT_THROW(identify_plates(pulling), Error);
  EXPECT_THROW(identify_plates(pulling, {.fit = FitMode::pressure}), Error);
}

TEST(IdentifyPlates, NegativeCohesionSaysBelowWhichWidthTheLawEnds) {
  const PlateFit fit = identify_plates(plate_campaign({.k_c = -4e4}), {.resamples = kFew});
  EXPECT_THAT(fit.warnings, Contains(HasSubstr("b <= 20 mm")));  // 4e4/2e6
}

TEST(IdentifyPlates, ExponentAtItsBoundIsSaid) {
  const PlateFit fit = identify_plates(plate_campaign({.n = 7}), {.resamples = kFew});
  EXPECT_THAT(fit.warnings, Contains(HasSubstr("n stands at its bound")));
}

TEST(IdentifyPlates, ResultsDoNotDependOnThreads) {
  const std::vector<PlateTest> tests = plate_campaign({.trial_spread = 0.1, .noise = 0.02}, 5);
  std::vector<double> ends;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const PlateFit fit = identify_plates(tests, {.resamples = 100});
    ends.push_back(fit.cohesive_modulus.low);
    ends.push_back(fit.exponent.high);
  }
  set_thread_count(0);
  EXPECT_EQ(ends[0], ends[2]);
  EXPECT_EQ(ends[0], ends[4]);
  EXPECT_EQ(ends[1], ends[3]);
  EXPECT_EQ(ends[1], ends[5]);
}

bool holds(const Estimate& estimate, double truth) {
  return estimate.low <= truth && truth <= estimate.high;
}

struct Coverage {
  int k_c = 0, k_phi = 0, n = 0;
};

Coverage coverage(const Campaign& truth, const IdentifyOptions& options, bool resampled) {
  Coverage hits;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const PlateFit fit = identify_plates(plate_campaign(truth, seed), options);
    EXPECT_EQ(fit.resampled, resampled);
    hits.k_c += holds(fit.cohesive_modulus, truth.k_c);
    hits.k_phi += holds(fit.frictional_modulus, truth.k_phi);
    hits.n += holds(fit.exponent, truth.n);
  }
  return hits;
}

// Of 100 campaigns; were each right with 95 %, fewer than 85 would come up once in 27 000 times.
void expect_about_95(const Coverage& hits) {
  for (const int hit : {hits.k_c, hits.k_phi, hits.n}) {
    EXPECT_GE(hit, 85);
    EXPECT_LE(hit, 100);
  }
}

TEST(IdentifyPlates, ResampledIntervalsHoldTheTruth) {
  const Campaign truth{.trial_spread = 0.08, .noise = 0.05, .memory = 0.8};
  expect_about_95(coverage(truth, {.resamples = 200}, true));  // k_c 95, k_phi 90, n 97
}

TEST(IdentifyPlates, ResampledIntervalsOfPressureFitsHoldTheTruth) {
  const Campaign truth{.trial_spread = 0.08, .noise = 0.05, .memory = 0.8};
  // k_c 94, k_phi 94, n 94
  expect_about_95(coverage(truth, {.fit = FitMode::pressure, .resamples = 200}, true));
}

TEST(IdentifyPlates, CovarianceIntervalsHoldTheTruthIfTrialsDoNotDiffer) {
  const Campaign truth{.repeats = 1, .points = 60, .noise = 0.05, .memory = 0.6};
  expect_about_95(coverage(truth, {.resamples = 1000}, false));  // k_c 97, k_phi 96, n 96
}

TEST(IdentifyShear, ExactDataGiveTheTruth) {
  for (const double cohesion : {0.0, 800.0}) {
    const Campaign truth{.cohesion = cohesion};
    const ShearFit fit = identify_shear(shear_campaign(truth), {.resamples = kFew});
    EXPECT_NEAR(fit.cohesion.value, cohesion, 2e-11);                     // [Pa], measured 5.5e-12
    EXPECT_NEAR(std::tan(fit.friction_angle.value), truth.slope, 1e-14);  // 2.6e-15
    EXPECT_NEAR(fit.shear_modulus.value, truth.length, 1e-15);            // [m], 7e-17
    EXPECT_NEAR(fit.r_squared, 1, 1e-15);
    EXPECT_GE(fit.cohesion.low, 0);
  }
}

TEST(IdentifyShear, OneNormalStressCannotTellCohesionFromFriction) {
  const Campaign truth{.stresses = {5e3}};
  const ShearFit fit = identify_shear(shear_campaign(truth), {.resamples = kFew});
  EXPECT_TRUE(fit.one_stress);
  EXPECT_EQ(fit.cohesion.value, 0);
  EXPECT_NEAR(std::tan(fit.friction_angle.value), 0.6 + 800.0 / 5e3, 1e-14);  // 1e-16
  EXPECT_THAT(fit.warnings, Contains(HasSubstr("cannot be told apart")));
}

TEST(IdentifyShear, IntervalsHoldTheTruth) {
  const Campaign truth{.trial_spread = 0.05, .noise = 0.03, .memory = 0.8};
  int c = 0, phi = 0, length = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const ShearFit fit = identify_shear(shear_campaign(truth, seed), {.resamples = 200});
    c += holds(fit.cohesion, truth.cohesion);
    phi += holds(fit.friction_angle, std::atan(truth.slope));
    length += holds(fit.shear_modulus, truth.length);
  }
  for (const int hits : {c, phi, length}) EXPECT_GE(hits, 85);  // c 90, phi 94, K 93
}

TEST(IdentifyShear, PeaksAndShortTestsAreSaid) {
  std::vector<ShearTest> tests = shear_campaign({});
  tests[0].points.back().shear_stress *= 0.5;
  EXPECT_THAT(identify_shear(tests, {.resamples = kFew}).warnings,
              Contains(HasSubstr("1 of 9 trials end more than 15 % below")));
  EXPECT_THAT(identify_shear(shear_campaign({.length = 0.1}), {.resamples = kFew}).warnings,
              Contains(HasSubstr("strength was not reached")));
}

}  // namespace
}  // namespace grouser::internal
