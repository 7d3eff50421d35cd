#include "scene/range.h"

#include <gtest/gtest.h>

#include <limits>

namespace grouser::internal {
namespace {

TEST(Range, SaysWhatIsWrong) {
  const Range positive{0, 10, true, "m", "not in feet"};
  EXPECT_EQ(range_defect(positive, 10), "");
  EXPECT_EQ(range_defect(positive, 0), "must be positive");
  EXPECT_EQ(range_defect(positive, -1e300), "must be positive");
  EXPECT_EQ(range_defect(positive, 10.5), "is too large; not in feet");
  const Range symmetric{-5, 5, false, "-"};
  EXPECT_EQ(range_defect(symmetric, -5), "");
  EXPECT_EQ(range_defect(symmetric, -6), "is too small");
  const Range not_negative{0, 1, false, "-"};
  EXPECT_EQ(range_defect(not_negative, 0), "");
  EXPECT_EQ(range_defect(not_negative, -1), "must not be negative");
}

TEST(Range, RefusesWhatIsNoNumber) {
  EXPECT_NE(range_defect(ranges::kMass, std::numeric_limits<double>::quiet_NaN()), "");
  EXPECT_NE(range_defect(ranges::kOffset, -std::numeric_limits<double>::infinity()), "");
}

TEST(Range, TellsWhatIsLegal) {
  EXPECT_EQ(legal_text(ranges::kMass), "> 0 and <= 1e+06 [kg]");
  EXPECT_EQ(legal_text(ranges::kOffset), ">= -1000 and <= 1000 [m]");
}

}  // namespace
}  // namespace grouser::internal
