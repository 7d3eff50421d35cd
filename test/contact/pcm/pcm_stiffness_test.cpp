#include "contact/pcm/pcm_stiffness.h"

#include <gtest/gtest.h>

#include "pcm_testing.h"

namespace grouser::internal {
namespace {

Mat6 turned(const Mat3& R, const Mat6& stiffness) {
  Mat6 turn = Mat6::Zero();
  turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = R;
  return turn * stiffness * turn.transpose();
}

// From rest forces are linear in small speeds: damping is what the law itself shows.
TEST(PcmStiffness, DampingIsTheDerivativeByTheTwist) {
  CounterRng rng(3);
  const PcmScene scene = torus_and_sphere();
  PcmScratch scratch(scene);
  for (int k = 0; k < 10; ++k) {
    const std::vector<Pose> X = touching_poses(rng);
    std::vector<Twist> V(2);
    const PcmForce& at_rest = pcm_force(scene, X, V, scratch);
    if (at_rest.contacts.empty()) continue;
    const PcmContact contact = at_rest.contacts[0];
    const Mat6 stiffness = turned(X[0].R, pcm_stiffness(scene.pairs()[0], contact.patch, 1, 0));
    constexpr double kSpeed = 1e-8;  // far below the dead band
    Mat6 expected;
    for (int c = 0; c < 6; ++c) {
      const auto wrench_at = [&](double speed) {
        Vec6 twist = Vec6::Zero();
        twist[c] = speed;
        V[0] = {twist.head<3>(), twist.tail<3>()};
        const Wrench F = pcm_force(scene, X, V, scratch).contacts[0].wrench;
        Vec6 out;
        out << F.torque, F.force;
        return out;
      };
      expected.col(c) = (wrench_at(-kSpeed) - wrench_at(kSpeed)) / (2 * kSpeed);
    }
    EXPECT_LT((stiffness - expected).norm(), 1e-5 * expected.norm()) << k;
  }
}

// A plane of 1 m² pressed flat into ground: c A against rising, c A/12 against tilting.
TEST(PcmStiffness, StiffnessIsThatOfTheFoundation) {
  const LayerMaterial material{.young = 1e6, .damping = 0, .friction = 0};
  TriMesh roof =
      plane_mesh(1, 4);  // seen from below, and a little bent so that its box is not flat
  for (auto& triangle : roof.triangles) std::swap(triangle[1], triangle[2]);
  roof.vertices.front().z() = 0.05;
  const PcmScene scene({{.name = "plate",
                         .body = 0,
                         .mesh = share(plane_mesh(0.5, 20)),
                         .material = material,
                         .role = ContactRole::base,
                         .max_penetration = 0.05},
                        {.name = "roof", .mesh = share(roof), .material = material}});
  PcmScratch scratch(scene);
  std::vector<Pose> X(2);
  X[0].p = Vec3(0, 0, 0.01);
  const PcmForce& force = pcm_force(scene, X, std::vector<Twist>(2), scratch);
  ASSERT_EQ(force.contacts.size(), 1u);
  const Mat6 K = pcm_stiffness(scene.pairs()[0], force.contacts[0].patch, 0, 1);
  const double c = 0.5 * layer_stiffness(material);
  EXPECT_NEAR(K(5, 5), c, 1e-9 * c);
  EXPECT_NEAR(K(0, 0), c / 12, 2e-3 * c / 12);  // 1600 cells: 1 - 1/1600
  EXPECT_NEAR(K(3, 3), 0, 1e-9 * c);
  EXPECT_LT((K - K.transpose()).norm(), 1e-12 * c);
}

}  // namespace
}  // namespace grouser::internal
