// What tables of measurements are understood, and what is said about those that are not.
#include "rigs/soil_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "core/error.h"
#include "core/log.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<PlateTest> plates(const std::string& text, const SoilTestOptions& options = {}) {
  return plate_tests(parse_csv(text, "plates.csv"), options);
}

TEST(SoilTests, ReadsDiscsWithForces) {
  const auto tests = plates(
      "trial,plate_diameter_mm,sinkage_mm,force_N\n"
      "a,60,1,0.5\n"
      "a,60,2,1.5\n"
      "b,100,1,2\n");
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0].trial, "a");
  EXPECT_EQ(tests[0].line, 2);
  EXPECT_EQ(tests[1].line, 4);
  EXPECT_DOUBLE_EQ(tests[0].width, 0.03);  // the radius
  ASSERT_EQ(tests[0].points.size(), 2u);
  EXPECT_DOUBLE_EQ(tests[0].points[1].sinkage, 0.002);
  EXPECT_DOUBLE_EQ(tests[0].points[1].pressure, 1.5 / (std::numbers::pi * 0.03 * 0.03));
}

TEST(SoilTests, ReadsRectanglesWithForcesOrPressures) {
  const auto forces = plates("plate_width_m,plate_length_mm,sinkage_m,force_N\n0.1,200,0.01,50\n");
  EXPECT_DOUBLE_EQ(forces.at(0).width, 0.1);
  EXPECT_DOUBLE_EQ(forces.at(0).points.at(0).pressure, 2500);
  EXPECT_FALSE(forces.at(0).disc);
  const auto pressures = plates("plate_width_mm,sinkage_mm,pressure_kPa\n100,10,2.5\n");
  EXPECT_DOUBLE_EQ(pressures.at(0).width, 0.1);
  EXPECT_DOUBLE_EQ(pressures.at(0).points.at(0).pressure, 2500);
}

TEST(SoilTests, SpreadsheetsMayWriteAsTheyLike) {
  const std::string plain = "trial,plate_width_m,sinkage_m,pressure_Pa\na b,0.1,0.01,2500\n";
  for (const std::string& text : std::vector<std::string>{
           "\xEF\xBB\xBFtrial;plate_width_m;sinkage_m;pressure_Pa\r\na b;0.1;0.01;2500\r\n",
           "trial\tplate_width_m\tsinkage_m\tpressure_Pa\na b\t0.1\t0.01\t2500",
           "# a note\n\n\"trial\", \"plate_width_m\",sinkage_m,pressure_Pa\n \"a b\" ,+0.1,1e-2, "
           "2500 \n"}) {
    const auto expected = plates(plain), found = plates(text);
    ASSERT_EQ(found.size(), 1u) << text;
    EXPECT_EQ(found[0].trial, expected[0].trial);
    EXPECT_EQ(found[0].width, expected[0].width);
    EXPECT_EQ(found[0].points[0].sinkage, expected[0].points[0].sinkage);
    EXPECT_EQ(found[0].points[0].pressure, expected[0].points[0].pressure);
  }
}

TEST(SoilTests, QuotesMayHoldSeparatorsQuotesAndLineEnds) {
  const CsvTable table = parse_csv("a,b\n\"x,\"\"y\"\"\n\",1\nz,2\n", "t.csv");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].fields[0], "x,\"y\"\n");
  EXPECT_EQ(table.rows[1].line, 4);
}

TEST(SoilTests, GroupsTellTrialsOfOneNameApart) {
  const std::string text =
      "box,trial,plate_width_m,sinkage_m,pressure_Pa\n"
      "large,1,0.1,0.01,1\nlarge,2,0.1,0.01,2\nsmall,1,0.1,0.01,3\n";
  const auto tests = plates(text, {.group = {"box"}});
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_EQ(tests[2].trial, "small/1");
  EXPECT_THROW(plates(text), Error);  // trial 1 comes back
}

TEST(SoilTests, WithoutNamesAnotherPlateIsAnotherTrial) {
  const auto tests = plates(
      "plate_width_m,sinkage_m,pressure_Pa\n0.1,0.01,1\n0.1,0.02,1\n0.2,0.01,2\n0.1,0.01,3\n");
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_EQ(tests[0].points.size(), 2u);
  EXPECT_EQ(tests[2].trial, "3");
}

TEST(SoilTests, ReadsShearTests) {
  const auto tests = shear_tests(
      parse_csv("trial,normal_stress_kPa,displacement_mm,shear_stress_Pa\n1,5,1,100\n1,5.1,2,150\n",
                "s.csv"));
  ASSERT_EQ(tests.size(), 1u);  // a normal stress that wavers is one trial all the same
  EXPECT_DOUBLE_EQ(tests[0].points[1].normal_stress, 5100);
  EXPECT_DOUBLE_EQ(tests[0].points[1].displacement, 0.002);
  EXPECT_DOUBLE_EQ(tests[0].points[1].shear_stress, 150);
  EXPECT_EQ(shear_tests(parse_csv("normal_stress_Pa,displacement_m,shear_stress_Pa\n"
                                  "5,1,1\n5,2,1\n6,1,1\n",
                                  "s.csv"))
                .size(),
            2u);
}

TEST(SoilTests, ColumnsThatAreNotUsedAreNamedOnce) {
  std::vector<std::string> messages;
  set_log_sink([&](LogLevel, std::string_view text) { messages.emplace_back(text); });
  plates("time_s,plate_width_m,sinkage_m,pressure_Pa,note\n0,0.1,0.01,1,x\n1,0.1,0.02,2,y\n");
  set_log_sink({});
  EXPECT_THAT(messages, ElementsAre("plates.csv: columns not used: time_s, note"));
}

struct BadTable {
  const char* name;
  const char* text;
  int line;
  const char* field;  // of the first issue
  const char* part;   // of the message of some issue
};

void PrintTo(const BadTable& table, std::ostream* stream) { *stream << table.name; }

class BadPlates : public testing::TestWithParam<BadTable> {};

TEST_P(BadPlates, AreRefusedWithTheirLine) {
  const BadTable& bad = GetParam();
  try {
    plates(bad.text);
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    const Issue& issue = error.issues().front();
    EXPECT_EQ(issue.file, "plates.csv");
    EXPECT_EQ(issue.line, bad.line);
    EXPECT_EQ(issue.field, bad.field);
    EXPECT_THAT(error.what(), HasSubstr(bad.part));
  }
}

const BadTable kBadPlates[] = {
    {"empty", "", 0, "", "holds no table"},
    {"only_comments", "# nothing\n\n", 0, "", "holds no table"},
    {"only_header", "plate_width_m,sinkage_m,pressure_Pa\n", 1, "", "no line of data"},
    {"no_size", "sinkage_m,pressure_Pa\n0,1\n", 1, "plate_diameter", "plate_diameter_mm"},
    {"no_sinkage", "plate_width_m,pressure_Pa\n1,1\n", 1, "sinkage", "sinkage_m or sinkage_mm"},
    {"wrong_unit", "plate_width_m,sinkage_cm,pressure_Pa\n1,1,1\n", 1, "sinkage", "'sinkage_cm'"},
    {"no_load", "plate_width_m,sinkage_m\n1,1\n", 1, "pressure", "force_N"},
    {"no_length", "plate_width_m,sinkage_m,force_N\n1,1,1\n", 1, "plate_length", "plate_length_m"},
    {"two_units", "plate_width_m,sinkage_m,sinkage_mm,pressure_Pa\n1,1,1,1\n", 1, "sinkage_mm",
     "has a column already"},
    {"disc_and_rectangle", "plate_width_m,plate_diameter_m,sinkage_m,pressure_Pa\n1,1,1,1\n", 1,
     "plate_width_m", "either round or not"},
    {"duplicate_column", "plate_width_m,sinkage_m,pressure_Pa,sinkage_m\n1,1,1,1\n", 1, "",
     "same name"},
    {"not_a_number", "plate_width_m,sinkage_m,pressure_Pa\n0.1,0.01,1\n0.1,deep,1\n", 3,
     "sinkage_m", "got deep"},
    {"decimal_comma", "plate_width_m;sinkage_m;pressure_Pa\n0,1;0.01;1\n", 2, "plate_width_m",
     "decimal point"},
    {"rest_after_number", "plate_width_m,sinkage_m,pressure_Pa\n0.1,0.01,1kPa\n", 2, "pressure_Pa",
     "got 1kPa"},
    {"nan", "plate_width_m,sinkage_m,pressure_Pa\n0.1,nan,1\n", 2, "sinkage_m", "not finite"},
    {"infinite", "plate_width_m,sinkage_m,pressure_Pa\n0.1,0.01,-inf\n", 2, "pressure_Pa",
     "not finite"},
    {"empty_field", "plate_width_m,sinkage_m,pressure_Pa\n0.1,,1\n", 2, "sinkage_m", "is empty"},
    {"negative_size", "plate_width_m,sinkage_m,pressure_Pa\n-0.1,0.01,1\n", 2, "plate_width_m",
     "> 0"},
    {"zero_size", "plate_diameter_mm,sinkage_m,pressure_Pa\n0,0.01,1\n", 2, "plate_diameter_mm",
     "> 0"},
    {"huge_sinkage", "plate_width_m,sinkage_m,pressure_Pa\n0.1,25,1\n", 2, "sinkage_m",
     "out of range"},
    {"width_above_length", "plate_width_m,plate_length_m,sinkage_m,force_N\n0.2,0.1,0.01,1\n", 2,
     "plate_width_m", "short side"},
    {"short_line", "plate_width_m,sinkage_m,pressure_Pa\n0.1,0.01,1\n0.1,0.02\n", 3, "",
     "another number of fields"},
    {"long_line", "plate_width_m,sinkage_m,pressure_Pa\n0.1,0.01,1,7\n", 2, "",
     "another number of fields"},
    {"open_quote", "trial,plate_width_m,sinkage_m,pressure_Pa\n\"a,0.1,0.01,1\n", 2, "",
     "never closed"},
    {"text_after_quote", "trial,plate_width_m,sinkage_m,pressure_Pa\n\"a\"b,0.1,0.01,1\n", 2, "",
     "closing quote"},
    {"binary", "plate_width_m,sinkage_m,pressure_Pa\n0.1,\x01,1\n", 2, "", "not text"},
    {"latin_1", "plate_width_m,sinkage_m,pressure_Pa,\xB0\n0.1,1,1,1\n", 1, "", "not text"},
    {"trial_comes_back",
     "trial,plate_width_m,sinkage_m,pressure_Pa\na,0.1,0.01,1\nb,0.1,0.01,1\na,0.1,0.01,1\n", 4,
     "trial", "--group"},
};
INSTANTIATE_TEST_SUITE_P(SoilTests, BadPlates, testing::ValuesIn(kBadPlates),
                         [](const auto& info) { return info.param.name; });

TEST(SoilTests, AllFindingsOfATableAreToldAtOnce) {
  try {
    plates("plate_width_m,sinkage_m,pressure_Pa\n0,x,1\n0.1,0.1,\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.issues().size(), 3u);
  }
}

TEST(SoilTests, GroupThatIsNotThereIsRefused) {
  EXPECT_THROW(plates("plate_width_m,sinkage_m,pressure_Pa\n0.1,0.1,1\n", {.group = {"box"}}),
               Error);
}

TEST(SoilTests, ShearTestsNeedAPositiveNormalStress) {
  EXPECT_THROW(
      shear_tests(parse_csv("normal_stress_Pa,displacement_m,shear_stress_Pa\n0,0.1,1\n", "s.csv")),
      Error);
}

class SoilTestFile : public TemporaryFolderTest {};

TEST_F(SoilTestFile, MissingFilesAndFoldersAreTroubleWithFiles) {
  for (const auto& path : {folder_ / "none.csv", folder_}) {
    try {
      read_csv(path);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_EQ(error.issues().front().file, path.string());
    }
  }
}

}  // namespace
}  // namespace grouser::internal
