#include "sim/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "integrate/stable_step.h"
#include "multibody/forces.h"
#include "sim/evaluate.h"

namespace grouser::internal {
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
        turn_(rest_),
        judged_(at(world.model.tree_count()), 1) {
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
  int servo_of(int dof) const;
  std::string describe(int dof, double A_v) const;
  int fastest_dof(const DofRange& range, const MatX& A_q, const MatX& A_v) const;
  void difference(double size, bool of_positions, int column, std::vector<MatX>& out);

  const World& world_;
  const State& state_;
  bool with_contact_;
  WorldScratch scratch_;
  BodyMotions motions_;  // where its bodies are
  VecX q_, trial_, rest_, turn_;
  VecX damping_, stiffness_;  // of servos, dampers and friction per dof
  int limiting_body_ = 0;
  std::vector<char> judged_;  // per tree: stands, or need not
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
  compliant_wrenches(world_, time, kinematics, motions_, state_, Purpose::look, scratch_);
}

/// Accelerations, in scratch_.vdot, but for what servos do at the pose that is linearised about.
void Linearization::accelerate(const VecX& q, const VecX& v) {
  const Model& model = world_.model;
  motions_ = scratch_.motions_at(world_, q.data(), v.data());
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
  motions_ = scratch_.motions_at(world_, trial_.data(), rest_.data());
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
  if (world_.contacts.empty()) return;
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    judged_[at(tree)] = stands[at(tree)].found || !stands[at(tree)].is_free;
  }
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

int Linearization::servo_of(int dof) const {
  const std::vector<Actuator>& actuators = world_.model.actuators();
  const auto found = std::ranges::find_if(actuators, [&](const Actuator& actuator) {
    return actuator.dof == dof && actuator.type != ActuatorType::torque &&
           actuator.type != ActuatorType::prescribed;
  });
  return found == actuators.end() ? -1 : static_cast<int>(found - actuators.begin());
}

std::string Linearization::describe(int dof, double A_v) const {
  const Model& model = world_.model;
  const Body& body = model.bodies()[at(model.joint_of_dof(dof))];
  const DofLaw& law = model.laws()[at(dof)];
  const double damping = damping_[dof] + law.damping;
  const std::string inertia =
      damping > 0 && A_v < 0 ? fmt::format(" on an inertia of {:.3g}", damping / -A_v) : "";
  if (const int servo = servo_of(dof); servo >= 0) {
    const Actuator& actuator = model.actuators()[at(servo)];
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
    if (!judged_[at(tree)] || K.size() == 0 || !K.allFinite() || !C.allFinite()) continue;
    const double step = stable_step(world_.settings.integrator.method, K, C);
    if (step >= limit.step) continue;
    const DofRange range = dofs_of_tree(model, tree);
    const int dof = fastest_dof(range, K, C);
    limiting_body_ = model.joint_of_dof(dof);
    limit = {step, describe(dof, C(dof - range.first, dof - range.first)), servo_of(dof)};
  }
  return limit;
}

/// Rounded down to two digits, so that what is advised is allowed.
double safe_step(double limit) {
  const double digit = std::pow(10, std::floor(std::log10(limit)) - 1);
  return std::floor(limit / digit * (1 - 1e-9)) * digit;
}

int largest_tree(const Model& model) {
  int most = 0;
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    most = std::max(most, dofs_of_tree(model, tree).count);
  }
  return most;
}

/// At the line of the integrator, or else at that of the servo.
Issue refusal(const World& world, const StepLimit& limit, std::string message) {
  const RunSettings& settings = world.settings;
  Issue issue{.message = std::move(message),
              .file = world.scene_file,
              .line = settings.integrator_line,
              .field = "integrator.step",
              .value = fmt::format("{}", settings.integrator.step),
              .legal = fmt::format("<= {:.2g} [s]", safe_step(limit.step))};
  if (issue.line > 0 || limit.actuator < 0 || world.actuator_lines.empty()) return issue;
  issue.file = world.actuator_lines[at(limit.actuator)].file;
  issue.line = world.actuator_lines[at(limit.actuator)].line;
  return issue;
}

bool has_joint_friction(const Model& model) {
  return std::ranges::any_of(model.laws(), [](const DofLaw& law) { return law.friction > 0; });
}

}  // namespace

StepLimit joint_step_limit(const World& world, const State& state) {
  return Linearization(world, state, false).limit();
}

StepLimit contact_step_limit(const World& world, const State& state) {
  constexpr double kShare = 0.95;  // of the limit by joints: below it contacts or friction set it
  Linearization linearization(world, state, true);
  linearization.stand();
  StepLimit limit = linearization.limit();
  if (limit.step == kNoLimit) return {};
  if (limit.step > kShare * joint_step_limit(world, state).step) return limit;
  limit.actuator = -1;
  const Body& body = linearization.limiting_body();
  limit.cause = !world.contacts.empty()
                    ? fmt::format("the contacts of '{}' and what it carries", body.name)
                    : fmt::format("the friction of joint '{}'", body.joint_name);
  return limit;
}

std::vector<std::string> stability_warnings(const World& world, const State& start) {
  constexpr double kNear = 0.8;  // of the limit: steps beyond are stable, but hardly accurate
  const IntegratorOptions& options = world.settings.integrator;
  if (is_adaptive(options.method) || is_time_stepping(options.method)) return {};
  const auto text = [&](const StepLimit& limit, const char* what) {
    return fmt::format(
        "the step of {} s {} for {} with the method '{}', which needs {:.2g} s or less; or use "
        "'integrator: {{method: moreau_jean}}', which takes stiff forces implicitly",
        options.step, what, limit.cause, to_string(options.method), safe_step(limit.step));
  };
  std::vector<std::string> warnings;
  if (const int dofs = largest_tree(world.model); dofs > kMostDofs) {
    warnings.push_back(
        fmt::format("whether steps of {} s are stable was not checked for a model of {} degrees of "
                    "freedom, more than {}",
                    options.step, dofs, kMostDofs));
  }
  const StepLimit joints = joint_step_limit(world, start);
  if (options.step > joints.step && start.time == 0) {
    throw Error(ErrorKind::input, refusal(world, joints, text(joints, "is too long")));
  }
  if (options.step > joints.step) {
    warnings.push_back(text(joints, "is too long"));
  } else if (options.step > kNear * joints.step) {
    warnings.push_back(text(joints, "is near the limit of stability"));
  } else if (!world.contacts.empty() || has_joint_friction(world.model)) {
    const StepLimit all = contact_step_limit(world, start);
    if (options.step > all.step) warnings.push_back(text(all, "is too long"));
  }
  return warnings;
}

}  // namespace grouser::internal
