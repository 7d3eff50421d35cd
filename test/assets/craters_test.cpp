#include "assets/craters.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "assets/crater_profile.h"
#include "core/rng.h"

namespace grouser::internal {
namespace {

Rect square(double side) { return {Vec2::Constant(-side / 2), Vec2::Constant(side / 2)}; }

// The published polynomials, where nothing is blended; the unit is the depth, crest to floor, which the
// rounded centre makes 0.0057 less than 0.22881 + 0.0368.
TEST(CraterProfile, FreshSectionIsThePublishedOne) {
  const double depth = 0.0368 - (-0.22881 + 0.22753 * 0.05 + 0.08312 * 0.0025 - 0.0395 * 1.25e-4 -
                                 0.5 * 0.05 * (0.22753 + 2 * 0.08312 * 0.05 - 3 * 0.0395 * 0.0025));
  for (const double x : {0.1, 0.5, 0.9}) {
    const double published = -0.22881 + 0.22753 * x + 0.08312 * x * x - 0.0395 * x * x * x;
    EXPECT_NEAR(depth * crater_profile(x, 0).height, published, 1e-15);  // measured 6e-17
  }
  for (const double x : {1.1, 1.35}) {
    const double published = 0.18825 - 0.18705 * x + 0.01845 * x * x + 0.01506 * x * x * x;
    EXPECT_NEAR(depth * crater_profile(x, 0).height, published, 1e-15);  // measured 2e-17
  }
  EXPECT_NEAR(depth * crater_profile(1, 0).height, 0.0368, 1e-15);  // measured 7e-18
  EXPECT_NEAR(crater_profile(1, 0).height - crater_profile(0, 0).height, 1, 1e-15);  // measured 0
  EXPECT_EQ(crater_profile(1.5, 0).height, 0);
}

TEST(CraterProfile, SlopeIsContinuousAndThatOfTheHeight) {
  for (const double degradation : {0.0, 0.03, 0.4, 0.9}) {
    for (double x = 0.001; x < 5; x += 0.00173) {
      const double h = 1e-7;
      const double slope =
          (crater_profile(x + h, degradation).height - crater_profile(x - h, degradation).height) /
          (2 * h);
      ASSERT_NEAR(crater_profile(x, degradation).slope, slope, 1e-7) << x;  // measured 1.3e-9
    }
    EXPECT_EQ(crater_profile(0, degradation).slope, 0);
  }
}

/// ∫ h x dx, which diffusion does not change.
double volume(double degradation) {
  double sum = 0;
  constexpr double kStep = 1e-3;
  for (double x = 0; x < 6; x += kStep) sum += kStep * x * crater_profile(x, degradation).height;
  return sum;
}

TEST(CraterProfile, DiffusionTakesDepthButNoVolume) {
  double last_rim = 1, last_reach = 0;
  for (double degradation = 0; degradation <= 0.9; degradation += 0.075) {
    double rim = 0;
    for (double x = 0.5; x < 5; x += 0.001) {
      rim = std::max(rim, crater_profile(x, degradation).height);
    }
    EXPECT_NEAR(rim - crater_profile(0, degradation).height, 1 - degradation,
                0.002);                                      // measured 3e-4
    EXPECT_NEAR(volume(degradation) / volume(0), 1, 0.002);  // measured 5e-4
    EXPECT_LT(rim, last_rim);
    EXPECT_GE(crater_reach(degradation), last_reach);
    last_rim = rim;
    last_reach = crater_reach(degradation);
  }
}

// Along the way from one degradation to a slightly larger one, h changes by the same factor of ∇²h
// everywhere. In the middle of the bowl and outside of the rim:
TEST(CraterProfile, ChangesAsTheHeatEquationSays) {
  const double before = 0.5, after = 0.55;  // neighbouring rows of the table
  const auto laplacian = [&](double x) {
    const double h = 0.02;
    const double left = crater_profile(x - h, before).height + crater_profile(x - h, after).height;
    const double mid = crater_profile(x, before).height + crater_profile(x, after).height;
    const double right = crater_profile(x + h, before).height + crater_profile(x + h, after).height;
    return ((left - 2 * mid + right) / (h * h) + (right - left) / (2 * h * x)) / 2;
  };
  const auto diffusion_time = [&](double x) {
    return (crater_profile(x, after).height - crater_profile(x, before).height) / laplacian(x);
  };
  const double reference = diffusion_time(0.3);
  EXPECT_GT(reference, 0);
  for (const double x : {0.1, 0.5, 1.2, 1.5}) {
    EXPECT_NEAR(diffusion_time(x) / reference, 1, 0.05) << x;  // measured 0.03
  }
}

TEST(CraterProfile, RangeIsSafe) {
  CounterRng rng(1);
  for (int i = 0; i < 500; ++i) {
    const double a = rng.uniform(0, 3), b = a + rng.uniform(0, 1), g = rng.uniform(0, 0.9);
    const HeightRange range = crater_profile_range(a, b, g);
    for (int k = 0; k < 50; ++k) {
      const double h = crater_profile(rng.uniform(a, b), g).height;
      ASSERT_LE(range.min, h + 1e-15);
      ASSERT_GE(range.max, h - 1e-15);
    }
  }
}

TEST(Craters, FreshDepthFollowsTheDiameter) {
  EXPECT_EQ(fresh_depth_ratio(1), 0.10);
  EXPECT_EQ(fresh_depth_ratio(10), 0.11);
  EXPECT_EQ(fresh_depth_ratio(40), 0.13);
  EXPECT_NEAR(fresh_depth_ratio(40 * std::sqrt(10)), 0.17, 1e-15);  // measured 0
  EXPECT_EQ(fresh_depth_ratio(400), 0.21);
  const CraterField field({{.position = {1, 2}, .diameter = 8}}, square(30));
  EXPECT_NEAR(field.at(5, 2).height - field.at(1, 2).height, 0.8, 1e-14);  // measured 0
}

TEST(CraterField, GradientIsThatOfTheHeight) {
  CounterRng rng(2);
  const CraterField field(random_craters({.coefficient = 0.05}, square(20)), square(20));
  ASSERT_GT(field.craters().size(), 20u);
  for (int i = 0; i < 2000; ++i) {
    const double x = rng.uniform(-9.9, 9.9), y = rng.uniform(-9.9, 9.9), h = 1e-6;
    const Vec2 slope(field.at(x + h, y).height - field.at(x - h, y).height,
                     field.at(x, y + h).height - field.at(x, y - h).height);
    EXPECT_NEAR((slope / (2 * h) - field.at(x, y).gradient).norm(), 0, 1e-8);  // measured 1.7e-10
  }
}

// The index must not lose any crater: compared with the plain sum over all.
TEST(CraterField, IsTheSumOfItsCraters) {
  CounterRng rng(3);
  const Rect domain = square(60);
  std::vector<CraterSpec> craters =
      random_craters({.coefficient = 0.1, .max_diameter = 30}, domain);
  craters.push_back({.position = {40, 0}, .diameter = 30});  // its rim reaches in from outside
  const CraterField field(craters, domain);
  for (int i = 0; i < 500; ++i) {
    const Vec2 p(rng.uniform(-30, 30), rng.uniform(-30, 30));
    double sum = 0;
    for (const CraterSpec& crater : craters) {
      const double depth = crater.diameter * fresh_depth_ratio(crater.diameter);
      sum += depth *
             crater_profile((p - crater.position).norm() / crater.diameter * 2, crater.degradation)
                 .height;
    }
    EXPECT_NEAR(field.at(p.x(), p.y()).height, sum, 1e-14);  // measured 0
  }
}

TEST(CraterField, RangeIsSafe) {
  CounterRng rng(4);
  const Rect domain = square(30);
  const CraterField field(random_craters({.coefficient = 0.1}, domain), domain);
  for (int i = 0; i < 200; ++i) {
    const Vec2 corner(rng.uniform(-16, 15), rng.uniform(-16, 15));
    const Rect rect{corner, corner + Vec2(rng.uniform(0, 4), rng.uniform(0, 4))};
    const HeightRange range = field.range(rect);
    for (int k = 0; k < 50; ++k) {
      const double h = field
                           .at(rng.uniform(rect.lower.x(), rect.upper.x()),
                               rng.uniform(rect.lower.y(), rect.upper.y()))
                           .height;
      ASSERT_LE(range.min, h);
      ASSERT_GE(range.max, h);
    }
  }
  EXPECT_EQ(CraterField({}, domain).range(domain).max, 0);
}

// N(>D) of 20 draws together, within four standard deviations of a Poisson count.
TEST(RandomCraters, FollowTheirLaw) {
  RandomCratersSpec spec{
      .coefficient = 0.02, .index = 1.8, .min_diameter = 0.5, .max_diameter = 20};
  const Rect domain = square(100);
  for (const double diameter : {0.5, 1.0, 3.0}) {
    double count = 0;
    for (spec.seed = 1; spec.seed <= 20; ++spec.seed) {
      for (const CraterSpec& crater : random_craters(spec, domain)) {
        count += crater.diameter > diameter ? 1 : 0;
        EXPECT_TRUE(domain.contains(crater.position));
      }
    }
    const double expected = 20 * 1e4 * 0.02 * (std::pow(diameter, -1.8) - std::pow(20, -1.8));
    EXPECT_NEAR(count, expected, 4 * std::sqrt(expected));
  }
}

}  // namespace
}  // namespace grouser::internal
