#include "sim/stability.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>

#include "core/index.h"
#include "multibody/forces.h"
#include "sim/evaluate.h"

namespace grouser {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Velocities of a tree.
struct DofRange {
  int first = 0, count = 0;
};

DofRange dofs_of_tree(const Model& model, int tree) {
  const Joint& root = model.joints()[at(model.tree_begin(tree))];
  DofRange range{.first = root.v};
  for (int body = model.tree_begin(tree); body < model.tree_begin(tree + 1); ++body) {
    range.count += model.joints()[at(body)].nv;
  }
  return range;
}

/// |R(z)| of the classical Runge–Kutta method, R(z) = 1 + z + z²/2 + z³/6 + z⁴/24.
double rk4_growth(std::complex<double> z) {
  return std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))));
}

/// How far the region of stability of rk4 reaches along a direction of the left half plane, |u| = 1: 2.785 along the
/// real axis, 2.828 along the imaginary one.
double rk4_reach(std::complex<double> u) {
  constexpr double kStep = 0.01, kFarthest = 4, kRounding = 1e-12;
  double inside = 0, outside = kStep;
  while (outside < kFarthest && rk4_growth(outside * u) <= 1 + kRounding) {
    inside = outside;
    outside += kStep;
  }
  for (int k = 0; k < 40; ++k) {
    const double middle = (inside + outside) / 2;
    (rk4_growth(middle * u) <= 1 + kRounding ? inside : outside) = middle;
  }
  return inside;
}

double rk4_stable_step(const MatX& A_q, const MatX& A_v) {
  constexpr double kGrows = 0.1;  // cosine of directions beyond which a mode grows by itself
  const Eigen::Index n = A_q.rows();
  MatX rates = MatX::Zero(2 * n, 2 * n);
  rates.topRightCorner(n, n).setIdentity();
  rates.bottomLeftCorner(n, n) = A_q;
  rates.bottomRightCorner(n, n) = A_v;
  double step = kNoLimit;
  const Eigen::EigenSolver<MatX> modes(rates, false);
  for (const std::complex<double>& rate : modes.eigenvalues()) {
    const double size = std::abs(rate);
    if (size == 0 || rate.real() > kGrows * size) continue;
    const std::complex<double> direction(std::min(0.0, rate.real()) / size, rate.imag() / size);
    step = std::min(step, rk4_reach(direction / std::abs(direction)) / size);
  }
  return step;
}

/// v⁺ = v + h (A_q q + A_v v), q⁺ = q + h v⁺. What the method makes unstable alternates; what grows by itself does not.
bool alternates(const MatX& A_q, const MatX& A_v, double h) {
  const Eigen::Index n = A_q.rows();
  MatX step(2 * n, 2 * n);
  step.bottomLeftCorner(n, n) = h * A_q;
  step.bottomRightCorner(n, n) = MatX::Identity(n, n) + h * A_v;
  step.topRows(n) = h * step.bottomRows(n);
  step.topLeftCorner(n, n) += MatX::Identity(n, n);
  const Eigen::EigenSolver<MatX> modes(step, false);
  for (const std::complex<double>& z : modes.eigenvalues()) {
    if (z.real() < 0.5 && std::abs(z) > 1 + 1e-9) return true;
  }
  return false;
}

double semi_implicit_stable_step(const MatX& A_q, const MatX& A_v) {
  // No mode is faster than the norms allow: below the lesser of these all is stable.
  const double damping = A_v.norm(), stiffness = A_q.norm();
  if (damping == 0 && stiffness == 0) return kNoLimit;
  double stable = 1 / (damping + std::sqrt(stiffness)), unstable = 2 * stable;
  while (!alternates(A_q, A_v, unstable)) {
    stable = unstable;
    unstable *= 2;
    if (unstable > 1e3) return kNoLimit;
  }
  for (int k = 0; k < 20; ++k) {
    const double middle = (stable + unstable) / 2;
    (alternates(A_q, A_v, middle) ? unstable : stable) = middle;
  }
  return stable;
}

/// Linearises a world at rest.
class Linearization {
 public:
  Linearization(const World& world, const State& state, bool with_contact)
      : world_(world),
        state_(state),
        with_contact_(with_contact),
        scratch_(world),
        q_(state.q),
        trial_(state.q),
        rest_(VecX::Zero(world.model.velocity_size())),
        turn_(rest_) {
    scratch_.soil.fresh = true;
    gather_gains();
  }

  /// Lowers or lifts trees with a free root until contacts carry them.
  void stand();
  StepLimit limit();
  /// The body that the velocity belongs to which set the last limit.
  const Body& limiting_body() const { return world_.model.bodies()[at(limiting_body_)]; }

 private:
  struct Stand {
    double shift = 0, high = 0, low = 0;    // along gravity [m]
    bool begun_low = false, found = false;  // pressed too hard at first; bracketed
    bool is_free = false;
  };

  void gather_gains();
  void accelerate(const VecX& q, const VecX& v);
  void find_wrenches();
  double support(int tree) const;
  std::vector<double> loads() const;
  void shift_trees(const std::vector<Stand>& stands);
  std::string describe(int dof, double A_v) const;
  int fastest_dof(const DofRange& range, const MatX& A_q, const MatX& A_v) const;
  void difference(double size, bool of_positions, int column, std::vector<MatX>& out);

  const World& world_;
  const State& state_;
  bool with_contact_;
  WorldScratch scratch_;
  VecX q_, trial_, rest_, turn_;
  VecX damping_, stiffness_;  // of servos, dampers and friction per dof
  int limiting_body_ = 0;
};

void Linearization::gather_gains() {
  const Model& model = world_.model;
  damping_ = stiffness_ = rest_;
  for (std::size_t dof = 0; dof < model.laws().size(); ++dof) {
    const DofLaw& law = model.laws()[dof];
    if (with_contact_) damping_[static_cast<Eigen::Index>(dof)] = law.friction / law.friction_speed;
  }
  for (const Actuator& actuator : model.actuators()) {
    if (actuator.type == ActuatorType::torque || actuator.type == ActuatorType::prescribed) {
      continue;
    }
    damping_[actuator.dof] += actuator.kd;
    if (actuator.type == ActuatorType::position) stiffness_[actuator.dof] += actuator.kp;
  }
}

void Linearization::find_wrenches() {
  const Kinematics& kinematics = scratch_.dynamics.kinematics;
  const double time = state_.time + world_.settings.integrator.step;
  if (!with_contact_) {
    std::ranges::fill(scratch_.wrenches, Wrench{});
    add_element_wrenches(world_.model, kinematics, time, scratch_.wrenches);
    return;
  }
  compliant_wrenches(world_, time, kinematics, state_, scratch_);
  if (world_.body_contacts) {
    add_contact_wrenches(world_, kinematics, state_.contacts, scratch_.contacts, scratch_.wrenches);
  }
}

/// Accelerations, in scratch_.vdot, but for what servos do at the pose that is linearised about.
void Linearization::accelerate(const VecX& q, const VecX& v) {
  const Model& model = world_.model;
  evaluate_kinematics(world_, q.data(), v.data(), scratch_.dynamics.kinematics);
  scratch_.tau.setZero();
  add_joint_springs(model, q.data(), v.data(), scratch_.tau.data());
  scratch_.tau -= damping_.cwiseProduct(v);
  for (const Actuator& actuator : model.actuators()) {
    if (actuator.type != ActuatorType::position) continue;
    const int x = model.position_of_dof(actuator.dof);
    scratch_.tau[actuator.dof] -= actuator.kp * (q[x] - q_[x]);
  }
  find_wrenches();
  scratch_.vdot.setZero();
  forward_dynamics(model, q.data(), v.data(), scratch_.tau.data(), scratch_.wrenches,
                   scratch_.dynamics, scratch_.vdot.data());
}

/// What the body of a tree that is pressed most bears, against gravity [N].
double Linearization::support(int tree) const {
  const Vec3 up = -world_.model.gravity().normalized();
  double most = 0;
  for (int body = world_.model.tree_begin(tree); body < world_.model.tree_begin(tree + 1); ++body) {
    most = std::max(most, scratch_.wrenches[at(body)].force.dot(up));
  }
  return most;
}

/// The weight of each tree, shared by its wheels [N].
std::vector<double> Linearization::loads() const {
  const Model& model = world_.model;
  std::vector<double> loads(at(model.tree_count()));
  for (int body = 0; body < model.body_count(); ++body) {
    loads[at(model.joints()[at(body)].tree)] +=
        model.bodies()[at(body)].inertia.mass * model.gravity().norm();
  }
  for (const Rover& rover : world_.rovers) {
    if (rover.wheels.empty()) continue;
    loads[at(model.joints()[at(rover.chassis)].tree)] /= static_cast<double>(rover.wheels.size());
  }
  return loads;
}

void Linearization::shift_trees(const std::vector<Stand>& stands) {
  const Model& model = world_.model;
  const Vec3 down = model.gravity().normalized();
  turn_.setZero();
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    if (!stands[at(tree)].is_free) continue;
    turn_.segment<3>(dofs_of_tree(model, tree).first + 3) = stands[at(tree)].shift * down;
  }
  trial_ = q_;
  advance_positions(model, turn_.data(), 1, trial_.data());
  evaluate_kinematics(world_, trial_.data(), rest_.data(), scratch_.dynamics.kinematics);
  find_wrenches();
}

void Linearization::stand() {
  constexpr double kFirst = 1e-4, kGrowth = 1.25, kFarthest = 0.1;  // [m], [-], [m]
  constexpr int kHalvings = 30;
  const Model& model = world_.model;
  if (model.gravity().norm() == 0) return;
  std::vector<Stand> stands(static_cast<std::size_t>(model.tree_count()));
  const std::vector<double> load = loads();
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    stands[at(tree)].is_free = model.joints()[at(model.tree_begin(tree))].type == JointType::free;
  }
  const auto is_low = [&](int tree) { return support(tree) > load[at(tree)]; };
  shift_trees(stands);
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    stands[at(tree)].begun_low = is_low(tree);
  }
  for (double far = kFirst; far < kFarthest; far *= kGrowth) {
    for (Stand& stand : stands) {
      if (!stand.found) stand.shift = stand.begun_low ? -far : far;
    }
    shift_trees(stands);
    for (int tree = 0; tree < model.tree_count(); ++tree) {
      Stand& stand = stands[at(tree)];
      if (stand.found) continue;
      stand.found = is_low(tree) != stand.begun_low;
      (is_low(tree) ? stand.low : stand.high) = stand.shift;
    }
  }
  for (int k = 0; k < kHalvings; ++k) {
    for (Stand& stand : stands) stand.shift = stand.found ? (stand.low + stand.high) / 2 : 0;
    shift_trees(stands);
    for (int tree = 0; tree < model.tree_count(); ++tree) {
      Stand& stand = stands[at(tree)];
      (is_low(tree) ? stand.low : stand.high) = stand.shift;
    }
  }
  q_ = trial_;
}

/// One column of each tree's matrix at once: trees hardly touch each other.
void Linearization::difference(double size, bool of_positions, int column, std::vector<MatX>& out) {
  const Model& model = world_.model;
  VecX ahead;
  for (const double sign : {1.0, -1.0}) {
    turn_.setZero();
    for (int tree = 0; tree < model.tree_count(); ++tree) {
      const DofRange range = dofs_of_tree(model, tree);
      if (column < range.count) turn_[range.first + column] = sign * size;
    }
    trial_ = q_;
    if (of_positions) advance_positions(model, turn_.data(), 1, trial_.data());
    accelerate(trial_, of_positions ? rest_ : turn_);
    if (sign > 0) ahead = scratch_.vdot;
  }
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    const DofRange range = dofs_of_tree(model, tree);
    if (column >= range.count || range.count > kMostDofs) continue;
    out[at(tree)].col(column) = (ahead.segment(range.first, range.count) -
                                 scratch_.vdot.segment(range.first, range.count)) /
                                (2 * size);
  }
}

/// The velocity that alone, all others held, would move fastest.
int Linearization::fastest_dof(const DofRange& range, const MatX& A_q, const MatX& A_v) const {
  int fastest = 0;
  double largest = -1;
  for (int k = 0; k < range.count; ++k) {
    const double rate = std::max(std::abs(A_v(k, k)), std::sqrt(std::abs(A_q(k, k))));
    if (rate <= largest) continue;
    largest = rate;
    fastest = k;
  }
  return range.first + fastest;
}

std::string Linearization::describe(int dof, double A_v) const {
  const Model& model = world_.model;
  const Body& body = model.bodies()[at(model.joint_of_dof(dof))];
  const DofLaw& law = model.laws()[at(dof)];
  const double damping = damping_[dof] + law.damping;
  const std::string inertia =
      damping > 0 && A_v < 0 ? fmt::format(" on an inertia of {:.3g}", damping / -A_v) : "";
  for (const Actuator& actuator : model.actuators()) {
    if (actuator.dof != dof || damping_[dof] + stiffness_[dof] == 0) continue;
    if (actuator.type == ActuatorType::torque || actuator.type == ActuatorType::prescribed) {
      continue;
    }
    return fmt::format("servo '{}' (kd {:.4g}, kp {:.4g}{})", actuator.name, actuator.kd,
                       stiffness_[dof], inertia);
  }
  if (law.damping > 0 || law.stiffness > 0 || damping_[dof] > 0) {
    return fmt::format("joint '{}' (damping {:.4g}, friction {:.4g}, stiffness {:.4g}{})",
                       body.joint_name, law.damping, law.friction, law.stiffness, inertia);
  }
  return fmt::format("springs, tethers or gravity on '{}'", body.name);
}

StepLimit Linearization::limit() {
  constexpr double kShift = 1e-7, kSpeed = 1e-6;  // [m] or [rad], and per second
  const Model& model = world_.model;
  std::vector<MatX> A_q, A_v;
  int columns = 0;
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    const int n = dofs_of_tree(model, tree).count;
    const int kept = n > kMostDofs ? 0 : n;
    A_q.push_back(MatX::Zero(kept, kept));
    A_v.push_back(MatX::Zero(kept, kept));
    columns = std::max(columns, kept);
  }
  for (int column = 0; column < columns; ++column) {
    difference(kShift, true, column, A_q);
    difference(kSpeed, false, column, A_v);
  }
  StepLimit limit;
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    const MatX &K = A_q[at(tree)], &C = A_v[at(tree)];
    if (K.size() == 0 || !K.allFinite() || !C.allFinite()) continue;
    const double step = stable_step(world_.settings.integrator.method, K, C);
    if (step >= limit.step) continue;
    const DofRange range = dofs_of_tree(model, tree);
    const int dof = fastest_dof(range, K, C);
    limiting_body_ = model.joint_of_dof(dof);
    limit = {step, describe(dof, C(dof - range.first, dof - range.first))};
  }
  return limit;
}

/// Rounded down to two digits, so that what is advised is allowed.
double safe_step(double limit) {
  const double digit = std::pow(10, std::floor(std::log10(limit)) - 1);
  return std::floor(limit / digit * (1 - 1e-9)) * digit;
}

bool has_joint_friction(const Model& model) {
  return std::ranges::any_of(model.laws(), [](const DofLaw& law) { return law.friction > 0; });
}

}  // namespace

double stable_step(IntegrationMethod method, const MatX& A_q, const MatX& A_v) {
  return method == IntegrationMethod::semi_implicit ? semi_implicit_stable_step(A_q, A_v)
                                                    : rk4_stable_step(A_q, A_v);
}

StepLimit joint_step_limit(const World& world, const State& state) {
  return Linearization(world, state, false).limit();
}

StepLimit contact_step_limit(const World& world, const State& state) {
  constexpr double kShare = 0.95;  // of the limit by joints: below it contacts or friction set it
  Linearization linearization(world, state, true);
  linearization.stand();
  StepLimit limit = linearization.limit();
  if (limit.step > kShare * joint_step_limit(world, state).step) return limit;
  const Body& body = linearization.limiting_body();
  limit.cause = world.has_contact()
                    ? fmt::format("the contacts of '{}' and what it carries", body.name)
                    : fmt::format("the friction of joint '{}'", body.joint_name);
  return limit;
}

std::vector<std::string> stability_warnings(const World& world, const State& start) {
  constexpr double kNear = 0.8;  // of the limit: steps beyond are stable, but hardly accurate
  const IntegratorOptions& options = world.settings.integrator;
  if (is_adaptive(options.method) || options.method == IntegrationMethod::moreau_jean) return {};
  const auto text = [&](const StepLimit& limit, const char* what) {
    return fmt::format(
        "the step of {} s {} for {} with the method '{}', which needs {:.2g} s or less; or use "
        "'integrator: {{method: moreau_jean}}', which takes stiff forces implicitly",
        options.step, what, limit.cause, to_string(options.method), safe_step(limit.step));
  };
  const StepLimit joints = joint_step_limit(world, start);
  if (options.step > joints.step && start.time == 0) {
    throw Error(ErrorKind::input,
                Issue{.message = text(joints, "is too long"),
                      .file = world.scene_file,
                      .line = world.settings.integrator_line,
                      .field = "integrator.step",
                      .value = fmt::format("{}", options.step),
                      .legal = fmt::format("<= {:.2g} [s]", safe_step(joints.step))});
  }
  if (options.step > joints.step) return {text(joints, "is too long")};
  if (options.step > kNear * joints.step) return {text(joints, "is near the limit of stability")};
  if (!world.has_contact() && !has_joint_friction(world.model)) return {};
  const StepLimit all = contact_step_limit(world, start);
  if (options.step > all.step) return {text(all, "is too long")};
  return {};
}

}  // namespace grouser
