#include "lab/nonsmooth_reproductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/bbcc_set_ups.h"
#include "lab/nonsmooth_figures.h"
#include "lab/nonsmooth_set_ups.h"
#include "lab/stepped_rover.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

std::vector<ReproductionRow> block() {
  const double limit = std::atan(kBlockFriction);
  const BodyTrack below = block_on_incline(limit - 0.1 * kDegree, 60);
  const double fastest = *std::max_element(below.fastest.begin() + 200, below.fastest.end());
  const double moved = (below.position.back() - below.position[200]).norm();
  const double steep = limit + kDegree;
  const double a = 9.81 * (std::sin(steep) - kBlockFriction * std::cos(steep));
  const BodyTrack above = block_on_incline(steep, 2);
  const double gained = above.velocity.back().x() - above.velocity[200].x();
  return {analytic_row("0.1 deg below the friction angle: fastest from 1 to 60 s", "m/s", 0,
                       fastest, 1e-12),
          analytic_row("0.1 deg below: moved from 1 to 60 s", "m", 0, moved, 1e-9),
          analytic_row("1 deg above: acceleration", "m/s2", a, gained, 1e-6)};
}

std::vector<ReproductionRow> bounce() {
  const BodyTrack track = bouncing_sphere(5);
  std::vector<ReproductionRow> rows;
  double expected = 1;
  std::size_t k = 0;
  for (int n = 1; n <= 10; ++n) {
    while (k < track.time.size() && track.velocity[k].z() <= 0) ++k;  // falls
    double top = 0;
    for (; k < track.time.size() && track.velocity[k].z() > 0; ++k) {
      top = std::max(top, track.position[k].z() - kBounceRadius);
    }
    expected *= kBounceRestitution * kBounceRestitution;
    rows.push_back(analytic_row(fmt::format("height of bounce {}", n), "m", expected, top, 1e-4));
  }
  return rows;
}

/// Friction against rolling and spinning of a ball (1 kg, 0.25 kg m², radius 0.5 m).
std::vector<ReproductionRow> turning() {
  using T = BbccTable1;
  // Rolling, v falls by a = ρ g / (r + I/(m r)); spinning, the rate by s m g / I.
  const double a = kTurningLength * T::kGravity / (T::kRadius + T::kInertia / T::kRadius);
  const double spin = kTurningLength * T::kGravity / T::kInertia;
  const Track rolled = turning_ball(0, 1, 0, 7), spun = turning_ball(0, 0, 2, 4);
  const auto after = [](const Track& track, double time) {
    return *std::ranges::find_if(track.points(),
                                 [&](const Track::Point& p) { return p.time >= time - 1e-9; });
  };
  const double limit = std::atan(kTurningLength / T::kRadius), steep = limit + kDegree;
  const double down = (std::sin(steep) - kTurningLength / T::kRadius * std::cos(steep)) *
                      T::kGravity / (1 + T::kInertia / (T::kRadius * T::kRadius));
  const Track held = turning_ball(limit - 0.1 * kDegree, 0, 0, 60);
  const Track rolls = turning_ball(steep, 0, 0, 3);
  return {
      analytic_row("rolling out: speed after 3 s", "m/s", 1 - 3 * a, after(rolled, 3).V.linear.x(),
                   1e-7),
      analytic_row("rolling out: distance until it rests", "m", 0.5 / a,
                   rolled.points().back().p.x(), 1e-5),
      analytic_row("rolling out: speed at rest", "m/s", 0, rolled.points().back().V.linear.norm(),
                   1e-12),
      analytic_row("spinning: rate after 2 s", "rad/s", 2 - 2 * spin, after(spun, 2).V.angular.z(),
                   1e-7),
      analytic_row("spinning: rate at rest", "rad/s", 0, spun.points().back().V.angular.norm(),
                   1e-12),
      analytic_row("0.1 deg below atan(ρ/r): moved from 1 to 60 s", "m", 0,
                   (held.points().back().p - after(held, 1).p).norm(), 1e-9),
      analytic_row("1 deg above: acceleration", "m/s2", down,
                   (rolls.points().back().V.linear.x() - after(rolls, 1).V.linear.x()) / 2, 1e-6)};
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

std::vector<ReproductionRow> hold() {
  RoverStepper rover = held_rover();
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
      {"nonsmooth/block", "Block on an incline: sticks exactly below the friction angle", block,
       block_figure},
      {"nonsmooth/bounce", "Sphere with restitution 0.8: heights e^2n h0", bounce, bounce_figure},
      {"nonsmooth/turning", "Ball with friction against rolling and spinning", turning,
       turning_figure},
      {"nonsmooth/step", "Rover drops and drives at a step of 0.1 m (3DROV)", step, step_figure},
      {"nonsmooth/slope", "Rover on a slope, six phases of torque (3DROV)", slope, slope_figure},
      {"nonsmooth/hold", "Rover held on a slope by torque, then a ramp of torque", hold,
       hold_figure},
  };
}

}  // namespace grouser::internal
