#include "contact/bbcc/bbcc_force.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "settle_testing.h"
#include "support/allocation_count.h"
#include "terrain/flat_field.h"

namespace grouser::internal {
namespace {

// Table 1 of the paper.
constexpr Material kTable1{.young = 4.5e5, .poisson = 0.4, .restitution = 0.6, .friction = 0.4};

std::shared_ptr<const ElevationMap> flat_map() {
  return std::make_shared<const ElevationMap>(
      std::make_shared<FlatField>(FlatOptions{.domain = {Vec2::Constant(-50), Vec2::Constant(50)}}),
      ElevationMapOptions{.spacing = 0.1});
}

ContactElement element(int body, Convex shape, const Material& material = kTable1) {
  return {.body = body, .parts = {{.shape = std::move(shape)}}, .material = material};
}

TEST(BbccForce, HertzForceOfSpheresAndGround) {
  const double modulus = 4.5e5 / (2 * 0.84);
  const BbccScene pair({element(0, SphereShape{0.5}), element(1, SphereShape{0.25})});
  BbccScratch scratch(pair);
  const std::vector<Twist> still(2);
  const std::vector<Pose> X = {{.p = Vec3(0, 0, 0.74)}, {}};
  const BbccForce& force = bbcc_force(pair, X, still, {}, scratch);
  const double expected = 4.0 / 3 * modulus * std::sqrt(0.5 * 0.25 / 0.75) * std::pow(0.01, 1.5);
  ASSERT_EQ(force.contacts.size(), 1u);
  EXPECT_NEAR(force.wrenches[0].force.z() / expected, 1, 1e-12);
  EXPECT_NEAR(force.wrenches[1].force.z() / expected, -1, 1e-12);
  EXPECT_NEAR(force.contacts[0].depth, 0.01, 1e-15);
  EXPECT_EQ(force.contacts[0].points.size(), 1u);

  const BbccScene on_ground({element(0, SphereShape{0.5})},
                            {{.map = flat_map(), .material = kTable1}});
  BbccScratch ground_scratch(on_ground);
  const std::vector<Pose> above = {{.p = Vec3(0.123, 4.56, 0.49)}};
  const BbccForce& up = bbcc_force(on_ground, above, std::vector<Twist>(1), {}, ground_scratch);
  const double weight = 4.0 / 3 * modulus * std::sqrt(0.5) * std::pow(0.01, 1.5);
  EXPECT_NEAR(up.wrenches[0].force.z() / weight, 1, 1e-12);
  EXPECT_LT(up.wrenches[0].torque.norm(), 1e-12 * weight);
}

TEST(BbccForce, PaperIsTwiceAsStiff) {
  const auto force = [](ContactLaws laws, const Convex& shape) {
    const BbccScene scene({element(0, shape), element(1, shape)}, {}, {.laws = laws});
    BbccScratch scratch(scene);
    const std::vector<Pose> X = {{.p = Vec3(0, 0, 0.99)}, {}};
    return bbcc_force(scene, X, std::vector<Twist>(2), {}, scratch).wrenches[0].force.z();
  };
  const Convex ball = SphereShape{0.5};
  // Twice the modulus, and R from edges of 1 m instead of radii of 0.5 m.
  EXPECT_NEAR(force(ContactLaws::paper, ball) / force(ContactLaws::hertz, ball), 2 * std::sqrt(2.0),
              1e-12);
}

// Impact at 2 m/s without gravity: momentum and angular momentum stay, and along the line of centres the
// balls part with ζ times their speed.
TEST(BbccForce, CollidingSpheresKeepMomentumAndGiveRestitution) {
  for (const double zeta : {0.05, 0.3, 0.6, 0.9, 1.0}) {
    Material material = kTable1;
    material.restitution = zeta;
    FreeBodies two(
        BbccScene({element(0, SphereShape{0.5}, material), element(1, SphereShape{0.3}, material)}),
        {solid_sphere(1, 0.5), solid_sphere(2, 0.3)});
    two.gravity.setZero();
    two.X[1].p = Vec3(1, 0, 0);
    two.V[0] = {.angular = Vec3(3, 0, 0), .linear = Vec3(2, 0, 0)};
    for (int i = 0; i < 60000; ++i) two.step(1e-5);
    EXPECT_TRUE(two.state.touches.empty());
    EXPECT_LT((two.V[0].linear + 2 * two.V[1].linear - Vec3(2, 0, 0)).norm(), 1e-12);
    EXPECT_LT(two.V[0].angular.x(), 2.999);  // spin goes over, and is kept in sum
    EXPECT_NEAR(0.1 * two.V[0].angular.x() + 0.072 * two.V[1].angular.x(), 0.3, 1e-12);
    const double parting = two.V[1].linear.x() - two.V[0].linear.x();
    EXPECT_NEAR(parting / (2 * zeta), 1, 2e-8) << zeta;  // measured 4e-9
  }
}

// The same with spin across the line of centres, which friction turns into sideways motion.
TEST(BbccForce, RubbingSpheresKeepMomentum) {
  FreeBodies two(BbccScene({element(0, SphereShape{0.5}), element(1, SphereShape{0.3})}),
                 {solid_sphere(1, 0.5), solid_sphere(2, 0.3)});
  two.gravity.setZero();
  two.X[1].p = Vec3(1, 0, 0);
  two.V[0] = {.angular = Vec3(0, 3, 1), .linear = Vec3(2, 0, 0)};
  const auto angular_momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (std::size_t b = 0; b < 2; ++b) {
      sum += two.bodies[b].mass * two.X[b].p.cross(two.V[b].linear) +
             two.bodies[b].inertia * two.V[b].angular;
    }
    return sum;
  };
  const Vec3 before = angular_momentum();
  const double energy = two.kinetic_energy();
  for (int i = 0; i < 60000; ++i) two.step(1e-5);
  EXPECT_GT(std::abs(two.V[1].linear.z()), 0.1);
  EXPECT_LT((two.V[0].linear + 2 * two.V[1].linear - Vec3(2, 0, 0)).norm(), 1e-12);
  EXPECT_LT((angular_momentum() - before).norm(), 1e-12);  // measured 2e-13
  EXPECT_LT(two.kinetic_energy(), energy);
}

TEST(BbccForce, ElasticImpactWithoutFrictionKeepsEnergy) {
  Material material = kTable1;
  material.restitution = 1;
  material.friction = 0;
  FreeBodies ball(BbccScene({element(0, SphereShape{0.5}, material)},
                            {{.map = flat_map(), .material = material}}),
                  {solid_sphere(1, 0.5)});
  ball.gravity.setZero();
  ball.X[0].p = Vec3(0, 0, 0.51);
  ball.V[0].linear = Vec3(1.5, 0, -1);
  const double before = ball.kinetic_energy();
  for (int i = 0; i < 20000; ++i) ball.step(1e-5);
  EXPECT_GT(ball.V[0].linear.z(), 0);
  EXPECT_NEAR(ball.kinetic_energy() / before, 1, 1e-8);  // measured 2e-9
  EXPECT_NEAR(ball.V[0].linear.x(), 1.5, 1e-12);
}

TEST(BbccForce, ABoxAtRestHoldsItsWeight) {
  const Vec3 size(0.6, 0.4, 0.3);
  for (const bool on_terrain : {true, false}) {
    std::vector<ContactElement> elements = {element(0, BoxShape{size})};
    std::vector<TerrainElement> terrains;
    if (on_terrain) {
      terrains.push_back({.map = flat_map(), .material = kTable1});
    } else {
      elements.push_back(element(ContactElement::kFixed, BoxShape{Vec3(5, 5, 1)}));
      elements.back().X_BE.p.z() = -0.5;
    }
    FreeBodies box(BbccScene(elements, terrains), {solid_box(2, size)});
    box.X[0] = {.R = rotation_about(Vec3::UnitZ(), 0.4), .p = Vec3(0.1, 0.2, 0.16)};
    for (int i = 0; i < 40000; ++i) box.step(1e-4);
    const BbccForce& force = box.scratch.force;
    ASSERT_EQ(force.contacts.size(), 1u);
    EXPECT_EQ(force.contacts[0].points.size(), 4u);
    for (const ContactPoint& point : force.contacts[0].points) {
      EXPECT_NEAR(point.force.z(), 2 * 9.81 / 4, 1e-13);
    }
    EXPECT_NEAR(force.wrenches[0].force.z(), 2 * 9.81, 1e-8);
    EXPECT_LT(box.V[0].linear.norm(), 1e-12);  // measured 1e-13
    EXPECT_LT(box.V[0].angular.norm(), 1e-12);
  }
}

TEST(BbccForce, SlidingBoxIsBrakedByFriction) {
  FreeBodies box(BbccScene({element(0, BoxShape{Vec3(1, 1, 0.1)})},
                           {{.map = flat_map(), .material = kTable1}}),
                 {solid_box(1, Vec3(1, 1, 0.1))});
  box.X[0].p.z() = 0.05;
  for (int i = 0; i < 5000; ++i) box.step(1e-4);
  box.V[0].linear.x() = 3;
  for (int i = 0; i < 5000; ++i) box.step(1e-4);
  EXPECT_NEAR((3 - box.V[0].linear.x()) / (0.5 * 0.4 * 9.81), 1, 1e-12);  // measured 5e-14
}

TEST(BbccForce, SpinIsBrakedAboutTheNormal) {
  const BbccScene scene({element(0, SphereShape{0.5})}, {{.map = flat_map(), .material = kTable1}});
  BbccScratch scratch(scene);
  const std::vector<Pose> X = {{.p = Vec3(0, 0, 0.49)}};
  const std::vector<Twist> V = {{.angular = Vec3(0, 0, -1000)}};
  const Wrench wrench = bbcc_force(scene, X, V, {}, scratch).wrenches[0];
  // κ μ F a with a = √(0.5 · 0.01)
  const double kappa = 3 * std::numbers::pi / 16;
  EXPECT_NEAR(wrench.torque.z() / (kappa * 0.4 * wrench.force.z() * std::sqrt(0.005)), 1, 1e-12);
}

TEST(BbccForce, MemoryIsWrittenOnlyByCommit) {
  const BbccScene scene({element(0, SphereShape{0.5})}, {{.map = flat_map(), .material = kTable1}});
  BbccScratch scratch(scene);
  BbccState state;
  std::vector<Pose> X = {{.p = Vec3(0, 0, 0.49)}};
  std::vector<Twist> V = {{.linear = Vec3(0, 0, -0.7)}};
  bbcc_force(scene, X, V, state, scratch);
  EXPECT_TRUE(state.touches.empty());
  bbcc_commit(scratch, state);
  ASSERT_EQ(state.touches.size(), 1u);
  EXPECT_EQ(state.touches[0], (BbccTouch{{0, 0, 1, 0}, 0.7}));
  const auto digest = [](const BbccState& s) {
    Hasher hasher;
    s.hash(hasher);
    return hasher.digest();
  };
  const BbccState first = state;
  V[0].linear.z() = -0.2;  // slower: the impact stays what it was
  bbcc_force(scene, X, V, state, scratch);
  bbcc_commit(scratch, state);
  EXPECT_EQ(state, first);
  EXPECT_EQ(digest(state), digest(first));
  V[0].linear.z() = -0.9;  // a blow
  bbcc_force(scene, X, V, state, scratch);
  bbcc_commit(scratch, state);
  EXPECT_EQ(state.touches[0].impact_speed, 0.9);
  EXPECT_NE(state, first);
  EXPECT_NE(digest(state), digest(first));
  X[0].p.z() = 0.51;
  bbcc_force(scene, X, V, state, scratch);
  bbcc_commit(scratch, state);
  EXPECT_TRUE(state.touches.empty());
}

/// A heap of balls, boxes and wheels over rough ground, some of them overlapping.
struct Heap {
  BbccScene scene;
  std::vector<Pose> X;
  std::vector<Twist> V;
};
Heap make_heap(int count) {
  std::vector<ContactElement> elements;
  CounterRng rng(21);
  std::vector<Pose> X;
  std::vector<Twist> V;
  for (int i = 0; i < count; ++i) {
    ContactElement e = element(i, SphereShape{0.3});
    if (i % 3 == 1) e.parts = {{.shape = BoxShape{Vec3(0.5, 0.4, 0.3)}}};
    if (i % 3 == 2) e.parts = wheel_parts({.radius = 0.3, .width = 0.2, .grousers = 12});
    elements.push_back(e);
    X.push_back({rotation_from_rpy(Vec3(rng.uniform(0, 6), rng.uniform(0, 6), rng.uniform(0, 6))),
                 Vec3(rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(0, 0.8))});
    V.push_back({Vec3(rng.normal(), rng.normal(), rng.normal()),
                 Vec3(rng.normal(), rng.normal(), rng.normal())});
  }
  return {BbccScene(elements, {{.map = noise_map(5, 0.1), .material = kTable1}}), X, V};
}

TEST(BbccForce, SameBitsForAnyNumberOfThreads) {
  const Heap heap = make_heap(150);
  std::vector<Wrench> first;
  BbccState first_state;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    BbccScratch scratch(heap.scene);
    BbccState state;
    BbccForce force = bbcc_force(heap.scene, heap.X, heap.V, state, scratch);
    bbcc_commit(scratch, state);
    EXPECT_GT(force.contacts.size(), 200u);
    if (threads == 1) {
      first = force.wrenches;
      first_state = state;
      continue;
    }
    EXPECT_EQ(state, first_state);
    ASSERT_EQ(force.wrenches.size(), first.size());
    EXPECT_EQ(std::memcmp(force.wrenches.data(), first.data(), first.size() * sizeof(Wrench)), 0);
  }
  set_thread_count(0);
}

TEST(BbccForce, PureAndWithoutMemoryOfOtherPoses) {
  const Heap heap = make_heap(60);
  BbccScratch used(heap.scene), fresh(heap.scene);
  std::vector<Pose> elsewhere = heap.X;
  for (Pose& X : elsewhere) X.p += Vec3(0.7, -0.3, 0.1);
  bbcc_force(heap.scene, elsewhere, heap.V, {}, used);
  const std::vector<Wrench> a = bbcc_force(heap.scene, heap.X, heap.V, {}, used).wrenches;
  const std::vector<Wrench> b = bbcc_force(heap.scene, heap.X, heap.V, {}, fresh).wrenches;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(Wrench)), 0);
}

TEST(BbccForce, AllocatesNothingOnceWarm) {
  const Heap heap = make_heap(60);
  set_thread_count(1);
  BbccScratch scratch(heap.scene);
  BbccState state;
  for (int i = 0; i < 3; ++i) {
    bbcc_force(heap.scene, heap.X, heap.V, state, scratch);
    bbcc_commit(scratch, state);
  }
  const std::uint64_t before = allocation_count();
  bbcc_force(heap.scene, heap.X, heap.V, state, scratch);
  bbcc_commit(scratch, state);
  EXPECT_EQ(allocation_count() - before, 0u);
  set_thread_count(0);
}

TEST(BbccForce, AStateThatIsNoNumberTouchesNothing) {
  Heap heap = make_heap(12);
  BbccScratch scratch(heap.scene);
  for (const double value : {double{NAN}, double{INFINITY}}) {
    for (Pose& X : heap.X) X.p.setConstant(value);
    EXPECT_TRUE(bbcc_force(heap.scene, heap.X, heap.V, {}, scratch).contacts.empty());
    for (Pose& X : heap.X) X.R.setConstant(value);
    EXPECT_TRUE(bbcc_force(heap.scene, heap.X, heap.V, {}, scratch).contacts.empty());
  }
}

// Actio est reactio, for all kinds of shapes at once: forces on all elements and on the ground cancel.
TEST(BbccForce, ForcesAndTorquesBalance) {
  const Heap heap = make_heap(60);
  BbccScratch scratch(heap.scene);
  const BbccForce& force = bbcc_force(heap.scene, heap.X, heap.V, {}, scratch);
  Wrench sum;
  double size = 0;
  for (std::size_t e = 0; e < heap.X.size(); ++e) {
    sum += force.wrenches[e].shifted(-heap.X[e].p);
    size += force.wrenches[e].force.norm();
  }
  for (const BbccContact& contact : force.contacts) {
    if (contact.pair.b == 60) sum += contact.reaction;
  }
  EXPECT_LT(sum.force.norm(), 1e-12 * size);
  EXPECT_LT(sum.torque.norm(), 1e-11 * size);
}

}  // namespace
}  // namespace grouser::internal
