#include "integrate/integrator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.h"

namespace grouser::internal {
namespace {

/// x'' = -x: the circle, with closed form.
class Oscillator : public OdeSystem {
 public:
  int position_size() const override { return 1; }
  int velocity_size() const override { return 1; }
  void derivative(double, const double* y, double* rate) override {
    rate[0] = y[1];
    rate[1] = -y[0];
  }
  void advance_positions(const double* v, double dt, double* x) override { x[0] += dt * v[0]; }
  double project(double, double*) override { return 0; }
};

/// Van der Pol with μ = 1000: very stiff.
class StiffVanDerPol : public Oscillator {
 public:
  void derivative(double, const double* y, double* rate) override {
    rate[0] = y[1];
    rate[1] = 1000 * (1 - y[0] * y[0]) * y[1] - y[0];
  }
};

/// x'' = x'²: reaches infinity at t = 1 from x' = 1.
class Explosion : public Oscillator {
 public:
  void derivative(double, const double* y, double* rate) override {
    rate[0] = y[1];
    rate[1] = y[1] * y[1];
  }
};

double error_at(IntegratorOptions options, double end) {
  Oscillator system;
  const auto integrator = make_integrator(options, system);
  const double y0[] = {1, 0};
  integrator->start(0, y0, 0);
  while (integrator->time() < end) integrator->step(end);
  EXPECT_EQ(integrator->time(), end);
  return std::hypot(integrator->y()[0] - std::cos(end), integrator->y()[1] + std::sin(end));
}

class AllMethods : public testing::TestWithParam<IntegrationMethod> {};

TEST_P(AllMethods, FollowsTheOscillator) {
  const IntegrationMethod method = GetParam();
  // Measured: rk4 2e-14, semi_implicit 3e-4, esdirk 3e-10, bdf 3e-8, adams 2e-8.
  const double tolerance = method == IntegrationMethod::semi_implicit ? 1e-3 : 1e-6;
  EXPECT_LT(error_at({.method = method,
                      .step = 1e-3,
                      .relative_tolerance = 1e-10,
                      .absolute_tolerance = 1e-10},
                     10),
            tolerance);
}

TEST_P(AllMethods, ArrivesExactlyAtAwkwardStops) {
  Oscillator system;
  const auto integrator = make_integrator({.method = GetParam(), .step = 0.01}, system);
  const double y0[] = {1, 0};
  integrator->start(0, y0, 0);
  for (int k = 1; k <= 30; ++k) {
    const double stop = k / 7.0;
    while (integrator->time() < stop) integrator->step(stop);
    EXPECT_EQ(integrator->time(), stop);
  }
}

TEST_P(AllMethods, InterpolatesWithinAStep) {
  Oscillator system;
  const bool first_order = GetParam() == IntegrationMethod::semi_implicit;
  const auto integrator = make_integrator(
      {.method = GetParam(), .step = 0.01, .relative_tolerance = 1e-9, .absolute_tolerance = 1e-9},
      system);
  double y[] = {1, 0};
  integrator->start(0, y, 0);
  while (integrator->time() < 3) {
    integrator->step(3);
    for (const double s : {0.0, 0.3, 0.77, 1.0}) {
      const double t =
          integrator->previous_time() + s * (integrator->time() - integrator->previous_time());
      integrator->interpolate(t, y);
      // Measured worst 4e-08, semi_implicit 5e-3.
      EXPECT_NEAR(y[0], std::cos(t), first_order ? 1e-2 : 2e-6) << "t = " << t;
    }
  }
}

TEST_P(AllMethods, GivesUpOnAnExplosionOrShowsIt) {
  Explosion system;
  const auto integrator =
      make_integrator({.method = GetParam(), .step = 1e-3, .max_steps = 5000}, system);
  const double y0[] = {0, 1};
  integrator->start(0, y0, 0);
  bool noticed = false;
  try {
    for (int i = 0; i < 6000 && integrator->time() < 2; ++i) integrator->step(2);
    noticed = !std::isfinite(integrator->y()[1]) || std::abs(integrator->y()[1]) > 1e12;
  } catch (const Error& error) {
    noticed = error.kind() == ErrorKind::diverged;
  }
  EXPECT_TRUE(noticed);
}

INSTANTIATE_TEST_SUITE_P(Integrate, AllMethods,
                         testing::Values(IntegrationMethod::rk4, IntegrationMethod::semi_implicit,
                                         IntegrationMethod::esdirk, IntegrationMethod::bdf,
                                         IntegrationMethod::adams),
                         [](const auto& info) { return std::string(to_string(info.param)); });

double order_of(IntegrationMethod method) {
  const double coarse = error_at({.method = method, .step = 0.02}, 1);
  const double fine = error_at({.method = method, .step = 0.01}, 1);
  return std::log2(coarse / fine);
}

TEST(FixedStep, HasTheOrderOfTheMethod) {
  EXPECT_NEAR(order_of(IntegrationMethod::rk4), 4, 0.1);            // measured 4.00002
  EXPECT_NEAR(order_of(IntegrationMethod::semi_implicit), 1, 0.1);  // measured within 0.0013
}

TEST(FixedStep, SemiImplicitKeepsEnergyBounded) {
  Oscillator system;
  const auto integrator =
      make_integrator({.method = IntegrationMethod::semi_implicit, .step = 0.05}, system);
  const double y0[] = {1, 0};
  integrator->start(0, y0, 0);
  for (int i = 0; i < 100000; ++i) integrator->step(1e9);
  const double* y = integrator->y();
  // Symplectic Euler conserves x² + v² - h x v exactly; energy oscillates by h/2 about it.
  EXPECT_NEAR(y[0] * y[0] + y[1] * y[1] - 0.05 * y[0] * y[1], 1, 1e-10);  // measured 4e-15
}

TEST(Adaptive, StiffMethodsTakeFewStepsOnVanDerPol) {
  for (const IntegrationMethod method : {IntegrationMethod::esdirk, IntegrationMethod::bdf}) {
    StiffVanDerPol system;
    const auto integrator = make_integrator({.method = method}, system);
    const double y0[] = {2, 0};
    integrator->start(0, y0, 0);
    while (integrator->time() < 2000) integrator->step(2000);
    // An explicit method needs about 1e6 steps; measured 1041 and 1380.
    EXPECT_LT(integrator->step_count(), 3000) << to_string(method);
    // Reference by Hairer & Wanner's test set (vdpol, t = 2000, μ = 1000): 1.7061677321.
    EXPECT_NEAR(integrator->y()[0], 1.7061677321, 1e-3) << to_string(method);
  }
}

TEST(Adaptive, EsdirkContinuesToTheBitFromStateAndStep) {
  const IntegratorOptions options{.method = IntegrationMethod::esdirk};
  StiffVanDerPol system;
  const auto whole = make_integrator(options, system), second = make_integrator(options, system);
  const double y0[] = {2, 0};
  whole->start(0, y0, 0);
  while (whole->time() < 500) whole->step(500);
  // Both start afresh at 500 from the same numbers; the second has no past at all.
  const double hint = whole->suggested_step();
  const std::vector<double> y(whole->y(), whole->y() + 2);
  whole->start(500, y.data(), hint);
  second->start(500, y.data(), hint);
  while (whole->time() < 900) whole->step(900);
  while (second->time() < 900) second->step(900);
  EXPECT_EQ(whole->y()[0], second->y()[0]);
  EXPECT_EQ(whole->y()[1], second->y()[1]);
}

TEST(Adaptive, StepLimitIsHonoured) {
  for (const IntegrationMethod method :
       {IntegrationMethod::esdirk, IntegrationMethod::bdf, IntegrationMethod::adams}) {
    Oscillator system;
    const auto integrator = make_integrator({.method = method, .max_step = 0.01}, system);
    const double y0[] = {1, 0};
    integrator->start(0, y0, 0);
    while (integrator->time() < 1) {
      integrator->step(1);
      EXPECT_LE(integrator->time() - integrator->previous_time(), 0.01 * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace grouser::internal
