#pragma once

#include <cmath>
#include <vector>

#include "multibody/test_models.h"
#include "sim/simulate.h"

/// Worlds and observers shared by the tests of the simulation loop.
namespace grouser::internal {

inline World world_of(ModelSpec spec) {
  World world{.name = "test", .model = Model(std::move(spec))};
  world.initial.q = world.model.neutral_positions();
  world.initial.v = VecX::Zero(world.model.velocity_size());
  return world;
}

/// The rover hanging on nothing, with driven wheels and steering, tumbling a little.
inline World rover_world() {
  ModelSpec spec = rover_tree();
  for (int wheel = 0; wheel < 6; ++wheel) {
    // Velocities: 6 of the trunk, then rear bogie, ..., in body order.
    static constexpr int kSteer[] = {7, 9, 12, 14, 17, 19};
    const std::string n = std::to_string(wheel);
    spec.actuators.push_back({.name = "steer" + n,
                              .type = ActuatorType::position,
                              .dof = kSteer[wheel],
                              .kp = 15,
                              .kd = 1.5});
    spec.actuators.push_back({.name = "drive" + n,
                              .type = ActuatorType::velocity,
                              .dof = kSteer[wheel] + 1,
                              .kd = 0.05,
                              .max_effort = 5});
  }
  World world = world_of(std::move(spec));
  CounterRng rng(7);
  world.initial.v = random_vector(21, rng, 0.5);
  for (int a = 0; a < 12; ++a) {
    const bool steer = a % 2 == 0;
    JointCommand command{
        .actuator = a,
        .quantity = steer ? TargetQuantity::position : TargetQuantity::velocity,
        .signal = SineSignal{
            .offset = steer ? 0.0 : 1.0, .amplitude = 0.3, .frequency_hz = 0.2 + 0.01 * a}};
    world.joint_commands.push_back(command);
  }
  return world;
}

/// Keeps what it is told.
struct Listener : Observer {
  std::vector<double> times;
  std::vector<Sample> samples;
  std::vector<EventRecord> events;
  std::vector<State> checkpoints;
  bool keep_samples = false;

  void on_sample(const Sample& sample) override {
    times.push_back(sample.time);
    if (keep_samples) samples.push_back(sample);
  }
  void on_event(const EventRecord& event) override { events.push_back(event); }
  void on_checkpoint(const State& state) override { checkpoints.push_back(state); }
};

inline RunReport run_for(const World& world, double end, Listener& listener) {
  return simulate(world, initial_state(world), {.end_time = end}, listener);
}

inline RunReport run_for(const World& world, double end) {
  Listener listener;
  return run_for(world, end, listener);
}

}  // namespace grouser::internal
