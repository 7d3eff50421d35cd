#include "scene/text_file.h"

#include <gtest/gtest.h>

#include "support.h"

namespace grouser::internal {
namespace {

bool is_text(std::string_view text, int* line = nullptr) {
  IssueList issues;
  const bool good = check_text(text, "f", issues);
  if (line != nullptr && !issues.empty()) *line = issues.issues()[0].line;
  return good;
}

TEST(TextFile, TakesUtf8) {
  EXPECT_TRUE(is_text(""));
  EXPECT_TRUE(is_text("plain\r\n\ttabbed\n"));
  EXPECT_TRUE(is_text("m/s², ½, Δ, 月, 🚀"));
  EXPECT_TRUE(is_text("\xEF\xBB\xBFwith a byte order mark"));
}

TEST(TextFile, RefusesOtherBytesAtTheirLine) {
  int line = 0;
  EXPECT_FALSE(is_text("a\nb\n\x80", &line));
  EXPECT_EQ(line, 3);
  EXPECT_FALSE(is_text(std::string_view("a\0b", 3)));
  EXPECT_FALSE(is_text("\x1b[31m"));
  EXPECT_FALSE(is_text("\xC0\xAF"));          // overlong '/'
  EXPECT_FALSE(is_text("\xE0\x80\xAF"));      // overlong again
  EXPECT_FALSE(is_text("\xED\xA0\x80"));      // a surrogate
  EXPECT_FALSE(is_text("\xF4\x90\x80\x80"));  // beyond U+10FFFF
  EXPECT_FALSE(is_text("\xE2\x82"));          // cut short
}

TEST(TextFile, ReportsWhatCannotBeRead) {
  const TemporaryFolder folder("text_file");
  IssueList issues;
  EXPECT_FALSE(read_text_file(folder.path() / "none", {}, issues));
  EXPECT_FALSE(read_text_file(folder.path(), {"scene.yaml", 7, "models[0].file"}, issues));
  ASSERT_EQ(issues.issues().size(), 2U);
  EXPECT_EQ(issues.issues()[0].message, "no such file");
  EXPECT_EQ(issues.issues()[0].file, (folder.path() / "none").string());
  EXPECT_EQ(issues.issues()[1].file, "scene.yaml");
  EXPECT_EQ(issues.issues()[1].line, 7);
  EXPECT_NE(issues.issues()[1].message.find("is a folder"), std::string::npos);
}

TEST(TextFile, RefusesHugeFiles) {
  const TemporaryFolder folder("huge");
  IssueList issues;
  const auto fits = folder.write("fits.yaml", std::string(kMaxTextFileBytes, ' '));
  EXPECT_TRUE(read_text_file(fits, {}, issues));
  const auto huge = folder.write("huge.yaml", std::string(kMaxTextFileBytes + 1, ' '));
  EXPECT_FALSE(read_text_file(huge, {}, issues));
  ASSERT_EQ(issues.issues().size(), 1U);
  EXPECT_EQ(issues.issues()[0].message, "is larger than 16 MB");
}

}  // namespace
}  // namespace grouser::internal
