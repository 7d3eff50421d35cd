#include "terrain/flat_field.h"

#include <cmath>

#include <gtest/gtest.h>

#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

TEST(FlatField, IsEverywhereByDefault) {
  const FlatField field({.height = 1.5});
  EXPECT_EQ(field.at(-1e9, 1e9).height, 1.5);
  EXPECT_EQ(field.at(INFINITY, 0).height, 1.5);
  EXPECT_EQ(field.at(3, 4).normal(), Vec3(0, 0, 1));
  EXPECT_EQ(field.range(field.domain()).min, 1.5);
  EXPECT_EQ(field.range(field.domain()).max, 1.5);
  EXPECT_TRUE(std::isnan(field.at(NAN, 0).height));
}

TEST(FlatField, TiltedPlane) {
  const FlatField field({.height = 1, .gradient = {0.5, -0.25}, .domain = {{-2, -2}, {2, 2}}});
  EXPECT_EQ(field.at(1, 1).height, 1.25);
  EXPECT_EQ(field.at(1, 1).gradient, Vec2(0.5, -0.25));
  EXPECT_EQ(field.at(10, 1).height, field.at(2, 1).height);
  EXPECT_EQ(field.at(10, 1).gradient, Vec2(0, -0.25));
  EXPECT_EQ(field.range({{-1, 0}, {1, 2}}).min, 1 - 0.5 - 0.5);
  EXPECT_EQ(field.range({{-1, 0}, {1, 2}}).max, 1 + 0.5);
  EXPECT_LE(range_defect(field, {{-4, -4}, {4, 4}}, 1), 0);
}

TEST(FlatField, RefusesWhatIsNoPlane) {
  const auto issues = issues_of([] {
    FlatField({.height = NAN, .gradient = {0, INFINITY}, .domain = {{0, 0}, {-1, 1}}});
  });
  ASSERT_EQ(issues.size(), 3u);
  EXPECT_EQ(issues[0].field, "height");
  EXPECT_EQ(issues[1].field, "gradient");
  EXPECT_EQ(issues[2].field, "domain");
}

}  // namespace
}  // namespace grouser::internal
