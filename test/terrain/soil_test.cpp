#include "terrain/soil.h"

#include <cmath>
#include <numbers>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(SoilPresets, AreLegalNamedAndSourced) {
  EXPECT_GE(soil_presets().size(), 29u);
  std::string last;
  for (const Soil& soil : soil_presets()) {
    SCOPED_TRACE(soil.name);
    EXPECT_NO_THROW(validate(soil, soil.name));
    EXPECT_TRUE(std::regex_match(soil.name, std::regex("[a-z][a-z0-9]*(_[a-z0-9]+)*")));
    EXPECT_LT(last, soil.name);  // by name, none twice
    EXPECT_FALSE(soil.description.empty());
    EXPECT_FALSE(soil.source.empty());
    EXPECT_FALSE(soil.validity.empty());
    EXPECT_EQ(&find_soil(soil.name), &soil);
    last = soil.name;
  }
}

TEST(SoilPresets, CarryTheFiguresOfTheirSources) {
  const Soil& a = find_soil("dlr_a");  // Krenn & Hirzinger 2009, table 2
  EXPECT_EQ(a.sinkage_exponent, 0.63);
  EXPECT_EQ(a.cohesive_modulus, 2370);
  EXPECT_EQ(a.frictional_modulus, 60300);
  EXPECT_EQ(a.cohesion, 188);
  EXPECT_DOUBLE_EQ(a.friction_angle * 180 / std::numbers::pi, 24.8);
  EXPECT_THAT(a.estimated, Contains("shear_modulus"));
  const Soil& sand = find_soil("lete_sand");  // Wong 2008
  EXPECT_EQ(sand.frictional_modulus, 5'301'000);
  EXPECT_EQ(sand.shear_modulus, 0.012);
  EXPECT_THAT(sand.estimated, Not(Contains("shear_modulus")));
  EXPECT_THAT(find_soil("clayey_soil_38").estimated, Contains("shear_modulus"));
  EXPECT_DOUBLE_EQ(find_soil("grc_1").density, (1660 + 1760) / 2.0);
  EXPECT_DOUBLE_EQ(find_soil("lunar_ishigami").shear_modulus, (0.014 + 0.023) / 2);
  EXPECT_THAT(find_soil("phobos").estimated, Contains("frictional_modulus"));
  EXPECT_THAT(find_soil("phobos").validity, HasSubstr("50 to 700 Pa"));
}

TEST(SoilPresets, NegativeCohesiveModulusLimitsThePlate) {
  EXPECT_EQ(smallest_plate_width(find_soil("dlr_a")), 0);
  for (const char* name : {"dlr_d", "grc_1", "grc_3"}) {
    const Soil& soil = find_soil(name);
    const double b = smallest_plate_width(soil);
    EXPECT_GT(soil.cohesive_modulus / (1.001 * b) + soil.frictional_modulus, 0);
    EXPECT_LT(soil.cohesive_modulus / (0.999 * b) + soil.frictional_modulus, 0);
    EXPECT_THAT(soil.validity, HasSubstr("mm and less"));
  }
  EXPECT_NEAR(smallest_plate_width(find_soil("grc_1")), 2.02 / 29.9, 1e-15);  // measured 0
}

TEST(ValidateSoil, NamesEveryFieldOutOfRange) {
  const Soil bad{.sinkage_exponent = 0,
                 .cohesive_modulus = INFINITY,
                 .frictional_modulus = -1,
                 .cohesion = -2,
                 .friction_angle = 2,
                 .shear_modulus = NAN,
                 .density = 0,
                 .repose_angle = 0};
  const std::vector<Issue> issues = issues_of([&] { validate(bad, "ground.soil"); });
  EXPECT_EQ(issues.size(), 8u);
  EXPECT_THAT(to_string(issues.at(3)), HasSubstr("ground.soil.cohesion"));
  EXPECT_EQ(issues.at(3).value, "-2");
  EXPECT_NO_THROW(validate(Soil{.cohesive_modulus = -1e5}, ""));
}

TEST(FindSoil, SuggestsTheNearestName) {
  const std::vector<Issue> issues = issues_of([] { find_soil("dlr-a"); });
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_THAT(issues[0].legal, HasSubstr("dlr_a"));
  EXPECT_THAT(issues_of([] { find_soil("butter"); }).at(0).legal, HasSubstr("lunar_nominal"));
}

}  // namespace
}  // namespace grouser::internal
