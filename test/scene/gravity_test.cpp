#include "scene/gravity.h"

#include <gtest/gtest.h>

#include <set>

namespace grouser::internal {
namespace {

TEST(Gravity, KnowsThePlacesRoversGoTo) {
  EXPECT_EQ(find_gravity("earth"), 9.80665);
  EXPECT_EQ(find_gravity("mars"), 3.72076);
  EXPECT_EQ(find_gravity("phobos"), 0.0057);
  EXPECT_EQ(find_gravity("zero"), 0);
  EXPECT_FALSE(find_gravity("Mars"));
  EXPECT_FALSE(find_gravity(""));
}

// g = G M / r² from mass and mean radius (NASA planetary fact sheets), independent of the table.
TEST(Gravity, FollowsFromMassAndRadius) {
  struct Sphere {
    const char* name;
    double mass, radius;
  };
  for (const Sphere& s :
       {Sphere{"moon", 7.346e22, 1737.4e3}, Sphere{"mars", 6.417e23, 3389.5e3},
        Sphere{"venus", 4.8673e24, 6051.8e3}, Sphere{"mercury", 3.301e23, 2439.7e3},
        Sphere{"titan", 1.3455e23, 2575e3}, Sphere{"europa", 4.80e22, 1560.8e3},
        Sphere{"ceres", 9.38e20, 469.7e3}, Sphere{"enceladus", 1.08e20, 252.1e3},
        Sphere{"io", 8.932e22, 1821.5e3}, Sphere{"pluto", 1.303e22, 1188e3}}) {
    const double g = 6.6743e-11 * s.mass / (s.radius * s.radius);
    EXPECT_NEAR(*find_gravity(s.name) / g, 1, 0.06) << s.name;  // measured: ceres 5 %, others 1 %
  }
}

TEST(Gravity, NamesAreUniqueAndValuesPointDown) {
  std::set<std::string_view> names;
  for (const GravityField& field : gravity_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_GE(field.acceleration, 0) << field.name;
  }
}

}  // namespace
}  // namespace grouser::internal
