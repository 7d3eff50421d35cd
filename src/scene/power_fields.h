#pragma once

#include <cmath>

#include "assets/fields.h"
#include "math/angle.h"
#include "scene/power_data.h"
#include "scene/yaml_reader.h"

/// The lists of what a scene says about its day and about electrical power; see assets/fields.h.
namespace grouser::internal {

inline constexpr double kWattHour = 3600;  // [J]

template <class Visitor>
void visit_fields(Day& day, Visitor& visit) {
  double latitude = day.latitude / kDegree, declination = day.declination / kDegree;
  visit(FieldInfo{"length", "of a solar day; that of Mars if not given", "s"}.above(0, 1e9),
        day.length);
  visit(FieldInfo{"start_hour", "local solar time at which the run begins; noon is 12", "h"}.in(0,
                                                                                                24),
        day.start_hour);
  visit(FieldInfo{"latitude_deg", "of the place, north is positive", "deg"}.in(-90, 90), latitude);
  visit(FieldInfo{"declination_deg", "of the sun, the season: Mars ±25.2, Earth ±23.4, Moon ±1.5",
                  "deg"}
            .in(-90, 90),
        declination);
  visit(FieldInfo{"temperature", "of the surroundings, mean over the day", "°C"}.in(-273, 500),
        day.temperature);
  visit(FieldInfo{"temperature_swing",
                  "half the difference of the extremes over the day, warmest at 14 h", "K"}
            .in(0, 300),
        day.temperature_swing);
  day.latitude = latitude * kDegree;
  day.declination = declination * kDegree;
}

template <class Visitor>
void visit_fields(BatterySpec& battery, Visitor& visit) {
  double capacity = battery.capacity / kWattHour;
  visit(FieldInfo{"capacity_Wh", "energy when it is full", "Wh"}.above(0, 1e7), capacity);
  visit(FieldInfo{"start_charge", "state of charge at time 0"}.in(0, 1), battery.start_charge);
  visit(FieldInfo{"voltage",
                  "without load over the state of charge: points [charge, volts], from 0 to 1", "V"}
            .in(0, 1e4),
        battery.voltage);
  visit(FieldInfo{"resistance", "internal, of the whole battery", "Ω"}.in(0, 1e3),
        battery.resistance);
  visit(FieldInfo{"max_depth", "of discharge: below what it leaves, only standing goes on"}.above(
            0, 1),
        battery.max_depth);
  visit(FieldInfo{"charge_efficiency", "stored over what arrives at the cells"}.above(0, 1),
        battery.charge_efficiency);
  battery.capacity = capacity * kWattHour;
}

inline void check_keys(BatterySpec& battery, MapReader& map) {
  map.require("capacity_Wh");
  const std::vector<Vec2>& points = battery.voltage;
  bool good = points.size() >= 2 && points.front().x() == 0 && points.back().x() == 1;
  for (std::size_t k = 0; k < points.size(); ++k) {
    good = good && points[k].y() > 0 && (k == 0 || points[k].x() > points[k - 1].x());
  }
  if (!good) map.refuse("voltage", "charges must rise from 0 to 1, voltages be above 0");
}

template <class Visitor>
void visit_fields(SolarSpec& solar, Visitor& visit) {
  visit(FieldInfo{"area", "of the cells", "m²"}.above(0, 1e4), solar.area);
  visit(FieldInfo{"efficiency", "of cells and converter; triple junction 0.25 to 0.3"}.above(0, 1),
        solar.efficiency);
  visit(FieldInfo{"irradiance",
                  "above the atmosphere: Mars 493 to 718, mean 590; Earth and Moon 1361", "W/m²"}
            .in(0, 1e4),
        solar.irradiance);
  visit(FieldInfo{"optical_depth", "of the atmosphere: Mars 0.3 to 1, storms above 3, Moon 0"}.in(
            0, 20),
        solar.optical_depth);
  visit(FieldInfo{"diffuse", "part of the light lost from the beam that arrives from the sky"}.in(
            0, 1),
        solar.diffuse);
  visit(FieldInfo{"dust", "part of the light that dust on the panel takes at time 0"}.in(0, 1),
        solar.dust);
  visit(FieldInfo{"dust_per_day",
                  "part of what still arrives that a day more of dust takes; "
                  "Mars about 0.0028"}
            .in(0, 1),
        solar.dust_per_day);
  visit(
      FieldInfo{"normal", "of the panel, in the frame of the chassis; of any length"}.in(-1e6, 1e6),
      solar.normal);
}

inline void check_keys(SolarSpec& solar, MapReader& map) {
  map.require("area");
  if (solar.normal.norm() == 0) {
    map.refuse("normal", "must not be zero");
  } else {
    solar.normal.normalize();
  }
}

template <class Visitor>
void visit_fields(HeaterSpec& heater, Visitor& visit) {
  visit(FieldInfo{"name", "of the heater"}, heater.name);
  visit(FieldInfo{"power", "while it is on", "W"}.above(0, 1e6), heater.power);
  visit(FieldInfo{"on_below", "its thermostat switches on", "°C"}.in(-273, 500), heater.on_below);
  visit(FieldInfo{"off_above", "its thermostat switches off", "°C"}.in(-273, 500),
        heater.off_above);
  visit(FieldInfo{"heat_capacity", "of what it heats; 1 kg of electronics has about 800", "J/K"}
            .above(0, 1e9),
        heater.heat_capacity);
  visit(FieldInfo{"conductance", "from there to the surroundings", "W/K"}.above(0, 1e6),
        heater.conductance);
}

inline void check_keys(HeaterSpec& heater, MapReader& map) {
  map.require("power");
  if (!(heater.off_above > heater.on_below)) map.error("'off_above' must be above 'on_below'");
}

template <class Visitor>
void visit_fields(LoadSpec& load, Visitor& visit) {
  visit(FieldInfo{"name", "of the load"}, load.name);
  visit(FieldInfo{"power", "that it takes all the time", "W"}.in(0, 1e6), load.power);
  visit(FieldInfo{"asleep", "whether it goes on at night, while the rover sleeps"}, load.asleep);
}

inline void check_keys(LoadSpec&, MapReader& map) { map.require("power"); }

template <class Visitor>
void visit_fields(MotorData& motor, Visitor& visit) {
  MotorSpec& spec = motor.spec;
  std::optional<double> constant, resistance;
  visit(FieldInfo{"on", "which actuators have it: `drives`, `steering`, or the name of one"},
        motor.on);
  visit(FieldInfo{"voltage", "nominal", "V"}.above(0, 1e4), spec.voltage);
  visit(FieldInfo{"stall_torque", "of the shaft at the nominal voltage", "N m"}.above(0, 1e5),
        spec.stall_torque);
  visit(FieldInfo{"no_load_speed", "of the shaft at the nominal voltage, without friction", "rad/s"}
            .above(0, 1e5),
        spec.no_load_speed);
  visit(FieldInfo{"torque_constant", "instead of the torque and speed above: torque per current",
                  "N m/A"}
            .above(0, 1e3),
        constant);
  visit(FieldInfo{"resistance", "with `torque_constant`: of the winding", "Ω"}.above(0, 1e6),
        resistance);
  visit(FieldInfo{"gear_ratio", "turns of the shaft per turn of the joint"}.above(0, 1e6),
        spec.gear_ratio);
  visit(FieldInfo{"gear_efficiency", "when the motor drives the joint"}.above(0, 1),
        spec.gear_efficiency);
  visit(FieldInfo{"back_efficiency", "when the joint drives the motor"}.above(0, 1),
        spec.back_efficiency);
  visit(FieldInfo{"friction", "of motor and gear, at the shaft", "N m"}.in(0, 1e5), spec.friction);
  visit(FieldInfo{"regenerates", "whether it charges the battery while it brakes"},
        spec.regenerates);
  visit(FieldInfo{"thermal_resistance", "from winding to surroundings", "K/W"}.in(0, 1e4),
        spec.thermal_resistance);
  visit(FieldInfo{"thermal_time", "time constant of the winding's temperature", "s"}.above(0, 1e6),
        spec.thermal_time);
  visit(FieldInfo{"max_temperature", "of the winding: no torque is left here", "°C"}.in(-100, 400),
        spec.max_temperature);
  visit(FieldInfo{"derating_band", "below `max_temperature`, over which torque falls", "K"}.above(
            0, 400),
        spec.derating_band);
  if (!constant || !resistance) return;
  spec.no_load_speed = spec.voltage / *constant;
  spec.stall_torque = spec.voltage * *constant / *resistance;
}

inline void check_keys(MotorData& motor, MapReader& map) {
  motor.place = map.place();
  const bool by_constant = map.find("torque_constant") != nullptr;
  const char* why = "give either the constant and the resistance or the torque and the speed";
  if (by_constant) {
    map.require("resistance");
    for (const char* key : {"stall_torque", "no_load_speed"}) map.refuse(key, why);
  } else {
    map.refuse("resistance", "goes with 'torque_constant'");
    map.require("stall_torque");
    map.require("no_load_speed");
  }
  if (motor.spec.friction >= motor.spec.stall_torque) {
    map.refuse("friction", "must be below the stall torque: the motor could not turn");
  }
}

template <class Visitor>
void visit_fields(PowerData& power, Visitor& visit) {
  visit(FieldInfo{"battery", "what all hangs on"}, power.spec.battery);
  visit(FieldInfo{"solar", "a panel"}, power.spec.solar);
  visit(FieldInfo{"heaters", "with thermostats"}, power.spec.heaters);
  visit(FieldInfo{"loads", "that are constant"}, power.spec.loads);
  visit(FieldInfo{"motors", "behind actuators; those without take the work they do, and no more"},
        power.motors);
}

inline void check_keys(PowerData& power, MapReader& map) {
  power.place = map.place();
  map.require("battery");
}

}  // namespace grouser::internal
