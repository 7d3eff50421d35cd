#include "scene/name_table.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

class Names : public testing::Test {
 protected:
  Names() {
    table.add("a", {"hip", {}}, issues);
    table.add("a", {"knee", {}}, issues);
    table.add("b", {"hip", {}}, issues);
    table.add("", {"winch", {}}, issues);
  }
  IssueList issues;
  NameTable table{"joint"};
};

TEST_F(Names, MayGoWithoutPrefixWhereUnambiguous) {
  EXPECT_EQ(table.find("a/hip", ""), 0);
  EXPECT_EQ(table.find("knee", ""), 1);
  EXPECT_EQ(table.find("b/hip", ""), 2);
  EXPECT_EQ(table.find("winch", ""), 3);
  EXPECT_FALSE(table.find("hip", ""));
}

TEST_F(Names, StayWithinTheirModel) {
  EXPECT_EQ(table.find("hip", "b"), 2);
  EXPECT_FALSE(table.find("knee", "b"));
  EXPECT_FALSE(table.find("winch", "b"));
}

TEST_F(Names, ReportWhatIsMeant) {
  table.resolve({"hip", {}}, "", issues);
  table.resolve({"kene", {}}, "", issues);
  table.resolve({"hpi", {}}, "b", issues);
  ASSERT_EQ(issues.issues().size(), 3U);
  EXPECT_EQ(issues.issues()[0].legal, "a/hip, b/hip");
  EXPECT_EQ(issues.issues()[1].message, "unknown joint 'kene', did you mean 'knee'?");
  EXPECT_EQ(issues.issues()[2].message, "unknown joint 'hpi', did you mean 'hip'?");
}

TEST_F(Names, AreUnique) {
  EXPECT_EQ(table.add("a", {"hip", {"f", 9, "x"}}, issues), "a/hip");
  ASSERT_EQ(issues.issues().size(), 1U);
  EXPECT_EQ(issues.issues()[0].line, 9);
}

}  // namespace
}  // namespace grouser::internal
