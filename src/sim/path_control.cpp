#include "sim/path_control.h"

#include <cmath>

namespace grouser {
namespace {

PlanarPose chassis_pose(const World& world, const Rover& rover, const State& state,
                        WorldScratch& scratch) {
  forward_kinematics(world.model, state.q, state.v, scratch.dynamics.kinematics);
  const Pose& X_WC = scratch.dynamics.kinematics.X_WB[static_cast<std::size_t>(rover.chassis)];
  return {X_WC.p.x(), X_WC.p.y(), std::atan2(X_WC.R(1, 0), X_WC.R(0, 0))};
}

void run(const World& world, const PathCommand& command, WorldScratch& scratch, double* slice,
         const State& state) {
  const std::size_t index = static_cast<std::size_t>(command.rover);
  const PlanarPose pose = chassis_pose(world, world.rovers[index], state, scratch);
  double* progress = slice + MemoryLayout::kProgress;
  double* start = slice + MemoryLayout::kStart;
  if (slice[MemoryLayout::kTicks] == 0) {
    start[0] = pose.x;
    start[1] = pose.y;
  }
  PathProgress now{progress[0], progress[1], progress[2]};
  const PlanarTwist twist = follow_path(command.plan, {start[0], start[1]}, pose, now);
  progress[0] = now.segment;
  progress[1] = now.turning;
  progress[2] = now.done;
  RoverPlan& rover = scratch.rovers[index];
  std::vector<WheelCommand>& commands = rover.commands;
  double* held = slice + MemoryLayout::kWheels;
  for (std::size_t w = 0; w < commands.size(); ++w) commands[w] = {held[2 * w], held[2 * w + 1]};
  wheel_commands(rover.wheels, twist, commands);
  for (std::size_t w = 0; w < commands.size(); ++w) {
    held[2 * w] = commands[w].steer;
    held[2 * w + 1] = commands[w].speed;
  }
}

}  // namespace

bool run_due_path_commands(const World& world, WorldScratch& scratch, State& state) {
  bool any = false;
  for (std::size_t p = 0; p < world.path_commands.size(); ++p) {
    const PathCommand& command = world.path_commands[p];
    double* slice = state.memory.data() + scratch.layout.path[p];
    const Clock clock = path_clock(command);
    while (clock.is_due(slice[MemoryLayout::kTicks], state.time)) {
      run(world, command, scratch, slice, state);
      slice[MemoryLayout::kTicks] += 1;
      any = true;
    }
  }
  return any;
}

}  // namespace grouser
