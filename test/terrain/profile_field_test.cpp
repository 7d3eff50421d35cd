#include "terrain/profile_field.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "terrain/test_fields.h"

namespace grouser::internal {
namespace {

const std::vector<Vec2> kPoints = {{-1, 0}, {0, 0}, {1, 2}, {1.5, 2.5}, {3, -1}, {4, -1}, {6, 0}};
const Rect kRect{{-5, -5}, {8, 8}};

TEST(ProfileField, StraightPiecesHaveHandValues) {
  const ProfileField field({.points = kPoints});
  EXPECT_DOUBLE_EQ(field.at(0.25, 99).height, 0.5);
  EXPECT_EQ(field.at(0.25, 99).gradient, Vec2(2, 0));
  EXPECT_DOUBLE_EQ(field.at(2.25, 0).height, 0.75);
  EXPECT_DOUBLE_EQ(field.at(2.25, 0).gradient.x(), -3.5 / 1.5);
  EXPECT_EQ(field.at(-7, 0).height, 0);
  EXPECT_EQ(field.at(7, 0).height, 0);
  EXPECT_EQ(field.at(7, 0).gradient, Vec2(0, 0));
}

TEST(ProfileField, RunsAlongItsDirection) {
  const ProfileField along_y({.points = kPoints, .direction = std::numbers::pi / 2});
  EXPECT_DOUBLE_EQ(along_y.at(99, 0.25).height, 0.5);
  EXPECT_EQ(along_y.at(99, 0.25).gradient, Vec2(0, 2));
  const ProfileField askew({.points = kPoints, .direction = std::numbers::pi / 6});
  const double s = 0.7, across = 3;
  const Vec2 axis(std::cos(std::numbers::pi / 6), 0.5),
      p = s * axis + across * Vec2(-axis.y(), axis.x());
  EXPECT_NEAR(askew.at(p.x(), p.y()).height, 1.4, 1e-14);                      // measured 2e-16
  EXPECT_NEAR((askew.at(p.x(), p.y()).gradient - 2 * axis).norm(), 0, 1e-14);  // measured 1e-16
}

TEST(ProfileField, GradientIsThatOfTheHeight) {
  for (const bool smooth : {false, true}) {
    const ProfileField field({.points = kPoints, .direction = 0.4, .smooth = smooth});
    const auto near_corner = [](const Vec2& p) {
      const double s = p.x() * std::cos(0.4) + p.y() * std::sin(0.4);
      for (const Vec2& point : kPoints) {
        if (std::abs(s - point.x()) < 1e-4) return true;
      }
      return false;
    };
    EXPECT_LT(gradient_defect(field, kRect, 1, near_corner), 1e-6);  // measured 3e-10
  }
}

TEST(ProfileField, SmoothGoesThroughThePointsWithoutOvershoot) {
  const ProfileField field({.points = kPoints, .smooth = true});
  for (const Vec2& point : kPoints) EXPECT_EQ(field.at(point.x(), 0).height, point.y());
  for (std::size_t k = 0; k + 1 < kPoints.size(); ++k) {
    const auto [low, high] = std::minmax(kPoints[k].y(), kPoints[k + 1].y());
    double last = kPoints[k].y();
    for (int n = 0; n <= 100; ++n) {
      const double s = kPoints[k].x() + 0.01 * n * (kPoints[k + 1].x() - kPoints[k].x());
      const double z = field.at(s, 0).height;
      EXPECT_GE(z, low - 1e-14);
      EXPECT_LE(z, high + 1e-14);
      EXPECT_GE((z - last) * (kPoints[k + 1].y() - kPoints[k].y()), -1e-14);
      last = z;
    }
  }
}

TEST(ProfileField, SmoothGradientIsContinuousEvenAtTheEnds) {
  const ProfileField field({.points = kPoints, .smooth = true});
  for (const Vec2& point : kPoints) {
    const double jump =
        field.at(point.x() - 1e-9, 0).gradient.x() - field.at(point.x() + 1e-9, 0).gradient.x();
    EXPECT_NEAR(jump, 0, 1e-6);  // measured 2e-8, from the curvature over 2e-9 m
  }
}

TEST(ProfileField, RangeIsSafeAndCoversTheTurns) {
  for (const bool smooth : {false, true}) {
    const ProfileField field(
        {.points = kPoints, .direction = 0.4, .smooth = smooth, .domain = {{-4, -4}, {7, 7}}});
    EXPECT_LE(range_defect(field, kRect, 2), 0);
  }
  const ProfileField endless({.points = kPoints});
  EXPECT_NEAR(endless.range(infinite_rect()).min, -1, 1e-12);   // measured 3e-14
  EXPECT_NEAR(endless.range(infinite_rect()).max, 2.5, 1e-12);  // measured 3e-14
}

TEST(ProfileField, OnePointIsAPlane) {
  const ProfileField field({.points = {{2, 3}}, .smooth = true});
  EXPECT_EQ(field.at(-9, 1).height, 3);
  EXPECT_EQ(field.at(2, 1).height, 3);
}

TEST(ProfileField, NamesEveryBadPoint) {
  const auto issues = issues_of([] {
    ProfileField({.points = {{0, 0}, {0, 1}, {1, NAN}, {2, 0}}, .direction = INFINITY});
  });
  ASSERT_EQ(issues.size(), 3u);
  EXPECT_EQ(issues[0].field, "points[1]");
  EXPECT_EQ(issues[1].field, "points[2]");
  EXPECT_EQ(issues[2].field, "direction");
  EXPECT_EQ(issues_of([] { ProfileField({}); }).at(0).field, "points");
}

}  // namespace
}  // namespace grouser::internal
