#include "contact/pcm/material.h"

#include <cmath>

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(LayerMaterial, StiffnessIsThatOfAConfinedLayer) {
  // K = E (1 - ν)/((1 + ν)(1 - 2ν)); ν = 0.4: 0.6/(1.4 · 0.2) = 15/7.
  EXPECT_NEAR(layer_stiffness({.young = 1e6, .poisson = 0.4, .thickness = 0.01}), 15e8 / 7, 1e-3);
  EXPECT_NEAR(layer_stiffness({.young = 1e6, .poisson = 0, .thickness = 0.5}), 2e6, 1e-9);
  EXPECT_TRUE(std::isinf(layer_stiffness({.rigid = true})));
}

TEST(LayerMaterial, LayersActInSeries) {
  const LayerMaterial soft{.young = 1e6, .poisson = 0}, hard{.young = 3e6, .poisson = 0};
  const LayerPair pair = pair_of(soft, hard, {}, FrictionRise::parabola);
  EXPECT_NEAR(pair.stiffness, 1 / (1 / 1e8 + 1 / 3e8), 1e-6);
  EXPECT_NEAR(pair.base_share, 0.75, 1e-15);  // the softer one gives way three times as far
  const LayerPair on_rock = pair_of(soft, {.rigid = true}, {}, FrictionRise::parabola);
  EXPECT_DOUBLE_EQ(on_rock.stiffness, 1e8);
  EXPECT_DOUBLE_EQ(on_rock.base_share, 1);
}

TEST(LayerMaterial, DampingByMode) {
  LayerPair law{.stiffness = 1e6, .damping = 1e4};
  EXPECT_DOUBLE_EQ(law.pressure(0.001, 0.1), 2000);
  EXPECT_DOUBLE_EQ(law.pressure(0.001, -1), 0);
  law.options.expansion = Expansion::full;
  EXPECT_DOUBLE_EQ(law.pressure(0.001, -1), -9000);
  law.options.expansion = Expansion::none;
  EXPECT_DOUBLE_EQ(law.pressure(0.001, -1), 1000);
  law.options = {.expansion = Expansion::clip, .fade_in = 0.002};
  EXPECT_DOUBLE_EQ(law.pressure(0.001, 0.1), 1500);
  EXPECT_DOUBLE_EQ(law.pressure(0.002, 0.1), 3000);
  EXPECT_NEAR(law.pressure(1e-12, 0.1), 0, 1e-5);  // continuous at the touch
}

TEST(LayerMaterial, FrictionLaws) {
  const LayerMaterial m{.friction = 0.3, .dead_band = 1e-3};
  const FrictionLaw parabola = pair_of(m, m, {}, FrictionRise::parabola).friction;
  EXPECT_NEAR(parabola.tangential(0.25e-3), 0.3 * 0.25 * 1.75, 1e-15);  // μ k (2 - k)
  EXPECT_NEAR(parabola.tangential(5e-3), 0.3, 1e-15);
  const FrictionLaw smooth = pair_of(m, m, {}, FrictionRise::tanh).friction;
  EXPECT_NEAR(smooth.tangential(0.5e-3), 0.3 * std::tanh(0.5), 1e-15);
  LayerMaterial sticky = m;
  sticky.stiction = Stiction{.friction = 0.5, .decay = 100};
  const FrictionLaw peak = pair_of(sticky, sticky, {}, FrictionRise::tanh).friction;
  EXPECT_NEAR(peak.tangential(1e-3), 0.5, 1e-15);
  EXPECT_NEAR(peak.tangential(11e-3), 0.3 + 0.2 * std::exp(-1.0), 1e-12);
}

TEST(LayerMaterial, NamesWhatIsOutOfRange) {
  IssueList issues;
  check({.young = -1, .poisson = 0.49, .thickness = 0, .damping = -1, .friction = NAN}, "foot",
        issues);
  ASSERT_EQ(issues.issues().size(), 5u);
  EXPECT_EQ(issues.issues()[1].field, "foot.poisson");
  EXPECT_EQ(issues.issues()[1].legal, "0 ... 0.45 [-]");
}

}  // namespace
}  // namespace grouser::internal
