#include "scene/yaml_value.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(YamlValue, KeepsPlaces) {
  IssueList issues;
  const YamlValue value =
      parse_yaml("a: 1\nb:\n  - x\n  - y: 2\n    z: {w: 3}\n", "f.yaml", issues);
  ASSERT_TRUE(issues.empty());
  EXPECT_EQ(value.find("a")->place.line, 1);
  const YamlValue& b = *value.find("b");
  EXPECT_EQ(b.place.line, 2);  // at the key, not at the first item
  EXPECT_EQ(b.items[0].place.line, 3);
  EXPECT_EQ(b.items[0].place.field, "b[0]");
  const YamlValue& w = *b.items[1].find("z")->find("w");
  EXPECT_EQ(w.place.line, 5);
  EXPECT_EQ(w.place.field, "b[1].z.w");
  EXPECT_EQ(w.place.file, "f.yaml");
  EXPECT_EQ(value.find("nothing"), nullptr);
}

TEST(YamlValue, ExpandsAliases) {
  IssueList issues;
  const YamlValue value = parse_yaml("a: &w {r: 1}\nb: [*w, *w]\n", "f", issues);
  ASSERT_TRUE(issues.empty());
  EXPECT_EQ(value.find("b")->items[1].find("r")->text, "1");
}

TEST(YamlValue, TellsQuotedFromPlain) {
  IssueList issues;
  const YamlValue value = parse_yaml("a: 1\nb: '1'\nc: \"1\"\nd:\n", "f", issues);
  EXPECT_FALSE(value.find("a")->quoted);
  EXPECT_TRUE(value.find("b")->quoted);
  EXPECT_TRUE(value.find("c")->quoted);
  EXPECT_EQ(value.find("d")->kind, YamlValue::Kind::null);
  EXPECT_EQ(value.find("d")->place.line, 4);
}

TEST(YamlValue, ShowsLongTextsShort) {
  IssueList issues;
  const YamlValue value = parse_yaml("a: " + std::string(500, 'x') + "\n", "f", issues);
  EXPECT_LT(value.find("a")->shown().size(), 70U);
}

TEST(YamlValue, RefusesKeysThatAreNoTexts) {
  IssueList issues;
  parse_yaml("? [1, 2]\n: 3\n" + std::string(200, 'k') + ": 4\n", "f", issues);
  EXPECT_EQ(issues.issues().size(), 2U);
}

}  // namespace
}  // namespace grouser::internal
