#include "contact/pcm/pcm_force.h"

#include <cmath>
#include <cstring>
#include <numbers>

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "pcm_testing.h"
#include "support/allocation_count.h"
#include "terrain/flat_field.h"

namespace grouser::internal {
namespace {

/// Σ c A u of a sphere pressed into an elastic foundation by a depth: c ∫ 2π r u dr over u = δ - R + √(R² -
/// r²).
double foundation_force(double stiffness, double radius, double depth) {
  const double rest = radius - depth, a2 = radius * radius - rest * rest;
  return stiffness * 2 * std::numbers::pi *
         (-rest * a2 / 2 + (std::pow(radius, 3) - std::pow(rest, 3)) / 3);
}

PcmScene ball_on_plane(int plane_cells, int ball_divisions, const LayerMaterial& material,
                       ContactRole plane_role) {
  return PcmScene({{.name = "plane",
                    .mesh = share(plane_mesh(0.5, plane_cells)),
                    .material = material,
                    .role = plane_role,
                    .max_penetration = 0.05},
                   {.name = "ball",
                    .body = 0,
                    .mesh = share(sphere_mesh(1, ball_divisions)),
                    .material = material,
                    .max_penetration = 0.05}});
}

TEST(PcmForce, SphereOnPlaneConvergesToTheElasticFoundation) {
  const LayerMaterial material{.young = 1e6, .damping = 0, .friction = 0};
  const double depth = 0.02, exact = foundation_force(0.5 * layer_stiffness(material), 1, depth);
  std::vector<double>
      errors;  // RMS over places, since the edge of the patch cuts triangles at random
  for (const int n : {8, 16, 32, 64}) {
    const PcmScene scene = ball_on_plane(n, 5 * n / 2, material, ContactRole::base);
    PcmScratch scratch(scene);
    CounterRng rng(1);
    double sum = 0;
    constexpr int kPlaces = 24;
    for (int k = 0; k < kPlaces; ++k) {
      std::vector<Pose> X(2);
      X[1] = {random_rotation(rng), Vec3(rng.uniform(0, 0.1), rng.uniform(0, 0.1), 1 - depth)};
      const double force =
          pcm_force(scene, X, std::vector<Twist>(2), scratch).wrenches[1].force.z();
      sum += std::pow(force / exact - 1, 2);
    }
    errors.push_back(std::sqrt(sum / kPlaces));
  }
  // Measured 0.045, 0.011, 0.0028, 0.00070.
  EXPECT_NEAR(std::log2(errors.front() / errors.back()) / 3, 2, 0.05);
  EXPECT_LT(errors.back(), 1e-3);
}

TEST(PcmForce, ActionEqualsReaction) {
  CounterRng rng(2);
  const PcmScene scene = torus_and_sphere();
  PcmScratch scratch(scene);
  for (int k = 0; k < 50; ++k) {
    const std::vector<Pose> X = touching_poses(rng);
    std::vector<Twist> V(2);
    for (Twist& v : V) v = {random_vector(rng), 0.2 * random_vector(rng)};
    const PcmForce& force = pcm_force(scene, X, V, scratch);
    const Wrench a = force.wrenches[0].shifted(-X[0].p), b = force.wrenches[1].shifted(-X[1].p);
    const double scale = 1 + a.force.norm() + a.torque.norm();
    EXPECT_LT((a.force + b.force).norm(), 1e-12 * scale);
    EXPECT_LT((a.torque + b.torque).norm(), 1e-12 * scale);  // measured 2e-16
  }
}

// Power of all forces: what springs store is not there at once, but what friction and dampers take is never
// given back.
TEST(PcmForce, FrictionAndDampingOnlyTakeEnergy) {
  CounterRng rng(3);
  const PcmScene scene = torus_and_sphere();
  PcmScratch scratch(scene);
  for (int k = 0; k < 50; ++k) {
    const std::vector<Pose> X = touching_poses(rng);
    std::vector<Twist> V(2);
    for (Twist& v : V) v = {random_vector(rng), 0.2 * random_vector(rng)};
    const auto total = [&](const std::vector<Twist>& at) {
      const PcmForce& force = pcm_force(scene, X, at, scratch);
      double sum = 0;
      for (std::size_t i = 0; i < 2; ++i) sum += power(force.wrenches[i], at[i]);
      return sum;
    };
    const auto still = [&] {
      const PcmForce& force = pcm_force(scene, X, std::vector<Twist>(2), scratch);
      return power(force.wrenches[0], V[0]) + power(force.wrenches[1], V[1]);
    }();
    EXPECT_LE(total(V), still + 1e-9 * std::abs(still));
  }
}

TEST(PcmForce, SameBitsForAnyNumberOfThreads) {
  const int threads = thread_count();
  // Many pairs, and one base large enough to be shared out.
  std::vector<PcmSurface> surfaces = {{.name = "slab",
                                       .mesh = share(plane_mesh(2, 48)),
                                       .role = ContactRole::base,
                                       .max_penetration = 0.05}};
  const auto ball = share(sphere_mesh(0.3, 6));
  for (int k = 0; k < 6; ++k) surfaces.push_back({.name = "ball", .body = k, .mesh = ball});
  const PcmScene scene(surfaces, {}, {});
  ASSERT_GT(scene.pairs()[0].base_surface->packets().size(), 1024u);
  CounterRng rng(4);
  std::vector<Pose> X(surfaces.size());
  std::vector<Twist> V(surfaces.size());
  for (int k = 1; k <= 6; ++k) {
    X[slot(k)] = {random_rotation(rng), Vec3(0.55 * k - 2, 0.1 * k, 0.28)};
    V[slot(k)] = {random_vector(rng), random_vector(rng)};
  }
  std::vector<Wrench> first;
  for (const int count : {1, 2, 5}) {
    set_thread_count(count);
    PcmScratch scratch(scene);
    const std::vector<Wrench> wrenches = pcm_force(scene, X, V, scratch).wrenches;
    if (first.empty()) first = wrenches;
    EXPECT_EQ(std::memcmp(first.data(), wrenches.data(), sizeof(Wrench) * wrenches.size()), 0);
  }
  EXPECT_GT(first[1].force.z(), 0);
  set_thread_count(threads);
}

// Lists of what is near are kept for a while; forces are those of a fresh start all the same.
TEST(PcmForce, WhatIsKeptDoesNotShow) {
  CounterRng rng(7);
  const PcmScene scene = torus_and_sphere();
  PcmScratch kept(scene);
  std::vector<Pose> X = touching_poses(rng);
  const std::vector<Twist> V(2);
  std::size_t tests = 0, fresh_tests = 0, touching = 0;
  for (int k = 0; k < 400; ++k) {
    const double size = std::pow(10, rng.uniform(-5, -3));
    X[1].p += size * random_vector(rng);
    X[1].R = X[1].R * Eigen::AngleAxisd(size * rng.normal(), random_vector(rng).normalized());
    PcmScratch fresh(scene);
    const PcmForce& a = pcm_force(scene, X, V, kept);
    const PcmForce& b = pcm_force(scene, X, V, fresh);
    ASSERT_EQ(std::memcmp(a.wrenches.data(), b.wrenches.data(), 2 * sizeof(Wrench)), 0);
    tests += a.count.box_tests;
    fresh_tests += b.count.box_tests;
    touching += a.contacts.size();
  }
  EXPECT_GT(touching, 50u);
  EXPECT_LT(tests, fresh_tests);
}

TEST(PcmForce, AllocatesNothingOnceWarm) {
  if (!allocations_are_counted()) GTEST_SKIP() << "the sanitizer has its own allocator";
  const PcmScene scene = torus_and_sphere();
  PcmScratch scratch(scene);
  const int threads = thread_count();
  set_thread_count(1);
  const std::vector<Twist> V(2);
  const auto run = [&] {
    CounterRng rng(5);
    std::uint64_t allocations = 0;
    for (int k = 0; k < 40; ++k) {
      const std::vector<Pose> X = touching_poses(rng);
      const std::uint64_t before = allocation_count();
      pcm_force(scene, X, V, scratch);
      allocations += allocation_count() - before;
    }
    return allocations;
  };
  EXPECT_GT(run(), 0u);
  EXPECT_EQ(run(), 0u);
  set_thread_count(threads);
}

TEST(PcmForce, GroundIsLikeAMeshOfItsCells) {
  const auto map = std::make_shared<const ElevationMap>(
      std::make_shared<FlatField>(FlatOptions{.domain = {Vec2::Constant(-1), Vec2::Constant(1)}}),
      ElevationMapOptions{.spacing = 0.05});
  const auto ball = share(sphere_mesh(0.5, 20));
  const LayerMaterial material;
  const PcmScene on_map({{.name = "ball", .body = 0, .mesh = ball, .max_penetration = 0.05}},
                        {{.name = "ground", .map = map, .material = material}});
  const PcmScene on_mesh({{.name = "ball",
                           .body = 0,
                           .mesh = ball,
                           .role = ContactRole::base,
                           .max_penetration = 0.05},
                          {.name = "ground", .mesh = share(plane_mesh(1, 20))}});
  PcmScratch of_map(on_map), of_mesh(on_mesh);
  CounterRng rng(6);
  for (int k = 0; k < 20; ++k) {
    const Pose X{random_rotation(rng), Vec3(rng.uniform(-0.7, 0.7), rng.uniform(-0.7, 0.7), 0.485)};
    const Twist V{random_vector(rng), 0.1 * random_vector(rng)};
    const Wrench a = pcm_force(on_map, std::vector{X}, std::vector{V}, of_map).wrenches[0];
    const Wrench b =
        pcm_force(on_mesh, std::vector{X, Pose{}}, std::vector{V, Twist{}}, of_mesh).wrenches[0];
    EXPECT_GT(a.force.z(), 0);
    EXPECT_LT((a.force - b.force).norm(), 1e-10 * b.force.norm());
    EXPECT_LT((a.torque - b.torque).norm(), 1e-10 * b.force.norm());
  }
}

TEST(PcmForce, EqualLayersDoNotCareWhoIsBase) {
  const LayerMaterial material{.young = 1e6, .damping = 0, .friction = 0};
  const auto force = [&](ContactRole role) {
    const PcmScene scene = ball_on_plane(80, 120, material, role);
    PcmScratch scratch(scene);
    std::vector<Pose> X(2);
    X[1].p.z() = 0.998;
    return pcm_force(scene, X, std::vector<Twist>(2), scratch).wrenches[1].force.z();
  };
  // Lines along other normals: differs by δ/R.
  EXPECT_NEAR(force(ContactRole::base) / force(ContactRole::target), 1, 0.005);
}

TEST(PcmForce, RolesAreChosenAndExplained) {
  const auto pair = [](TriMesh a, TriMesh b) {
    return PcmScene({{.name = "a", .body = 0, .mesh = share(std::move(a))},
                     {.name = "b", .body = 1, .mesh = share(std::move(b))}})
        .pairs()[0];
  };
  const PcmPair finer = pair(sphere_mesh(1, 4), sphere_mesh(1, 8));
  EXPECT_EQ(finer.base, 1);
  EXPECT_NE(finer.role_reason.find("finer"), std::string::npos);
  const PcmPair sharp = pair(sphere_mesh(1, 20), box_mesh(Vec3(1, 1, 1), 4));
  EXPECT_EQ(sharp.base, 1);
  EXPECT_NE(sharp.role_reason.find("sharp"), std::string::npos);
}

TEST(PcmForce, RefusesWhatCannotTouch) {
  const auto ball = share(sphere_mesh(1, 2));
  EXPECT_THROW(PcmScene({{.name = "a", .body = 0, .mesh = ball, .material = {.rigid = true}},
                         {.name = "b", .mesh = ball, .material = {.rigid = true}}}),
               Error);
  EXPECT_THROW(PcmScene({{.name = "a", .mesh = share({})}}), Error);
  EXPECT_THROW(PcmScene({{.name = "a", .mesh = ball, .max_penetration = 0}}), Error);
}

}  // namespace
}  // namespace grouser::internal
