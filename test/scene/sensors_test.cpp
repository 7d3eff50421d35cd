// What a rover's sensors say, beside what is known by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/scene_parts.h"
#include "math/angle.h"
#include "sim/contact_sensors.h"
#include "sim/path_follower.h"
#include "sim/rover_plan.h"
#include "sim/simulation.h"

namespace grouser::internal {
namespace {

Map sand(double x, double y, double spacing) {
  return {{"surface", Map{{"size", List{x, y}}}}, {"spacing", spacing}, {"soil", "dry_sand"}};
}

World rover_on_sand(const List& commands, const Vec3& rpy_deg = Vec3::Zero()) {
  const Map rover =
      merged(rover_above_ground("exomars", {-1, 0, 0.565}), {{"rpy_deg", list_of(rpy_deg)}});
  const Map scene{{"gravity", "mars"},
                  {"terrain", sand(8, 6, 0.05)},
                  {"models", List{rover}},
                  {"contacts", List{all_wheels_by("terra")}},
                  {"commands", commands}};
  return load_scene_values(scene, "f", ".");
}

TEST(Sensors, AttitudeIsRollPitchYaw) {
  World world = rover_on_sand({}, {10, -20, 130});
  world.settings.integrator.step = 1e-6;
  Simulation simulation(world);
  const Vec3 attitude = simulation.sample().rovers[0].attitude;
  EXPECT_NEAR(attitude.x() * kDegPerRad, 10, 1e-9);
  EXPECT_NEAR(attitude.y() * kDegPerRad, -20, 1e-9);
  EXPECT_NEAR(attitude.z() * kDegPerRad, 130, 1e-9);
}

// Steered 20° to the left and pushed straight ahead, a wheel's hub goes 20° to the right of where it heads.
TEST(Sensors, SlipAngleIsThatBetweenHeadingAndWay) {
  const World world = rover_on_sand({Map{{"steer", "all"}, {"angle_deg", 20}}});
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
  const World world = rover_on_sand({drive_at(0.06)});
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
  const Map path{{"waypoints", List{List{0.2, 0}, List{0.2, 1}}}, {"speed", 0.2}};
  const World world = rover_on_sand({Map{{"path", path}}});
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

/// A block of 2 kg, 0.2 m wide and 0.1 m high, on a floor under 9.8 m/s², at a speed along x [m/s].
World block_on_floor(std::string_view method, double speed) {
  const Map block =
      model_of("block", {0.3, -0.1, 0.05}, body_of("block", 2, box_shape(0.2, 0.2, 0.1)));
  const double step = method == "moreau_jean" ? 0.001 : 0.0001;
  const Map contacts =
      body_contacts({"floor/floor", "block/block"}, {{"friction", 0.5}, {"young", 1e7}});
  const Map scene{
      {"gravity", List{0, 0, -9.8}},
      {"integrator", fixed_step(method, step)},
      {"models", List{slab("floor", 20, 20, 1), merged(block, {{"velocity", List{speed, 0, 0}}})}},
      {"contacts", List{contacts}}};
  return load_scene_values(scene, "f", ".");
}

TEST(ContactSensors, FeelTheWeightOfABlock) {
  for (const char* method : {"moreau_jean", "semi_implicit"}) {
    const World world = block_on_floor(method, 0);
    const std::vector<ContactSensor> sensors = contact_sensors(world);
    ASSERT_EQ(sensors.size(), 1u);
    EXPECT_EQ(sensors[0].name, "block/block");
    EXPECT_EQ(sensors[0].model, "bbcc");
    Simulation simulation(world);
    simulation.run_to(1);
    const ContactReading& reading = simulation.sample().contacts[0];
    EXPECT_TRUE(reading.in_contact);
    EXPECT_LT((reading.force - Vec3(0, 0, 2 * 9.8)).norm(), 1e-3) << method;
    EXPECT_LT(reading.torque.norm(), 1e-3) << method;
    EXPECT_LT((reading.point - Vec3(0.3, -0.1, 0)).norm(), 1e-3) << method;
    EXPECT_NEAR(reading.power, 0, 1e-4) << method;
    EXPECT_GE(reading.depth, 0);
  }
}

// Friction of 0.5 · 2 · 9.8 N takes that times the speed; it acts 0.05 m below the middle.
TEST(ContactSensors, FeelWhatFrictionTakes) {
  const World world = block_on_floor("moreau_jean", 3);
  Simulation simulation(world);
  simulation.run_to(0.2);
  const Sample& sample = simulation.sample();
  const double speed = sample.V_WB[1].linear.x();
  EXPECT_NEAR(speed, 3 - 0.5 * 9.8 * 0.2, 1e-3);
  const ContactReading& reading = sample.contacts[0];
  EXPECT_NEAR(reading.force.x(), -9.8, 1e-6);
  EXPECT_NEAR(reading.power, 9.8 * speed, 1e-4);
  EXPECT_NEAR(reading.point.z(), 0, 1e-4);
  EXPECT_GT(reading.point.x() - sample.X_WB[1].p.x(), 0.02);  // it leans forward
}

TEST(ContactSensors, FeelNothingInTheAir) {
  World world = block_on_floor("moreau_jean", 0);
  world.initial.q[world.model.position_size() - 1] = 2;
  Simulation simulation(world);
  simulation.run_to(0.1);
  const ContactReading& reading = simulation.sample().contacts[0];
  EXPECT_FALSE(reading.in_contact);
  EXPECT_EQ(reading.force, Vec3(0, 0, 0));
  EXPECT_EQ(reading.power, 0);
  EXPECT_EQ(reading.point, simulation.sample().X_WB[1].p);
}

// A block falls for √(2 · 0.5/9.8) s, lands, and lies there with its weight.
TEST(ContactSensors, TellWhenABodyTouches) {
  const double fall = std::sqrt(2 * 0.5 / 9.8);
  for (const char* method : {"moreau_jean", "semi_implicit"}) {
    World world = block_on_floor(method, 0);
    world.initial.q[world.model.position_size() - 1] += 0.5;
    const EventSpec touches{
        .name = "touches", .quantity = EventQuantity::contact_force, .index = 1, .direction = 1};
    EventSpec pressed = touches;
    pressed.name = "pressed";
    pressed.threshold = 15;
    EventSpec lifts = touches;
    lifts.name = "lifts off";
    lifts.direction = -1;
    world.events = {touches, pressed, lifts};
    Simulation simulation(world);
    simulation.run_to(1);
    const std::vector<EventRecord>& events = simulation.events();
    const auto first = [&](int event) {
      const auto found = std::ranges::find(events, event, &EventRecord::event);
      return found == events.end() ? -1 : found->time;
    };
    EXPECT_NEAR(first(0), fall, 1.1e-3) << method;  // a step
    EXPECT_NEAR(first(1), first(0), 2e-3) << method;
    // Pushed away from the floor it lifts off.
    simulation.set_wrench(simulation.body("block/block"),
                          {.torque = Vec3::Zero(), .force = Vec3(0, 0, 40)});
    simulation.run_to(1.5);
    EXPECT_EQ(simulation.events().back().event, 2) << method;
    EXPECT_NEAR(simulation.events().back().time, 1, 0.01) << method;
  }
}

TEST(ContactSensors, EventsThatWaitForNothingAreSaid) {
  World world = block_on_floor("moreau_jean", 0);
  world.contacts.clear();
  world.events = {{.name = "lands", .quantity = EventQuantity::contact_force, .index = 1}};
  Simulation simulation(world);
  const std::vector<std::string> warnings = simulation.report().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("event 'lands' waits for a contact of 'block/block'"),
            std::string::npos);
}

// By all models wheels feel together what the rover weighs, sink as they say, and lose what drives put in.
TEST(ContactSensors, OfWheelsBearTheRover) {
  for (const char* model : {"scm", "terra", "bwr"}) {
    const Map scene{{"gravity", "mars"},
                    {"terrain", sand(4, 3, 0.02)},
                    {"models", List{rover_above_ground("exomars", {-0.5, 0, 0.565})}},
                    {"commands", List{drive_at(0.06)}},
                    {"contacts", List{all_wheels_by(model)}}};
    const World world = load_scene_values(scene, "f", ".");
    const std::vector<ContactSensor> sensors = contact_sensors(world);
    ASSERT_EQ(sensors.size(), 16u);  // the wheels', and then those of the other ten bodies
    Simulation simulation(world);
    double load = 0, power = 0, drives = 0;
    constexpr int kSamples = 200;
    for (int k = 1; k <= kSamples; ++k) {
      simulation.run_to(3 + 0.02 * k);
      const Sample& sample = simulation.sample();
      for (std::size_t s = 0; s < 6; ++s) {
        const ContactReading& reading = sample.contacts[s];
        const Wheel& wheel = world.rovers[0].wheels[s];
        EXPECT_EQ(sensors[s].model, model);
        ASSERT_EQ(sensors[s].body, wheel.body);
        ASSERT_TRUE(reading.in_contact);
        EXPECT_NEAR(reading.force.z(), sample.wheels[s].normal, 1e-9);
        EXPECT_EQ(reading.depth, sample.wheels[s].sinkage);
        const Vec3 below = sample.X_WB[static_cast<std::size_t>(wheel.body)].p - reading.point;
        // Between the chord of the contact and its deepest point.
        EXPECT_GT(below.norm(), wheel.radius - reading.depth - 1e-3) << model;
        EXPECT_LT(below.norm(), wheel.radius + 1e-3) << model;
        load += reading.force.z() / kSamples;
        power += reading.power / kSamples;
        drives += sample.wheels[s].power / kSamples;
      }
    }
    EXPECT_NEAR(load / (world.model.total_mass() * world.model.gravity().norm()), 1, 0.02) << model;
    EXPECT_NEAR(power / drives, 1, 0.1) << model;  // the rest goes up and down with the chassis
  }
}

}  // namespace
}  // namespace grouser::internal
