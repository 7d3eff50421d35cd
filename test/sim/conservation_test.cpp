#include <gtest/gtest.h>

#include "multibody/balance.h"
#include "sim/test_worlds.h"
#include "support/sanitized.h"

namespace grouser::internal {
namespace {

struct Balance {
  double energy = 0;
  Wrench momentum;  ///< angular about the centre of mass
};

Balance balance_of(const World& world, const State& state) {
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, state.q, state.v, kinematics);
  return {kinetic_energy(world.model, kinematics, state.v.data()) +
              potential_energy(world.model, kinematics, state.q.data(), state.time),
          momentum(world.model, kinematics).shifted(center_of_mass(world.model, kinematics))};
}

World tumbling_body() {
  ModelSpec spec;
  spec.gravity = Vec3::Zero();
  BodySpec body;
  body.name = "racket";
  body.inertia.mass = 2;
  body.inertia.com = Vec3(0.1, -0.05, 0.02);
  body.inertia.about_com = Vec3(0.02, 0.05, 0.06).asDiagonal();
  body.joint.type = JointType::free;
  spec.bodies.push_back(body);
  World world = world_of(std::move(spec));
  world.initial.v << 0.01, 1.0, 0.02, 0.1, 0, 0.05;  // about the unstable axis: it flips over
  return world;
}

TEST(Conservation, TumblingBodyKeepsEnergyAndMomentumFor1000Seconds) {
  World world = tumbling_body();
  world.settings.integrator = {.method = IntegrationMethod::rk4, .step = 5e-4};
  world.settings.record_rate_hz = 1;
  const Balance before = balance_of(world, initial_state(world));
  const Balance after = balance_of(world, run_for(world, unless_sanitized(1000, 50)).state);
  EXPECT_NEAR(after.energy / before.energy, 1, 1e-9);  // measured 6e-14
  const auto drift = [](const Vec3& a, const Vec3& b) { return (a - b).norm() / b.norm(); };
  EXPECT_LT(drift(after.momentum.force, before.momentum.force), 1e-12);
  EXPECT_LT(drift(after.momentum.torque, before.momentum.torque), 1e-12);
}

TEST(Conservation, TumblingBodyWithEveryAdaptiveMethod) {
  for (const IntegrationMethod method :
       {IntegrationMethod::esdirk, IntegrationMethod::adams, IntegrationMethod::bdf}) {
    World world = tumbling_body();
    world.settings.integrator = {
        .method = method, .step = 1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-12};
    world.settings.record_rate_hz = 1;
    const double before = balance_of(world, initial_state(world)).energy;
    const double after = balance_of(world, run_for(world, 20).state).energy;
    EXPECT_NEAR(after / before, 1, 1e-9) << to_string(method);
  }
}

TEST(Conservation, ChaoticPendulumKeepsEnergyFor20Seconds) {
  World world = world_of(pendulum_chain(6));
  for (int i = 0; i < 6; ++i) world.initial.q[i] = i == 0 ? 2.0 : 0.3;
  world.settings.record_rate_hz = 1;
  world.settings.integrator = {.method = IntegrationMethod::rk4, .step = 1e-4};
  const Balance before = balance_of(world, initial_state(world));
  // Relative to the energy that is exchanged, not to the arbitrary zero of height.
  const double scale = 6 * 9.81 * 3;
  const double end = unless_sanitized(20, 2);
  const double rk4 = balance_of(world, run_for(world, end).state).energy;
  EXPECT_LT(std::abs(rk4 - before.energy) / scale, 1e-9);
  world.settings.integrator = {
      .method = IntegrationMethod::adams, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-12};
  const double adams = balance_of(world, run_for(world, end).state).energy;
  EXPECT_LT(std::abs(adams - before.energy) / scale, 1e-9);
}

TEST(Conservation, FreeRoverKeepsItsMomentum) {
  World world = rover_world();  // motors act within the rover
  ModelSpec spec = rover_tree();
  spec.gravity = Vec3::Zero();
  World free = world_of(std::move(spec));
  free.initial.v = world.initial.v;
  const Wrench before = balance_of(free, initial_state(free)).momentum;
  const Wrench after = balance_of(free, run_for(free, 10).state).momentum;
  EXPECT_LT((after.force - before.force).norm() / before.force.norm(), 1e-12);
  EXPECT_LT((after.torque - before.torque).norm() / before.torque.norm(), 1e-10);
}

/// Crank, coupler and rocker; the coupler's end is hinged to the rocker's by a loop.
World four_bar() {
  ModelSpec spec;
  spec.gravity = Vec3(0, 0, -9.81);
  const auto rod = [&spec](const char* name, int parent, const Vec3& at, double length) {
    BodySpec body;
    body.name = name;
    body.parent = parent;
    body.inertia.mass = length;
    body.inertia.com = Vec3(0.5 * length, 0, 0);
    body.inertia.about_com =
        Vec3(1e-3, length * length * length / 12, length * length * length / 12).asDiagonal();
    body.joint = {.name = std::string(name) + "_joint", .type = JointType::revolute};
    body.joint.X_PF.p = at;
    body.joint.axis = Vec3::UnitY();
    spec.bodies.push_back(body);
  };
  rod("crank", kWorld, Vec3(0, 0, 0), 0.3);
  rod("coupler", 0, Vec3(0.3, 0, 0), 1.0);
  rod("rocker", kWorld, Vec3(1, 0, 0), 0.8);
  HingeLoop hinge{.a = {1, Vec3(1, 0, 0)}, .b = {2, Vec3(0.8, 0, 0)}};
  hinge.axis_a = hinge.axis_b = Vec3::UnitY();
  spec.loops.push_back({"pin", hinge});
  World world = world_of(std::move(spec));
  world.initial.q << -1.5, 0.8, -1.6;
  world.initial.v << 8, 0, 0;
  world.settings.record_rate_hz = 10;
  return world;
}

double worst_residual(const World& world, double end, RunReport& report) {
  Listener listener;
  listener.keep_samples = true;
  report = run_for(world, end, listener);
  double worst = 0;
  for (const Sample& sample : listener.samples) worst = std::max(worst, sample.loop_residual);
  return worst;
}

TEST(Loops, FourBarStaysClosedAndKeepsEnergyFor60Seconds) {
  for (const IntegrationMethod method :
       {IntegrationMethod::rk4, IntegrationMethod::esdirk, IntegrationMethod::adams}) {
    World world = four_bar();
    world.settings.integrator = {.method = method,
                                 .step = method == IntegrationMethod::esdirk ? 0.1 : 1e-3,
                                 .relative_tolerance = 1e-9,
                                 .absolute_tolerance = 1e-10};
    const double before = balance_of(world, initial_state(world)).energy;
    RunReport report;
    EXPECT_LT(worst_residual(world, unless_sanitized(60, 3), report), 1e-10) << to_string(method);
    const double after = balance_of(world, report.state).energy;
    // Kinetic energy at the start is about 10 J.
    EXPECT_NEAR(after, before, 1e-3) << to_string(method);
  }
}

TEST(Loops, RockerDifferentialStaysClosedFor60Seconds) {
  ModelSpec spec = rover_tree();
  spec.loops.push_back({"differential", CouplingLoop{.terms = {{11, 1}, {16, 1}}}});
  World world = world_of(std::move(spec));
  ASSERT_EQ(world.model.bodies()[static_cast<std::size_t>(world.model.joint_of_dof(11))].name,
            "bogie_left");
  ASSERT_EQ(world.model.bodies()[static_cast<std::size_t>(world.model.joint_of_dof(16))].name,
            "bogie_right");
  world.initial.v[11] = 0.7;
  world.initial.v[16] = -0.7;
  world.initial.v[0] = 0.3;
  world.settings.record_rate_hz = 10;
  RunReport report;
  const int end = unless_sanitized(60, 3);
  EXPECT_LT(worst_residual(world, end, report), 1e-10);  // measured 2e-15
  EXPECT_GT(report.steps, 50000 * end / 60);
}

}  // namespace
}  // namespace grouser::internal
