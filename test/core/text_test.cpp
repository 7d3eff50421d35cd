#include "core/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "core/rng.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(EditDistance, HandValues) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("damping", "dampnig"), 1);  // exchange of neighbours
  EXPECT_EQ(edit_distance("ca", "abc"), 3);           // restricted: no part is edited twice
  EXPECT_EQ(edit_distance("Mass", "mASS"), 0);
}

TEST(EditDistance, IsSymmetricAndBounded) {
  CounterRng rng(1);
  const auto word = [&] {
    std::string text;
    for (std::uint64_t i = rng.index(9); i > 0; --i) text += static_cast<char>('a' + rng.index(3));
    return text;
  };
  for (int i = 0; i < 2000; ++i) {
    const std::string a = word(), b = word();
    const int distance = edit_distance(a, b);
    ASSERT_EQ(distance, edit_distance(b, a)) << a << ' ' << b;
    ASSERT_LE(distance, static_cast<int>(std::max(a.size(), b.size())));
    ASSERT_GE(distance, std::abs(static_cast<int>(a.size()) - static_cast<int>(b.size())));
    ASSERT_EQ(distance == 0, a == b);
  }
}

TEST(ClosestMatch, FindsTheLikelyWord) {
  const std::vector<std::string> fields = {"mass", "inertia", "damping", "stiffness"};
  EXPECT_EQ(closest_match("dampnig", fields), "damping");
  EXPECT_EQ(closest_match("stifness", fields), "stiffness");
  EXPECT_EQ(closest_match("MASS", fields), "mass");
  EXPECT_EQ(closest_match("colour", fields), std::nullopt);
  EXPECT_EQ(closest_match("", fields), std::nullopt);
}

TEST(ClosestMatch, FirstOfEquallyNearWins) {
  EXPECT_EQ(closest_match("bat", std::array{"cat", "hat"}), "cat");
  EXPECT_EQ(closest_match("hat", std::array{"cat", "hat"}), "hat");
}

TEST(ClosestMatch, TakesAnyRangeOfTexts) {
  EXPECT_EQ(closest_match("wheel1", std::set<std::string>{"wheel_1", "body"}), "wheel_1");
  EXPECT_EQ(closest_match("bdy", std::vector<std::string_view>{"wheel", "body"}), "body");
  EXPECT_EQ(closest_match("x", std::vector<std::string>{}), std::nullopt);
}

TEST(FormatNumber, IsShort) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(100000), "100000");
  EXPECT_EQ(format_number(-2.5), "-2.5");
  EXPECT_EQ(format_number(1e20), "1e+20");
  EXPECT_EQ(format_number(-0.0), "-0");
  EXPECT_EQ(format_number(std::numeric_limits<double>::infinity()), "inf");
}

TEST(FormatNumber, ReadsBackAsTheSameDouble) {
  CounterRng rng(2);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(rng.bits());
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(std::strtod(format_number(value).c_str(), nullptr), value);
  }
}

TEST(MatchesPattern, StarStandsForAnything) {
  EXPECT_TRUE(matches_pattern("scm/bevameter", "scm/*"));
  EXPECT_TRUE(matches_pattern("scm/bevameter", "*meter"));
  EXPECT_TRUE(matches_pattern("scm/bevameter", "*"));
  EXPECT_TRUE(matches_pattern("abc", "a*b*c"));
  EXPECT_TRUE(matches_pattern("", "*"));
  EXPECT_FALSE(matches_pattern("scm/bevameter", "scm"));
  EXPECT_FALSE(matches_pattern("scm/bevameter", "bbcc/*"));
  EXPECT_FALSE(matches_pattern("", "a"));
}

}  // namespace
}  // namespace grouser::internal
