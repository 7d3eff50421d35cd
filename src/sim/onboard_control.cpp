#include "sim/onboard_control.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/index.h"
#include "sim/path_control.h"
#include "sim/wheel_speeds.h"

namespace grouser::internal {
namespace {

/// Slower than this a wheel or rover is asked to stand, or has no direction [m/s].
constexpr double kStands = 2e-3;

/// What the wheels are asked, without on-board controllers.
struct Asked {
  double speed = 0;    ///< mean, forward [m/s]
  double rolling = 0;  ///< mean size [m/s]
  double course = 0;   ///< mean of the steering angles [rad]

  bool drives() const { return rolling > kStands && std::abs(speed) > 0.5 * rolling; }
};

/// Chassis seen from above.
struct Going {
  double forward = 0, left = 0;  ///< [m/s]
};

class OnboardController final : public SampledController {
 public:
  OnboardController(const World& world, const OnboardControl& control, std::size_t slot,
                    WorldScratch& scratch)
      : world_(world), control_(control), slot_(slot), scratch_(scratch) {}

  Clock clock() const override { return {0, 1 / control_.rate_hz}; }
  double& ticks(State& state) const override { return state.memory[slot_ + OnboardSlots::kTicks]; }
  double next_time(State& state) const override;
  bool run_if_due(State& state) override;
  void act(State& state) override;

 private:
  const Rover& rover() const { return world_.rovers[at(control_.rover)]; }
  const RoverPlan& plan() const { return scratch_.rovers[at(control_.rover)]; }
  double& slot(State& state, std::size_t wheel, std::size_t which) const {
    return state.memory[slot_ + OnboardSlots::kWheels + OnboardSlots::kPerWheel * wheel + which];
  }
  void skip(State& state) const;
  Asked asked(const State& state) const;
  Going going() const;
  void average(State& state) const;
  double slip(State& state, std::size_t wheel) const;
  void control_speed(State& state, const Asked& asked) const;
  void compensate_slip(State& state) const;
  void share_traction(State& state) const;
  void hold_heading(State& state, const Asked& asked) const;

  const World& world_;
  const OnboardControl& control_;
  std::size_t slot_;
  WorldScratch& scratch_;
};

/// Ticks that passed while the rover was parked are left out.
void OnboardController::skip(State& state) const {
  const double first = clock().first_tick_from(state.time);
  if (ticks(state) < first) ticks(state) = first;
}

double OnboardController::next_time(State& state) const {
  if (is_parked(world_, state)) return std::numeric_limits<double>::infinity();
  return std::max(state.time, SampledController::next_time(state));
}

bool OnboardController::run_if_due(State& state) {
  if (is_parked(world_, state)) return false;
  skip(state);
  return SampledController::run_if_due(state);
}

void OnboardController::act(State& state) {
  chassis_pose(world_, rover(), state, scratch_);
  const Asked wanted = asked(state);
  average(state);
  switch (control_.kind) {
    case OnboardKind::speed:
      return control_speed(state, wanted);
    case OnboardKind::slip:
      return wanted.drives() ? compensate_slip(state) : void();
    case OnboardKind::traction:
      return wanted.drives() ? share_traction(state) : void();
    case OnboardKind::heading:
      return hold_heading(state, wanted);
  }
}

Asked OnboardController::asked(const State& state) const {
  commanded_targets(world_, state.time, state, scratch_);
  Asked sum;
  const double part = 1 / static_cast<double>(rover().wheels.size());
  for (std::size_t w = 0; w < rover().wheels.size(); ++w) {
    const int drive = plan().drive_actuator[w], steer = plan().steer_actuator[w];
    if (drive >= 0) {
      const double rate = plan().drive_sign[w] * scratch_.targets[at(drive)].velocity;
      sum.speed += part * rate * rover().wheels[w].radius;
      sum.rolling += part * std::abs(rate) * rover().wheels[w].radius;
    }
    if (steer >= 0) {
      sum.course += part * plan().steer_sign[w] * scratch_.targets[at(steer)].position;
    }
  }
  return sum;
}

Going OnboardController::going() const {
  const Kinematics& kinematics = scratch_.dynamics.kinematics;
  const Pose& X_WC = kinematics.X_WB[at(rover().chassis)];
  const Vec3 v =
      X_WC.R.transpose() * twist_at(world_.model, kinematics, rover().chassis, X_WC.p).linear;
  return {.forward = v.x(), .left = v.y()};
}

void OnboardController::average(State& state) const {
  const double part = 1 - std::exp(-1 / (control_.rate_hz * control_.average));
  for (std::size_t w = 0; w < rover().wheels.size(); ++w) {
    const WheelSpeed now =
        wheel_speed(world_, rover(), plan(), w, state, scratch_.dynamics.kinematics);
    double &rim = slot(state, w, OnboardSlots::kRim),
           &ground = slot(state, w, OnboardSlots::kGround);
    rim += part * (now.rim - rim);
    ground += part * (now.ground - ground);
  }
}

/// Driving slip of a wheel from the averages, in [0, 1].
double OnboardController::slip(State& state, std::size_t wheel) const {
  const double rim = slot(state, wheel, OnboardSlots::kRim);
  const double ground = slot(state, wheel, OnboardSlots::kGround);
  if (std::abs(rim) < kStands) return 0;
  return std::clamp(1 - ground / rim, 0.0, 1.0);
}

void OnboardController::control_speed(State& state, const Asked& asked) const {
  if (!asked.drives()) return;
  const Going now = going();
  const double v = std::copysign(std::hypot(now.forward, now.left), asked.speed * now.forward);
  const double change =
      control_.gain / control_.rate_hz * (std::abs(asked.speed) - v) / std::abs(asked.speed);
  for (std::size_t w = 0; w < rover().wheels.size(); ++w) {
    double& factor = slot(state, w, OnboardSlots::kFactor);
    factor = std::clamp(factor + change, 0.0, control_.limit);
  }
}

void OnboardController::compensate_slip(State& state) const {
  for (std::size_t w = 0; w < rover().wheels.size(); ++w) {
    const double s = slip(state, w), f = control_.limit;
    slot(state, w, OnboardSlots::kFactor) = s * (1 + f) < f ? s / (1 - s) : f;
  }
}

void OnboardController::share_traction(State& state) const {
  const std::size_t count = rover().wheels.size();
  const double part = 1 / static_cast<double>(count), change = control_.gain / control_.rate_hz;
  double mean_slip = 0, mean_factor = 0;
  for (std::size_t w = 0; w < count; ++w) mean_slip += part * slip(state, w);
  for (std::size_t w = 0; w < count; ++w) {
    double& factor = slot(state, w, OnboardSlots::kFactor);
    factor += change * (mean_slip - slip(state, w));
    mean_factor += part * factor;
  }
  for (std::size_t w = 0; w < count; ++w) {
    double& factor = slot(state, w, OnboardSlots::kFactor);
    factor = std::clamp(factor - mean_factor, -control_.limit, control_.limit);
  }
}

void OnboardController::hold_heading(State& state, const Asked& asked) const {
  const Going now = going();
  const bool moves = asked.drives() && std::hypot(now.forward, now.left) > kStands;
  const double sign = asked.speed < 0 ? -1 : 1;
  const double aside = std::remainder(
      std::atan2(sign * now.left, sign * now.forward) - asked.course, 2 * std::numbers::pi);
  for (std::size_t w = 0; w < rover().wheels.size(); ++w) {
    double& angle = slot(state, w, OnboardSlots::kAngle);
    if (moves) angle -= control_.gain / control_.rate_hz * aside;
    angle = asked.drives() || asked.rolling <= kStands
                ? std::clamp(angle, -control_.limit, control_.limit)
                : 0;
  }
}

}  // namespace

const char* to_string(OnboardKind kind) {
  constexpr const char* kNames[] = {"speed", "slip", "traction", "heading"};
  return kNames[static_cast<int>(kind)];
}

std::vector<std::unique_ptr<SampledController>> onboard_controllers(const World& world,
                                                                    WorldScratch& scratch) {
  std::vector<std::unique_ptr<SampledController>> controllers;
  for (std::size_t k = 0; k < world.onboard.size(); ++k) {
    controllers.push_back(std::make_unique<OnboardController>(world, world.onboard[k],
                                                              scratch.layout.onboard[k], scratch));
  }
  return controllers;
}

void apply_onboard(const World& world, const State& committed, WorldScratch& scratch) {
  for (std::size_t k = 0; k < world.onboard.size(); ++k) {
    const RoverPlan& plan = scratch.rovers[at(world.onboard[k].rover)];
    const double* slots =
        committed.memory.data() + scratch.layout.onboard[k] + OnboardSlots::kWheels;
    for (std::size_t w = 0; w < plan.wheels.size(); ++w, slots += OnboardSlots::kPerWheel) {
      const int drive = plan.drive_actuator[w], steer = plan.steer_actuator[w];
      if (drive >= 0) scratch.targets[at(drive)].velocity *= 1 + slots[OnboardSlots::kFactor];
      if (steer >= 0) {
        scratch.targets[at(steer)].position += plan.steer_sign[w] * slots[OnboardSlots::kAngle];
      }
    }
  }
}

}  // namespace grouser::internal
