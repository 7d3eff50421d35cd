#include "contact/bbcc/element.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contact/bbcc/bbcc_scene.h"
#include "terrain/flat_field.h"

namespace grouser::internal {
namespace {

using ::testing::HasSubstr;

std::vector<Issue> findings(const ContactElement& element) {
  IssueList issues;
  check(element, "e", issues);
  return issues.issues();
}

TEST(ContactElement, GoodOnesPass) {
  EXPECT_TRUE(findings({.parts = {{.shape = BoxShape{}}}}).empty());
  EXPECT_TRUE(findings({.body = 3, .parts = wheel_parts({.grousers = 24}), .group = 0}).empty());
}

TEST(ContactElement, ZeroSizesAndNotANumbersAreNamed) {
  const double nan = NAN;
  const std::vector<Issue> issues =
      findings({.body = -7,
                .parts = {{.shape = BoxShape{Vec3(1, 0, nan)}},
                          {.shape = SphereShape{-1}},
                          {.shape = CylinderShape{0, INFINITY}},
                          {.shape = CapsuleShape{1, 0}},
                          {.shape = std::shared_ptr<const HullSolid>{}},
                          {.shape = SphereShape{}, .X_EC = {.p = Vec3(nan, 0, 0)}},
                          {.shape = SphereShape{}, .X_EC = {.R = 2 * Mat3::Identity()}}},
                .material = {.young = nan},
                .group = -2});
  std::vector<std::string> fields;
  for (const Issue& issue : issues) fields.push_back(issue.field);
  EXPECT_THAT(fields, ::testing::UnorderedElementsAre(
                          "e.body", "e.group", "e.parts[0].size[1]", "e.parts[0].size[2]",
                          "e.parts[1].radius", "e.parts[2].radius", "e.parts[2].length",
                          "e.parts[3].length", "e.parts[4].hull", "e.parts[5].X_EC",
                          "e.parts[6].X_EC", "e.material.young"));
  EXPECT_EQ(findings({}).at(0).field, "e.parts");
}

TEST(ContactElement, DegenerateHullsAreRefused) {
  const std::vector<Vec3> flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}};
  const std::vector<Vec3> line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  const std::vector<Vec3> point(5, Vec3(1, 2, 3));
  for (const auto& points : {flat, line, point}) EXPECT_THROW(hull_part(points), Error);
}

TEST(ContactElement, SceneGathersAllFindings) {
  try {
    BbccScene({{.name = "rock"}, {.parts = {{.shape = SphereShape{0}}}}}, {{.name = "ground"}});
    FAIL() << "accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.issues().size(), 3u);
    EXPECT_EQ(error.issues()[0].field, "elements.rock.parts");
    EXPECT_EQ(error.issues()[1].field, "elements[1].parts[0].radius");
    EXPECT_EQ(error.issues()[2].field, "terrains.ground.map");
  }
}

TEST(ContactElement, WheelReachesToItsGrousersTips) {
  const WheelContactSpec spec{.radius = 0.2,
                              .width = 0.1,
                              .grousers = 4,
                              .grouser_height = 0.02,
                              .grouser_thickness = 0.01};
  const ContactElement wheel{.parts = wheel_parts(spec)};
  ASSERT_EQ(wheel.parts.size(), 5u);
  const Aabb box = local_bounds(collider_of(wheel));
  EXPECT_LT((box.upper - Vec3(0.22, 0.05, 0.22)).norm(), 1e-15);
  EXPECT_LT((box.lower + Vec3(0.22, 0.05, 0.22)).norm(), 1e-15);
  // The corners of a grouser's foot lie on the rim.
  const BoxShape& bar = std::get<BoxShape>(wheel.parts[1].shape);
  const Vec3 corner = wheel.parts[1].X_EC * Vec3(0.005, 0, -0.5 * bar.size.z());
  EXPECT_NEAR(std::hypot(corner.x(), corner.z()), 0.2, 1e-16);
  EXPECT_THROW(wheel_parts({.radius = 0, .grousers = -1}), Error);
  EXPECT_THROW(wheel_parts({.radius = 0.1, .grousers = 2, .grouser_thickness = 0.3}), Error);
}

TEST(ContactElement, EffectiveRadius) {
  const ContactRadius sphere = contact_radius(SphereShape{0.3});
  const ContactRadius other = contact_radius(SphereShape{0.6});
  const ContactRadius box = contact_radius(BoxShape{Vec3(0.1, 0.4, 0.2)});
  const ContactRadius large = contact_radius(BoxShape{Vec3(1.2, 0.4, 0.2)});
  constexpr ContactLaws hertz = ContactLaws::hertz, paper = ContactLaws::paper;
  EXPECT_DOUBLE_EQ(effective_radius(hertz, sphere, other), 0.2);
  EXPECT_DOUBLE_EQ(effective_radius(hertz, sphere, box), 0.3);
  EXPECT_DOUBLE_EQ(effective_radius(hertz, box, sphere), 0.3);
  EXPECT_DOUBLE_EQ(effective_radius(hertz, box, large), 0.3);
  EXPECT_DOUBLE_EQ(effective_radius(hertz, sphere), 0.3);
  EXPECT_DOUBLE_EQ(effective_radius(hertz, box), 0.4);
  // The paper: half the harmonic mean of the longest edges.
  EXPECT_DOUBLE_EQ(effective_radius(paper, sphere, large), 0.4);
  EXPECT_DOUBLE_EQ(effective_radius(paper, sphere), 0.6);
}

}  // namespace
}  // namespace grouser::internal
