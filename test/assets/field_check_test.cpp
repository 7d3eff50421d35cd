#include "assets/field_check.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assets/surface.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

TEST(LegalText, StatesRangeAndUnit) {
  EXPECT_EQ(legal_text(FieldInfo{"x", "", "m"}.in(0, 2)), "0 ... 2 [m]");
  EXPECT_EQ(legal_text(FieldInfo{"x", "", "m"}.above(0, 2)), "> 0 ... 2 [m]");
  EXPECT_EQ(legal_text(FieldInfo{"x", "", ""}.in(1, INFINITY)), ">= 1");
  EXPECT_EQ(legal_text(FieldInfo{"x", "", "m"}), "a finite number [m]");
}

TEST(FieldChecker, FindsEveryFaultWithItsPath) {
  SurfaceSpec spec;
  spec.noise = NoiseSpec{.hurst = 2};
  spec.craters.resize(2);
  spec.craters[1].diameter = NAN;
  spec.height_map.emplace();  // no file
  spec.height_map->no_data = static_cast<NoDataFill>(7);
  spec.profile = ProfileSpec{.points = {{0, 0}, {1, INFINITY}}};
  try {
    validate(spec, "ground");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.issues().size(), 5u);
    EXPECT_THAT(error.what(),
                HasSubstr("ground.noise.hurst: out of range (got 2, legal: 0.05 ... 1)"));
    EXPECT_THAT(error.what(), HasSubstr("ground.craters[1].diameter: not a finite number"));
    EXPECT_THAT(error.what(), HasSubstr("ground.height_map.file: no file given"));
    EXPECT_THAT(error.what(), HasSubstr("ground.height_map.no_data: no such choice"));
    EXPECT_THAT(error.what(), HasSubstr("ground.profile.points[1][1]: not a finite number"));
  }
}

}  // namespace
}  // namespace grouser::internal
