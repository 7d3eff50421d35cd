#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/contact_system.h"
#include "math/spatial.h"
#include "power/power_plant.h"

namespace grouser::internal {

/// A wheel stands while neither its rim nor its hub is faster than this [m/s]: a fortieth of what rovers drive at,
/// and more than soil, servos and springs creep under a parked one. It has no slip then: the ratio of two speeds that
/// are next to nothing says how they creep, not how the wheel rolls.
inline constexpr double kStandingSpeed = 1e-3;

/// A wheel at an instant, in the frame of the ground under it. Its normal n is that of the untouched terrain around the
/// place below the hub, smoothed over the size of the wheel (GroundSlope): upward, unit, without ruts, rocks and other
/// bodies; straight up in worlds without terrain. Forward is axle × n, made unit: along the ground, across the axle, the
/// way that the wheel rolls at a positive rate (the axle points to the left). Left is n × forward. The squares of
/// normal, pull and lateral force add up to that of the whole force.
struct WheelSample {
  double rate = 0;    ///< rolling rate, forward positive [rad/s]
  double steer = 0;   ///< steering angle [rad]
  double torque = 0;  ///< drive effort [N m]
  double slip =
      0;  ///< driving 1 - v/(ωr), braking ωr/v - 1 [-]; 0 without contact and while it stands
  /// Of v and ωr, which slip compares, the one of larger size, forward positive; 0 without contact [m/s].
  double fastest = 0;
  double sinkage = 0;  ///< of its deepest part below the untouched ground [m], >= 0
  /// Force of all contacts on the wheel along n, the load: pressing is positive [N].
  double normal = 0;
  double pull =
      0;  ///< the same force, forward: the drawbar pull; uphill a parked wheel has > 0 [N]
  double lateral = 0;  ///< the same force, to the left [N]
  /// From where the wheel heads to where its hub goes, to the left, |angle| <= π/2 [rad]; 0 without contact and while
  /// it stands.
  double slip_angle = 0;
  double power = 0;  ///< of the drive, torque times rate [W]
};

/// A rover at an instant.
struct RoverSample {
  Vec3 attitude = Vec3::Zero();  ///< roll, pitch, yaw of the chassis [rad]
  double path_deviation =
      0;  ///< of the chassis, from above, from the path it follows [m]; 0 without
};

/// Everything a recorder, plot or report may want to know about an instant. All finite.
struct Sample {
  double time = 0;          ///< [s]
  VecX q, v;                ///< joint positions and velocities
  std::vector<Pose> X_WB;   ///< per body
  std::vector<Twist> V_WB;  ///< per body, at its origin, axes of W
  VecX actuator_effort;     ///< per actuator [N m] or [N]
  VecX actuator_power;      ///< per actuator: effort times rate [W]
  VecX spring_force;        ///< per spring, pulling positive [N]
  VecX tether_tension;      ///< per tether [N]
  VecX loop_force;          ///< per loop equation [N], [N m]
  PowerState power;         ///< in worlds with electrical power
  double charge = 0;        ///< of the battery [-]
  double activity = 0;      ///< of the mission, counted from 0; their number after the last
  double parked = 0;        ///< 1 while brakes hold the rover
  std::vector<RoverSample> rovers;
  std::vector<WheelSample> wheels;         ///< of all rovers, in order
  std::vector<ContactReading> contacts;    ///< of contact_sensors(), in order
  std::vector<SoilCellSample> soil_cells;  ///< under all bodies, in order of contacts
  /// The ground as bodies have shaped it, for the time of the call only; nothing if they do not.
  const ElevationMap* ground = nullptr;
  /// Per contact system of the World: what else it knows of the instant, for the time of the call only.
  std::span<const std::unique_ptr<ContactScratch>> contact_details;
  double kinetic_energy = 0;    ///< [J]
  double potential_energy = 0;  ///< gravity and springs [J]
  double loop_residual = 0;     ///< largest |residual| of the loop equations [m], [rad]
};

/// An event that was located.
struct EventRecord {
  int event = 0;    ///< index into World::events
  double time = 0;  ///< [s]
};

}  // namespace grouser::internal
