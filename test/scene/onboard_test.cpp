// On-board controllers on TerRA: what they are for gets better, measured against the same drive without them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/angle.h"
#include "sim/simulation.h"
#include "support.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

constexpr double kSpeed = 0.1;  // asked of the wheels [m/s]

/// The rover on a slope along x, heading `yaw_deg` from uphill.
std::string slope_scene(double slope, double yaw_deg, const std::string& rest) {
  const auto height = [slope](double x) { return std::to_string(slope * x); };
  const double tilt = std::atan(slope) / kDegree;
  return "grouser: 1\ngravity: mars\nduration: 60\n"
         "integrator: {method: semi_implicit, step: 0.002}\nrecord: {rate_hz: 0}\n"
         "terrain:\n  surface: {size: [24, 24], profile: {points: [[-12, " +
         height(-12) + "], [12, " + height(12) +
         "]]}}\n  spacing: 0.1\n  soil: dry_sand\n"
         "  zones: [{name: left, polygon: [[-12, 0], [12, 0], [12, 12], [-12, 12]], soil: "
         "lunar_nominal}]\n"
         "models: [{name: rover, rover: exomars, position: [0, 0, 0.55], on_ground: true, rpy_deg: "
         "[" +
         std::to_string(tilt * std::sin(yaw_deg * kDegree)) + ", " +
         std::to_string(-tilt * std::cos(yaw_deg * kDegree)) + ", " + std::to_string(yaw_deg) +
         "]}]\ncontacts: [{model: terra, wheels: all}]\n" + rest;
}

const char* const kDrive =
    "commands: [{wheels: all, ground_speed: {times: [0, 2, 4], values: [0, 0, 0.1], interpolation: "
    "linear}}]\n";

struct Drive {
  double speed = 0;        // of the chassis over the last stretch [m/s]
  double slip_spread = 0;  // of the means of the wheels [-]
  double energy = 0;       // over way [J/m]
  double deviation = 0;    // from the path, at the end [m]
};

Drive drive(const std::string& text) {
  const World world = load_text(text);
  Simulation simulation(world);
  constexpr int kBegin = 20, kEnd = 40;  // [s]
  simulation.run_to(kBegin);
  const Vec3 from = simulation.sample().X_WB[0].p;
  const double energy = simulation.report().energy;
  std::vector<double> slip(simulation.sample().wheels.size());
  for (int time = kBegin + 1; time <= kEnd; ++time) {
    simulation.run_to(time);
    for (std::size_t w = 0; w < slip.size(); ++w) {
      slip[w] += simulation.sample().wheels[w].slip / (kEnd - kBegin);
    }
  }
  const double way = (simulation.sample().X_WB[0].p - from).norm();
  const auto [low, high] = std::ranges::minmax(slip);
  return {.speed = way / (kEnd - kBegin),
          .slip_spread = high - low,
          .energy = (simulation.report().energy - energy) / way,
          .deviation = simulation.sample().rovers[0].path_deviation};
}

Drive uphill(const std::string& controllers) {
  return drive(slope_scene(0.15, 0, kDrive + controllers));
}

// Uphill, slip and weak servos leave 0.054 m/s of the 0.1 that are asked for; measured 0.080 and 0.1000.
TEST(Onboard, SlipCompensationAndSpeedControlKeepTheSpeed) {
  const Drive without = uphill("");
  const Drive slip = uphill("controllers: [{control: slip}]\n");
  const Drive speed = uphill("controllers: [{control: speed, limit: 1}]\n");
  EXPECT_LT(without.speed, 0.7 * kSpeed);
  EXPECT_NEAR(slip.speed, kSpeed, 0.5 * (kSpeed - without.speed));
  EXPECT_NEAR(speed.speed, kSpeed, 0.02 * kSpeed);
}

// Measured: 0.133 and 0.001; 117 and 115 J/m, with 3 % more speed.
TEST(Onboard, TractionControlSharesTheSlip) {
  const Drive without = uphill("");
  const Drive with = uphill("controllers: [{control: traction, gain: 0.3}]\n");
  EXPECT_LT(with.slip_spread, 0.1 * without.slip_spread);
  EXPECT_LT(with.energy, without.energy);
  EXPECT_GT(with.speed, without.speed);
}

// Without it the rover follows its path 38 mm lower than it should, measured; with it 2 mm.
TEST(Onboard, HeadingControlHoldsALineAcrossASlope) {
  const std::string path = "commands: [{path: {waypoints: [[0, 9]], speed: 0.1}}]\n";
  const Drive without = drive(slope_scene(0.15, 90, path));
  const Drive with = drive(slope_scene(0.15, 90, path + "controllers: [{control: heading}]\n"));
  EXPECT_GT(without.deviation, 0.02);
  EXPECT_LT(with.deviation, 0.2 * without.deviation);
}

TEST(Onboard, SeveralAtTheirOwnRatesResumeToTheBit) {
  const World world = load_text(slope_scene(
      0.1, 60,
      std::string(kDrive) +
          "controllers: [{control: slip, rate_hz: 3}, {control: heading, rate_hz: 7}]\n"));
  Simulation whole(world);
  whole.run_to(12);
  for (const double split : {4.3, 7.7777}) {
    Simulation first(world);
    first.run_to(split);
    Simulation second(world, first.resumable());
    second.run_to(12);
    EXPECT_TRUE(second.state() == whole.state()) << split;
  }
}

TEST(Onboard, SaysWhatIsWrong) {
  const auto first_issue = [](const std::string& controller) {
    const std::vector<Issue> issues =
        issues_of(slope_scene(0.1, 0, "controllers: [" + controller + "]\n"));
    return issues.empty() ? std::string() : to_string(issues.front());
  };
  EXPECT_THAT(first_issue("{control: slop}"), HasSubstr("did you mean 'slip'"));
  EXPECT_THAT(first_issue("{control: slip, gain: 3}"), HasSubstr("no effect"));
  EXPECT_THAT(first_issue("{gain: 3}"), HasSubstr("control"));
  EXPECT_THAT(first_issue("{control: slip, rover: bus}"), HasSubstr("bus"));
}

}  // namespace
}  // namespace grouser::internal
