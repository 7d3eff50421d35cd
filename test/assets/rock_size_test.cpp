#include "assets/rock_size.h"

#include <cmath>

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

RockSizeSpec golombek(double k) { return {.law = RockLaw::golombek_rapp, .k = k}; }

// Worked out from the formula with tabulated E1, to the digits given.
TEST(RockSize, GolombekRappCheckValues) {
  EXPECT_NEAR(expected_count_above(golombek(0.10), 0.1), 1.864, 5e-4);
  EXPECT_NEAR(expected_count_above(golombek(0.10), 0.5), 0.0499, 5e-5);
  EXPECT_NEAR(expected_count_above(golombek(0.10), 1), 0.00307, 5e-6);
  EXPECT_NEAR(expected_count_above(golombek(0.19), 0.1), 3.186, 5e-4);
  EXPECT_NEAR(expected_count_above(golombek(0.19), 0.5), 0.1217, 5e-5);
  EXPECT_NEAR(expected_count_above(golombek(0.19), 1), 0.0111, 5e-5);
}

// The law is about area: discs of all rocks larger than D cover k e^(-q D) of the ground.
TEST(RockSize, GolombekRappCoversTheAreaItSays) {
  const double k = 0.07, q = 1.79 + 0.152 / k;
  for (const double from : {0.1, 0.7}) {
    double area = 0;
    constexpr int kSteps = 200000;
    const double h = (12.0 - from) / kSteps;
    for (int i = 0; i < kSteps; ++i) {
      const double d = from + (i + 0.5) * h;
      const double rocks = expected_count_above(golombek(k), d - h / 2) -
                           expected_count_above(golombek(k), d + h / 2);
      area += rocks * std::acos(-1) / 4 * d * d;
    }
    EXPECT_NEAR(area / (k * std::exp(-q * from)), 1, 1e-6);  // measured 3e-8
  }
}

TEST(RockSize, SitesHaveTheirParameters) {
  const auto count = [](RockSite site, double d) {
    return expected_count_above({.site = site, .k = 0.9, .coefficient = 0.5, .index = 9}, d);
  };
  EXPECT_EQ(count(RockSite::pathfinder, 0.3), expected_count_above(golombek(0.19), 0.3));
  EXPECT_EQ(count(RockSite::spirit, 0.3), expected_count_above(golombek(0.05), 0.3));
  EXPECT_EQ(count(RockSite::insight, 0.3), expected_count_above(golombek(0.03), 0.3));
  EXPECT_EQ(count(RockSite::phoenix, 0.3), expected_count_above(golombek(0.02), 0.3));
  EXPECT_NEAR(count(RockSite::lunar, 2) / (3e-4 * std::pow(2, -2.482)), 1, 1e-15);
  EXPECT_NEAR(count(RockSite::lunar_low, 2) / (1e-4 * std::pow(2, -1.755)), 1, 1e-15);
  EXPECT_NEAR(count(RockSite::lunar_high, 2) / (2e-3 * std::pow(2, -2.661)), 1, 1e-15);
  EXPECT_NEAR(count(RockSite::ryugu, 2) / (0.5 * std::pow(2, -2.65)), 1, 1e-15);
  EXPECT_NEAR(count(RockSite::itokawa, 2) / (0.5 * std::pow(2, -3.05)), 1, 1e-15);
  EXPECT_NEAR(count(RockSite::eros, 2) / (0.5 * std::pow(2, -3.25)), 1, 1e-15);
  EXPECT_NEAR(count(RockSite::phobos, 2) / (0.5 * std::pow(2, -3.2)), 1, 1e-15);
}

TEST(RockSize, DiameterAtIsTheInverse) {
  for (RockSizeSpec spec :
       {golombek(0.02), golombek(0.19),
        RockSizeSpec{.law = RockLaw::power, .coefficient = 0.01, .index = 2.5}}) {
    spec.min_diameter = 0.05;
    spec.max_diameter = 3;
    const double most = expected_count_above(spec, 0.05), least = expected_count_above(spec, 3);
    EXPECT_EQ(expected_count(spec), most - least);
    for (const double fraction : {1e-6, 0.001, 0.2, 0.9, 0.999999}) {
      const double diameter = diameter_at(spec, fraction);
      EXPECT_NEAR((expected_count_above(spec, diameter) - least) / (most - least) / fraction, 1,
                  1e-12);  // measured 1.3e-14
    }
    EXPECT_NEAR(diameter_at(spec, 0), 3, 1e-12);     // measured 3e-14
    EXPECT_NEAR(diameter_at(spec, 1), 0.05, 1e-14);  // measured 3e-16
  }
}

}  // namespace
}  // namespace grouser::internal
