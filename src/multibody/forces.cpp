#include "multibody/forces.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

/// Force of the end stops: a spring and a damper that act beyond the stop and never pull.
double stop_force(const DofLaw& law, double q, double v) {
  if (q < law.lower) {
    return std::max(0.0, law.stop_stiffness * (law.lower - q) - law.stop_damping * v);
  }
  if (q > law.upper) {
    return std::min(0.0, law.stop_stiffness * (law.upper - q) - law.stop_damping * v);
  }
  return 0;
}

/// A ball joint's spring turns it back along its rotation vector, in F.
Vec3 ball_spring_torque(double stiffness, const double* wxyz) {
  return -stiffness * rotation_vector(rotation_from_wxyz(wxyz));
}

void pull_together(const Kinematics& kinematics, const BodyPoint& a, const BodyPoint& b,
                   const LineOfAction& line, double pull, std::span<Wrench> wrenches) {
  const auto apply = [&](int body, const Vec3& p_W, const Vec3& force) {
    if (body == kWorld) return;
    const std::size_t k = static_cast<std::size_t>(body);
    const Vec3 arm = p_W - kinematics.X_WB[k].p;
    wrenches[k] += Wrench{arm.cross(force), force};
  };
  apply(a.body, line.p_Wa, pull * line.direction);
  apply(b.body, line.p_Wb, -pull * line.direction);
}

double square(double x) { return x * x; }

double joint_elastic_energy(const Model& model, const Joint& joint, const double* q) {
  if (joint.type == JointType::spherical) {
    const DofLaw& law = model.laws()[static_cast<std::size_t>(joint.v)];
    const Vec3 turn = rotation_vector(rotation_from_wxyz(q + joint.q));
    return 0.5 * law.stiffness * turn.squaredNorm();
  }
  if (!has_plain_coordinates(joint.type)) return 0;
  double sum = 0;
  for (int k = 0; k < joint.nv; ++k) {
    const DofLaw& law = model.laws()[at(joint.v + k)];
    const double x = q[joint.q + k];
    const double beyond = std::max({0.0, law.lower - x, x - law.upper});
    sum += 0.5 * (law.stiffness * square(x - law.rest) + law.stop_stiffness * square(beyond));
  }
  return sum;
}

}  // namespace

LineOfAction line_between(const Model& model, const Kinematics& kinematics, const BodyPoint& a,
                          const BodyPoint& b) {
  LineOfAction line;
  line.p_Wa = position_of(kinematics, a);
  line.p_Wb = position_of(kinematics, b);
  const Vec3 span = line.p_Wb - line.p_Wa;
  line.length = span.norm();
  if (line.length > 0) line.direction = span / line.length;
  const Vec3 v_a = twist_at(model, kinematics, a.body, line.p_Wa).linear;
  const Vec3 v_b = twist_at(model, kinematics, b.body, line.p_Wb).linear;
  line.rate = line.direction.dot(v_b - v_a);
  return line;
}

double spring_force(const SpringDamper& spring, const LineOfAction& line) {
  return spring.stiffness * (line.length - spring.rest_length) + spring.damping * line.rate;
}

double tether_tension(const Tether& tether, const LineOfAction& line, double time) {
  const auto [length, rate] = unloaded_length(tether, time);
  const double stretch = line.length - length;
  if (stretch <= 0) return 0;
  return std::max(0.0, tether.stiffness * stretch + tether.damping * (line.rate - rate));
}

void add_joint_springs(const Model& model, const double* q, const double* v, double* tau) {
  for (const Joint& joint : model.joints()) {
    const bool plain = has_plain_coordinates(joint.type);
    for (int k = 0; k < joint.nv; ++k) {
      const DofLaw& law = model.laws()[at(joint.v + k)];
      tau[joint.v + k] -= law.damping * v[joint.v + k];
      if (plain) tau[joint.v + k] += law.stiffness * (law.rest - q[joint.q + k]);
    }
    if (joint.type == JointType::spherical) {
      const double stiffness = model.laws()[static_cast<std::size_t>(joint.v)].stiffness;
      if (stiffness == 0) continue;
      const Vec3 torque = ball_spring_torque(stiffness, q + joint.q);
      for (int k = 0; k < 3; ++k) tau[joint.v + k] += torque[k];
    }
  }
}

void add_passive_joint_forces(const Model& model, const double* q, const double* v, double* tau) {
  add_joint_springs(model, q, v, tau);
  for (const Joint& joint : model.joints()) {
    const bool plain = has_plain_coordinates(joint.type);
    for (int k = 0; k < joint.nv; ++k) {
      const DofLaw& law = model.laws()[at(joint.v + k)];
      const double rate = v[joint.v + k];
      if (law.friction > 0) tau[joint.v + k] -= law.friction * std::tanh(rate / law.friction_speed);
      if (plain) tau[joint.v + k] += stop_force(law, q[joint.q + k], rate);
    }
  }
}

void add_element_wrenches(const Model& model, const Kinematics& kinematics, double time,
                          std::span<Wrench> wrenches) {
  for (const SpringDamper& spring : model.springs()) {
    const LineOfAction line = line_between(model, kinematics, spring.a, spring.b);
    pull_together(kinematics, spring.a, spring.b, line, spring_force(spring, line), wrenches);
  }
  for (const Tether& tether : model.tethers()) {
    const LineOfAction line = line_between(model, kinematics, tether.a, tether.b);
    const double tension = tether_tension(tether, line, time);
    pull_together(kinematics, tether.a, tether.b, line, tension, wrenches);
  }
}

double elastic_energy(const Model& model, const Kinematics& kinematics, const double* q,
                      double time) {
  double sum = 0;
  for (const Joint& joint : model.joints()) sum += joint_elastic_energy(model, joint, q);
  for (const SpringDamper& spring : model.springs()) {
    const LineOfAction line = line_between(model, kinematics, spring.a, spring.b);
    sum += 0.5 * spring.stiffness * square(line.length - spring.rest_length);
  }
  for (const Tether& tether : model.tethers()) {
    const LineOfAction line = line_between(model, kinematics, tether.a, tether.b);
    const double stretch = line.length - unloaded_length(tether, time).first;
    sum += 0.5 * tether.stiffness * square(std::max(0.0, stretch));
  }
  return sum;
}

}  // namespace grouser::internal
