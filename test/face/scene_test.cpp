// Scenes as values, put together from parts.
#include "grouser/scene.h"

#include <gtest/gtest.h>

namespace grouser {
namespace {

TEST(Values, OfAMergedMapAreReplacedOrAddedInOrder) {
  const Map ball{{"mass", 2}, {"shape", Map{{"sphere", Map{{"radius", 0.1}}}}}};
  const Map merged_ball = merged(ball, {{"name", "ball"}, {"shape", Map{{"box", List{1, 1, 1}}}}});
  ASSERT_EQ(merged_ball.size(), 3u);
  EXPECT_EQ(merged_ball[0].first, "mass");
  EXPECT_EQ(*merged_ball[0].second.number(), 2);
  EXPECT_EQ(merged_ball[1].first, "shape");  // where it was, and nothing of it is left
  EXPECT_EQ(merged_ball[1].second.map()->size(), 1u);
  EXPECT_EQ((*merged_ball[1].second.map())[0].first, "box");
  EXPECT_EQ(merged_ball[2].first, "name");
  EXPECT_EQ(*merged_ball[2].second.text(), "ball");
}

TEST(Values, OfNothingMergedAreTheMap) {
  EXPECT_TRUE(merged({}, {}).empty());
  EXPECT_EQ(merged({{"a", 1}}, {}).size(), 1u);
  EXPECT_EQ(merged({}, {{"a", 1}}).size(), 1u);
}

// By any compiler.
TEST(Values, HoldAListOfASingleList) {
  const List points{Value(List{1, 0})};
  ASSERT_EQ(points.size(), 1u);
  ASSERT_NE(points[0].list(), nullptr);
  EXPECT_EQ(points[0].list()->size(), 2u);
}

}  // namespace
}  // namespace grouser
