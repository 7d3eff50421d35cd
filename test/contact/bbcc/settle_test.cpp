#include <ctime>

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "settle_testing.h"

namespace grouser::internal {
namespace {

constexpr Material kStone{.young = 2e6, .poisson = 0.25, .restitution = 0.4, .friction = 0.6};

/// Rocks of 20 hulls in layers over noise terrain, one every 0.6 m, at 0.5 m and more above it.
FreeBodies rain_of_rocks(int count, int per_row) {
  std::vector<TestRock> kinds;
  for (std::uint64_t k = 0; k < 20; ++k) kinds.push_back(make_test_rock(k, 0.3, 2500));
  CounterRng rng(77);
  std::vector<ContactElement> elements;
  std::vector<FreeBody> bodies;
  for (int i = 0; i < count; ++i) {
    const TestRock& rock = kinds[static_cast<std::size_t>(i) % kinds.size()];
    const int layer = i / (per_row * per_row), row = i / per_row % per_row, column = i % per_row;
    const double start = -0.3 * (per_row - 1);
    ContactElement element{.body = i, .parts = {rock.part}, .material = kStone};
    element.X_BE = {
        rotation_from_rpy(Vec3(rng.uniform(0, 6), rng.uniform(0, 6), rng.uniform(0, 6))),
        Vec3(start + 0.6 * column + rng.uniform(-0.1, 0.1),
             start + 0.6 * row + rng.uniform(-0.1, 0.1), 0.6 + 0.5 * layer)};
    elements.push_back(element);
    bodies.push_back(rock.body);
  }
  const double half = 0.3 * per_row + 5;
  return FreeBodies(
      BbccScene(elements, {{.name = "ground", .map = noise_map(half, 0.1), .material = kStone}}),
      bodies);
}

struct Outcome {
  double growth = -INFINITY;   // of kinetic and potential energy over that of the start, most
  double released = 0;         // by the fall
  double deepest = -INFINITY;  // of a centre of mass below the ground [m]
  double kinetic = 0;          // at the end
  double seconds = 0;          // of the processor
  double contacts = 0;         // summed over all steps

  double per_contact() const { return seconds / contacts; }
};

constexpr int kBlock = 50;  // steps between two looks

/// Rocks that fall, block by block.
class Settling {
 public:
  explicit Settling(FreeBodies& rocks) : rocks_(rocks), start_(energy()) {}

  void run_block(double dt) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < kBlock; ++i) {
      rocks_.step(dt);
      outcome_.contacts += static_cast<double>(rocks_.scratch.force.contacts.size());
    }
    outcome_.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    outcome_.growth = std::max(outcome_.growth, energy() - start_);
    const ElevationMap& map = *rocks_.scene.terrains()[0].map;
    for (const Pose& X : rocks_.X) {
      outcome_.deepest = std::max(outcome_.deepest, map.height(X.p.x(), X.p.y()) - X.p.z());
    }
    outcome_.released = start_ - energy();
    outcome_.kinetic = rocks_.kinetic_energy();
  }
  const Outcome& outcome() const { return outcome_; }

 private:
  double energy() const { return rocks_.kinetic_energy() + rocks_.potential_energy(); }

  FreeBodies& rocks_;
  double start_;
  Outcome outcome_;
};

int blocks(double duration, double dt) { return static_cast<int>(duration / (dt * kBlock)); }

Outcome settle(FreeBodies& rocks, double duration, double dt) {
  Settling settling(rocks);
  for (int i = 0; i < blocks(duration, dt); ++i) settling.run_block(dt);
  return settling.outcome();
}

void expect_settled(const Outcome& outcome) {
  EXPECT_LT(outcome.growth, 0.01 * outcome.released);
  EXPECT_LT(outcome.deepest, 0);  // none falls through
  EXPECT_LT(outcome.kinetic, 1e-3 * outcome.released);
}

TEST(Settle, TwentyRocksOnNoise) {
  FreeBodies rocks = rain_of_rocks(20, 4);
  expect_settled(settle(rocks, 5, 2e-4));
  EXPECT_GE(rocks.scratch.force.contacts.size(), 20u);
}

// Every kind of shape, fast, some of them over the border of the map.
TEST(Settle, EveryShapeStaysAbove) {
  const std::vector<std::vector<ContactPart>> shapes = {
      {{.shape = SphereShape{0.15}}},
      {{.shape = BoxShape{Vec3(0.3, 0.3, 0.3)}}},
      {{.shape = BoxShape{Vec3(0.8, 0.5, 0.1)}}},
      {{.shape = CylinderShape{0.15, 0.3}}},
      {{.shape = CapsuleShape{0.1, 0.3}}},
      wheel_parts({.radius = 0.2, .width = 0.15, .grousers = 12, .grouser_height = 0.02})};
  std::vector<ContactElement> elements;
  std::vector<FreeBody> bodies;
  CounterRng rng(5);
  for (int i = 0; i < 12; ++i) {
    ContactElement element{.body = i,
                           .parts = shapes[static_cast<std::size_t>(i) % shapes.size()],
                           .material = kStone};
    element.X_BE = {
        rotation_from_rpy(Vec3(rng.uniform(0, 6), rng.uniform(0, 6), rng.uniform(0, 6))),
        Vec3(1.2 * (i % 4) + 0.5, 1.2 * (i / 4), 1)};
    elements.push_back(element);
    bodies.push_back(solid_box(20, Vec3::Constant(0.3)));
  }
  FreeBodies all(BbccScene(elements, {{.map = noise_map(4, 0.1), .material = kStone}}), bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    all.V[i] = {.angular = Vec3(rng.normal(), rng.normal(), rng.normal()),
                .linear = Vec3(0, 0, -3)};
  }
  const Outcome outcome = settle(all, 1.5, 1e-4);  // round ones roll on
  EXPECT_LT(outcome.growth, 0.01 * outcome.released);
  EXPECT_LT(outcome.deepest, 0);
  EXPECT_LT(outcome.kinetic, 0.1 * outcome.released);
}

// A thousand rocks settle, and a step costs no more than in proportion to their contacts, a fifth aside for what no longer
// fits into the cache. (They have 10.4 times the contacts of a hundred, as fewer of them lie at the edge of the heap.)
// They and a hundred take turns, so that both meet the same neighbours on the machine.
TEST(LongSettle, AThousandRocks) {
  set_thread_count(1);  // so that no thread's waiting is counted
  FreeBodies hundred = rain_of_rocks(100, 10), thousand = rain_of_rocks(1000, 32);
  Settling few(hundred), many(thousand);
  for (int i = 0; i < blocks(5, 2e-4); ++i) {
    few.run_block(2e-4);
    many.run_block(2e-4);
  }
  set_thread_count(0);
  expect_settled(few.outcome());
  expect_settled(many.outcome());
  EXPECT_LE(many.outcome().per_contact(), 1.2 * few.outcome().per_contact());
  EXPECT_LE(many.outcome().contacts, 10.5 * few.outcome().contacts);
}

}  // namespace
}  // namespace grouser::internal
