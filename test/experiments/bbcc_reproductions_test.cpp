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
TEST(BbccReproductions, HaveFigures) {
  for (const Reproduction* reproduction : find_reproductions("bbcc/*")) {
    EXPECT_NE(reproduction->figure, nullptr) << reproduction->id;
  }
  // The dashed law ends where the sliding body has stopped: after v0 / (mu g).
  const Figure figure = find_reproductions("bbcc/sliding").front()->figure();
  ASSERT_EQ(figure.panels.size(), 1u);
  EXPECT_NEAR(figure.panels[0].series[1].x.back(), 2 / (0.4 * 9.81), 1e-12);
  EXPECT_NEAR(figure.panels[0].series[0].y.back(), 0, 1e-6);
  EXPECT_FALSE(to_svg(figure).empty());
}

TEST(LongBbccReproductions, All) { expect_passes("bbcc/*"); }

}  // namespace
}  // namespace grouser
