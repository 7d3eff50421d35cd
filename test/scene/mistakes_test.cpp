// Physical mistakes: scenes that read well and mean nothing. Each must be refused, warned of or rung for, by name; a run
// that is "completed" without a word is a lie. The scenes are small and run for as long as the mistake needs to show.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <regex>

#include "sim/simulation.h"
#include "support.h"

namespace grouser::internal {
namespace {

const std::string kFlat = "{surface: {size: [8, 6]}, soil: dry_sand, spacing: 0.05}";
const std::string kLong = "{surface: {size: [100, 6]}, soil: dry_sand, spacing: 0.1}";
const std::string kRover = "rover: four_wheel, position: [0, 0, 0.25], on_ground: true";
const std::string kDrive = "{wheels: all, ground_speed: 0.1}";
const std::string kTerra = "{model: terra, wheels: all}";
const std::string kBbcc = "{model: bbcc, wheels: all}";

struct Scene {
  std::string terrain = kFlat;
  std::string rover = kRover;
  std::string models = {};  ///< more of them
  std::string contacts = kTerra;
  std::string commands = kDrive;
  std::string gravity = "mars";
  std::string integrator = "{method: moreau_jean, step: 0.005}";
  std::string record = "0";
  std::string rest = {};
  double duration = 0.3;

  std::string text() const {
    std::string text = fmt::format(
        "grouser: 1\ngravity: {}\nduration: {}\nintegrator: {}\nrecord: {{rate_hz: {}}}\n", gravity,
        duration, integrator, record);
    if (!terrain.empty()) text += "terrain: " + terrain + "\n";
    text += "models: [{name: rover, " + rover + "}" + models + "]\n";
    if (!contacts.empty()) text += "contacts: [" + contacts + "]\n";
    if (!commands.empty()) text += "commands: [" + commands + "]\n";
    return text + rest;
  }
};

/// A four-wheel rover of one's own, with what may be wrong about it.
struct Own {
  double radius = 0.25, width = 0.2;
  double rolls_as = 0;  ///< the radius of its wheels; 0: that of their shape
  std::string mass = "40", com = "[0, 0, 0]", inertia = "[2, 3, 4]", wheel_mass = "6";
  std::string shape = "{box: [0.8, 0.5, 0.25], position: [0, 0, 0.1]}";
  std::string axis = "[0, 1, 0]", last_axis = {}, stops = {};
  std::string motor = "type: velocity, kd: 100, max_effort: 120";
  std::string place = "position: [0, 0, 0.25]";
  double side = 0.4;  ///< y of the left wheels [m]

  std::string text() const {
    std::string bodies = fmt::format("{{name: chassis, mass: {}, com: {}, inertia: {}, shape: {}}}",
                                     mass, com, inertia, shape);
    std::string motors, wheels;
    for (const char* name : {"front_left", "front_right", "rear_left", "rear_right"}) {
      const std::string_view word(name);
      const double x = word.starts_with("front") ? 0.45 : -0.45;
      const double y = word.ends_with("left") ? side : -side;
      const bool is_last = word == "rear_right" && !last_axis.empty();
      bodies += fmt::format(
          ", {{name: {0}_wheel, mass: {1}, shape: {{cylinder: {{radius: {2}, length: {3}}}, "
          "rpy_deg: [90, 0, 0]}}, joint: {{name: {0}_drive, type: revolute, parent: chassis, "
          "position: [{4}, {5}, 0], axis: {6}{7}}}}}",
          name, wheel_mass, radius, width, x, y, is_last ? last_axis : axis, stops);
      motors += fmt::format("{}{{joint: {}_drive, {}}}", motors.empty() ? "" : ", ", name, motor);
      wheels += fmt::format(
          "{0}{{name: {1}, body: {1}_wheel, drive: {1}_drive, radius: {2}, "
          "width: {3}}}",
          wheels.empty() ? "" : ", ", name, rolls_as > 0 ? rolls_as : radius, width);
    }
    return fmt::format(
        "{}, on_ground: true, tree: {{bodies: [{}], actuators: [{}], chassis: "
        "chassis, wheels: [{}]}}",
        place, bodies, motors, wheels);
  }
};

std::string slope(double degrees) {
  return fmt::format(
      "{{surface: {{size: [20, 6], profile: {{points: [[-10, 0], [10, {}]]}}}}, "
      "soil: dry_sand, spacing: 0.05}}",
      20 * std::tan(degrees * std::numbers::pi / 180));
}

std::string on_slope(double degrees) {
  return fmt::format("position: [-4, 0, {}], rpy_deg: [0, -{}, 0]",
                     0.25 / std::cos(degrees * std::numbers::pi / 180), degrees);
}

std::string soil(const char* figures) {
  return fmt::format(
      "{{surface: {{size: [8, 6]}}, soil: {{preset: dry_sand, name: mine, {}}}, "
      "spacing: 0.05}}",
      figures);
}

std::string path(const char* waypoints, const char* more = "") {
  return fmt::format("{{path: {{waypoints: [{}], speed: 0.1{}}}}}", waypoints, more);
}

std::string rocks(const char* fields, const char* size = "[8, 6]") {
  return fmt::format("{{surface: {{size: {}}}, soil: dry_sand, spacing: 0.05, rocks: {{{}}}}}",
                     size, fields);
}

const std::string kSlab =
    ", {{name: slab, base: fixed, position: [{}, 0, {}], tree: {{bodies: [{{name: s, mass: 1, "
    "shape: "
    "{{box: [0.6, 4, {}]}}}}]}}}}";

std::string slab(double x, double z, double height) {
  return fmt::format(fmt::runtime(kSlab), x, z, height);
}

struct Mistake {
  const char* name;
  const char* says;  ///< a regular expression that something said must hold
  Scene scene;
};

/// What is said of a scene that is loaded and run: findings, or warnings and alarms.
std::vector<std::string> said_of(const Scene& scene) {
  std::vector<std::string> said;
  const auto add = [&](const Error& error) {
    for (const Issue& issue : error.issues()) said.push_back(to_string(issue));
  };
  try {
    const World world = load_text(scene.text());
    Observer nobody;
    const RunReport report =
        simulate(world, initial_state(world), {.end_time = world.settings.duration}, nobody);
    said = report.warnings;
    for (const Alarm& alarm : report.alarms) {
      said.push_back(fmt::format("{}: {}", to_string(alarm.kind), alarm.message));
    }
    EXPECT_EQ(report.outcome == Outcome::completed, report.alarms.empty());
  } catch (const Error& error) {
    add(error);
  }
  return said;
}

void expect_named(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const std::vector<std::string> said = said_of(mistake.scene);
    const std::regex wanted(mistake.says);
    bool is_named = false;
    std::string all;
    for (const std::string& sentence : said) {
      is_named = is_named || std::regex_search(sentence, wanted);
      all += "\n  " + sentence;
    }
    EXPECT_TRUE(is_named) << mistake.name << " should say '" << mistake.says
                          << "', and says:" << all;
  }
}

std::string at(const char* place) { return std::string("rover: four_wheel, ") + place; }

TEST(Mistakes, OfWhereTheRoverIsAreNamed) {
  expect_named({
      {"a metre above the ground",
       "begins 1 m above the ground",
       {.rover = at("position: [0, 0, 1.25], on_ground: true")}},
      {"under the ground",
       "wheel_under_ground",
       {.rover = at("position: [0, 0, -0.5], on_ground: true")}},
      {"wheels half in the ground",
       "begins with wheels 0.15 m deep",
       {.rover = at("position: [0, 0, 0.1], on_ground: true")}},
      {"upside down",
       "rolled_over.*180",
       {.rover = at("position: [0, 0, 0.6], on_ground: true, rpy_deg: [180, 0, 0]")}},
      {"on its side",
       "rolled_over",
       {.rover = at("position: [0, 0, 0.6], on_ground: true, rpy_deg: [95, 0, 0]")}},
      {"beside the map", "wheels beyond the map", {.rover = at("position: [30, 0, 0.25]")}},
      {"drives off the map",
       "off_map.*front_left",
       {.rover = at("position: [3.3, 0, 0.25], on_ground: true"),
        .commands = "{wheels: all, ground_speed: 0.5}",
        .duration = 2}},
      {"two rovers in each other",
       "rover and other overlap",
       {.models = ", {name: other, rover: four_wheel, position: [0.2, 0, 0.25], on_ground: true}",
        .contacts = "{model: terra, wheels: all, rover: rover}, {model: terra, wheels: all, rover: "
                    "other}",
        .commands = "{wheels: all, ground_speed: 0.1, rover: rover}"}},
      {"in a slab of rock",
       "front_left and slab/s overlap",
       {.models = slab(0, 0.2, 0.4),
        .contacts = kTerra + ", " + kBbcc + ", {model: bbcc, bodies: [slab/s]}",
        .duration = 0.1}},
      {"terrain without contacts", "falls through the ground", {.contacts = ""}},
      {"contacts without terrain", "no 'terrain'", {.terrain = "", .rover = "rover: four_wheel"}},
      {"contacts of another rover",
       "other: no entry of 'contacts'",
       {.models = ", {name: other, rover: four_wheel, position: [2, 0, 0.25], on_ground: true}",
        .contacts = "{model: terra, wheels: all, rover: rover}",
        .commands = "{wheels: all, ground_speed: 0.1, rover: rover}"}},
      {"hard wheels and no hard ground", "lets it touch the terrain", {.contacts = kBbcc}},
      {"a slope beyond the friction angle",
       "slope of 45.*friction angle",
       {.terrain = slope(45), .rover = "rover: four_wheel, on_ground: true, " + on_slope(45)}},
      {"parked on a slope that is too steep",
       "sliding: .*asked to stand",
       {.terrain = slope(42),
        .rover = "rover: four_wheel, on_ground: true, " + on_slope(42),
        .commands = "",
        .duration = 2.5}},
      {"thrown onto the soil",
       "too_fast",
       {.terrain = kLong, .rover = kRover + ", velocity: [15, 0, 0]"}},
  });
}

TEST(Mistakes, OfGravityAndSoilAreNamed) {
  const Own tiny{.radius = 0.03,
                 .width = 0.02,
                 .mass = "2",
                 .wheel_mass = "0.1",
                 .shape = "{box: [0.8, 0.5, 0.02], position: [0, 0, 0.1]}",
                 .place = "position: [0, 0, 0.03]"};
  const Own knife{.radius = 0.03,
                  .width = 0.002,
                  .mass = "2",
                  .wheel_mass = "0.1",
                  .shape = "{box: [0.8, 0.5, 0.02], position: [0, 0, 0.1]}",
                  .place = "position: [0, 0, 0.03]"};
  const std::string scm = "{model: scm, wheels: all}";
  expect_named({
      {"no gravity", "no gravity", {.gravity = "zero"}},
      {"gravity upwards", "gravity points 180", {.gravity = "[0, 0, 3.7]"}},
      {"gravity sideways", "gravity points 90", {.gravity = "[3.7, 0, 0]"}},
      {"gravity in mm/s²", "not mm/s²", {.gravity = "[0, 0, -9806.65]"}},
      {"moduli in kN",
       "soil mine does not bear rover.*not kN",
       {.terrain = soil("cohesive_modulus: 0.99, frictional_modulus: 1528")}},
      {"cohesion in mPa", "cohesion.*of rock", {.terrain = soil("cohesion: 1.04e6")}},
      {"shear modulus in mm",
       "shear_modulus.*not millimetres",
       {.terrain = soil("shear_modulus: 25")}},
      {"density in g/cm³", "density of 1.6 kg/m³.*not g/cm³", {.terrain = soil("density: 1.6")}},
      {"friction angle in degrees as radians",
       "friction_angle.*1.57",
       {.terrain = soil("friction_angle: 30")}},
      {"friction angle in radians as degrees",
       "friction angle of 0.5°",
       {.terrain = soil("friction_angle_deg: 0.5")}},
      {"soil of wheels of another width",
       "dlr_a: its figures come from",
       {.terrain = "{surface: {size: [8, 6]}, soil: dlr_a, spacing: 0.05}", .rover = knife.text()}},
      {"a rover far too heavy",
       "does not bear rover",
       {.rover = Own{.mass = "40000"}.text(), .duration = 0.1}},
      {"TerRA on Phobos", "TerRA's default parameters.*gravity", {.gravity = "phobos"}},
      {"a soil grid as coarse as half a wheel",
       "grid of 0.1 m is too coarse",
       {.terrain = "{surface: {size: [4, 4]}, soil: dry_sand, spacing: 0.1}",
        .contacts = scm,
        .duration = 0.02}},
      {"wheels too small for the soil grid",
       "too coarse for a wheel 0.02 m",
       {.terrain = "{surface: {size: [4, 4]}, soil: dry_sand, spacing: 0.02}",
        .rover = tiny.text(),
        .contacts = scm,
        .duration = 0.02}},
      {"a soil grid in a tenth of a millimetre",
       "a mesh that fine",
       {.terrain = "{surface: {size: [4, 4]}, soil: dry_sand, spacing: 0.0002}",
        .contacts = scm,
        .duration = 0.01}},
      {"rocks that nothing touches",
       "nothing touches the fixed rocks",
       {.terrain = rocks("size: [6, 4], sizes: {site: pathfinder, min_diameter: 0.2}")}},
      {"loose rocks that nothing touches",
       "loose rocks would fall",
       {.terrain = rocks("size: [4, 4], sizes: {site: pathfinder, min_diameter: 0.2, max_diameter: "
                         "0.3}, loose_below: 0.3")}},
      {"rocks as large as the terrain",
       "the field has no rock",
       {.terrain =
            rocks("size: [3, 3], sizes: {site: pathfinder, min_diameter: 4, max_diameter: 6}",
                  "[3, 3]")}},
      {"rocks beside the terrain",
       "rocks lie beside the terrain",
       {.terrain =
            rocks("size: [30, 30], sizes: {site: pathfinder, min_diameter: 0.5}", "[3, 3]")}},
      {"wheels that bounce for ever",
       "restitution of 1",
       {.models = slab(2.5, 0, 0.4),
        .contacts = kTerra +
                    ", {model: bbcc, wheels: all, material: {restitution: 1}}, {model: bbcc, "
                    "bodies: [slab/s]}"}},
  });
}

TEST(Mistakes, OfMotorsAndCommandsAreNamed) {
  const std::string exomars = "rover: exomars, position: [0, 0, 0.57], on_ground: true";
  std::string torques;
  for (const char* wheel : {"front_left", "front_right", "rear_left", "rear_right"}) {
    torques +=
        fmt::format("{}{{joint: rover/{}_drive, effort: 200}}", torques.empty() ? "" : ", ", wheel);
  }
  std::string rates = torques;
  for (std::size_t k; (k = rates.find("effort: 200")) != std::string::npos;) {
    rates.replace(k, 11, "velocity: 1");
  }
  expect_named({
      {"motors too weak for the slope",
       "sliding: .*the other way",
       {.terrain = slope(20),
        .rover =
            Own{.motor = "type: velocity, kd: 100, max_effort: 1", .place = on_slope(20)}.text(),
        .duration = 2.5}},
      {"motors too weak to turn the wheels",
       "servo_at_limit: .*100 %",
       {.rover = Own{.motor = "type: velocity, kd: 100, max_effort: 0.2"}.text(), .duration = 2.5}},
      {"a gain far too small",
       "stuck: .*too weak",
       {.rover = Own{.motor = "type: velocity, kd: 0.01"}.text(), .duration = 5.5}},
      {"a gain far too large",
       "too long for servo",
       {.rover = Own{.motor = "type: velocity, kd: 1e9"}.text(),
        .integrator = "{method: semi_implicit, step: 0.001}"}},
      {"20 m/s", "too_fast", {.terrain = kLong, .commands = "{wheels: all, ground_speed: 20}"}},
      {"mm/s", "too_fast", {.terrain = kLong, .commands = "{wheels: all, ground_speed: 100}"}},
      {"a rate for a speed",
       "too_fast",
       {.terrain = kLong, .commands = "{wheels: all, speed: 12}"}},
      {"torques without a limit",
       "too_fast",
       {.terrain = kLong, .rover = Own{.motor = "type: torque"}.text(), .commands = torques}},
      {"commands after the end",
       "begin at 60 s, and the run ends",
       {.commands = "{wheels: all, ground_speed: {times: [0, 60, 61], values: [0, 0, 0.1], "
                    "interpolation: linear}}"}},
      {"commands beyond stops",
       "lie beyond the joint's stops",
       {.rover = exomars,
        .contacts = kTerra,
        .commands = "{steer: all, angle_deg: 120}",
        .duration = 0.05}},
      {"a start beyond a stop",
       "lies beyond a stop",
       {.rover = exomars + ", joints: {left_pivot: {position_deg: 60}}"}},
      {"stops in degrees as radians",
       "are they degrees",
       {.rover = Own{.stops = ", lower: -90, upper: 90"}.text()}},
      {"one drive axis the other way, commanded by joint",
       "driven forward and .* backward",
       {.rover = Own{.last_axis = "[0, -1, 0]"}.text(), .commands = rates}},
      {"a rover on a fixed base", "base is fixed", {.rover = kRover + ", base: fixed"}},
  });
}

TEST(Mistakes, OfPathsAreNamed) {
  const Scene own_torque{.rover = Own{.motor = "type: torque"}.text(), .commands = path("[1, 0]")};
  expect_named({
      {"crab without steering",
       "crab_without_steering",
       {.commands = path("[1, 1]", ", mode: crab")}},
      {"a waypoint beyond the map",
       "waypoint 1 of rover at \\(40, 0\\) lies beyond the map",
       {.commands = path("[40, 0]")}},
      {"a path too long for the time", "takes 30 s at 0.1 m/s", {.commands = path("[3, 0]")}},
      {"a path that was not done",
       "waypoint_not_reached: .*waypoint 2 of 2 at \\(3, 0\\)",
       {.commands = path("[0.03, 0], [3, 0]"), .duration = 1}},
      {"a path that begins after the end",
       "never set out",
       {.commands = path("[1, 0]", ", start_time: 100")}},
      {"wheels without motors that hold a speed", "must be a velocity actuator", own_torque},
      {"a waypoint behind a wall",
       "waypoint_not_reached: .*3, 0.* at the nearest",
       {.models = slab(1.2, 0.5, 1.0),
        .contacts = kBbcc + ", {model: bbcc, terrain: true}, {model: bbcc, bodies: [slab/s]}",
        .commands = path("[3, 0]"),
        .duration = 8}},
      {"a tolerance longer than the path",
       "done where it begins",
       {.commands = path("[0.5, 0]", ", tolerance: 10")}},
      {"a lookahead longer than the path",
       "longer than the whole path",
       {.commands = path("[0.5, 0], [0.5, 0.5]", ", lookahead: 50")}},
      {"a waypoint behind the rover",
       "waypoint_not_reached: .*-0.6, 0",
       {.commands = path("[-0.6, 0]"), .duration = 7}},
      {"a path faster than soil is computed",
       "too_fast",
       {.terrain = kLong, .commands = "{path: {waypoints: [[40, 0]], speed: 5}}", .duration = 0.5}},
  });
}

TEST(Mistakes, OfTheRoversOwnNumbersAreNamed) {
  expect_named({
      {"radius in mm",
       "radius of 250 m, but a shape of 0.25 m",
       {.rover = Own{.rolls_as = 250}.text(), .contacts = kBbcc, .duration = 0.005}},
      {"radius of another wheel",
       "radius of 0.125 m, but a shape",
       {.rover = Own{.rolls_as = 0.125}.text()}},
      {"left and right exchanged",
       "'front_left' is on the right",
       {.rover = Own{.side = -0.4}.text()}},
      {"a drive axis along x",
       "must roll about the y axis",
       {.rover = Own{.axis = "[1, 0, 0]"}.text()}},
      {"a centre of mass beside the wheels",
       "beside its wheels \\(0.56 m forward",
       {.rover = Own{.com = "[0.9, 0, 0.3]"}.text()}},
      {"a centre of mass too high for the slope",
       "rolled_over",
       {.terrain = slope(25),
        .rover = Own{.com = "[0, 0, 3]", .place = on_slope(25)}.text(),
        .commands = "",
        .duration = 4}},
      {"a chassis lower than its wheels",
       "chassis begins 0.05 m deep in the ground",
       {.rover = Own{.shape = "{box: [0.8, 0.5, 0.6]}"}.text()}},
      {"a belly that comes down on the ground",
       "chassis_contact: rover/chassis touches",
       {.rover = Own{.mass = "400", .shape = "{box: [0.8, 0.5, 0.48]}"}.text(), .duration = 1}},
      {"masses in grams",
       "masses are in kilograms",
       {.rover = Own{.mass = "49000", .wheel_mass = "6000"}.text()}},
      {"masses in tonnes",
       "load per wheel",
       {.rover = Own{.mass = "0.049", .inertia = "[0.002, 0.003, 0.004]", .wheel_mass = "0.006"}
                     .text()}},
      {"inertia in kg mm²", "not kg mm²", {.rover = Own{.inertia = "[2e4, 3e4, 4e4]"}.text()}},
      {"an inertia that no body has",
       "triangle inequality",
       {.rover = Own{.inertia = "[1, 1, 4]"}.text()}},
  });
}

TEST(Mistakes, OfTheRunAreNamed) {
  const std::string rope =
      "tethers: [{name: rope, a: {body: world, position: [0, 0, 5]}, b: {body: rover/chassis}, "
      "stiffness: 5000, length: 1}]\n";
  const std::string spring =
      "springs: [{name: s, a: {body: world, position: [0, 0, 1]}, b: {body: rover/chassis}, "
      "stiffness: 1e7, damping: 10, rest_length: 2}]\n";
  expect_named({
      {"a step of 0.1 s",
       "step of 0.1 s is long",
       {.integrator = "{method: moreau_jean, step: 0.1}", .duration = 1}},
      {"a step of 0.1 s with an explicit method",
       "too long for servo",
       {.integrator = "{method: rk4, step: 0.1}"}},
      {"a step longer than the run",
       "longer than the run",
       {.integrator = "{method: moreau_jean, step: 0.5}"}},
      {"a record of nothing", "record holds only", {.record = "0.01"}},
      {"a tether shorter than the distance",
       "tether 'rope' begins with .* times the weight",
       {.rest = rope, .duration = 0.1}},
      {"a spring that throws the rover", "spring 's' begins", {.rest = spring, .duration = 0.1}},
      {"an event that cannot be",
       "waits for a contact",
       {.rover = kRover + ", chassis_contact: false",
        .rest = "events: [{name: touch, body: rover/chassis, contact_force: 10}]\n"}},
  });
}

// The table must not pass by warnings that every scene has.
TEST(Mistakes, OfASceneWithoutOneNothingIsSaid) {
  for (const Scene& scene :
       {Scene{.duration = 6}, Scene{.commands = path("[0.3, 0]"), .duration = 6},
        Scene{.rover = Own{}.text(), .duration = 2},
        Scene{.terrain = slope(10),
        .rover = "rover: four_wheel, on_ground: true, " + on_slope(10),
        .duration = 3}}) {
    const std::vector<std::string> said = said_of(scene);
    EXPECT_TRUE(said.empty()) << said.front() << "\n" << scene.text();
  }
}

}  // namespace
}  // namespace grouser::internal
