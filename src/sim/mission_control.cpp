#include "sim/mission_control.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/index.h"
#include "sim/path_control.h"
#include "sim/wheel_speeds.h"

namespace grouser::internal {
namespace {

constexpr double kRestTime = 1;      // at rest for so long before it is parked [s]
constexpr double kSlipTime = 5;      // over which speeds of wheels are averaged [s]
constexpr double kSettleTime = 0.5;  // of joints after their last move [s]

/// Speed below which all wheels together do not roll [m/s].
constexpr double kRolling = 2e-3;

bool is_constant(const Signal& signal) { return std::holds_alternative<ConstantSignal>(signal); }

/// What the mission sees at a tick.
struct Look {
  double time = 0;
  PlanarPose pose;
  double tilt = 0;                ///< [rad]
  double rim = 0, ground = 0;     ///< mean over the wheels [m/s]
  double energy = 0, charge = 1;  ///< [J], [-]
};

/// How an activity ended, if it did.
struct End {
  Verdict verdict = Verdict::running;
  AbortReason reason = AbortReason::none;
};

class MissionController final : public SampledController {
 public:
  MissionController(const World& world, WorldScratch& scratch)
      : world_(world), mission_(world.mission), scratch_(scratch), may_park_(may_park(world)) {}

  Clock clock() const override { return {0, 1 / mission_.rate_hz}; }
  double& ticks(State& state) const override { return scratch_.mission.ticks(state); }
  double next_time(State& state) const override;
  bool run_if_due(State& state) override;
  void act(State& state) override;

 private:
  const Rover& rover() const { return world_.rovers[at(mission_.rover)]; }
  bool is_over(const MissionMemory& m) const {
    return at(static_cast<int>(m.activity)) >= mission_.activities.size();
  }
  const Activity& activity(const MissionMemory& m) const {
    return mission_.activities[static_cast<std::size_t>(m.activity)];
  }

  Look look(const State& state);
  void begin(State& state, const Look& now, MissionMemory& m);
  End proceed(State& state, const Look& now, MissionMemory& m, ActivityMemory& a);
  void measure(const Look& now, MissionMemory& m, ActivityMemory& a) const;
  AbortReason find_abort(const Look& now, const MissionMemory& m, const ActivityMemory& a) const;
  End drive(State& state, const Look& now, MissionMemory& m, ActivityMemory& a);
  End move_joints(State& state, const Look& now, MissionMemory& m, ActivityMemory& a);
  void begin_moves(State& state, double time, MissionMemory& m);
  double joint_error(const State& state) const;
  void finish(State& state, const Look& now, const End& end, MissionMemory& m, ActivityMemory a);
  bool may_rest(const MissionMemory& m) const;
  void watch_rest(const State& state, MissionMemory& m) const;
  double next_look(double time, const MissionMemory& m) const;

  const World& world_;
  const Mission& mission_;
  WorldScratch& scratch_;
  bool may_park_;
};

double MissionController::next_time(State& state) const {
  const MissionMemory m = scratch_.mission.get(state);
  return m.parked == 1 ? m.wake : SampledController::next_time(state);
}

bool MissionController::run_if_due(State& state) {
  const MissionMemory m = scratch_.mission.get(state);
  if (m.parked != 1) return SampledController::run_if_due(state);
  const Clock clock{m.wake, world_.settings.integrator.step};
  if (!clock.is_due(0, state.time)) return false;
  act(state);
  return true;
}

void MissionController::act(State& state) {
  MissionMemory m = scratch_.mission.get(state);
  const Look now = look(state);
  while (!is_over(m)) {
    if (m.begun == 0) begin(state, now, m);
    ActivityMemory a = scratch_.mission.activity(state, at(static_cast<int>(m.activity)));
    const End end = proceed(state, now, m, a);
    if (end.verdict == Verdict::running) {
      scratch_.mission.set(state, at(static_cast<int>(m.activity)), a);
      break;
    }
    finish(state, now, end, m, a);
  }
  m.x = now.pose.x;
  m.y = now.pose.y;
  const bool was_parked = m.parked == 1;
  if (was_parked) {
    m.looked = now.time;
    m.wake = next_look(now.time, m);
  } else {
    watch_rest(state, m);
  }
  scratch_.mission.set(state, m);
  if (was_parked && !may_rest(m)) unpark(world_, state);
}

Look MissionController::look(const State& state) {
  Look now{.time = state.time, .pose = chassis_pose(world_, rover(), state, scratch_)};
  const Mat3& R_WC = scratch_.dynamics.kinematics.X_WB[at(rover().chassis)].R;
  now.tilt = std::acos(std::clamp(R_WC(2, 2), -1.0, 1.0));
  now.energy = energy_used(world_, state);
  now.charge = state_of_charge(world_, state);
  const RoverPlan& plan = scratch_.rovers[at(mission_.rover)];
  const double part = 1 / static_cast<double>(std::max<std::size_t>(1, rover().wheels.size()));
  for (std::size_t w = 0; w < rover().wheels.size(); ++w) {
    const WheelSpeed speed =
        wheel_speed(world_, rover(), plan, w, state, scratch_.dynamics.kinematics);
    now.rim += part * std::abs(speed.rim);
    now.ground += part * std::copysign(1.0, speed.rim) * speed.ground;
  }
  return now;
}

double path_length(const PathPlan& path, const Vec2& start) {
  double length = 0;
  Vec2 from = start;
  for (const Vec2& to : path.waypoints) {
    length += (to - from).norm();
    from = to;
  }
  return length;
}

/// How long a drive of this length, with a half turn at each waypoint, or all moves take [s].
double expected_time(const Activity& activity, double length) {
  double time = 0;
  for (const JointMove& move : activity.moves) time += move.duration;
  if (activity.kind != ActivityKind::drive) return time;
  const PathPlan& path = activity.path;
  time = length / path.speed +
         static_cast<double>(path.waypoints.size()) * std::numbers::pi / path.turn_rate;
  return activity.go_for > 0 ? time * (1 + activity.stop_for / activity.go_for) : time;
}

double time_limit(const Activity& activity, double length) {
  constexpr double kMinute = 60, kPatience = 5;
  if (activity.time_max > 0) return activity.time_max;
  return kMinute + kPatience * expected_time(activity, length);
}

void MissionController::begin(State& state, const Look& now, MissionMemory& m) {
  const Activity& activity = this->activity(m);
  ActivityMemory a{.verdict = static_cast<double>(Verdict::running), .began = now.time};
  m.begun = 1;
  m.segment = m.turning = m.done = m.moves = m.rests = 0;
  m.rim = m.ground = 0;
  m.start_x = m.x = now.pose.x;
  m.start_y = m.y = now.pose.y;
  m.energy = now.energy;
  m.payload = activity.power;
  m.asleep = activity.kind == ActivityKind::night ? 1 : 0;
  if (activity.kind == ActivityKind::drive) {
    a.planned = path_length(activity.path, {m.start_x, m.start_y});
  }
  m.until = now.time + time_limit(activity, a.planned);
  if (activity.duration) m.until = now.time + *activity.duration;
  if (activity.until_hour) m.until = next_time_of_hour(world_.day, now.time, *activity.until_hour);
  if (m.parked == 1) a.parked_from = now.time;
  scratch_.mission.set(state, at(static_cast<int>(m.activity)), a);
}

End MissionController::proceed(State& state, const Look& now, MissionMemory& m, ActivityMemory& a) {
  measure(now, m, a);
  const Activity& activity = this->activity(m);
  const AbortReason reason = find_abort(now, m, a);
  if (reason != AbortReason::none) return {Verdict::aborted, reason};
  if (activity.kind == ActivityKind::drive) return drive(state, now, m, a);
  if (activity.kind == ActivityKind::joints) return move_joints(state, now, m, a);
  const Clock end{m.until, world_.settings.integrator.step};
  return {end.is_due(0, now.time) ? Verdict::succeeded : Verdict::running};
}

/// What the activity has come to.
void MissionController::measure(const Look& now, MissionMemory& m, ActivityMemory& a) const {
  const Activity& activity = this->activity(m);
  a.ended = now.time;
  a.energy = now.energy - m.energy;
  a.charge = now.charge;
  a.tilt = std::max(a.tilt, now.tilt);
  if (m.parked == 1) {
    a.parked += now.time - std::max(m.looked, a.parked_from);
    a.parked_to = now.time;
  }
  a.driven += std::hypot(now.pose.x - m.x, now.pose.y - m.y);
  if (activity.kind != ActivityKind::drive) return;
  const Vec2 place(now.pose.x, now.pose.y);
  a.deviation =
      std::max(a.deviation, distance_from_path(activity.path, {m.start_x, m.start_y}, place));
  a.goal_error = (activity.path.waypoints.back() - place).norm();
  const double part = 1 - std::exp(-1 / (mission_.rate_hz * kSlipTime));
  m.rim += part * (now.rim - m.rim);
  m.ground += part * (now.ground - m.ground);
  if (now.time - a.began < kSlipTime || m.rim < kRolling) return;
  a.slip = std::max(a.slip, std::clamp(1 - m.ground / m.rim, 0.0, 1.0));
}

AbortReason MissionController::find_abort(const Look& now, const MissionMemory& m,
                                          const ActivityMemory& a) const {
  const Activity& activity = this->activity(m);
  if (activity.tilt_max && now.tilt > *activity.tilt_max) return AbortReason::tilt;
  if (activity.slip_max && a.slip > *activity.slip_max) return AbortReason::slip;
  if (activity.battery_min && now.charge < *activity.battery_min) return AbortReason::battery;
  if (activity.energy_max && a.energy > *activity.energy_max) return AbortReason::energy;
  if (!stands(activity.kind) && now.time > m.until) return AbortReason::time;
  return AbortReason::none;
}

End MissionController::drive(State& state, const Look& now, MissionMemory& m, ActivityMemory& a) {
  const Activity& activity = this->activity(m);
  const double cycle = activity.go_for + activity.stop_for;
  const bool pauses =
      activity.go_for > 0 && std::fmod(now.time - a.began, cycle) >= activity.go_for;
  PlanarTwist twist;
  if (!pauses) {
    PathProgress progress{m.segment, m.turning, m.done};
    twist = follow_path(activity.path, {m.start_x, m.start_y}, now.pose, progress);
    m.segment = progress.segment;
    m.turning = progress.turning;
    m.done = progress.done;
  }
  drive_wheels(scratch_.rovers[at(mission_.rover)], twist, scratch_.mission.wheels(state));
  if (m.done == 0) return {};
  if (a.goal_error <= activity.goal_within) return {Verdict::succeeded};
  return {Verdict::aborted, AbortReason::goal};
}

/// Moves begin at the tick at or after their time.
void MissionController::begin_moves(State& state, double time, MissionMemory& m) {
  const std::vector<JointMove>& moves = activity(m).moves;
  while (m.moves < static_cast<double>(moves.size())) {
    const JointMove& move = moves[static_cast<std::size_t>(m.moves)];
    if (m.moves > 0 && !move.together) {
      for (std::size_t j = 0; j < mission_.actuators.size(); ++j) {
        const MoveMemory before = scratch_.mission.move(state, j);
        if (before.is_set != 0 && time < before.begin + before.duration) return;
      }
    }
    const auto joint = std::ranges::find(mission_.actuators, move.actuator);
    const auto slot = static_cast<std::size_t>(joint - mission_.actuators.begin());
    const MoveMemory before = scratch_.mission.move(state, slot);
    const Actuator& actuator = world_.model.actuators()[at(move.actuator)];
    const double rest = world_.initial.q[world_.model.position_of_dof(actuator.dof)];
    scratch_.mission.set_move(state, slot,
                              {.is_set = 1,
                               .from = before.is_set != 0 ? position_at(before, time).value : rest,
                               .to = move.position,
                               .begin = time,
                               .duration = move.duration});
    m.moves += 1;
  }
}

/// Of all joints that the mission has moved: from where they should be by now [rad], [m].
double MissionController::joint_error(const State& state) const {
  double error = 0;
  for (std::size_t j = 0; j < mission_.actuators.size(); ++j) {
    const MoveMemory move = scratch_.mission.move(state, j);
    if (move.is_set == 0) continue;
    const Actuator& actuator = world_.model.actuators()[at(mission_.actuators[j])];
    const double q = state.q[world_.model.position_of_dof(actuator.dof)];
    error = std::max(error, std::abs(q - position_at(move, state.time).value));
  }
  return error;
}

End MissionController::move_joints(State& state, const Look& now, MissionMemory& m,
                                   ActivityMemory& a) {
  begin_moves(state, now.time, m);
  a.goal_error = joint_error(state);
  if (m.moves < static_cast<double>(activity(m).moves.size())) return {};
  for (std::size_t j = 0; j < mission_.actuators.size(); ++j) {
    const MoveMemory move = scratch_.mission.move(state, j);
    if (move.is_set != 0 && now.time < move.begin + move.duration + kSettleTime) return {};
  }
  if (a.goal_error <= activity(m).goal_within) return {Verdict::succeeded};
  return {Verdict::aborted, AbortReason::goal};
}

void MissionController::finish(State& state, const Look& now, const End& end, MissionMemory& m,
                               ActivityMemory a) {
  a.verdict = static_cast<double>(end.verdict);
  a.reason = static_cast<double>(end.reason);
  a.ended = now.time;
  scratch_.mission.set(state, static_cast<std::size_t>(m.activity), a);
  double* wheels = scratch_.mission.wheels(state);
  for (std::size_t w = 0; w < rover().wheels.size(); ++w) wheels[2 * w + 1] = 0;
  const bool stops = end.verdict == Verdict::aborted && activity(m).on_abort == OnAbort::stop;
  m.begun = m.payload = m.asleep = m.rests = 0;
  m.stopped = stops ? 1 : 0;
  m.activity = stops ? static_cast<double>(mission_.activities.size()) : m.activity + 1;
}

bool MissionController::may_rest(const MissionMemory& m) const {
  if (!may_park_) return false;
  return is_over(m) || (stands(activity(m).kind) && activity(m).parked);
}

void MissionController::watch_rest(const State& state, MissionMemory& m) const {
  const double fastest = state.v.size() > 0 ? state.v.cwiseAbs().maxCoeff() : 0;
  const bool rests = may_rest(m) && fastest <= mission_.rest_speed;
  m.rests = rests ? m.rests + 1 : 0;
  m.parked = m.rests > kRestTime * mission_.rate_hz ? 2 : 0;
}

/// When a parked rover looks again.
double MissionController::next_look(double time, const MissionMemory& m) const {
  const Clock clock{0, mission_.rest_step};
  double tick = clock.first_tick_from(time);
  if (clock.is_due(tick, time)) tick += 1;
  const double next = clock.time_of(tick);
  return is_over(m) || m.begun == 0 ? next : std::min(next, m.until);
}

}  // namespace

bool may_park(const World& world) {
  if (!is_one_step(world.settings.integrator.method) || !world.path_commands.empty()) return false;
  const bool all_constant =
      std::ranges::all_of(world.joint_commands,
                          [](const JointCommand& command) { return is_constant(command.signal); });
  const bool no_winch = std::ranges::all_of(world.model.tethers(),
                                            [](const Tether& tether) { return tether.rate == 0; });
  return all_constant && no_winch;
}

std::unique_ptr<SampledController> mission_controller(const World& world, WorldScratch& scratch) {
  if (world.mission.activities.empty()) return nullptr;
  return std::make_unique<MissionController>(world, scratch);
}

}  // namespace grouser::internal
