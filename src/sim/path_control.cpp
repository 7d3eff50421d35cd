#include "sim/path_control.h"

#include <cmath>

namespace grouser::internal {

PlanarPose chassis_pose(const World& world, const Rover& rover, const State& state,
                        WorldScratch& scratch) {
  forward_kinematics(world.model, state.q, state.v, scratch.dynamics.kinematics);
  const Pose& X_WC = scratch.dynamics.kinematics.X_WB[static_cast<std::size_t>(rover.chassis)];
  return {X_WC.p.x(), X_WC.p.y(), std::atan2(X_WC.R(1, 0), X_WC.R(0, 0))};
}

void drive_wheels(RoverPlan& rover, const PlanarTwist& twist, double* held) {
  std::vector<WheelCommand>& commands = rover.commands;
  for (std::size_t w = 0; w < commands.size(); ++w) commands[w] = {held[2 * w], held[2 * w + 1]};
  wheel_commands(rover.wheels, twist, commands);
  for (std::size_t w = 0; w < commands.size(); ++w) {
    held[2 * w] = commands[w].steer;
    held[2 * w + 1] = commands[w].speed;
  }
}

namespace {

class PathController final : public SampledController {
 public:
  PathController(const World& world, const PathCommand& command, std::size_t slot,
                 WorldScratch& scratch)
      : world_(world), command_(command), slot_(slot), scratch_(scratch) {}

  Clock clock() const override { return {command_.start_time, 1 / command_.rate_hz}; }
  double& ticks(State& state) const override { return slice(state)[MemoryLayout::kTicks]; }
  void act(State& state) override;

 private:
  double* slice(State& state) const { return state.memory.data() + slot_; }

  const World& world_;
  const PathCommand& command_;
  std::size_t slot_;
  WorldScratch& scratch_;
};

void PathController::act(State& state) {
  double* memory = slice(state);
  const std::size_t index = static_cast<std::size_t>(command_.rover);
  const PlanarPose pose = chassis_pose(world_, world_.rovers[index], state, scratch_);
  double* progress = memory + MemoryLayout::kProgress;
  double* start = memory + MemoryLayout::kStart;
  if (memory[MemoryLayout::kTicks] == 0) {
    start[0] = pose.x;
    start[1] = pose.y;
  }
  PathProgress now{progress[0], progress[1], progress[2]};
  const PlanarTwist twist = follow_path(command_.plan, {start[0], start[1]}, pose, now);
  progress[0] = now.segment;
  progress[1] = now.turning;
  progress[2] = now.done;
  drive_wheels(scratch_.rovers[index], twist, memory + MemoryLayout::kWheels);
}

}  // namespace

std::vector<std::unique_ptr<SampledController>> path_controllers(const World& world,
                                                                 WorldScratch& scratch) {
  std::vector<std::unique_ptr<SampledController>> controllers;
  for (std::size_t p = 0; p < world.path_commands.size(); ++p) {
    controllers.push_back(std::make_unique<PathController>(world, world.path_commands[p],
                                                           scratch.layout.path[p], scratch));
  }
  return controllers;
}

}  // namespace grouser::internal
