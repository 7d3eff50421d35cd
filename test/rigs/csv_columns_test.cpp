#include "rigs/csv_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "math/angle.h"
#include "rigs/soil_tests.h"
#include "rigs/wheel_tests.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

CsvTable soil_table(const std::string& text, const std::vector<std::string>& columns = {},
                    const std::vector<std::string>& units = {}) {
  const auto quantities = soil_test_quantities();
  const ColumnMapping mapping = column_mapping(columns, units, quantities);
  CsvTable table = parse_csv(text, "t.csv");
  check_columns_exist(mapping, std::vector<const CsvTable*>{&table});
  return with_columns(std::move(table), mapping, quantities);
}

template <class Work>
Issue issue_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.issues().front();
  }
  return {.message = "accepted"};
}

// A disc of 200 mm, 12.5 kPa at 3.5 mm, written in various ways.
void expect_the_test(const CsvTable& table) {
  const std::vector<PlateTest> tests = plate_tests(table);
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_DOUBLE_EQ(tests[0].width, 0.1);
  ASSERT_EQ(tests[0].points.size(), 2u);
  EXPECT_DOUBLE_EQ(tests[0].points[1].sinkage, 0.0035);
  EXPECT_DOUBLE_EQ(tests[0].points[1].pressure, 12500);
}

TEST(Columns, DecimalCommasWithSemicolons) {
  expect_the_test(soil_table("plate_diameter_mm;sinkage_mm;pressure_kPa\n200;0;0\n200;3,5;12,5\n"));
  expect_the_test(
      soil_table("plate_diameter_mm\tsinkage_mm\tpressure_kPa\n200\t0\t0\n200\t3,5\t1,25e1\n"));
  expect_the_test(soil_table(
      "plate_diameter_m;sinkage_m;pressure_Pa;trial\n+,2;0;0;a.5\n0,2;0,0035;12500;a.5\n"));
}

TEST(Columns, CommasAndPointsAreNotMixed) {
  const Issue issue = issue_of([] {
    plate_tests(soil_table("plate_diameter_mm;sinkage_mm;pressure_kPa\n200;0;0\n200;3,5;1.5\n"));
  });
  EXPECT_EQ(issue.line, 3);
  EXPECT_EQ(issue.field, "sinkage_mm");
  EXPECT_THAT(issue.legal, HasSubstr("decimal commas throughout"));
  // A thousand's point is no decimal point.
  const Issue thousand = issue_of([] {
    plate_tests(soil_table("plate_diameter_mm;sinkage_mm;pressure_Pa\n200;3,5;1.250,5\n"));
  });
  EXPECT_EQ(thousand.value, "1.250,5");
  EXPECT_THAT(thousand.legal, HasSubstr("decimal comma"));
  const Issue fields = issue_of([] { parse_csv("a,b\n1,5,2,5\n", "t.csv"); });
  EXPECT_THAT(fields.message, HasSubstr("semicolons"));
}

TEST(Columns, NamesAndUnitsByFlags) {
  const std::string data = "\n200,0,0\n200,3.5,12.5\n";
  expect_the_test(soil_table("d_mm,z_mm,p_kPa" + data,
                             {"plate_diameter=d_mm", "sinkage=z_mm", "pressure=p_kPa"}));
  expect_the_test(soil_table("D,z,p" + data, {"plate_diameter=D", "sinkage=z", "pressure=p"},
                             {"plate_diameter=mm", "sinkage=mm", "pressure=kPa"}));
  expect_the_test(soil_table("plate_diameter,sinkage,pressure" + data, {},
                             {"plate_diameter=mm", "sinkage=mm", "pressure=kPa"}));
  // A unit that is said goes before the one in the name.
  expect_the_test(soil_table("d_m,z_mm,p_kPa" + data,
                             {"plate_diameter=d_m", "sinkage=z_mm", "pressure=p_kPa"},
                             {"plate_diameter=mm"}));
  // What is chosen goes before what has the name.
  expect_the_test(soil_table(
      "plate_diameter_mm,sinkage_mm,pressure_kPa,p_filtered_kPa\n200,0,7,0\n200,3.5,7,12.5\n",
      {"pressure=p_filtered_kPa"}));
}

TEST(Columns, UnitsInHeaders) {
  const std::string data = "\n200;0;0\n200;3,5;12,5\n";
  expect_the_test(soil_table("plate_diameter [mm];sinkage (mm);pressure [kPa]" + data));
  expect_the_test(soil_table("D [mm];z (mm);p/kPa" + data,
                             {"plate_diameter=D [mm]", "sinkage=z (mm)", "pressure=p/kPa"}));
  expect_the_test(
      soil_table("plate_diameter_mm,sinkage_mm,pressure_MPa\n200,0,0\n200,3.5,0.0125\n"));
  expect_the_test(
      soil_table("plate_diameter_m,sinkage_m,pressure_bar\n0.2,0,0\n0.2,0.0035,0.125\n"));
}

TEST(Columns, OfWheelTests) {
  const auto quantities = wheel_test_quantities();
  const ColumnMapping mapping =
      column_mapping({"slip=s", "load=Fz [kN]", "pull=F", "speed=v (mm/s)", "torque=M [N m]"},
                     {"slip=%", "pull=N", "slip_angle=deg"}, quantities);
  const CsvTable table = with_columns(
      parse_csv("s;Fz [kN];F;sinkage_mm;v (mm/s);M [N m];slip_angle\n25;0,1;12,5;15;50;2,5;-9\n",
                "w.csv"),
      mapping, quantities);
  const std::vector<WheelTest> tests = wheel_tests(table);
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_DOUBLE_EQ(tests[0].slip, 0.25);
  EXPECT_DOUBLE_EQ(tests[0].load, 100);
  EXPECT_DOUBLE_EQ(tests[0].pull, 12.5);
  EXPECT_DOUBLE_EQ(tests[0].sinkage, 0.015);
  EXPECT_DOUBLE_EQ(tests[0].speed, 0.05);
  ASSERT_TRUE(tests[0].torque.has_value());
  EXPECT_DOUBLE_EQ(*tests[0].torque, 2.5);
  EXPECT_DOUBLE_EQ(tests[0].slip_angle, -9 * kDegree);
}

TEST(Columns, MistakesAreClear) {
  const std::string text = "d_mm,z,p_kPa\n200,1,1\n";
  Issue issue = issue_of([&] { soil_table(text, {"presure=p_kPa"}); });
  EXPECT_THAT(issue.message, HasSubstr("did you mean 'pressure'?"));
  EXPECT_EQ(issue.field, "--column");
  issue = issue_of([&] { soil_table(text, {"pressure"}); });
  EXPECT_EQ(issue.legal, "QUANTITY=NAME");
  issue = issue_of([&] { soil_table(text, {"pressure="}); });
  EXPECT_EQ(issue.legal, "QUANTITY=NAME");
  issue = issue_of([&] { soil_table(text, {"pressure=p_kpa"}); });
  EXPECT_THAT(issue.message, HasSubstr("did you mean 'p_kPa'?"));
  EXPECT_EQ(issue.file, "t.csv");
  issue = issue_of([&] { soil_table(text, {"sinkage=z"}); });
  EXPECT_THAT(issue.message, HasSubstr("--unit sinkage=UNIT"));
  EXPECT_EQ(issue.legal, "m, mm");
  issue = issue_of([&] { soil_table(text, {"sinkage=z"}, {"sinkage=kPa"}); });
  EXPECT_THAT(issue.message, HasSubstr("no unit of sinkage"));
  issue = issue_of([&] { soil_table(text, {"sinkage=z", "sinkage=d_mm"}); });
  EXPECT_THAT(issue.message, HasSubstr("has a column already"));
  issue = issue_of([&] { soil_table("sinkage_mm,sinkage [mm]\n1,2\n"); });
  EXPECT_THAT(issue.message, HasSubstr("has a column already"));
  // What is wrong with a number is said by the name that the file has.
  issue = issue_of([&] {
    plate_tests(soil_table("d_mm,z,p_kPa\n200,1,x\n",
                           {"plate_diameter=d_mm", "sinkage=z", "pressure=p_kPa"}, {"sinkage=mm"}));
  });
  EXPECT_EQ(issue.field, "p_kPa");
  EXPECT_EQ(issue.value, "x");
}

}  // namespace
}  // namespace grouser::internal
