#include "contact/bbcc/material.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

TEST(Material, EveryBadFieldIsNamedWithItsRange) {
  const Material bad{.young = 0,
                     .poisson = 0.6,
                     .restitution = NAN,
                     .friction = -0.1,
                     .dead_band = INFINITY,
                     .stiction = Stiction{.friction = -0.2, .decay = NAN}};
  try {
    check(bad, "rock");
    FAIL() << "accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.issues().size(), 7u);
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.issues()[0].field, "rock.young");
    EXPECT_EQ(error.issues()[0].legal, "> 0 [Pa]");
    EXPECT_EQ(error.issues()[2].field, "rock.restitution");
    EXPECT_EQ(error.issues()[6].field, "rock.stiction.decay");
  }
}

TEST(Material, LimitsAreLegal) {
  EXPECT_NO_THROW(check(Material{}));
  EXPECT_NO_THROW(check(Material{.poisson = 0.5, .restitution = 0, .friction = 0}));
  EXPECT_NO_THROW(check(Material{.restitution = 1, .stiction = Stiction{.friction = 0.5}}));
  EXPECT_THROW(check(Material{.poisson = -1}), Error);
  EXPECT_THROW(check(Material{.restitution = 1.01}), Error);
}

TEST(Material, PairsTakeHarmonicMeans) {
  Material a{.young = 1e6, .poisson = 0.5, .restitution = 0.3, .friction = 0.2, .dead_band = 0.01};
  Material b{.young = 3e6, .poisson = 0, .restitution = 0.6, .friction = 0.6, .dead_band = 0.03};
  const MaterialPair pair = pair_of(ContactLaws::hertz, a, b);
  EXPECT_NEAR(pair.modulus, 1 / (0.75e-6 + 1e-6 / 3), 1e-8);
  EXPECT_DOUBLE_EQ(pair.friction.sliding, 0.3);
  EXPECT_DOUBLE_EQ(pair.friction.dead_band, 0.015);
  EXPECT_FALSE(pair.friction.stiction);
  EXPECT_DOUBLE_EQ(pair.dissipation_number, dissipation_number(ContactLaws::hertz, 0.4));
  EXPECT_DOUBLE_EQ(pair_of(ContactLaws::paper, a, b).friction.spin, std::numbers::pi / 2);

  a.stiction = {.friction = 0.4, .decay = 50};
  EXPECT_FALSE(pair_of(ContactLaws::hertz, a, b).friction.stiction);
  b.stiction = {.friction = 1.2, .decay = 150};
  const MaterialPair sticky = pair_of(ContactLaws::hertz, a, b);
  EXPECT_TRUE(sticky.friction.stiction);
  EXPECT_DOUBLE_EQ(sticky.friction.static_friction, 0.6);
  EXPECT_DOUBLE_EQ(sticky.friction.decay, 75);
  EXPECT_EQ(pair_of(ContactLaws::hertz, b, a).modulus, sticky.modulus);
}

}  // namespace
}  // namespace grouser::internal
