#include "multibody/model_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "core/error.h"
#include "multibody/crba.h"

namespace grouser::internal {
namespace {

/// Collects issues under a common prefix such as "body 'trunk'".
class Checker {
 public:
  explicit Checker(IssueList& list) : list_(list) {}
  void subject(std::string name) { subject_ = std::move(name); }
  void require(bool ok, const char* field, std::string message, std::string value = "",
               std::string legal = "") {
    if (ok) return;
    list_.add({.message = std::move(message),
               .field = fmt::format("{}{}{}", subject_, *field ? "." : "", field),
               .value = std::move(value),
               .legal = std::move(legal)});
  }
  void at_least_zero(double x, const char* field) {
    require(std::isfinite(x) && x >= 0, field, "must be a number that is not negative",
            fmt::format("{}", x), ">= 0");
  }
  void positive(double x, const char* field, bool may_be_infinite = false) {
    require(x > 0 && (may_be_infinite || std::isfinite(x)), field, "must be positive",
            fmt::format("{}", x), "> 0");
  }
  void finite(double x, const char* field) {
    require(std::isfinite(x), field, "must be a finite number", fmt::format("{}", x));
  }

 private:
  IssueList& list_;
  std::string subject_;
};

void check_law(const DofLaw& law, Checker& check) {
  check.at_least_zero(law.armature, "armature");
  check.at_least_zero(law.stiffness, "stiffness");
  check.finite(law.rest, "rest");
  check.at_least_zero(law.damping, "damping");
  check.at_least_zero(law.friction, "friction");
  check.positive(law.friction_speed, "friction_speed");
  check.positive(law.stop_stiffness, "stop_stiffness");
  check.at_least_zero(law.stop_damping, "stop_damping");
  check.require(law.lower < law.upper, "lower", "the lower stop must be below the upper one",
                fmt::format("{} .. {}", law.lower, law.upper));
}

bool is_unit(const Vec3& axis) {
  constexpr double kSlack = 1e-6;  // what survives six printed digits
  return axis.allFinite() && std::abs(axis.norm() - 1) < kSlack;
}

bool is_rotation(const Mat3& R) {
  constexpr double kSlack = 1e-9;
  return R.allFinite() && (R * R.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff() < kSlack &&
         R.determinant() > 0;
}

void check_joint(const BodySpec& body, Checker& check) {
  const JointSpec& joint = body.joint;
  check.require(is_rotation(joint.X_PF.R) && joint.X_PF.p.allFinite(), "joint.pose",
                "must be a finite position and a rotation");
  if (joint.type == JointType::revolute || joint.type == JointType::prismatic ||
      joint.type == JointType::universal) {
    check.require(is_unit(joint.axis), "joint.axis", "must be a unit vector");
  }
  if (joint.type == JointType::universal) {
    constexpr double kParallel = 0.9999;
    check.require(is_unit(joint.axis2), "joint.axis2", "must be a unit vector");
    check.require(std::abs(joint.axis.dot(joint.axis2)) < kParallel, "joint.axis2",
                  "must not be parallel to the first axis");
  }
  if (joint.type == JointType::free) {
    check.require(body.parent == kWorld && joint.X_PF.R.isIdentity(0) && joint.X_PF.p.isZero(0),
                  "joint", "a free joint hangs on the world, at its origin");
  }
  const std::size_t nv = static_cast<std::size_t>(velocity_count(joint.type));
  check.require(joint.laws.size() <= 1 || joint.laws.size() == nv, "joint.laws",
                "must be given once or for each degree of freedom",
                fmt::format("{}", joint.laws.size()), fmt::format("0, 1 or {}", nv));
  for (const DofLaw& law : joint.laws) {
    check_law(law, check);
    if (joint.type == JointType::spherical) {
      check.require(law.stiffness == joint.laws[0].stiffness, "joint",
                    "a spherical joint must have the same stiffness about all axes",
                    fmt::format("{}", law.stiffness));
    }
    if (joint.type == JointType::free) {
      check.require(law.armature == 0 && law.stiffness == 0, "joint",
                    "a free joint has neither armature nor stiffness");
    }
    if (!has_plain_coordinates(joint.type)) {
      check.require(
          std::isinf(law.lower) && std::isinf(law.upper) && law.rest == 0, "joint",
          fmt::format("a {} joint has no stops and rests at zero", to_string(joint.type)));
    }
  }
}

void check_point(const Model& model, const BodyPoint& point, const char* field, Checker& check) {
  check.require(point.body >= kWorld && point.body < model.body_count(), field,
                "refers to a body that does not exist", fmt::format("{}", point.body));
  check.require(point.p_B.allFinite(), field, "must be a finite position");
}

bool is_plain_dof(const Model& model, int dof) {
  if (dof < 0 || dof >= model.velocity_size()) return false;
  const int joint = model.joint_of_dof(dof);
  return has_plain_coordinates(model.joints()[static_cast<std::size_t>(joint)].type);
}

void check_two_points(const Model& model, const BodyPoint& a, const BodyPoint& b, Checker& check) {
  check_point(model, a, "a", check);
  check_point(model, b, "b", check);
  check.require(a.body != b.body, "b", "must be on another body than a");
}

void check_loop(const Model& model, const Loop& loop, Checker& check) {
  if (const auto* ball = std::get_if<BallLoop>(&loop.law)) {
    check_two_points(model, ball->a, ball->b, check);
  } else if (const auto* hinge = std::get_if<HingeLoop>(&loop.law)) {
    check_two_points(model, hinge->a, hinge->b, check);
    check.require(is_unit(hinge->axis_a), "axis_a", "must be a unit vector");
    check.require(is_unit(hinge->axis_b), "axis_b", "must be a unit vector");
  } else if (const auto* distance = std::get_if<DistanceLoop>(&loop.law)) {
    check_two_points(model, distance->a, distance->b, check);
    check.positive(distance->length, "length");
  } else if (const auto* coupling = std::get_if<CouplingLoop>(&loop.law)) {
    check.require(!coupling->terms.empty(), "terms", "a coupling needs at least one joint");
    check.finite(coupling->offset, "offset");
    for (const CouplingLoop::Term& term : coupling->terms) {
      check.require(is_plain_dof(model, term.dof), "terms",
                    "must name a revolute, prismatic, universal or planar coordinate");
      check.require(std::isfinite(term.factor) && term.factor != 0, "terms",
                    "must have a finite factor other than zero", fmt::format("{}", term.factor));
    }
  }
}

void check_actuator(const Model& model, const Actuator& actuator, Checker& check) {
  check.require(is_plain_dof(model, actuator.dof), "joint",
                "must be a revolute, prismatic, universal or planar coordinate");
  check.at_least_zero(actuator.kp, "kp");
  check.at_least_zero(actuator.kd, "kd");
  check.positive(actuator.max_effort, "max_effort", true);
  if (actuator.type != ActuatorType::prescribed || !is_plain_dof(model, actuator.dof)) return;
  const JointType type =
      model.joints()[static_cast<std::size_t>(model.joint_of_dof(actuator.dof))].type;
  check.require(type == JointType::revolute || type == JointType::prismatic, "joint",
                "prescribed motion needs a revolute or prismatic joint");
}

}  // namespace

void check_tree(const ModelSpec& spec) {
  IssueList issues;
  Checker check(issues);
  std::unordered_set<std::string> body_names, joint_names;
  int tree_start = 0;
  for (int i = 0; i < static_cast<int>(spec.bodies.size()); ++i) {
    const BodySpec& body = spec.bodies[static_cast<std::size_t>(i)];
    check.subject(fmt::format("body '{}'", body.name));
    check.require(!body.name.empty(), "name", "must not be empty");
    check.require(body_names.insert(body.name).second, "name", "is used twice", body.name);
    check.require(body.joint.name.empty() || joint_names.insert(body.joint.name).second,
                  "joint.name", "is used twice", body.joint.name);
    check.require(body.parent >= kWorld && body.parent < i, "parent",
                  "must be the world or a body listed before");
    if (body.parent == kWorld) tree_start = i;
    check.require(body.parent == kWorld || body.parent >= tree_start, "parent",
                  "the bodies of a tree must stand together");
    const char* defect = physical_defect(body.inertia);
    check.require(*defect == 0, "inertia", defect);
    check_joint(body, check);
  }
  check.subject("gravity");
  check.require(spec.gravity.allFinite(), "", "must be a finite vector [m/s²]");
  issues.throw_if_any();
}

void check_elements(const Model& model) {
  IssueList issues;
  Checker check(issues);
  for (const Loop& loop : model.loops()) {
    check.subject(fmt::format("loop '{}'", loop.name));
    check_loop(model, loop, check);
  }
  std::unordered_set<int> driven;
  for (const Actuator& actuator : model.actuators()) {
    check.subject(fmt::format("actuator '{}'", actuator.name));
    check_actuator(model, actuator, check);
    check.require(driven.insert(actuator.dof).second, "joint", "has two actuators");
  }
  for (const SpringDamper& spring : model.springs()) {
    check.subject(fmt::format("spring '{}'", spring.name));
    check_two_points(model, spring.a, spring.b, check);
    check.at_least_zero(spring.stiffness, "stiffness");
    check.at_least_zero(spring.damping, "damping");
    check.at_least_zero(spring.rest_length, "rest_length");
  }
  for (const Tether& tether : model.tethers()) {
    check.subject(fmt::format("tether '{}'", tether.name));
    check_two_points(model, tether.a, tether.b, check);
    check.positive(tether.stiffness, "stiffness");
    check.at_least_zero(tether.damping, "damping");
    check.at_least_zero(tether.length, "length");
    check.finite(tether.rate, "rate");
    check.require(tether.rate_start <= tether.rate_end && std::isfinite(tether.rate_start),
                  "rate_end", "must not be before rate_start");
  }
  issues.throw_if_any();
}

void check_mass_matrix(const Model& model) {
  MassMatrix M(model);
  Kinematics kinematics(model);
  // A generic position, so that no lucky alignment hides or fakes a singularity.
  VecX q = model.neutral_positions();
  for (const Joint& joint : model.joints()) {
    if (!has_plain_coordinates(joint.type)) continue;
    for (int k = 0; k < joint.nq; ++k) q[joint.q + k] = 0.3 + 0.1 * (joint.q % 7);
  }
  forward_kinematics(model, q, VecX::Zero(model.velocity_size()), kinematics);
  crba(model, kinematics, M);
  IssueList issues;
  for (const int dof : M.massless_dofs(model)) {
    const int body = model.joint_of_dof(dof);
    issues.add(
        {.message = "nothing beyond this joint has mass or inertia for it to move",
         .field = fmt::format("body '{}'", model.bodies()[static_cast<std::size_t>(body)].name),
         .legal = "mass > 0 or armature > 0"});
  }
  issues.throw_if_any();
}

}  // namespace grouser::internal
