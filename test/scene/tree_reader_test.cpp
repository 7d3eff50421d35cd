#include "scene/tree_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support.h"

namespace grouser::internal {
namespace {

TreeData read(const std::string& text) {
  IssueList issues;
  const TreeData tree = read_tree(parse_yaml(text, "tree.yaml", issues), {}, issues);
  issues.throw_if_any();
  return tree;
}

const BodyData& body(const TreeData& tree, std::size_t i = 0) { return tree.bodies.at(i); }

TEST(TreeReader, ComputesInertiaFromTheShape) {
  const TreeData tree = read("bodies: [{name: a, mass: 12, shape: {box: [1, 2, 3]}}]");
  const RigidInertia& inertia = body(tree).inertia;
  EXPECT_EQ(inertia.mass, 12);
  EXPECT_EQ(inertia.com, Vec3::Zero());
  EXPECT_TRUE(inertia.about_com.isApprox(Mat3(Vec3(13, 10, 5).asDiagonal()), 1e-15));
}

// A cylinder along z, laid down along y and moved: its axial moment ½ m r² is then about y.
TEST(TreeReader, TurnsInertiaWithTheShape) {
  const TreeData tree = read(
      "bodies: [{name: a, mass: 2, shape: {cylinder: {radius: 0.5, length: 0.3},"
      " position: [1, 2, 3], rpy_deg: [90, 0, 0]}}]");
  const RigidInertia& inertia = body(tree).inertia;
  EXPECT_TRUE(inertia.com.isApprox(Vec3(1, 2, 3), 1e-15));
  const double axial = 0.25, across = 2 * (3 * 0.25 + 0.09) / 12;
  EXPECT_TRUE(inertia.about_com.isApprox(Mat3(Vec3(across, axial, across).asDiagonal()), 1e-15));
}

TEST(TreeReader, TakesInertiaAsGiven) {
  const TreeData tree =
      read("bodies: [{name: a, mass: 2, com: [0, 0, 1], inertia: [3, 4, 5, 0.1, 0.2, 0.3]}]");
  const Mat3& I = body(tree).inertia.about_com;
  EXPECT_EQ(I(0, 0), 3);
  EXPECT_EQ(I(1, 1), 4);
  EXPECT_EQ(I(2, 2), 5);
  EXPECT_EQ(I(0, 1), 0.1);
  EXPECT_EQ(I(0, 2), 0.2);
  EXPECT_EQ(I(1, 2), 0.3);
  EXPECT_EQ(I, I.transpose());
  EXPECT_EQ(body(tree).inertia.com, Vec3(0, 0, 1));
}

TEST(TreeReader, GivenCenterOfMassWinsOverTheShapes) {
  const TreeData tree = read(
      "bodies: [{name: a, mass: 2, com: [0, 0, 1], shape: {sphere: {radius: 0.5},"
      " position: [1, 0, 0]}}]");
  EXPECT_EQ(body(tree).inertia.com, Vec3(0, 0, 1));
  EXPECT_NEAR(body(tree).inertia.about_com(0, 0), 0.4 * 2 * 0.25, 1e-15);
}

TEST(TreeReader, ReadsJointsWithTheirLaws) {
  const TreeData tree = read(
      "bodies:\n"
      "  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"
      "  - name: b\n"
      "    mass: 1\n"
      "    inertia: [1, 1, 1]\n"
      "    joint: {name: j, type: revolute, parent: a, position: [1, 2, 3], rpy_deg: [0, 0, 90],\n"
      "            axis: [0, 0, 2], damping: 0.5, stiffness: 3, rest_deg: 10, lower_deg: -180,\n"
      "            upper: 1.5, friction: 0.2, friction_speed: 0.05, armature: 0.1,\n"
      "            stop_stiffness: 7, stop_damping: 8}\n");
  EXPECT_FALSE(body(tree).joint);
  const JointData& joint = *body(tree, 1).joint;
  EXPECT_EQ(joint.type, JointType::revolute);
  EXPECT_EQ(joint.axis, Vec3(0, 0, 1));
  EXPECT_EQ(joint.X_PF.p, Vec3(1, 2, 3));
  EXPECT_TRUE((joint.X_PF.R * Vec3::UnitX()).isApprox(Vec3::UnitY(), 1e-15));
  ASSERT_EQ(joint.laws.size(), 1U);
  const DofLaw& law = joint.laws[0];
  EXPECT_EQ(law.damping, 0.5);
  EXPECT_EQ(law.stiffness, 3);
  EXPECT_NEAR(law.rest, std::numbers::pi / 18, 1e-15);
  EXPECT_NEAR(law.lower, -std::numbers::pi, 1e-15);
  EXPECT_EQ(law.upper, 1.5);
  EXPECT_EQ(law.friction, 0.2);
  EXPECT_EQ(law.friction_speed, 0.05);
  EXPECT_EQ(law.armature, 0.1);
  EXPECT_EQ(law.stop_stiffness, 7);
  EXPECT_EQ(law.stop_damping, 8);
}

TEST(TreeReader, GivesLawsToEachDegreeOfFreedom) {
  const TreeData tree = read(
      "bodies:\n"
      "  - name: a\n"
      "    mass: 1\n"
      "    inertia: [1, 1, 1]\n"
      "    joint: {type: planar, parent: world, damping: [1, 2, 3], friction: 4}\n");
  const std::vector<DofLaw>& laws = body(tree).joint->laws;
  ASSERT_EQ(laws.size(), 3U);
  EXPECT_EQ(laws[1].damping, 2);
  EXPECT_EQ(laws[2].friction, 4);
  EXPECT_TRUE(std::isinf(laws[0].upper));
}

TEST(TreeReader, ReadsLoopsInAllSpellings) {
  const TreeData tree = read(
      "bodies:\n"
      "  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"
      "loops:\n"
      "  - {name: l1, type: coupling, joints: {x: 2, y: -3}, offset: 0.5}\n"
      "  - {name: l2, type: differential, joints: [x, y]}\n"
      "  - {name: l3, type: gear, driven: x, driver: y, ratio: 4, offset: 0.1}\n"
      "  - {name: l4, type: hinge, a: {body: a}, b: {body: world}, axis_a: [0, 2, 0]}\n"
      "  - {name: l5, type: distance, a: {body: a, position: [1, 0, 0]}, b: {body: world},"
      " length: 2}\n");
  const auto coupling = [&](std::size_t i) {
    return std::get<CouplingData>(tree.elements.loops.at(i).law);
  };
  EXPECT_EQ(coupling(0).terms[1].joint.text, "y");
  EXPECT_EQ(coupling(0).terms[1].factor, -3);
  EXPECT_EQ(coupling(0).offset, 0.5);
  EXPECT_EQ(coupling(1).terms[0].factor, 1);
  EXPECT_EQ(coupling(1).terms[1].factor, 1);
  // x = 4 y + 0.1
  EXPECT_EQ(coupling(2).terms[0].factor, 1);
  EXPECT_EQ(coupling(2).terms[1].factor, -4);
  EXPECT_EQ(coupling(2).offset, 0.1);
  const auto& hinge = std::get<HingeData>(tree.elements.loops.at(3).law);
  EXPECT_EQ(hinge.axis_a, Vec3::UnitY());
  EXPECT_EQ(hinge.axis_b, Vec3::UnitY());
  EXPECT_EQ(std::get<DistanceData>(tree.elements.loops.at(4).law).length, 2);
}

}  // namespace
}  // namespace grouser::internal
