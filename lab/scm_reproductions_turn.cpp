#include <fmt/format.h>

#include <cmath>

#include "core/parallel.h"
#include "lab/scene_parts.h"
#include "lab/scm_reproduction_parts.h"
#include "math/angle.h"
#include "multibody/kinematics.h"
#include "sim/simulate.h"

/// A rover turns on the spot in the gravity of Phobos.
namespace grouser::internal {
namespace {

constexpr double kSettle = 8, kRamp = 2, kRest = 3;    // [s]
constexpr double kHalfTrack = 0.24, kHalfBase = 0.16;  // of the rover 'mmx' [m]
constexpr double kRadius = 0.107,
                 kAxleBelow = 0.23;  // its wheels', and how far below its middle they are [m]
constexpr double kGrouser = 0.006;   // height, assumed [m]
constexpr double kRimSpeed = 0.01;   // [m/s]

struct TurnCase {
  double cohesion = 0;  ///< [Pa]
  int grousers = 0;     ///< on each wheel
  double spacing = 0;   ///< of the soil's grid [m]
};

/// Wheels of both sides turn against each other, as far as turns the rover by `angle` [rad] if wheels in line with
/// its middle would roll on their outermost parts without slip.
Map turn_scene(double angle, const TurnCase& turn) {
  const double outside = turn.grousers > 0 ? kGrouser : 0;
  const double rim = kRimSpeed * kRadius / (kRadius + outside);
  // A ramp costs half its time.
  const double whole = kSettle + kHalfTrack * angle / kRimSpeed;
  const auto side = [&](List wheels, double speed) {
    return merged(
        drive_by_table({kSettle, kSettle + kRamp, whole, whole + kRamp}, {0, speed, speed, 0}),
        {{"wheels", std::move(wheels)}});
  };
  const Map wheel{{"radius", kRadius},
                  {"width", 0.05},
                  {"rim_thickness", 0},
                  {"grousers", Map{{"count", turn.grousers}, {"height", kGrouser}}}};
  const Map soil{{"preset", "phobos"}, {"cohesion", turn.cohesion}};
  return {{"gravity", "phobos"},
          {"duration", whole + kRamp + kRest},
          {"integrator", fixed_step("semi_implicit", 0.002)},
          {"terrain", merged(level_sand(2, 2, turn.spacing), {{"soil", soil}})},
          {"contacts", List{merged(all_wheels_by("scm"), {{"wheel", wheel}})}},
          {"models", List{rover_at("mmx", {0, 0, kAxleBelow + kRadius + outside})}},
          {"commands", List{side({"front_left", "rear_left"}, -rim),
                            side({"front_right", "rear_right"}, rim)}}};
}

/// Heading reached, left positive [rad].
double heading_after(double angle, const TurnCase& turn) {
  const World world = load_scene_values(turn_scene(angle, turn), "reproduce:mmx-turn", {});
  Observer nobody;
  const RunReport report =
      simulate(world, initial_state(world), {.end_time = world.settings.duration}, nobody);
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, report.state.q, report.state.v, kinematics);
  const Mat3& R = kinematics.X_WB[static_cast<std::size_t>(world.rovers.front().chassis)].R;
  return std::atan2(R(1, 0), R(0, 0));
}

}  // namespace

// The paper shows two pictures and no number. The rover has no steering: to turn, its wheels slide sideways.
//
// Smooth wheels whose grip is the same in all directions slide along (v - Ωa, Ωl), with v of the rim, a and l half of
// track and base. Forces against that have no moment about the middle if (v - Ωa) a = Ωl²: whatever the strength, the
// rover turns by a²/(a² + l²) of what it would without slip. So it does with grousers and the soil between them. What
// is left is that walls of soil hold the wheels back sideways, more or less as cohesion lets them sink.
std::vector<ReproductionRow> scm_mmx_turn() {
  constexpr double kNominal = 90 * kDegree;
  // Bars of a few millimetres want a finer grid.
  constexpr TurnCase kCases[] = {
      {20, 0, 0.005}, {200, 0, 0.005}, {20, 16, 0.0025}, {200, 16, 0.0025}};
  double heading[4];  // [deg]
  parallel_for(4, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      heading[k] = heading_after(kNominal, kCases[k]) / kDegree;
    }
  });
  constexpr double kPart =
      kHalfTrack * kHalfTrack / (kHalfTrack * kHalfTrack + kHalfBase * kHalfBase);
  std::vector<ReproductionRow> rows;
  for (int k = 0; k < 4; ++k) {
    rows.push_back({.quantity = fmt::format("{} grousers, {:g} Pa: heading", kCases[k].grousers,
                                            kCases[k].cohesion),
                    .unit = "deg",
                    .expected = 90 * kPart,
                    .ours = heading[k],
                    .tolerance = 4});
  }
  return rows;
}

}  // namespace grouser::internal
