#include "sim/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/index.h"
#include "core/parallel.h"
#include "multibody/forces.h"
#include "sim/onboard_control.h"

namespace grouser::internal {
namespace {

/// Drift off a prescribed motion dies out at this rate [1/s], critically damped.
constexpr double kPrescribedStabilization = 20;
/// Bodies' kinematics shared out to threads in portions of this many trees.
constexpr std::size_t kTreesPerTask = 32;

void apply(const JointCommand& command, double time, ActuatorTarget& target) {
  const SignalValue signal = evaluate(command.signal, time);
  switch (command.quantity) {
    case TargetQuantity::position:
      target.position = signal.value;
      target.velocity = signal.rate;
      target.acceleration = signal.acceleration;
      break;
    case TargetQuantity::velocity:
      target.velocity = signal.value;
      target.acceleration = signal.rate;
      break;
    case TargetQuantity::effort:
      target.effort = signal.value;
      break;
  }
}

void apply_path(const RoverPlan& rover, const double* wheel_memory,
                std::vector<ActuatorTarget>& targets) {
  for (std::size_t w = 0; w < rover.wheels.size(); ++w) {
    const int drive = rover.drive_actuator[w], steer = rover.steer_actuator[w];
    if (steer >= 0) {
      targets[static_cast<std::size_t>(steer)].position = rover.steer_sign[w] * wheel_memory[2 * w];
    }
    if (drive >= 0) {
      targets[static_cast<std::size_t>(drive)].velocity =
          rover.drive_sign[w] * wheel_memory[2 * w + 1];
    }
  }
}

void apply(const TargetInput& input, ActuatorTarget& target) {
  switch (input.quantity) {
    case TargetQuantity::position:
      target.position = input.value;
      target.velocity = target.acceleration = 0;
      break;
    case TargetQuantity::velocity:
      target.velocity = input.value;
      target.acceleration = 0;
      break;
    case TargetQuantity::effort:
      target.effort = input.value;
      break;
  }
}

void apply_mission(const World& world, double time, const State& committed, WorldScratch& scratch) {
  if (world.mission.activities.empty()) return;
  apply_path(scratch.rovers[at(world.mission.rover)], scratch.mission.wheels(committed),
             scratch.targets);
  for (std::size_t joint = 0; joint < world.mission.actuators.size(); ++joint) {
    const MoveMemory move = scratch.mission.move(committed, joint);
    if (move.is_set == 0) continue;
    const SignalValue signal = position_at(move, time);
    ActuatorTarget& target = scratch.targets[at(world.mission.actuators[joint])];
    target.position = signal.value;
    target.velocity = signal.rate;
    target.acceleration = signal.acceleration;
  }
}

/// Hot motors have less torque.
void derate(const World& world, const State& committed, std::vector<ActuatorTarget>& targets) {
  if (!world.power) return;
  const std::span<const double> temperatures = thermal_state(world, committed);
  const std::vector<MotorSpec>& motors = world.power->spec.motors;
  for (std::size_t m = 0; m < motors.size(); ++m) {
    targets[at(world.power->actuators[m])].available = available_torque(motors[m], temperatures[m]);
  }
}

bool commands_position(const World& world, const Inputs& inputs, std::size_t actuator) {
  for (const TargetInput& input : inputs.targets) {
    if (at(input.actuator) == actuator) return input.quantity == TargetQuantity::position;
  }
  for (const JointCommand& command : world.joint_commands) {
    if (static_cast<std::size_t>(command.actuator) == actuator) {
      return command.quantity == TargetQuantity::position;
    }
  }
  return true;  // without a command the initial position is held
}

}  // namespace

MemoryLayout::MemoryLayout(const World& world) {
  for (const PathCommand& command : world.path_commands) {
    path.push_back(size);
    const Rover& rover = world.rovers[static_cast<std::size_t>(command.rover)];
    size += kWheels + 2 * rover.wheels.size();
  }
  for (const OnboardControl& control : world.onboard) {
    onboard.push_back(size);
    size += OnboardSlots::size(world.rovers[at(control.rover)]);
  }
  if (!world.mission.activities.empty()) {
    mission = size;
    size += MissionSlices::size(world);
  }
  if (world.power) {
    power = size;
    size += sizeof(PowerState) / sizeof(double) + thermal_size(world.power->spec);
  }
}

WorldScratch::WorldScratch(const World& world)
    : layout(world),
      mission(world),
      dynamics(world.model),
      rnea(world.model),
      targets(world.model.actuators().size()),
      wrenches(static_cast<std::size_t>(world.model.body_count())),
      effort(VecX::Zero(static_cast<Eigen::Index>(world.model.actuators().size()))),
      tau(VecX::Zero(world.model.velocity_size())),
      vdot(VecX::Zero(world.model.velocity_size())),
      time(std::nan("")),
      q(VecX::Zero(world.model.position_size())),
      v(VecX::Zero(world.model.velocity_size())),
      kinematics_q_(q),
      kinematics_v_(v) {
  for (const auto& system : world.contacts) contacts.push_back(system->make_scratch());
  for (const Rover& rover : world.rovers) {
    rovers.push_back(plan_rover(world, rover));
    ground_slopes.resize(ground_slopes.size() + rover.wheels.size());
  }
}

void WorldScratch::forget() {
  time = std::nan("");
  has_kinematics_ = false;
}

BodyMotions WorldScratch::motions_at(const World& world, const double* at_q, const double* at_v) {
  const auto is_same = [](const VecX& a, const double* b) {
    return std::memcmp(a.data(), b, static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
  };
  if (has_kinematics_ && is_same(kinematics_q_, at_q) && is_same(kinematics_v_, at_v)) {
    return motions_.motions(dynamics.kinematics);
  }
  evaluate_kinematics(world, at_q, at_v, dynamics.kinematics);
  std::copy_n(at_q, kinematics_q_.size(), kinematics_q_.data());
  std::copy_n(at_v, kinematics_v_.size(), kinematics_v_.data());
  has_kinematics_ = true;
  return motions_.fill(world.model, dynamics.kinematics);
}

const ElevationMap* present_ground(const World& world, const State& committed) {
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    if (!world.contacts[s]->shapes_ground()) continue;
    return world.contacts[s]->ground(committed.contacts[s]);
  }
  return world.ground ? &world.ground->map : nullptr;
}

void commanded_targets(const World& world, double time, const State& committed,
                       WorldScratch& scratch) {
  const std::vector<Actuator>& actuators = world.model.actuators();
  for (std::size_t a = 0; a < actuators.size(); ++a) {
    scratch.targets[a] = {.position =
                              world.initial.q[world.model.position_of_dof(actuators[a].dof)]};
  }
  for (std::size_t p = 0; p < world.path_commands.size(); ++p) {
    const PathCommand& command = world.path_commands[p];
    const double* slice = committed.memory.data() + scratch.layout.path[p];
    if (slice[MemoryLayout::kTicks] == 0) continue;  // not begun
    apply_path(scratch.rovers[static_cast<std::size_t>(command.rover)],
               slice + MemoryLayout::kWheels, scratch.targets);
  }
  apply_mission(world, time, committed, scratch);
  for (const JointCommand& command : world.joint_commands) {
    apply(command, time, scratch.targets[static_cast<std::size_t>(command.actuator)]);
  }
}

void actuator_targets(const World& world, double time, const State& committed,
                      WorldScratch& scratch) {
  commanded_targets(world, time, committed, scratch);
  apply_onboard(world, committed, scratch);
  derate(world, committed, scratch.targets);
  for (const TargetInput& input : committed.inputs.targets) {
    apply(input, scratch.targets[at(input.actuator)]);
  }
}

void evaluate_kinematics(const World& world, const double* q, const double* v,
                         Kinematics& kinematics) {
  const Model& model = world.model;
  parallel_for(static_cast<std::size_t>(model.tree_count()), kTreesPerTask,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t tree = begin; tree < end; ++tree) {
                   forward_kinematics_of_tree(model, static_cast<int>(tree), q, v, kinematics);
                 }
               });
}

double prescribed_acceleration(const World& world, const Inputs& inputs, std::size_t actuator,
                               const ActuatorTarget& target, double position, double rate) {
  const double k = kPrescribedStabilization;
  double acceleration = target.acceleration + 2 * k * (target.velocity - rate);
  if (commands_position(world, inputs, actuator))
    acceleration += k * k * (target.position - position);
  return acceleration;
}

void compliant_wrenches(const World& world, double time, const Kinematics& kinematics,
                        const BodyMotions& motions, const State& committed, Purpose purpose,
                        WorldScratch& scratch) {
  for (Wrench& wrench : scratch.wrenches) wrench = {};
  add_element_wrenches(world.model, kinematics, time, scratch.wrenches);
  for (const WrenchInput& input : committed.inputs.wrenches) {
    scratch.wrenches[at(input.body)] += input.wrench;
  }
  const ContactInput input{time, motions, present_ground(world, committed)};
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    if (world.contacts[s]->is_rigid()) continue;
    world.contacts[s]->evaluate(input, committed.contacts[s], purpose, *scratch.contacts[s],
                                scratch.wrenches);
  }
}

void evaluate(const World& world, double time, const double* q, const double* v,
              const State& committed, Purpose purpose, WorldScratch& scratch) {
  const Model& model = world.model;
  const BodyMotions motions = scratch.motions_at(world, q, v);
  scratch.tau.setZero();
  add_passive_joint_forces(model, q, v, scratch.tau.data());
  actuator_targets(world, time, committed, scratch);
  for (std::size_t a = 0; a < scratch.targets.size(); ++a) {
    const Actuator& actuator = model.actuators()[a];
    const ActuatorTarget& target = scratch.targets[a];
    const double position = q[model.position_of_dof(actuator.dof)], rate = v[actuator.dof];
    if (actuator.type == ActuatorType::prescribed) {
      scratch.vdot[actuator.dof] =
          prescribed_acceleration(world, committed.inputs, a, target, position, rate);
      continue;
    }
    const double effort = actuator_effort(actuator, target, position, rate);
    scratch.effort[static_cast<Eigen::Index>(a)] = effort;
    scratch.tau[actuator.dof] += effort;
  }
  compliant_wrenches(world, time, scratch.dynamics.kinematics, motions, committed, purpose,
                     scratch);
  const ContactInput input{time, motions, nullptr};
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    if (!world.contacts[s]->is_rigid()) continue;
    world.contacts[s]->evaluate(input, committed.contacts[s], purpose, *scratch.contacts[s],
                                scratch.wrenches);
  }
  forward_dynamics(model, q, v, scratch.tau.data(), scratch.wrenches, scratch.dynamics,
                   scratch.vdot.data());
  scratch.time = time;
  std::copy_n(q, scratch.q.size(), scratch.q.data());
  std::copy_n(v, scratch.v.size(), scratch.v.data());
}

bool is_evaluated(const WorldScratch& scratch, double time, const double* q, const double* v) {
  return scratch.time == time && std::equal(scratch.q.begin(), scratch.q.end(), q) &&
         std::equal(scratch.v.begin(), scratch.v.end(), v);
}

void prescribed_efforts(const World& world, const double* q, const double* v,
                        WorldScratch& scratch) {
  const Model& model = world.model;
  if (!model.has_prescribed()) return;
  // What the whole motion needs, less what passive laws and loops already give.
  VecX& needed = scratch.tau;
  rnea(model, scratch.dynamics.kinematics, scratch.vdot.data(), scratch.wrenches, scratch.rnea,
       needed.data());
  if (model.loop_row_count() > 0) {
    needed.noalias() -= scratch.dynamics.loops.J.lazyProduct(scratch.dynamics.multipliers);
  }
  VecX& passive = scratch.dynamics.velocity_step;
  passive.setZero();
  add_passive_joint_forces(model, q, v, passive.data());
  for (std::size_t a = 0; a < model.actuators().size(); ++a) {
    const Actuator& actuator = model.actuators()[a];
    if (actuator.type != ActuatorType::prescribed) continue;
    scratch.effort[static_cast<Eigen::Index>(a)] = needed[actuator.dof] - passive[actuator.dof];
  }
}

}  // namespace grouser::internal
