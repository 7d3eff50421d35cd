// Closed mechanisms whose motion is known in closed form.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "multibody/forward_dynamics.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

/// A model with its state and what acts on it.
struct Mechanism {
  Model model;
  DynamicsScratch scratch{model};

  explicit Mechanism(const ModelSpec& spec) : model(spec) {}

  /// `vdot` holds the prescribed accelerations.
  VecX accelerations(const VecX& q, const VecX& v, const VecX& tau, VecX vdot) {
    forward_kinematics(model, q, v, scratch.kinematics);
    forward_dynamics(model, q.data(), v.data(), tau.data(), {}, scratch, vdot.data());
    return vdot;
  }
  VecX accelerations(const VecX& q, const VecX& v, const VecX& tau) {
    return accelerations(q, v, tau, VecX::Zero(model.velocity_size()));
  }
};

void add(ModelSpec& spec, const char* name, int parent, const JointSpec& joint,
         const RigidInertia& inertia) {
  spec.bodies.push_back({.name = name, .inertia = inertia, .parent = parent, .joint = joint});
}

JointSpec hinge_y(const Vec3& position) {
  return {.type = JointType::revolute, .X_PF = {Mat3::Identity(), position}, .axis = Vec3::UnitY()};
}

/// Two cranks of length a hang side by side, L apart; a rod joins their ends. Closed by a hinge,
/// whose five equations leave one motion of three because the mechanism is plane.
struct Parallelogram {
  double a = 0.7, L = 1.2, m1 = 1.1, m2 = 0.6, coupler = 0.9, g = 5;

  ModelSpec spec() const {
    ModelSpec spec;
    spec.gravity = Vec3(0, 0, -g);
    add(spec, "crank1", kWorld, hinge_y(Vec3::Zero()), rod(m1, a));
    add(spec, "coupler", 0, hinge_y({0, 0, -a}), rod_along_x(coupler, L));
    add(spec, "crank2", kWorld, hinge_y({L, 0, 0}), rod(m2, a));
    spec.loops = {
        {"pin", HingeLoop{{1, {L, 0, 0}}, {2, {0, 0, -a}}, Vec3::UnitY(), Vec3::UnitY()}}};
    return spec;
  }
  /// The coupler moves without turning: ((m₁ + m₂) a²/3 + m a²) θ̈ = τ - g a (m₁/2 + m₂/2 + m) sin θ.
  double acceleration(double angle, double torque) const {
    const double inertia = (m1 + m2) * a * a / 3 + coupler * a * a;
    const double moment = a * ((m1 + m2) / 2 + coupler);
    return (torque - g * moment * std::sin(angle)) / inertia;
  }
};

TEST(FourBar, ParallelogramSwingsAsOnePendulum) {
  const Parallelogram exact;
  Mechanism mechanism(exact.spec());
  for (const double angle : {-1.3, -0.4, 0.3, 1.2}) {
    const double rate = 1.5, torque = 2;
    const VecX vdot = mechanism.accelerations(
        numbers({angle, -angle, angle}), numbers({rate, -rate, rate}), numbers({torque, 0, 0}));
    const double alpha = exact.acceleration(angle, torque);
    EXPECT_EQ(mechanism.scratch.delassus_factor.rank(), 2);
    EXPECT_LE(relative_error(vdot, numbers({alpha, -alpha, alpha})), 1e-12);  // measured 2e-14
    const VecX loop_force = mechanism.scratch.loops.J * mechanism.scratch.multipliers;
    EXPECT_NEAR(loop_force.dot(numbers({rate, -rate, rate})), 0, 1e-13);  // measured 5e-16
    EXPECT_GT(loop_force.norm(), 0.1);                                    // it does carry load
  }
}

/// The parallelogram on a free base, closed by a hinge or by q₁ + q₂ = 0 and q₁ = q₃, which say the
/// same where the cranks are parallel.
ModelSpec floating_parallelogram(bool by_hinge) {
  ModelSpec spec = one_body({.type = JointType::free}, {2, {0.1, 0.2, 0.3}, Mat3::Identity()});
  for (BodySpec& body : Parallelogram().spec().bodies) {
    ++body.parent;  // the world becomes the base
    spec.bodies.push_back(body);
  }
  if (by_hinge) {
    HingeLoop pin = std::get<HingeLoop>(Parallelogram().spec().loops[0].law);
    ++pin.a.body;
    ++pin.b.body;
    spec.loops = {{"pin", pin}};
  } else {
    spec.loops = {{"level", CouplingLoop{{{6, 1}, {7, 1}}}},
                  {"parallel", CouplingLoop{{{6, 1}, {8, -1}}}}};
  }
  return spec;
}

// On a base that turns, the equations across the plane have gradients of the size of the drift off
// the loop, or of rounding. They must not be taken for constraints, whichever way the base looks.
TEST(FourBar, DriftDoesNotHoldTheBase) {
  Mechanism hinge(floating_parallelogram(true)), coupled(floating_parallelogram(false));
  CounterRng rng(1);
  const VecX tau = random_vector(9, rng, 5);
  for (const bool turned : {false, true}) {
    for (const double drift : {0.0, 1e-15, 1e-12, 1e-9}) {
      VecX q = hinge.model.neutral_positions();
      if (turned) q.head(4) = random_positions(hinge.model, rng).head(4);
      q.tail(3) = Vec3(0.6, -0.6, 0.6 + drift);
      VecX v = random_vector(9, rng);
      v.tail(3) = Vec3(1.5, -1.5, 1.5);
      const VecX actual = hinge.accelerations(q, v, tau);
      EXPECT_EQ(hinge.scratch.delassus_factor.rank(), 2);
      // Both pull the drift back, but measure it in their own ways. Measured 2e-14 + 5 drift.
      EXPECT_LE(relative_error(actual, coupled.accelerations(q, v, tau)), 1e-12 + 100 * drift);
    }
  }
}

TEST(FourBar, ProjectionClosesAPerturbedParallelogram) {
  Mechanism mechanism(Parallelogram().spec());
  VecX q = numbers({0.8, -0.75, 0.84}), v = numbers({1, 0.3, -0.2});
  const ProjectionReport report =
      project_onto_loops(mechanism.model, 1e-13, mechanism.scratch, q.data(), v.data());
  EXPECT_LE(report.after, 1e-13);  // measured 2e-16
  // On this branch the coupler is level and both cranks are parallel again.
  EXPECT_NEAR(q[0] + q[1], 0, 1e-12);  // measured 0
  EXPECT_NEAR(q[0] - q[2], 0, 1e-12);  // measured 2e-16
  EXPECT_NEAR(v[0] + v[1], 0, 1e-12);  // measured 6e-17
  EXPECT_NEAR(v[0] - v[2], 0, 1e-12);  // measured 5e-16
}

TEST(DistanceLoop, MakesASimplePendulum) {
  const double m = 3, L = 2, g = 9, angle = 0.7, rate = 1.3;
  ModelSpec spec = one_body({.type = JointType::free}, {m, Vec3::Zero(), Mat3::Identity()});
  spec.gravity = Vec3(0, 0, -g);
  spec.loops = {{"rod", DistanceLoop{{.body = 0}, {.body = kWorld}, L}}};
  Mechanism mechanism(spec);
  const double s = std::sin(angle), c = std::cos(angle);
  const Vec3 out(s, 0, -c), along(c, 0, s);
  VecX q = mechanism.model.neutral_positions(), v = VecX::Zero(6), expected = VecX::Zero(6);
  q.tail(3) = L * out;
  v.tail(3) = L * rate * along;
  expected.tail(3) = -g * s * along - L * rate * rate * out;
  EXPECT_LE(relative_error(mechanism.accelerations(q, v, VecX::Zero(6)), expected),
            1e-13);  // measured 6e-16
  // The multiplier is the push along the rod; the pendulum pulls.
  EXPECT_NEAR(mechanism.scratch.multipliers[0], -m * (g * c + L * rate * rate),
              1e-12);  // measured 2e-14
}

/// Rotors about x with the given inertias, each on the world.
ModelSpec rotors(std::initializer_list<double> inertias) {
  ModelSpec spec;
  int i = 0;
  for (const double inertia : inertias) {
    add(spec, ("rotor" + std::to_string(i++)).c_str(), kWorld,
        {.type = JointType::revolute, .axis = Vec3::UnitX()},
        {1, Vec3::Zero(), inertia * Mat3::Identity()});
  }
  return spec;
}

TEST(Coupling, GearReflectsInertiaAndTorque) {
  // q₁ = -N q₂: the first rotor feels I₁ + I₂/N² and the second's torque over -N.
  const double I1 = 0.4, I2 = 9, N = 5;
  ModelSpec spec = rotors({I1, I2});
  spec.loops = {{"gear", CouplingLoop{{{0, 1}, {1, N}}, 0.2}}};
  Mechanism mechanism(spec);
  const VecX vdot =
      mechanism.accelerations(numbers({0.2 - N * 0.3, 0.3}), numbers({-N * 2, 2}), numbers({3, 4}));
  const double alpha = (3 - 4 / N) / (I1 + I2 / (N * N));
  EXPECT_LE(relative_error(vdot, numbers({alpha, -alpha / N})), 1e-13);  // measured 2e-15
}

TEST(Coupling, AtwoodMachine) {
  // Two weights on a rope over a pulley: z₁ + z₂ is constant, and the heavier one sinks at
  // g (m₁ - m₂)/(m₁ + m₂). The rope pulls with 2 m₁ m₂ g/(m₁ + m₂).
  const double m1 = 5, m2 = 3, g = 8;
  ModelSpec spec;
  spec.gravity = Vec3(0, 0, -g);
  const JointSpec plumb{.type = JointType::prismatic, .axis = Vec3::UnitZ()};
  add(spec, "left", kWorld, plumb, {m1, Vec3::Zero(), Mat3::Identity()});
  add(spec, "right", kWorld, plumb, {m2, Vec3::Zero(), Mat3::Identity()});
  spec.loops = {{"rope", CouplingLoop{{{0, 1}, {1, 1}}, 1}}};
  Mechanism mechanism(spec);
  const VecX vdot = mechanism.accelerations(numbers({0.4, 0.6}), numbers({2, -2}), VecX::Zero(2));
  EXPECT_NEAR(vdot[0], -2, 1e-13);                           // measured 3e-15
  EXPECT_NEAR(vdot[1], 2, 1e-13);                            // measured 4e-15
  EXPECT_NEAR(mechanism.scratch.multipliers[0], 30, 1e-13);  // measured 2e-14
}

TEST(Coupling, RackAndPinion) {
  // x = r q: a rack of 2 kg on a pinion of 0.5 kg m² and 0.3 m, pulled by 7 N.
  ModelSpec spec = rotors({0.5});
  add(spec, "rack", kWorld, {.type = JointType::prismatic, .axis = Vec3::UnitX()},
      {2, Vec3::Zero(), Mat3::Identity()});
  spec.gravity.setZero();
  spec.loops = {{"teeth", CouplingLoop{{{0, 0.3}, {1, -1}}}}};
  const VecX vdot =
      Mechanism(spec).accelerations(numbers({1, 0.3}), numbers({2, 0.6}), numbers({0, 7}));
  EXPECT_NEAR(vdot[1], 7 / (2 + 0.5 / 0.09), 1e-14);  // measured 7e-16
  EXPECT_NEAR(vdot[0], vdot[1] / 0.3, 1e-13);         // measured 3e-15
}

TEST(Coupling, DifferentialSplitsTheTorqueOfItsCase) {
  // Case q₃ = (q₁ + q₂)/2. With the rates of the wheels as coordinates the inertia is
  // [I₁ + I₃/4, I₃/4; I₃/4, I₂ + I₃/4] and the case's torque acts by half on each.
  const double I1 = 1, I2 = 3, I3 = 2, torque = 8;
  ModelSpec spec = rotors({I1, I2, I3});
  spec.loops = {{"differential", CouplingLoop{{{0, 1}, {1, 1}, {2, -2}}}}};
  const VecX vdot =
      Mechanism(spec).accelerations(VecX::Zero(3), numbers({1, 3, 2}), numbers({0, 0, torque}));
  Eigen::Matrix2d M;
  M << I1 + I3 / 4, I3 / 4, I3 / 4, I2 + I3 / 4;
  const Eigen::Vector2d wheels = M.inverse() * Eigen::Vector2d(torque / 2, torque / 2);
  EXPECT_LE(relative_error(vdot, numbers({wheels[0], wheels[1], wheels.mean()})),
            1e-13);  // measured 4e-16
}

TEST(Coupling, RockerDifferentialKeepsTheBodyBetweenTheRockers) {
  // Rover: equal moments on both rockers cancel through the differential q_left + q_right = 0.
  ModelSpec spec = rover_tree();
  const Model open(spec);
  const int left = open.joints()[static_cast<std::size_t>(open.find_body("bogie_left"))].v;
  const int right = open.joints()[static_cast<std::size_t>(open.find_body("bogie_right"))].v;
  spec.gravity.setZero();
  spec.loops = {{"differential", CouplingLoop{{{left, 1}, {right, 1}}}}};
  Mechanism mechanism(spec);
  const int n = mechanism.model.velocity_size();
  VecX tau = VecX::Zero(n);
  tau[left] = tau[right] = 4;
  const VecX vdot =
      mechanism.accelerations(mechanism.model.neutral_positions(), VecX::Zero(n), tau);
  EXPECT_NEAR(vdot[left], 0, 1e-12);                         // measured 4e-15
  EXPECT_NEAR(vdot[right], 0, 1e-12);                        // measured 4e-15
  EXPECT_NEAR(mechanism.scratch.multipliers[0], -4, 1e-12);  // measured 0
}

TEST(Prescribed, DriverOfAGearIsFollowed) {
  ModelSpec spec = rotors({1, 9});
  spec.loops = {{"gear", CouplingLoop{{{0, 1}, {1, 5}}}}};
  spec.actuators = {{.name = "drive", .type = ActuatorType::prescribed, .dof = 0}};
  const VecX vdot = Mechanism(spec).accelerations(VecX::Zero(2), VecX::Zero(2), numbers({99, 4}),
                                                  numbers({10, 0}));
  EXPECT_EQ(vdot[0], 10);
  EXPECT_NEAR(vdot[1], -2, 1e-14);  // measured 0
}

/// Crank r and rod l in the plane y = 0, slider along x.
struct SliderCrank {
  double r = 0.3, l = 0.8;

  ModelSpec spec() const {
    ModelSpec spec;
    add(spec, "crank", kWorld, hinge_y(Vec3::Zero()), rod_along_x(1, r));
    add(spec, "rod", 0, hinge_y({r, 0, 0}), rod_along_x(0.5, l));
    add(spec, "slider", kWorld, {.type = JointType::prismatic, .axis = Vec3::UnitX()},
        {2, Vec3::Zero(), Mat3::Identity()});
    spec.loops = {{"pin", BallLoop{{1, {l, 0, 0}}, {.body = 2}}}};
    spec.actuators = {{.name = "motor", .type = ActuatorType::prescribed, .dof = 0}};
    return spec;
  }
};

TEST(Prescribed, SliderCrankFollowsItsClosedForm) {
  const SliderCrank exact;
  const double r = exact.r, l = exact.l, omega = 7, epsilon = 3;
  Mechanism mechanism(exact.spec());
  for (const double angle : {0.0, 0.5, 1.4, 2.6, 4.4}) {
    const double s = std::sin(angle), c = std::cos(angle);
    const double root = std::sqrt(l * l - r * r * s * s);
    const double x = r * c + root;
    const double first = -r * s - r * r * s * c / root;  // dx/dθ
    const double second = -r * c - r * r * (c * c - s * s) / root -
                          std::pow(r, 4) * s * s * c * c / std::pow(root, 3);
    // The rod's own angle ψ against the x axis: l sin ψ = -r sin θ.
    const double psi = std::asin(-r * s / l);
    const double psi_rate = -r * c * omega / root;
    const VecX vdot = mechanism.accelerations(numbers({angle, psi - angle, x}),
                                              numbers({omega, psi_rate - omega, first * omega}),
                                              VecX::Zero(3), numbers({epsilon, 0, 0}));
    EXPECT_EQ(vdot[0], epsilon);
    EXPECT_NEAR(vdot[2], first * epsilon + second * omega * omega, 1e-12);  // measured 3e-14
  }
}

/// Shafts that start along x, joined by Hooke's joints, each with inertia; the first is driven.
ModelSpec shafts(int joints) {
  const RigidInertia shaft{1, Vec3::Zero(), Vec3(0.1, 0.2, 0.2).asDiagonal()};
  ModelSpec spec;
  add(spec, "input", kWorld, {.type = JointType::revolute, .axis = Vec3::UnitX()}, shaft);
  add(spec, "middle", 0,
      {.type = JointType::universal, .axis = Vec3::UnitY(), .axis2 = Vec3::UnitZ()}, shaft);
  if (joints == 2) {
    // The forks at both ends of the middle shaft lie in one plane.
    add(spec, "output", 1,
        {.type = JointType::universal,
         .X_PF = {Mat3::Identity(), {1, 0, 0}},
         .axis = Vec3::UnitZ(),
         .axis2 = Vec3::UnitY()},
        shaft);
  }
  spec.actuators = {{.name = "motor", .type = ActuatorType::prescribed, .dof = 0}};
  return spec;
}

// A bearing holds the second shaft along d, tilted by β. Let e₁ = (0, cos θ, sin θ) be the arm of
// the cross in the input fork and e₂ ∥ d × e₁ the other. From e₁·e₂ = 0 follows
// ω₂/ω₁ = cos β / (1 - sin²β cos²θ).
TEST(HookesJoint, TurnsItsOutputUnevenly) {
  const double tilt = 0.5;
  const Vec3 d(std::cos(tilt), std::sin(tilt), 0);
  ModelSpec spec = shafts(1);
  spec.loops = {{"bearing", HingeLoop{{.body = 1}, {.body = kWorld}, Vec3::UnitX(), d}}};
  Mechanism mechanism(spec);
  VecX q = numbers({0, 0, tilt});
  for (double angle = 0; angle < 2 * std::numbers::pi; angle += 0.1) {
    VecX v = numbers({3, 0, 0});
    q[0] = angle;
    const ProjectionReport report =
        project_onto_loops(mechanism.model, 1e-13, mechanism.scratch, q.data(), v.data());
    EXPECT_LE(report.after, 1e-13);  // measured 9e-14
    EXPECT_EQ(q[0], angle);
    EXPECT_EQ(v[0], 3);
    const Vec3 omega = mechanism.scratch.kinematics.V[1].angular();
    const double ratio = std::cos(tilt) / (1 - std::pow(std::sin(tilt) * std::cos(angle), 2));
    EXPECT_NEAR((omega - 3 * ratio * d).norm(), 0, 1e-13);  // measured 1e-15
  }
}

// Two joints bent alike undo each other's unevenness. The closed shaft is overconstrained: the five
// equations of its bearing leave one motion of five velocities.
TEST(HookesJoint, TwoOfThemTurnEvenly) {
  const double tilt = 0.3;
  const Vec3 d(std::cos(2 * tilt), std::sin(2 * tilt), 0);
  const Vec3 end(std::cos(tilt), std::sin(tilt), 0);
  ModelSpec spec = shafts(2);
  spec.loops = {{"bearing", HingeLoop{{.body = 2}, {kWorld, end}, Vec3::UnitX(), d}}};
  Mechanism mechanism(spec);
  VecX q = numbers({0, 0, tilt, tilt, 0});
  for (double angle = 0; angle < 2 * std::numbers::pi; angle += 0.1) {
    VecX v = numbers({3, 0, 0, 0, 0});
    q[0] = angle;
    const ProjectionReport report =
        project_onto_loops(mechanism.model, 1e-13, mechanism.scratch, q.data(), v.data());
    EXPECT_LE(report.after, 1e-13);  // measured 3e-14
    const Vec3 omega = mechanism.scratch.kinematics.V[2].angular();
    EXPECT_NEAR((omega - 3 * d).norm(), 0, 1e-12) << angle;  // measured 3e-14
  }
}

}  // namespace
}  // namespace grouser::internal
