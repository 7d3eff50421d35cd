// What makes no wheel is refused, with every reason.
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assets/wheel.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

/// The text of the Error that a spec causes; empty if none.
std::string complaint(const WheelSpec& spec) {
  try {
    validate(spec, "wheel");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Wheel, ValidationNamesEveryFieldAtOnce) {
  EXPECT_EQ(complaint({}), "");
  WheelSpec spec;
  spec.radius = -1;
  spec.width = std::nan("");
  spec.grousers.count = -3;
  const std::string text = complaint(spec);
  EXPECT_THAT(text, HasSubstr("wheel.radius: out of range (got -1, legal: 0.001 ... 10 [m])"));
  EXPECT_THAT(text, HasSubstr("wheel.width: not a finite number"));
  EXPECT_THAT(text, HasSubstr("wheel.grousers.count: out of range (got -3, legal: 0 ... 1000)"));
}

TEST(Wheel, ValidationFindsWhatDoesNotFit) {
  WheelSpec spec;
  spec.grousers = {.count = 100, .thickness = 0.01};
  EXPECT_THAT(complaint(spec), HasSubstr("wheel.grousers.thickness: the grousers do not fit"));
  spec = {};
  spec.rim_thickness = 0.13;
  EXPECT_THAT(complaint(spec), HasSubstr("wheel.rim_thickness: does not fit the radius"));
  spec = {};
  spec.spokes.hub_radius = 0.125;
  EXPECT_THAT(complaint(spec), HasSubstr("wheel.spokes.hub_radius: the hub reaches the rim"));
  spec = {};
  spec.profile = TreadProfile::polyline;
  EXPECT_THAT(complaint(spec), HasSubstr("wheel.profile_points: a polyline needs points"));
  spec.profile_points = {{-1, 1}, {-1, 0.5}, {0.5, 0.9}};
  EXPECT_THAT(complaint(spec), HasSubstr("y must rise"));
  EXPECT_THAT(complaint(spec), HasSubstr("must end at the edge"));
  spec = {};
  spec.profile = TreadProfile::convex;
  spec.crown_height = 0.06;
  EXPECT_THAT(complaint(spec), HasSubstr("wheel.crown_height"));
  spec = {};
  spec.edge_around = spec.edge_across = 1e-5;
  EXPECT_THAT(complaint(spec), HasSubstr("too many triangles"));
  spec = {};
  spec.kind = WheelKind::rimless;
  spec.legs.count = 30;
  EXPECT_THAT(complaint(spec), HasSubstr("wheel.legs.thickness: the legs do not fit on the hub"));
  spec.legs = {.count = 12, .arc_deg = 150};
  EXPECT_THAT(complaint(spec), HasSubstr("wheel.legs.count: the legs run into each other"));
  spec.legs = {.arc_radius = 0.12, .foot_length = 0.1};
  EXPECT_THAT(complaint(spec), HasSubstr("wheel.radius: too small for hub, bend and foot"));
}

}  // namespace
}  // namespace grouser::internal
