#include "scene/body_order.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

BodyData body(const std::string& name, const std::string& parent) {
  BodyData data;
  data.name.text = name;
  data.joint = JointData{};
  data.joint->parent.text = parent;
  return data;
}

std::string order_text(const std::vector<BodyData>& bodies, IssueList& issues) {
  std::string text;
  for (const OrderedBody& b : order_bodies(bodies, issues)) {
    text += b.data->name.text + std::to_string(b.parent) + " ";
  }
  return text;
}

TEST(BodyOrder, IsDepthFirstWithTreesTogether) {
  IssueList issues;
  const std::vector<BodyData> bodies = {body("leaf", "mid"),   body("other", "world"),
                                        body("root", "world"), body("side", "root"),
                                        body("mid", "root"),   body("tip", "other")};
  EXPECT_EQ(order_text(bodies, issues), "other-1 tip0 root-1 side2 mid2 leaf4 ");
  EXPECT_TRUE(issues.empty());
}

TEST(BodyOrder, ReportsEachCycleOnceAndKeepsAllBodies) {
  IssueList issues;
  const std::vector<BodyData> bodies = {body("below", "a"), body("a", "b"), body("b", "c"),
                                        body("c", "a"),     body("x", "y"), body("y", "x")};
  EXPECT_EQ(order_bodies(bodies, issues).size(), 6U);
  ASSERT_EQ(issues.issues().size(), 2U);
  EXPECT_EQ(issues.issues()[0].value, "a on b on c on ...");
}

TEST(BodyOrder, BearsLongChains) {
  std::vector<BodyData> bodies;
  for (int i = 0; i < 100000; ++i) {
    bodies.push_back(body(std::to_string(i), i == 0 ? "world" : std::to_string(i - 1)));
  }
  IssueList issues;
  EXPECT_EQ(order_bodies(bodies, issues).back().parent, 99998);
}

}  // namespace
}  // namespace grouser::internal
