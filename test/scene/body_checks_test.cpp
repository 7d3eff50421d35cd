#include "scene/body_checks.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

std::string complaint(const RigidInertia& inertia, std::vector<VisualData> shapes = {},
                      bool solid = false) {
  IssueList issues;
  check_inertia(inertia, shapes, solid, {"f", 3, "body"}, issues);
  return issues.empty() ? "" : issues.issues()[0].message;
}

RigidInertia body(double mass, const Vec3& moments) {
  return {mass, Vec3::Zero(), moments.asDiagonal()};
}

VisualData box(double x, double y, double z) {
  VisualData visual;
  visual.shape = BoxShape{{x, y, z}};
  return visual;
}

TEST(BodyChecks, TakesSolidsOfAllShapesAndSizes) {
  for (const double size : {1e-3, 0.1, 1.0, 30.0}) {
    for (const Shape& shape :
         {Shape(BoxShape{{size, 2 * size, 0.01 * size}}), Shape(SphereShape{size}),
          Shape(CylinderShape{size, 0.05 * size}), Shape(CapsuleShape{0.1 * size, size})}) {
      VisualData visual;
      visual.shape = shape;
      EXPECT_EQ(complaint(solid_inertia(shape, 2700 * size * size * size * 0.01), {visual}, true),
                "");
    }
  }
}

TEST(BodyChecks, TakesPointMasses) { EXPECT_EQ(complaint(body(1, {0, 0, 0}), {box(1, 1, 1)}), ""); }

TEST(BodyChecks, FindsImpossibleInertia) {
  EXPECT_NE(complaint(body(1, {1, 1, 3})), "");
  EXPECT_NE(complaint(body(1, {1, 1, -1})), "");
  EXPECT_NE(complaint(body(-1, {1, 1, 1})), "");
  EXPECT_EQ(complaint(body(1, {1, 1, 2})), "");  // a flat body is the limit
}

// A unit mistake of 1000 in the moments must be found for every proportion of a box; the moments
// themselves must pass.
TEST(BodyChecks, FindsMomentsOfWrongUnit) {
  for (const double slenderness : {0.001, 0.1, 1.0}) {
    const VisualData shape = box(0.5, 0.5 * slenderness, 0.5 * slenderness);
    const RigidInertia right = solid_inertia(shape.shape, 3);
    RigidInertia wrong = right;
    wrong.about_com *= 1000;
    EXPECT_EQ(complaint(right, {shape}), "");
    EXPECT_NE(complaint(wrong, {shape}), "") << slenderness;
  }
}

TEST(BodyChecks, LimitsGyrationWithoutShape) {
  EXPECT_EQ(complaint(body(1, {9e3, 9e3, 9e3})), "");  // 95 m
  EXPECT_NE(complaint(body(1, {2e4, 2e4, 2e4})), "");  // 141 m
}

TEST(BodyChecks, HoldsMassAgainstVolume) {
  const VisualData metres = box(0.5, 0.4, 0.3), millimetres = box(500, 400, 300);
  EXPECT_EQ(complaint(solid_inertia(metres.shape, 60), {metres}, true), "");
  EXPECT_NE(complaint(solid_inertia(metres.shape, 60000), {metres}, true), "");
  EXPECT_NE(complaint(solid_inertia(millimetres.shape, 60), {millimetres}, true), "");
  // A small marker on a heavy body is only a picture when the inertia is given.
  EXPECT_EQ(complaint(body(60, {1, 1, 1}), {box(0.2, 0.01, 0.01)}, false), "");
}

}  // namespace
}  // namespace grouser::internal
