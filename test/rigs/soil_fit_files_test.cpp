// What is written about an identified soil can be read again.
#include "rigs/soil_fit_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rigs/synthetic_tests.h"
#include "scene/soil_reader.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

SoilIdentification identify(const Campaign& campaign, bool with_shear) {
  SoilIdentification soil{.name = "sand",
                          .plate_file = "plates.csv",
                          .shear_file = "shear.csv",
                          .options = {.resamples = 20},
                          .plates = identify_plates(plate_campaign(campaign), {.resamples = 20}),
                          .shear = {},
                          .like = {}};
  if (with_shear) soil.shear = identify_shear(shear_campaign(campaign), {.resamples = 20});
  return soil;
}

YamlValue soil_of(const std::string& yaml) {
  IssueList issues;
  const YamlValue root = parse_yaml(yaml, "soil.yaml", issues);
  MapReader map(root, issues);
  const YamlValue* found = map.require("soil");
  issues.throw_if_any();
  return *found;
}

TEST(SoilFitFiles, SoilsCanBeUsedInScenes) {
  SoilIdentification identified = identify({}, true);
  identified.like = find_soil("lete_sand");
  IssueList issues;
  const auto soil = read_soil(soil_of(soil_yaml(identified)), issues);
  issues.throw_if_any();
  ASSERT_TRUE(soil);
  const Campaign truth;
  EXPECT_EQ(soil->name, "sand");
  EXPECT_NEAR(soil->sinkage_exponent, truth.n, 1e-5 * truth.n);  // six digits are written
  EXPECT_NEAR(soil->cohesive_modulus, truth.k_c, 1e-5 * truth.k_c);
  EXPECT_NEAR(soil->frictional_modulus, truth.k_phi, 1e-5 * truth.k_phi);
  EXPECT_NEAR(soil->cohesion, truth.cohesion, 1e-5 * truth.cohesion);
  EXPECT_NEAR(std::tan(soil->friction_angle), truth.slope, 2e-5);
  EXPECT_NEAR(soil->shear_modulus, truth.length, 1e-5 * truth.length);
  EXPECT_EQ(soil->density, find_soil("lete_sand").density);
}

TEST(SoilFitFiles, WithoutAPresetTheFileSaysWhatIsMissing) {
  const std::string yaml = soil_yaml(identify({}, false));
  EXPECT_THAT(yaml, HasSubstr("# preset: SOIL"));
  EXPECT_THAT(yaml, HasSubstr("cohesion, friction_angle, shear_modulus, density, repose_angle"));
  IssueList issues;
  EXPECT_FALSE(read_soil(soil_of(yaml), issues));
  ASSERT_EQ(issues.issues().size(), 1u);
  EXPECT_THAT(issues.issues().front().message, HasSubstr("preset"));
}

TEST(SoilFitFiles, OneWidthIsSaidInTheFile) {
  SoilIdentification identified = identify({.widths = {0.05}}, false);
  identified.plate_file = "odd\nname: evil";
  const std::string yaml = soil_yaml(identified);
  EXPECT_THAT(yaml, HasSubstr("cohesive_modulus: 0  # not identified: plates of one width only"));
  EXPECT_THAT(yaml, Not(HasSubstr("\nname: evil")));
}

TEST(SoilFitFiles, TablesHoldEveryPointAndCanBeReadAgain) {
  const SoilIdentification identified = identify({}, true);
  const CsvTable plates = parse_csv(plate_csv(identified.plates), "fit.csv");
  std::size_t points = 0;
  for (const PlateTest& test : identified.plates.used) points += test.points.size();
  EXPECT_EQ(plates.rows.size(), points);
  const CsvTable shear = parse_csv(shear_csv(*identified.shear), "fit_shear.csv");
  for (const CsvTable::Row& row : shear.rows) {
    EXPECT_NEAR(std::stod(row.fields[3]), std::stod(row.fields[4]), 1e-3);  // exact data [Pa]
  }
}

TEST(SoilFitFiles, FiguresShowEachWidthAndEachStress) {
  const Figure figure = fit_figure(identify({}, true));
  ASSERT_EQ(figure.panels.size(), 3u);
  EXPECT_EQ(figure.panels[0].series.size(), 6u);  // points and curve of three widths
  EXPECT_EQ(figure.panels[0].series[1].label, "Ø 60 mm");
  EXPECT_EQ(figure.panels[2].series[5].label, "10 kPa");
  EXPECT_FALSE(to_svg(figure).empty());
  EXPECT_EQ(fit_figure(identify({}, false)).panels.size(), 2u);
}

}  // namespace
}  // namespace grouser::internal
