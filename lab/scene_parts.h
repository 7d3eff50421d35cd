#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "math/spatial.h"
#include "scene/scene_values.h"

/// Parts that scenes of set-ups and tests have in common, as values.
namespace grouser::internal {

inline List list_of(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// Gravity of a strength [m/s²] that leans towards x by an angle [rad].
inline List inclined_gravity(double strength, double incline) {
  return {strength * std::sin(incline), 0, -strength * std::cos(incline)};
}

/// A method of fixed step [s].
inline Map fixed_step(std::string_view method, double step) {
  return {{"method", method}, {"step", step}};
}

/// Shape of a box by its edges, or of a ball by its radius [m].
inline Map box_shape(double x, double y, double z) { return {{"box", List{x, y, z}}}; }
inline Map sphere_shape(double radius) { return {{"sphere", Map{{"radius", radius}}}}; }

/// Shape of a wheel by its radius and width [m], its axle along y.
inline Map wheel_shape(double radius, double width) {
  return {{"cylinder", Map{{"radius", radius}, {"length", width}}}, {"rpy_deg", List{90, 0, 0}}};
}

/// A hinge about y at a position [m] on the parent.
inline Map hinge(const std::string& name, const std::string& parent, List position) {
  return {{"name", name},
          {"type", "revolute"},
          {"parent", parent},
          {"position", std::move(position)},
          {"axis", List{0, 1, 0}}};
}

/// A body of a mass [kg], its inertia that of its shape.
inline Map body_of(const std::string& name, double mass, Map shape) {
  return {{"name", name}, {"mass", mass}, {"shape", std::move(shape)}};
}

/// A model of one free body at a position [m].
inline Map model_of(const std::string& name, List position, Map body) {
  return {{"name", name},
          {"position", std::move(position)},
          {"tree", Map{{"bodies", List{std::move(body)}}}}};
}

/// A model of one fixed box, its edges [m] given, whose top is z = 0; the body has the model's name.
inline Map slab(const std::string& name, double x, double y, double z) {
  constexpr double kMass = 1e4;  // it does not move, but must have one
  const Map shape = merged(box_shape(x, y, z), {{"position", List{0, 0, -z / 2}}});
  return {{"name", name},
          {"base", "fixed"},
          {"tree", Map{{"bodies", List{body_of(name, kMass, shape)}}}}};
}

/// A built-in rover, named "rover", at a position [m], above z = 0 or above the ground there.
inline Map rover_at(const char* rover, List position) {
  return {{"name", "rover"}, {"rover", rover}, {"position", std::move(position)}};
}
inline Map rover_above_ground(const char* rover, List position) {
  return merged(rover_at(rover, std::move(position)), {{"on_ground", true}});
}

/// Level ground of dry sand: its sides and the spacing of its grid [m].
inline Map level_sand(double x, double y, double spacing) {
  return {{"surface", Map{{"size", List{x, y}}, {"noise", Map{{"rms_deviation", 0}}}}},
          {"spacing", spacing},
          {"soil", "dry_sand"}};
}

/// Contact of all wheels by a model, of all of the ground by one.
inline Map all_wheels_by(const std::string& model) { return {{"model", model}, {"wheels", "all"}}; }
inline Map terrain_by(const std::string& model) { return {{"model", model}, {"terrain", true}}; }

/// Contact of convex bodies: of those named, or of all wheels of "rover", which do not touch each other.
inline Map body_contacts(List bodies, Map material) {
  return {{"model", "bbcc"}, {"bodies", std::move(bodies)}, {"material", std::move(material)}};
}
inline Map wheel_contacts(Map material) {
  return merged(all_wheels_by("bbcc"), {{"group", "rover"}, {"material", std::move(material)}});
}

/// A command that drives all wheels at a ground speed [m/s].
inline Map drive_at(double speed) { return {{"wheels", "all"}, {"ground_speed", speed}}; }

/// The same over time [s], straight between the points.
inline Map drive_by_table(List times, List speeds) {
  const Map table{
      {"times", std::move(times)}, {"values", std::move(speeds)}, {"interpolation", "linear"}};
  return {{"wheels", "all"}, {"ground_speed", table}};
}

/// A number without its decimals beyond some.
inline double rounded(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  return std::round(value * scale) / scale;
}

}  // namespace grouser::internal
