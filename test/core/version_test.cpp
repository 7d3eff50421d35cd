#include "core/version.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(Version, IsThreeNumbers) {
  const std::string_view text = version();
  EXPECT_EQ(std::ranges::count(text, '.'), 2);
  EXPECT_EQ(text.find_first_not_of("0123456789."), std::string_view::npos);
}

TEST(Version, GitDescribeIsOneWord) {
  EXPECT_EQ(git_describe().find_first_of(" \n\""), std::string_view::npos);
}

}  // namespace
}  // namespace grouser::internal
