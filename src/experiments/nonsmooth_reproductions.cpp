#include "experiments/nonsmooth_reproductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/stepped_rover.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser {
namespace {

/// Height of the last body and its fastest part, sample by sample.
class Track : public Observer {
 public:
  void on_sample(const Sample& sample) override {
    time.push_back(sample.time);
    position.push_back(sample.X_WB.back().p);
    velocity.push_back(sample.V_WB.back().linear);
    fastest.push_back(sample.v.cwiseAbs().maxCoeff());
  }

  std::vector<double> time, fastest;
  std::vector<Vec3> position, velocity;
};

/// A body of 1 kg on a slab whose top is z = 0.
World on_slab(const std::string& shape, double height, double incline, double step,
              const std::string& material) {
  return load_scene_text(fmt::format(R"(grouser: 1
gravity: [{:.17g}, 0, {:.17g}]
integrator: {{method: moreau_jean, step: {}}}
record: {{rate_hz: {}}}
models:
  - name: slab
    base: fixed
    tree:
      bodies:
        - {{name: slab, mass: 1e4, shape: {{box: [100, 40, 2], position: [0, 0, -1]}}}}
  - name: block
    position: [0, 0, {:.17g}]
    tree:
      bodies:
        - {{name: block, mass: 1, shape: {{{}}}}}
contacts:
  - {{model: bbcc, bodies: [slab/slab, block/block], material: {{{}}}}}
)",
                                     9.81 * std::sin(incline), -9.81 * std::cos(incline), step,
                                     1 / step, height, shape, material),
                         "nonsmooth", ".");
}

Track tracked(const World& world, double end) {
  Track track;
  simulate(world, initial_state(world), {.end_time = end}, track);
  return track;
}

std::vector<ReproductionRow> block() {
  constexpr double kFriction = 0.5, kDegree = 0.017453292519943295;
  const double limit = std::atan(kFriction);
  const auto slides = [&](double incline, double end) {
    return tracked(
        on_slab("box: [0.2, 0.2, 0.2]", 0.1, incline, 0.005, "restitution: 0, friction: 0.5"), end);
  };
  const Track below = slides(limit - 0.1 * kDegree, 60);
  const double fastest = *std::max_element(below.fastest.begin() + 200, below.fastest.end());
  const double moved = (below.position.back() - below.position[200]).norm();
  const double steep = limit + kDegree;
  const double a = 9.81 * (std::sin(steep) - kFriction * std::cos(steep));
  const Track above = slides(steep, 2);
  const double gained = above.velocity.back().x() - above.velocity[200].x();
  return {analytic_row("0.1 deg below the friction angle: fastest from 1 to 60 s", "m/s", 0,
                       fastest, 1e-12),
          analytic_row("0.1 deg below: moved from 1 to 60 s", "m", 0, moved, 1e-9),
          analytic_row("1 deg above: acceleration", "m/s2", a, gained, 1e-6)};
}

std::vector<ReproductionRow> bounce() {
  constexpr double kRestitution = 0.8, kStep = 1e-4;
  const World world =
      on_slab("sphere: {radius: 0.1}", 1.1, 0, kStep, "restitution: 0.8, friction: 0");
  const Track track = tracked(world, 4);
  std::vector<ReproductionRow> rows;
  double expected = 1;
  std::size_t k = 0;
  for (int n = 1; n <= 5; ++n) {
    while (k < track.time.size() && track.velocity[k].z() <= 0) ++k;  // falls
    double top = 0;
    for (; k < track.time.size() && track.velocity[k].z() > 0; ++k) {
      top = std::max(top, track.position[k].z() - 0.1);
    }
    expected *= kRestitution * kRestitution;
    rows.push_back(analytic_row(fmt::format("height of bounce {}", n), "m", expected, top, 1e-4));
  }
  return rows;
}

/// The built-in rover drops on a floor and drives at a step of 0.1 m.
struct StepRun {
  RunReport report;
  Track track;
};

StepRun drive_at_step(double friction) {
  const World world = load_scene_text(fmt::format(R"(grouser: 1
gravity: [0, 0, -3.69]
integrator: {{method: moreau_jean, step: 0.002}}
record: {{rate_hz: 500}}
models:
  - name: floor
    base: fixed
    tree:
      bodies:
        - {{name: floor, mass: 1e4, shape: {{box: [20, 4, 2], position: [0, 0, -1]}}}}
        - name: step
          mass: 1e4
          shape: {{box: [10, 4, 2], position: [6.2, 0, -0.9]}}
          joint: {{type: fixed, parent: floor}}
  - {{name: rover, rover: exomars, position: [0, 0, 0.62]}}
contacts:
  - {{model: bbcc, bodies: [floor/floor, floor/step], material: {{restitution: 0.1, friction: {0}}}}}
  - {{model: bbcc, wheels: all, group: rover, material: {{restitution: 0.1, friction: {0}}}}}
commands:
  - {{wheels: all, ground_speed: {{times: [0, 2, 2.5], values: [0, 0, 0.1]}}}}
)",
                                                  friction),
                                      "nonsmooth", ".");
  StepRun run;
  run.report = simulate(world, initial_state(world), {.end_time = 30}, run.track);
  return run;
}

std::vector<ReproductionRow> step() {
  const StepRun smooth = drive_at_step(0.35), rough = drive_at_step(0.8);
  // The fall ends after sqrt(2 · 0.04125 / 3.69) s; no force is large enough to stop it in one step.
  double jump = 0;
  for (std::size_t k = 1; k < smooth.track.time.size() && smooth.track.time[k] < 0.5; ++k) {
    jump = std::max(jump, smooth.track.velocity[k].z() - smooth.track.velocity[k - 1].z());
  }
  const auto end = [](const StepRun& run) { return run.track.position.back(); };
  const double fall = std::sqrt(2 * 3.69 * 0.04125);
  return {analytic_row("landing: jump of the last wheel's velocity", "m/s", 1.1 * fall, jump,
                       0.1 * fall),
          analytic_row("friction 0.35: overlap beyond the margin", "m", 0,
                       smooth.report.impulses->worst_overlap, 1e-4),
          analytic_row("friction 0.35: the last wheel's height above the floor (stalls)", "m",
                       0.129, end(smooth).z(), 1e-3),
          analytic_row("friction 0.8: the last wheel's height above the floor (climbs)", "m", 0.229,
                       end(rough).z(), 1e-3)};
}

struct SlopeInstant {
  double time, x, v;
};
/// Of an independent nonsmooth program, every solve to 1e-8. [cm], [cm/s]
constexpr SlopeInstant kSlope[] = {{50, 244.991, 9.75564},   {100, 726.645, 9.51002},
                                   {130, 915.659, 2.54801},  {140, 926.640, 0.01908},
                                   {180, 923.467, -0.17777}, {200, 821.863, -10.2286},
                                   {250, -1987.12, -102.131}};

double slope_torque(double k) {
  const double t = 0.005 * k;
  if (t <= 50) return 0;
  if (t <= 100) return 885;
  if (t < 138.365) return 50 + 0.08 * k;
  if (t <= 180) return 885;
  if (t < 200) return 50 + 0.08 * (k - 50);
  return 10000;
}

RoverStepper slope_rover() {
  return {rover_b(0.02),
          {.friction = 0.3,
           .steering_stiffness = 15000,
           .steering_damping = 15000,
           .torque = slope_torque}};
}

std::vector<ReproductionRow> slope() {
  RoverStepper rover = slope_rover();
  std::vector<ReproductionRow> rows;
  const auto add = [&](std::string quantity, const char* unit, double paper, double ours,
                       double tolerance) {
    rows.push_back({.quantity = std::move(quantity),
                    .unit = unit,
                    .paper = paper,
                    .ours = ours,
                    .tolerance = tolerance});
  };
  // Of the reference x is horizontal, from where the trunk stood before the plane was tilted about the origin.
  const double offset = 55 * std::sin(0.02), level = std::cos(0.02);
  rover.run_to(25);
  const char* kNames[] = {"front", "middle", "back"};
  const double kRolling[] = {1640.5, 1337.6, 1337.5}, kSpinning[] = {1852.9, 1691.2, 771.4};
  const std::size_t kWheel[] = {0, 2, 3};
  for (int w = 0; w < 3; ++w) {
    add(fmt::format("{} load, no torque", kNames[w]), "kg cm/s2", kRolling[w],
        rover.load(kWheel[w]), 1e-3 * kRolling[w]);
  }
  for (const SlopeInstant& instant : kSlope) {
    rover.run_to(instant.time);
    add(fmt::format("x at {} s", instant.time), "cm", instant.x, offset + level * rover.x(),
        1e-3 * std::abs(instant.x));
    // The listing has five decimals.
    add(fmt::format("v at {} s", instant.time), "cm/s", instant.v, level * rover.v(),
        1e-3 * std::abs(instant.v) + 5e-6);
  }
  for (int w = 0; w < 3; ++w) {
    add(fmt::format("{} load, torque 10000", kNames[w]), "kg cm/s2", kSpinning[w],
        rover.load(kWheel[w]), 1e-3 * kSpinning[w]);
  }
  rows.push_back(analytic_row("steps whose impulses missed 1e-8", "-", 0,
                              static_cast<double>(rover.unsolved()), 0));
  return rows;
}

Figure slope_figure() {
  RoverStepper rover = slope_rover();
  Series speed{.label = "trunk"}, rim{.label = "rim of a back wheel", .dashed = true};
  Series reference{.label = "reference", .line = false, .markers = true};
  for (double t = 0.5; t <= 250; t += 0.5) {
    rover.run_to(t);
    speed.x.push_back(t);
    speed.y.push_back(rover.v());
    rim.x.push_back(t);
    rim.y.push_back(-30 * rover.wheel_rate(3));
  }
  for (const SlopeInstant& instant : kSlope) {
    reference.x.push_back(instant.time);
    reference.y.push_back(instant.v / std::cos(0.02));
  }
  Panel all{.title = "Slope of 0.02 rad, six phases of torque",
            .x = {.label = "time [s]"},
            .y = {.label = "speed downhill [cm/s]", .low = -150.0},
            .series = {speed, rim, reference}};
  Panel held = all;
  held.title = "The phases before the wheels spin";
  held.x.high = 200;
  held.y.low = -12;
  held.y.high = 12;
  return {.panels = {all, held}};
}

std::vector<ReproductionRow> hold() {
  constexpr double kHoldSlope = 0.1707233487;
  RoverStepper rover(
      rover_a(kHoldSlope),
      {.friction = 0.8, .steering_stiffness = 15, .steering_damping = 15, .torque = [](double k) {
         return 0.87072 + (k <= 6000 ? 0 : 1e-6 * k);
       }});
  rover.run_to(1);
  double fastest = 0;
  for (int s = 2; s <= 30; ++s) {
    rover.run_to(s);
    fastest = std::max(fastest, rover.fastest());
  }
  const double level = std::cos(kHoldSlope), x30 = rover.x(),
               loads[] = {rover.load(0), rover.load(2), rover.load(3)};
  rover.run_to(35);
  const double x35 = rover.x() - x30;
  rover.run_to(40);
  const double x40 = rover.x() - x30, v40 = rover.v();
  const auto reference = [](std::string quantity, const char* unit, double paper, double ours,
                            double part) {
    return ReproductionRow{.quantity = std::move(quantity),
                           .unit = unit,
                           .paper = paper,
                           .ours = ours,
                           .tolerance = part * paper};
  };
  return {
      analytic_row("held: fastest of all velocities from 1 to 30 s", "m/s", 0, fastest, 1e-9),
      reference("rear load", "N", 50.730, loads[0], 1e-3),
      reference("centre load", "N", 40.612, loads[1], 1e-3),
      reference("front load", "N", 26.112, loads[2], 1e-3),
      // The reference does not say in which step the ramp begins; a step later is 0.2 % of x(35).
      reference("ramp: x(35) - x(30)", "m", 0.055773, level * x35, 2e-3),
      reference("ramp: x(40) - x(30)", "m", 0.235039, level * x40, 2e-3),
      reference("ramp: v(40)", "m/s", 0.04938, level * v40, 2e-3),
      // m x'' = 6 (τ - τ₀)/r summed over the steps, with m = 64.6 + 6 I/r².
      analytic_row("ramp by hand: x(40) - x(30), along the slope", "m", 0.2387812, x40, 1e-6)};
}

}  // namespace

std::vector<Reproduction> nonsmooth_reproductions() {
  return {
      {"nonsmooth/block", "Block on an incline: sticks exactly below the friction angle", block},
      {"nonsmooth/bounce", "Sphere with restitution 0.8: heights e^2n h0", bounce},
      {"nonsmooth/step", "Rover drops and drives at a step of 0.1 m (3DROV)", step},
      {"nonsmooth/slope", "Rover on a slope, six phases of torque (3DROV)", slope, slope_figure},
      {"nonsmooth/hold", "Rover held on a slope by torque, then a ramp of torque", hold},
  };
}

}  // namespace grouser
