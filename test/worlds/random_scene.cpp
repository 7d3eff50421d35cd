#include "random_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include "core/rng.h"
#include "lab/scene_parts.h"
#include "math/angle.h"
#include "terrain/soil.h"

namespace grouser::internal {
namespace {

struct RoverOnGround {
  const char* name;
  double height;  ///< of the chassis' origin when the wheels just touch level ground [m]
  double radius, width, speed;  ///< of the wheels [m]; of driving [m/s]
};
constexpr std::array kRovers = {RoverOnGround{"exomars", 0.58, 0.129, 0.1, 0.1},
                                RoverOnGround{"four_wheel", 0.26, 0.25, 0.2, 0.2},
                                RoverOnGround{"mmx", 0.34, 0.107, 0.05, 0.05},
                                RoverOnGround{"rocker_bogie", 1.11, 0.254, 0.4, 0.25}};
constexpr std::array kFastModels = {"terra", "bekker", "bjh", "bwr", "rheological"};
constexpr std::array kGravities = {1.62, 3.71, 9.81};  // [m/s²]

/// Draws choices one after the other.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : rng_(seed) {}

  double between(double low, double high) { return rng_.uniform(low, high); }
  double between(double low, double high, int decimals) {
    return rounded(rng_.uniform(low, high), decimals);
  }
  bool chance(double part) { return rng_.uniform(0, 1) < part; }
  template <class Range>
  const auto& one_of(const Range& range) {
    const double place = rng_.uniform(0, 1) * static_cast<double>(std::size(range));
    return range[std::min(static_cast<std::size_t>(place), std::size(range) - 1)];
  }

 private:
  CounterRng rng_;
};

List hard_contacts(const char* model) {
  const Map material{{"friction", 0.7}};
  return {merged(all_wheels_by(model), {{"group", "rover"}, {"material", material}}),
          merged(terrain_by(model), {{"material", material}})};
}

List contacts_of_wheels(Dice& dice, const RoverOnGround& rover, bool soft) {
  if (!soft && dice.chance(0.3)) return hard_contacts(dice.one_of(std::array{"bbcc", "pcm"}));
  if (!soft) return {all_wheels_by(dice.one_of(kFastModels))};
  const Map scm = all_wheels_by("scm");
  if (dice.chance(0.5)) return {scm};
  const double part = dice.between(0.02, 0.1);
  const Map grousers{{"count", dice.one_of(std::array{6, 12, 18, 24})},
                     {"height", rounded(rover.radius * part, 4)}};
  const Map wheel{{"radius", rover.radius}, {"width", rover.width}, {"grousers", grousers}};
  return {merged(scm, {{"wheel", wheel}})};
}

/// Fast models refuse soils whose fitted k_c lets a narrow wheel carry nothing.
std::string soil_for(Dice& dice, bool soft) {
  const Soil* soil = &dice.one_of(soil_presets());
  while (!soft && soil->cohesive_modulus < 0) soil = &dice.one_of(soil_presets());
  return soil->name;
}

Map rocks(Dice& dice) {
  const int seed = dice.one_of(std::array{1, 2, 3, 4, 5});
  const double loose_below = dice.between(0.12, 0.16, 2), max_diameter = dice.between(0.15, 0.3, 2);
  const Map sizes{{"site", "pathfinder"}, {"min_diameter", 0.1}, {"max_diameter", max_diameter}};
  return {{"size", List{3, 2}}, {"sizes", sizes}, {"loose_below", loose_below}, {"seed", seed}};
}

/// Soil and rocks against each other and the wheels.
List rock_contacts() {
  const Map material{{"friction", 0.7}, {"restitution", 0.1}};
  return {Map{{"model", "scm"}, {"rocks", true}}, wheel_contacts(material),
          Map{{"model", "bbcc"}, {"rocks", true}, {"material", material}}};
}

/// Hilly or nearly flat, with a grid of 1 to 3 cm.
Map ground(Dice& dice, double spacing, bool soft) {
  const std::string soil = soil_for(dice, soft);
  const Map noise{{"hurst", 0.8}, {"rms_deviation", dice.between(0.002, 0.05, 3)}};
  return {{"surface", Map{{"size", List{9, 6}}, {"noise", noise}}},
          {"spacing", spacing},
          {"soil", soil}};
}

Map path(Dice& dice, double speed) {
  const double start_time = dice.between(0, 0.5, 2), last = dice.between(-0.5, 0.5, 2),
               first = dice.between(-0.5, 0.5, 2);
  return {{"waypoints", List{List{0, first}, List{2, last}}},
          {"speed", speed},
          {"start_time", start_time}};
}

}  // namespace

Map random_scene(std::uint64_t seed) {
  Dice dice(seed);
  const RoverOnGround& rover = dice.one_of(kRovers);
  const double g = dice.one_of(kGravities), tilt = dice.chance(0.3) ? dice.between(-10, 10) : 0;
  const double spacing = dice.one_of(std::array{0.01, 0.02, 0.03});
  const bool soft = dice.chance(0.7), rocky = soft && dice.chance(0.3);
  Map terrain = ground(dice, spacing, soft);
  const double step = dice.one_of(std::array{0.001, 0.002, 0.004});
  const int terrain_seed = dice.one_of(std::array{1, 2, 3, 4, 5, 6, 7, 8, 9});
  if (rocky) terrain.push_back({"rocks", rocks(dice)});
  List contacts = contacts_of_wheels(dice, rover, soft);
  if (rocky) std::ranges::copy(rock_contacts(), std::back_inserter(contacts));
  const List position{-2.2, dice.between(-0.5, 0.5, 2), rover.height};
  const List gravity{rounded(-g * std::sin(tilt * kDegree), 4), 0,
                     rounded(-g * std::cos(tilt * kDegree), 4)};
  return {{"grouser", 1},
          {"seed", terrain_seed},
          {"gravity", gravity},
          {"duration", 2},
          {"integrator", fixed_step("moreau_jean", step)},
          {"terrain", terrain},
          {"contacts", contacts},
          {"models", List{rover_above_ground(rover.name, position)}},
          {"commands", List{Map{{"path", path(dice, rover.speed)}}}}};
}

}  // namespace grouser::internal
