#include "scene/yaml_reader.h"

#include <gtest/gtest.h>

#include <locale>
#include <numbers>

namespace grouser::internal {
namespace {

double number(const char* text) {
  const ParsedNumber parsed = parse_number(text);
  EXPECT_EQ(parsed.defect, nullptr) << text;
  return parsed.value;
}

TEST(YamlReader, ParsesNumbers) {
  EXPECT_EQ(number("1"), 1);
  EXPECT_EQ(number("-1.5e-3"), -1.5e-3);
  EXPECT_EQ(number("+2"), 2);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("5."), 5);
  EXPECT_EQ(number("1E6"), 1e6);
}

TEST(YamlReader, RefusesWhatOnlyLooksLikeANumber) {
  for (const char* text : {"", " 1", "1 ", "0x10", "1,5", "1.5.2", "1e", "--1", "+-1", "one",
                           "1_000", "5kg", "1;", "0b1", "e5"}) {
    EXPECT_STREQ(parse_number(text).defect, "must be a number") << text;
  }
  for (const char* text : {".nan", "nan", "NaN", ".inf", "-.inf", "+.Inf", "inf", "-INF",
                           "infinity", "1e309", "-1e999"}) {
    EXPECT_STREQ(parse_number(text).defect, "must be a finite number") << text;
  }
}

TEST(YamlReader, KnowsNoLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  EXPECT_EQ(number("1.5"), 1.5);
  std::locale::global(before);
}

TEST(YamlReader, ReportsUnknownKeysWithTheLikelyOne) {
  IssueList issues;
  const YamlValue value = parse_yaml("mass: 1\ndampnig: 2\nzebra: 3\n", "f", issues);
  MapReader map(value, issues);
  map.number("mass", ranges::kMass, 0);
  map.number("damping", ranges::kDamping, 0);
  map.finish();
  ASSERT_EQ(issues.issues().size(), 2U);
  EXPECT_EQ(issues.issues()[0].message, "unknown key 'dampnig', did you mean 'damping'?");
  EXPECT_EQ(issues.issues()[0].line, 2);
  EXPECT_EQ(issues.issues()[1].message, "unknown key 'zebra'");
  EXPECT_EQ(issues.issues()[1].legal, "mass, damping");
}

TEST(YamlReader, TakesAnglesInEitherUnit) {
  IssueList issues;
  const YamlValue value = parse_yaml("a_deg: 90\nb: 0.5\nc: 1\nc_deg: 1\n", "f", issues);
  MapReader map(value, issues);
  EXPECT_NEAR(*map.angle("a", ranges::kJointPosition), std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(map.angle("b", ranges::kJointPosition), 0.5);
  EXPECT_TRUE(issues.empty());
  map.angle("c", ranges::kJointPosition);
  ASSERT_EQ(issues.issues().size(), 1U);
  EXPECT_EQ(issues.issues()[0].line, 4);
}

TEST(YamlReader, ScalesAxesToUnitLength) {
  IssueList issues;
  const YamlValue value = parse_yaml("[0, 3, -4]", "f", issues);
  EXPECT_TRUE(read_axis(value, issues)->isApprox(Vec3(0, 0.6, -0.8), 1e-15));
}

TEST(YamlReader, NamesAreStrict) {
  IssueList issues;
  const YamlValue value = parse_yaml("[ok_1.a-b, a/b, 'a b', '']", "f", issues);
  EXPECT_EQ(read_name(value.items[0], issues), "ok_1.a-b");
  EXPECT_FALSE(read_name(value.items[1], issues));
  EXPECT_FALSE(read_name(value.items[2], issues));
  EXPECT_FALSE(read_name(value.items[3], issues));
  EXPECT_EQ(issues.issues().size(), 3U);
}

}  // namespace
}  // namespace grouser::internal
