#include "experiments/bbcc_reproductions.h"

#include <gtest/gtest.h>

namespace grouser {
namespace {

void expect_passes(const std::string& id) {
  const auto found = find_reproductions(id);
  ASSERT_FALSE(found.empty());
  for (const Reproduction* reproduction : found) {
    for (const ReproductionRow& row : reproduction->run()) {
      EXPECT_TRUE(row.pass()) << reproduction->id << ": " << row.quantity << ": " << row.ours;
    }
  }
}

TEST(BbccReproductions, Impact) { expect_passes("bbcc/impact"); }
TEST(BbccReproductions, Hertz) { expect_passes("bbcc/hertz"); }
TEST(BbccReproductions, Sliding) { expect_passes("bbcc/sliding"); }
TEST(BbccReproductions, InclineHigh) { expect_passes("bbcc/incline-high"); }
TEST(BbccReproductions, Spin) { expect_passes("bbcc/spin"); }
TEST(LongBbccReproductions, All) { expect_passes("bbcc/*"); }

}  // namespace
}  // namespace grouser
