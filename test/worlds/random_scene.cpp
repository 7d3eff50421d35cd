#include "random_scene.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "core/rng.h"
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
  bool chance(double part) { return rng_.uniform(0, 1) < part; }
  template <class Range>
  const auto& one_of(const Range& range) {
    const double place = rng_.uniform(0, 1) * static_cast<double>(std::size(range));
    return range[std::min(static_cast<std::size_t>(place), std::size(range) - 1)];
  }

 private:
  CounterRng rng_;
};

std::string hard_contact(const char* model) {
  return fmt::format(
      "  - {{model: {0}, wheels: all, group: rover, material: {{friction: 0.7}}}}\n"
      "  - {{model: {0}, terrain: true, material: {{friction: 0.7}}}}\n",
      model);
}

std::string wheel_contact(Dice& dice, const RoverOnGround& rover, bool soft) {
  if (!soft && dice.chance(0.3)) return hard_contact(dice.one_of(std::array{"bbcc", "pcm"}));
  if (!soft) return fmt::format("  - {{model: {}, wheels: all}}\n", dice.one_of(kFastModels));
  if (dice.chance(0.5)) return "  - {model: scm, wheels: all}\n";
  const double height = rover.radius * dice.between(0.02, 0.1);
  return fmt::format(
      "  - {{model: scm, wheels: all, wheel: {{radius: {:.4f}, width: {:.4f}, grousers: {{count: "
      "{}, height: {:.4f}}}}}}}\n",
      rover.radius, rover.width, dice.one_of(std::array{6, 12, 18, 24}), height);
}

/// Fast models refuse soils whose fitted k_c lets a narrow wheel carry nothing.
std::string soil_for(Dice& dice, bool soft) {
  const Soil* soil = &dice.one_of(soil_presets());
  while (!soft && soil->cohesive_modulus < 0) soil = &dice.one_of(soil_presets());
  return soil->name;
}

std::string rocks(Dice& dice) {
  return fmt::format(
      "  rocks: {{size: [3, 2], sizes: {{site: pathfinder, min_diameter: 0.1, max_diameter: "
      "{:.2f}}}, loose_below: {:.2f}, seed: {}}}\n",
      dice.between(0.15, 0.3), dice.between(0.12, 0.16), dice.one_of(std::array{1, 2, 3, 4, 5}));
}

}  // namespace

std::string random_scene(std::uint64_t seed) {
  Dice dice(seed);
  const RoverOnGround& rover = dice.one_of(kRovers);
  const double g = dice.one_of(kGravities), tilt = dice.chance(0.3) ? dice.between(-10, 10) : 0;
  const double spacing = dice.one_of(std::array{0.01, 0.02, 0.03});
  const bool soft = dice.chance(0.7), rocky = soft && dice.chance(0.3);
  std::string text = fmt::format(
      "grouser: 1\nseed: {}\ngravity: [{:.4f}, 0, {:.4f}]\nduration: 2\n"
      "integrator: {{method: moreau_jean, step: {}}}\n"
      "terrain:\n"
      "  surface: {{size: [9, 6], noise: {{hurst: 0.8, rms_deviation: {:.3f}}}}}\n"
      "  spacing: {}\n  soil: {}\n",
      dice.one_of(std::array{1, 2, 3, 4, 5, 6, 7, 8, 9}), -g * std::sin(tilt * kDegree),
      -g * std::cos(tilt * kDegree), dice.one_of(std::array{0.001, 0.002, 0.004}),
      dice.between(0.002, 0.05), spacing, soil_for(dice, soft));
  if (rocky) text += rocks(dice);
  text += "contacts:\n" + wheel_contact(dice, rover, soft);
  if (rocky) {
    text +=
        "  - {model: scm, rocks: true}\n"
        "  - {model: bbcc, wheels: all, group: rover, material: {friction: 0.7, restitution: "
        "0.1}}\n"
        "  - {model: bbcc, rocks: true, material: {friction: 0.7, restitution: 0.1}}\n";
  }
  text += fmt::format(
      "models:\n  - {{name: rover, rover: {}, on_ground: true, position: [-2.2, {:.2f}, "
      "{:.3f}]}}\n",
      rover.name, dice.between(-0.5, 0.5), rover.height);
  text += fmt::format(
      "commands:\n  - path: {{waypoints: [[0, {:.2f}], [2, {:.2f}]], speed: {}, start_time: "
      "{:.2f}}}\n",
      dice.between(-0.5, 0.5), dice.between(-0.5, 0.5), rover.speed, dice.between(0, 0.5));
  return text;
}

}  // namespace grouser::internal
