#include "core/error.h"

#include "core/issue_lines.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(Issue, AllFieldsReadAsOneLine) {
  const Issue issue{.message = "must be positive",
                    .file = "scene.yaml",
                    .line = 12,
                    .field = "models[0].mass",
                    .value = "-3",
                    .legal = "> 0 [kg]"};
  EXPECT_EQ(to_string(issue),
            "scene.yaml:12: models[0].mass: must be positive (got -3, legal: > 0 [kg])");
}

TEST(Issue, EmptyFieldsLeaveNoTrace) {
  EXPECT_EQ(to_string(Issue{.message = "is empty"}), "is empty");
  EXPECT_EQ(to_string(Issue{.message = "is empty", .file = "a.yaml"}), "a.yaml: is empty");
  EXPECT_EQ(to_string(Issue{.message = "is empty", .line = 3}), "line 3: is empty");
  EXPECT_EQ(to_string(Issue{.message = "is empty", .field = "x"}), "x: is empty");
  EXPECT_EQ(to_string(Issue{.message = "is bad", .value = "7"}), "is bad (got 7)");
  EXPECT_EQ(to_string(Issue{.message = "is bad", .legal = "< 7"}), "is bad (legal: < 7)");
}

TEST(Error, WhatIsAllIssuesOnePerLine) {
  const Error error(ErrorKind::input, {Issue{.message = "first"}, Issue{.message = "second"}});
  EXPECT_STREQ(error.what(), "first\nsecond");
  EXPECT_EQ(error.issues().size(), 2u);
  EXPECT_EQ(error.kind(), ErrorKind::input);
}

TEST(Error, KindIsTheExitCode) {
  EXPECT_EQ(static_cast<int>(Error(ErrorKind::usage, Issue{.message = "m"}).kind()), 1);
  EXPECT_EQ(static_cast<int>(Error(ErrorKind::io, Issue{.message = "m"}).kind()), 4);
}

TEST(Error, FoldsFindingsThatRepeat) {
  std::vector<Issue> issues;
  for (int line = 1; line <= 15; ++line)
    issues.push_back({.message = "m", .file = "f", .line = line});
  issues.push_back({.message = "other", .file = "f", .line = 16});
  const Error error(ErrorKind::input, issues);
  EXPECT_STREQ(error.what(), "f:1: m\nf:2: m\nf:3: m\n… and 12 more like this: m\nf:16: other");
  EXPECT_EQ(error.issues().size(), 16u);  // all of them are there for programs
  issues.resize(4);
  EXPECT_EQ(internal::lines_of(issues).size(), 4u);
}

TEST(IssueList, ThrowsNothingWhenEmpty) { EXPECT_NO_THROW(IssueList().throw_if_any()); }

TEST(IssueList, SortsByFileThenLineAndKeepsTheOrderWithinALine) {
  IssueList list;
  list.add({.message = "d", .file = "b", .line = 1});
  list.add({.message = "c", .file = "a", .line = 10});
  list.add({.message = "z", .file = "a", .line = 9});
  list.append({{.message = "y", .file = "a", .line = 9}});
  try {
    list.throw_if_any();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(), "a:9: z\na:9: y\na:10: c\nb:1: d");
  }
}

}  // namespace
}  // namespace grouser::internal
