#include "multibody/model.h"

#include <set>

#include <gtest/gtest.h>

#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

/// Two trees: free base with a fixed plate that carries a hinge; a lone slider.
ModelSpec two_trees() {
  const auto body = [](const char* name, int parent, JointType type) {
    BodySpec spec;
    spec.name = name;
    spec.inertia = {2, Vec3::Zero(), Mat3::Identity()};
    spec.parent = parent;
    spec.joint.name = std::string(name) + "_joint";
    spec.joint.type = type;
    return spec;
  };
  ModelSpec spec;
  spec.bodies = {body("base", kWorld, JointType::free), body("plate", 0, JointType::fixed),
                 body("arm", 1, JointType::universal),
                 body("slider", kWorld, JointType::prismatic)};
  return spec;
}

TEST(Model, CountsAndIndices) {
  const Model model(two_trees());
  EXPECT_EQ(model.body_count(), 4);
  EXPECT_EQ(model.position_size(), 7 + 0 + 2 + 1);
  EXPECT_EQ(model.velocity_size(), 6 + 0 + 2 + 1);
  EXPECT_EQ(model.tree_count(), 2);
  EXPECT_EQ(model.tree_begin(0), 0);
  EXPECT_EQ(model.tree_begin(1), 3);
  EXPECT_EQ(model.tree_begin(2), 4);
  EXPECT_EQ(model.joints()[2].q, 7);
  EXPECT_EQ(model.joints()[2].v, 6);
  EXPECT_EQ(model.joints()[3].tree, 1);
  EXPECT_EQ(model.joint_of_dof(5), 0);
  EXPECT_EQ(model.joint_of_dof(7), 2);
  EXPECT_EQ(model.joint_of_dof(8), 3);
  EXPECT_EQ(model.position_of_dof(7), 8);
  EXPECT_EQ(model.total_mass(), 8);
}

TEST(Model, DofParentsPassOverFixedJoints) {
  const Model model(two_trees());
  EXPECT_EQ(model.dof_parent(), (std::vector<int>{-1, 0, 1, 2, 3, 4, 5, 6, -1}));
}

TEST(Model, FindsByName) {
  const Model model(two_trees());
  EXPECT_EQ(model.find_body("arm"), 2);
  EXPECT_EQ(model.find_joint("slider_joint"), 3);
  EXPECT_EQ(model.find_body("arm_joint"), -1);
  EXPECT_EQ(model.find_joint("arm"), -1);
}

TEST(Model, NeutralPositionsAreZeroWithUnitQuaternions) {
  VecX expected = VecX::Zero(10);
  expected[0] = 1;
  EXPECT_EQ(Model(two_trees()).neutral_positions(), expected);
}

TEST(Model, LawsAreSharedOrGivenPerVelocity) {
  ModelSpec spec = two_trees();
  spec.bodies[2].joint.laws = {{.damping = 3}};
  EXPECT_EQ(Model(spec).laws()[6].damping, 3);
  EXPECT_EQ(Model(spec).laws()[7].damping, 3);
  EXPECT_EQ(Model(spec).laws()[8].damping, 0);
  spec.bodies[2].joint.laws = {{.damping = 3}, {.damping = 4}};
  EXPECT_EQ(Model(spec).laws()[7].damping, 4);
}

TEST(Model, KnowsPrescribedVelocities) {
  ModelSpec spec = two_trees();
  spec.actuators = {{.name = "servo", .type = ActuatorType::position, .dof = 7}};
  EXPECT_FALSE(Model(spec).has_prescribed());
  spec.actuators.push_back({.name = "drive", .type = ActuatorType::prescribed, .dof = 8});
  const Model model(spec);
  EXPECT_TRUE(model.has_prescribed());
  EXPECT_EQ(model.prescribed(), (std::vector<char>{0, 0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(Model, CountsLoopRows) {
  ModelSpec spec = two_trees();
  spec.loops = {{"ball", BallLoop{{.body = 2}, {.body = 3}}},
                {"gear", CouplingLoop{{{7, 1}, {8, 1}}}}};
  EXPECT_EQ(Model(spec).loop_row_count(), 4);
}

TEST(Model, WithoutBodiesIsLegal) {
  const Model model(ModelSpec{});
  EXPECT_EQ(model.body_count(), 0);
  EXPECT_EQ(model.tree_count(), 0);
  EXPECT_EQ(model.total_mass(), 0);
}

// What the tests of the algorithms rest on.
TEST(RandomTrees, HaveAllJointTypesSeveralTreesAndBranches) {
  std::set<JointType> on_world, on_bodies;
  int most_trees = 0, branches = 0;
  for (std::uint64_t seed = 0; seed < kRandomSystems; ++seed) {
    const RandomSystem system(seed);
    most_trees = std::max(most_trees, system.model.tree_count());
    std::multiset<int> parents;
    for (const Joint& joint : system.model.joints()) {
      (joint.parent == kWorld ? on_world : on_bodies).insert(joint.type);
      parents.insert(joint.parent);
    }
    for (int body = 0; body < system.model.body_count(); ++body)
      branches += parents.count(body) > 1;
  }
  EXPECT_EQ(on_world.size(), 7u);
  EXPECT_EQ(on_bodies.size(), 6u);  // all but free
  EXPECT_GE(most_trees, 4);
  EXPECT_GE(branches, 100);
}

TEST(RoverTree, HasTheSizesOfTheReport) {
  const Model model(rover_tree());
  EXPECT_EQ(model.body_count(), 16);
  EXPECT_EQ(model.velocity_size(), 21);
  EXPECT_NEAR(model.total_mass(), 64.6, 1e-12);  // measured 0
  // Wheel centres in the report: x -0.6375, 0.0825, 0.7225; y ±0.601203; z -0.44975.
  const Kinematics kinematics =
      kinematics_at(model, model.neutral_positions(), VecX::Zero(model.velocity_size()));
  const auto wheel = [&](const char* name) {
    return kinematics.X_WB[static_cast<std::size_t>(model.find_body(name))].p;
  };
  constexpr double kDigits = 1e-6;  // as many as are printed there; measured 1e-07
  EXPECT_NEAR((wheel("wheel_rear_left") - Vec3(-0.6375, 0.601203, -0.44975)).norm(), 0, kDigits);
  EXPECT_NEAR((wheel("wheel_centre_right") - Vec3(0.0825, -0.601203, -0.44975)).norm(), 0, kDigits);
  EXPECT_NEAR((wheel("wheel_front_left") - Vec3(0.7225, 0.601203, -0.44975)).norm(), 0, kDigits);
}

}  // namespace
}  // namespace grouser::internal
