#include "lab/bbcc_reproductions.h"

#include <gtest/gtest.h>

#include "expect_passes.h"
#include "lab/bbcc_set_ups.h"

namespace grouser::internal {
namespace {

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

// Differences for the Jacobian that shrink with what comes to rest would drown in rounding, and the steps with it.
TEST(BbccReproductions, BdfTakesLongStepsOnceATowerRests) {
  const World world = Tower{.integrator = {{"method", "bdf"}}}.world();
  Observer nobody;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 20}, nobody);
  EXPECT_LT(report.steps, 2000);  // measured 739
}

TEST(LongBbccReproductions, All) { expect_passes("bbcc/*"); }

}  // namespace
}  // namespace grouser::internal
