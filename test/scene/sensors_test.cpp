// What a rover's sensors say, beside what is known by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "math/angle.h"
#include "scene/load_scene.h"
#include "sim/path_follower.h"
#include "sim/rover_plan.h"
#include "sim/simulation.h"

namespace grouser {
namespace {

World rover_on_sand(const std::string& more, const std::string& model = "rpy_deg: [0, 0, 0]") {
  return load_scene_text(R"(grouser: 1
name: rover
gravity: mars
terrain: {surface: {size: [8, 6]}, spacing: 0.05, soil: dry_sand}
models: [{name: rover, rover: exomars, on_ground: true, position: [-1, 0, 0.565], )" +
                             model + "}]\ncontacts: [{model: terra, wheels: all}]\n" + more,
                         "f", ".");
}

TEST(Sensors, AttitudeIsRollPitchYaw) {
  World world = rover_on_sand("", "rpy_deg: [10, -20, 130]");
  world.settings.integrator.step = 1e-6;
  Simulation simulation(world);
  const Vec3 attitude = simulation.sample().rovers[0].attitude;
  EXPECT_NEAR(attitude.x() * kDegPerRad, 10, 1e-9);
  EXPECT_NEAR(attitude.y() * kDegPerRad, -20, 1e-9);
  EXPECT_NEAR(attitude.z() * kDegPerRad, 130, 1e-9);
}

// Steered 20° to the left and pushed straight ahead, a wheel's hub goes 20° to the right of where it heads.
TEST(Sensors, SlipAngleIsThatBetweenHeadingAndWay) {
  const World world = rover_on_sand("commands: [{steer: all, angle_deg: 20}]\n");
  Simulation simulation(world);
  simulation.run_to(2);
  for (const WheelSample& wheel : simulation.sample().wheels) EXPECT_EQ(wheel.slip_angle, 0);
  State state = simulation.state();
  state.v.setZero();
  state.v[3] = 0.1;  // the chassis, along x; wheels neither turn nor steer
  Simulation pushed(world, state);
  for (const WheelSample& wheel : pushed.sample().wheels) {
    EXPECT_NEAR(wheel.slip_angle, -wheel.steer, 2e-3);  // chassis and legs lean a little
    EXPECT_NEAR(wheel.slip, -1, 1e-9);
  }
}

TEST(Sensors, EnergyIsThatOfAllActuatorsAndPowerItsRate) {
  const World world = rover_on_sand("commands: [{wheels: all, ground_speed: 0.06}]\n");
  Simulation simulation(world);
  simulation.run_to(4);
  const RunReport report = simulation.report();
  ASSERT_EQ(report.actuators.size(), world.model.actuators().size());
  double energy = 0;
  for (const ActuatorStatistics& actuator : report.actuators) {
    energy += actuator.energy;
    EXPECT_NEAR(actuator.power_mean, actuator.energy / 4, 1e-12);
  }
  EXPECT_NEAR(energy, report.energy, 1e-9 * report.energy);
  EXPECT_GT(energy, 1);
  const Sample& sample = simulation.sample();
  double of_wheels = 0, of_drives = 0;
  for (const WheelSample& wheel : sample.wheels) {
    EXPECT_EQ(wheel.power, wheel.torque * wheel.rate);
    of_wheels += wheel.power;
  }
  for (const Wheel& wheel : world.rovers[0].wheels) {
    of_drives += sample.actuator_power[actuator_of_dof(world.model, wheel.drive_dof)];
  }
  EXPECT_NEAR(of_wheels, of_drives, 1e-12);
}

// Of the corner of a square path, of its inside and beyond its end.
TEST(Sensors, DistanceFromAPathByHand) {
  const PathPlan plan{.waypoints = {Vec2(2, 0), Vec2(2, 2)}};
  EXPECT_NEAR(distance_from_path(plan, Vec2(0, 0), Vec2(1, 0.25)), 0.25, 1e-15);
  EXPECT_NEAR(distance_from_path(plan, Vec2(0, 0), Vec2(1.9, 1.5)), 0.1, 1e-15);
  EXPECT_NEAR(distance_from_path(plan, Vec2(0, 0), Vec2(3, -1)), std::sqrt(2), 1e-15);
  EXPECT_NEAR(distance_from_path(plan, Vec2(0, 0), Vec2(2, 3)), 1, 1e-15);
  EXPECT_NEAR(distance_from_path(plan, Vec2(0, 0), Vec2(-3, 4)), 5, 1e-15);
}

TEST(Sensors, DeviationFromThePathIsReported) {
  const World world =
      rover_on_sand("commands: [{path: {waypoints: [[0.2, 0], [0.2, 1]], speed: 0.2}}]\n");
  Simulation simulation(world);
  double most = 0;
  while (simulation.time() < 12) {
    simulation.step();
    const Sample& sample = simulation.sample();
    const Vec3 p = sample.X_WB[static_cast<std::size_t>(world.rovers[0].chassis)].p;
    most = std::max(most, sample.rovers[0].path_deviation);
    EXPECT_NEAR(sample.rovers[0].path_deviation,
                distance_from_path(world.path_commands[0].plan, Vec2(-1, 0), p.head<2>()), 1e-9);
  }
  const RunReport report = simulation.report();
  ASSERT_EQ(report.paths.size(), 1u);
  EXPECT_EQ(report.paths[0].rover, "rover");
  EXPECT_NEAR(report.paths[0].deviation_max, most, 1e-9);
  EXPECT_GT(most, 0.01);  // it cuts the corner
  EXPECT_LT(report.paths[0].deviation_rms, most);
  EXPECT_GT(report.paths[0].deviation_rms, 0);
}

}  // namespace
}  // namespace grouser
