#include "sim/signal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.h"

namespace grouser::internal {
namespace {

Signal table(TableCurve interpolation) {
  Signal signal = TableSignal{.time = {0, 1, 2.5, 3, 5},
                              .value = {1, 3, -2, 0.5, 4},
                              .curve = interpolation,
                              .curvature = {}};
  prepare(signal);
  return signal;
}

TEST(Signal, ConstantHasNoDerivatives) {
  const SignalValue at = evaluate(ConstantSignal{.value = 3}, 17);
  EXPECT_EQ(at.value, 3);
  EXPECT_EQ(at.rate, 0);
  EXPECT_EQ(at.acceleration, 0);
}

TEST(Signal, TableTakesItsValuesAtThePoints) {
  for (const auto kind : {TableCurve::hold, TableCurve::linear, TableCurve::smooth}) {
    const Signal signal = table(kind);
    const auto& points = std::get<TableSignal>(signal);
    for (std::size_t i = 0; i < points.time.size(); ++i) {
      EXPECT_DOUBLE_EQ(evaluate(signal, points.time[i]).value, points.value[i]);
    }
  }
}

TEST(Signal, TableIsConstantOutside) {
  for (const auto kind : {TableCurve::hold, TableCurve::linear, TableCurve::smooth}) {
    const Signal signal = table(kind);
    for (const double t : {-10.0, -1e-9, 5.0, 5.1, 1e6}) {
      const SignalValue at = evaluate(signal, t);
      EXPECT_EQ(at.value, t < 0 ? 1 : 4);
      EXPECT_EQ(at.rate, 0);
      EXPECT_EQ(at.acceleration, 0);
    }
  }
}

TEST(Signal, HoldKeepsTheLastValueAndSwitchesAtThePoint) {
  const Signal signal = table(TableCurve::hold);
  EXPECT_EQ(evaluate(signal, std::nextafter(1.0, 0.0)).value, 1);
  EXPECT_EQ(evaluate(signal, 1).value, 3);
  EXPECT_EQ(evaluate(signal, 2.4).value, 3);
  EXPECT_EQ(evaluate(signal, 2.4).rate, 0);
}

TEST(Signal, LinearHasTheSlopeOfWhatFollows) {
  const Signal signal = table(TableCurve::linear);
  EXPECT_DOUBLE_EQ(evaluate(signal, 0.25).value, 1.5);
  EXPECT_DOUBLE_EQ(evaluate(signal, 0).rate, 2);
  EXPECT_DOUBLE_EQ(evaluate(signal, std::nextafter(1.0, 0.0)).rate, 2);
  EXPECT_DOUBLE_EQ(evaluate(signal, 1).rate, -5 / 1.5);
  EXPECT_EQ(evaluate(signal, 1.7).acceleration, 0);
}

TEST(Signal, SmoothIsTwiceContinuouslyDifferentiable) {
  const Signal signal = table(TableCurve::smooth);
  for (const double t : {1.0, 2.5, 3.0}) {
    const SignalValue before = evaluate(signal, std::nextafter(t, 0.0)),
                      after = evaluate(signal, t);
    EXPECT_NEAR(before.value, after.value, 1e-12);
    EXPECT_NEAR(before.rate, after.rate, 1e-12);
    EXPECT_NEAR(before.acceleration, after.acceleration, 1e-12);
  }
  EXPECT_EQ(evaluate(signal, 0).acceleration, 0);  // natural ends
  EXPECT_NEAR(evaluate(signal, std::nextafter(5.0, 0.0)).acceleration, 0, 1e-12);
}

// Minimising ∫ y″² through (0,0), (1,1), (2,0) gives y = 3/2 t - 1/2 t³ on [0, 1] by hand.
TEST(Signal, SmoothMatchesAHandSpline) {
  Signal signal = TableSignal{
      .time = {0, 1, 2}, .value = {0, 1, 0}, .curve = TableCurve::smooth, .curvature = {}};
  prepare(signal);
  const SignalValue at = evaluate(signal, 0.5);
  EXPECT_DOUBLE_EQ(at.value, 0.75 - 0.0625);
  EXPECT_DOUBLE_EQ(at.rate, 1.5 - 0.375);
  EXPECT_DOUBLE_EQ(at.acceleration, -1.5);
}

void expect_derivatives(const Signal& signal, double t) {
  const double h = 1e-5;
  const SignalValue at = evaluate(signal, t);
  const SignalValue before = evaluate(signal, t - h), after = evaluate(signal, t + h);
  EXPECT_NEAR(at.rate, (after.value - before.value) / (2 * h), 1e-7) << t;        // measured 2e-8
  EXPECT_NEAR(at.acceleration, (after.rate - before.rate) / (2 * h), 1e-7) << t;  // measured 2e-8
}

TEST(Signal, DerivativesAreThoseOfTheValue) {
  for (double t = 0.05; t < 5; t += 0.1) {
    expect_derivatives(table(TableCurve::smooth), t);
    expect_derivatives(SineSignal{.offset = 1, .amplitude = 2, .frequency_hz = 0.7, .phase = 0.3},
                       t);
  }
}

TEST(Signal, SineStartsAtItsPhase) {
  const SignalValue at =
      evaluate(SineSignal{.offset = 1, .amplitude = 2, .phase = std::numbers::pi / 2}, 0);
  EXPECT_DOUBLE_EQ(at.value, 3);
  EXPECT_NEAR(at.rate, 0, 1e-14);
}

TEST(Signal, ShortSplinesAreStraight) {
  Signal two =
      TableSignal{.time = {1, 2}, .value = {5, 7}, .curve = TableCurve::smooth, .curvature = {}};
  prepare(two);
  EXPECT_DOUBLE_EQ(evaluate(two, 1.5).value, 6);
  EXPECT_DOUBLE_EQ(evaluate(two, 1.5).rate, 2);
  Signal one = TableSignal{.time = {1}, .value = {5}, .curvature = {}};
  prepare(one);
  EXPECT_EQ(evaluate(one, 1).value, 5);
}

TEST(Signal, BadTablesAreRefused) {
  const auto refuses = [](std::vector<double> time, std::vector<double> value) {
    Signal signal = TableSignal{.time = time, .value = value, .curvature = {}};
    EXPECT_THROW(prepare(signal), Error);
  };
  refuses({}, {});
  refuses({0, 1}, {1});
  refuses({0, 0}, {1, 2});
  refuses({1, 0}, {1, 2});
  refuses({0, 1}, {1, std::numeric_limits<double>::infinity()});
  refuses({0, std::numeric_limits<double>::quiet_NaN()}, {1, 2});
}

}  // namespace
}  // namespace grouser::internal
