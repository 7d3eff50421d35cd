#include "scene/motor_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/angle.h"

namespace grouser::internal {
namespace {

constexpr double kRollingResistance = 0.25;  // of the load, in soft soil or up a slope
constexpr double kSpeedLoss = 0.04;          // of the speed, at that resistance
constexpr double kTraction = 2;      // a wheel may carry twice its share, at a friction of 1
constexpr double kScrub = 0.7;       // friction of a wheel that is turned on the spot
constexpr double kSane = 100;        // times what is needed: beyond, a limit is a placeholder
constexpr double kTurnTime = 0.05;   // a servo is at least this quick [s]
constexpr double kLeastGravity = 1;  // where there is less, motors are not made weaker [m/s²]

/// Two digits: a proposal is no measurement.
double rounded(double value) {
  if (value <= 0) return 0;
  const double scale = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / scale) * scale;
}

class MotorDesign {
 public:
  MotorDesign(const TreeSurvey& survey, const FoundRover& rover, const DriveTask& task)
      : survey_(survey),
        rover_(rover),
        task_(task),
        gravity_(std::max(task.gravity, kLeastGravity)),
        load_(survey.mass() * gravity_ / static_cast<double>(rover.wheels.size())) {}

  ProposedMotor drive(const FoundWheel& wheel) const {
    const double rate = task_.speed / wheel.radius;
    const double friction = friction_of(wheel.body, rate);
    const double resistance = kRollingResistance * load_ * wheel.radius + friction;
    ProposedMotor motor{.joint = survey_.joint(wheel.body)->name.text, .is_drive = true};
    motor.kd = rounded(resistance / (kSpeedLoss * rate));
    set_limit(wheel.body, resistance, kTraction * load_ * wheel.radius + friction, motor);
    return motor;
  }

  ProposedMotor steering(const FoundWheel& wheel) const {
    const Vec3 along = survey_.axis(wheel.steer);
    const Vec3 centre = survey_.body(wheel.body).X_RB * wheel.p_B;
    const double scrub = (centre - survey_.body(wheel.steer).X_RB.p).cross(along).norm();
    const double lever = std::max(scrub, 0.25 * (wheel.width + wheel.radius));
    const double torque = kScrub * load_ * lever + friction_of(wheel.steer, 0);
    return servo(wheel.steer, torque, kDegree);
  }

  ProposedMotor holding(int body) const {
    const RigidInertia moved = survey_.carried(body);
    const bool slides = survey_.joint(body)->type == JointType::prismatic;
    const double lever =
        slides ? 1 : (moved.com - survey_.body(body).X_RB.p).cross(survey_.axis(body)).norm();
    const double below = wheel_load_below(body, slides);
    return servo(body, moved.mass * gravity_ * lever + below, slides ? 1e-3 : 0.5 * kDegree);
  }

  ProposedSpring spring(int body) const {
    const DofLaw& law = survey_.joint(body)->laws.front();
    const double travel =
        law.upper > law.lower && std::isfinite(law.upper - law.lower) ? law.upper - law.lower : 0.1;
    const double below = wheels_below(body) * load_;
    const double along = std::abs(survey_.axis(body).z());
    ProposedSpring spring{.joint = survey_.joint(body)->name.text};
    spring.stiffness = rounded(below * std::max(along, 0.3) / (0.25 * travel));
    spring.damping = rounded(std::sqrt(spring.stiffness * below / gravity_));
    return spring;
  }

 private:
  double wheels_below(int body) const {
    return static_cast<double>(std::ranges::count_if(
        rover_.wheels, [&](const FoundWheel& wheel) { return survey_.carries(body, wheel.body); }));
  }

  /// What wheels that stand on the ground do to a leg [N m] or [N].
  double wheel_load_below(int body, bool slides) const {
    double sum = 0;
    for (const FoundWheel& wheel : rover_.wheels) {
      if (!survey_.carries(body, wheel.body)) continue;
      const Vec3 arm = survey_.body(wheel.body).X_RB * wheel.p_B - survey_.body(body).X_RB.p;
      sum += load_ * (slides ? 1 : arm.cross(survey_.axis(body)).norm());
    }
    return sum;
  }

  double friction_of(int body, double rate) const {
    const DofLaw& law = survey_.joint(body)->laws.front();
    return law.friction + law.damping * std::abs(rate);
  }

  ProposedMotor servo(int body, double load, double give) const {
    const double inertia = survey_.joint(body)->type == JointType::prismatic
                               ? survey_.carried(body).mass
                               : survey_.inertia_about_joint(body);
    ProposedMotor motor{.joint = survey_.joint(body)->name.text};
    motor.kp = rounded(std::max(load / give, inertia / (kTurnTime * kTurnTime)));
    motor.kd = rounded(2 * std::sqrt(motor.kp * inertia) + motor.kp * kTurnTime / 5);
    const double least = std::max(load, inertia);  // [N m], at 1 rad/s²
    set_limit(body, least, 4 * least, motor);
    return motor;
  }

  /// The file's limit if it is believable, else `proposed`.
  void set_limit(int body, double needed, double proposed, ProposedMotor& motor) const {
    const auto limit = survey_.joint(body)->effort_limit;
    motor.max_effort = rounded(proposed);
    if (!limit) {
      motor.why = "the file gives no limit of effort";
    } else if (*limit > kSane * needed) {
      motor.why = fmt::format("the file's limit of {:g} is no motor's", *limit);
    } else {
      motor.max_effort = *limit;
      motor.why = *limit < needed
                      ? fmt::format("the file's limit, though {:.2g} may be needed", needed)
                      : "the file's limit";
    }
  }

  const TreeSurvey& survey_;
  const FoundRover& rover_;
  DriveTask task_;
  double gravity_;  // [m/s²]
  double load_;     // of a wheel [N]
};

}  // namespace

double proposed_speed(const FoundRover& rover) {
  double radius = rover.wheels.front().radius;
  for (const FoundWheel& wheel : rover.wheels) radius = std::min(radius, wheel.radius);
  const double scale = std::pow(10, std::floor(std::log10(radius)));
  return std::max(1.0, std::round(radius / scale)) * scale;
}

std::vector<ProposedMotor> propose_motors(const TreeSurvey& survey, const FoundRover& rover,
                                          const DriveTask& task) {
  const MotorDesign design(survey, rover, task);
  std::vector<ProposedMotor> motors;
  for (const FoundWheel& wheel : rover.wheels) {
    if (wheel.driven) motors.push_back(design.drive(wheel));
  }
  for (const FoundWheel& wheel : rover.wheels) {
    if (wheel.steer >= 0) motors.push_back(design.steering(wheel));
  }
  for (const int body : rover.held) motors.push_back(design.holding(body));
  return motors;
}

std::vector<ProposedSpring> propose_springs(const TreeSurvey& survey, const FoundRover& rover,
                                            const DriveTask& task) {
  const MotorDesign design(survey, rover, task);
  std::vector<ProposedSpring> springs;
  for (const int body : rover.sprung) springs.push_back(design.spring(body));
  return springs;
}

}  // namespace grouser::internal
