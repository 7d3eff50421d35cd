#include "describe.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "math/angle.h"
#include "named_scene.h"
#include "record/world_facts.h"
#include "scene/load_rover.h"
#include "sim/divergence.h"
#include "sim/simulation.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

void print_line(const Json& json) {
  fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string text_of(const Json& json) { return json.is_null() ? "-" : json.get<std::string>(); }

/// A range of a joint, angles in degrees.
std::string range_text(const Json& joint) {
  if (!joint.contains("unit")) return "";
  const bool is_angle = joint["unit"] == "rad";
  const auto side = [&](const char* key) {
    if (joint[key].is_null()) return std::string("free");
    return fmt::format("{:.4g}", joint[key].get<double>() * (is_angle ? kDegPerRad : 1));
  };
  if (joint["lower"].is_null() && joint["upper"].is_null()) return "free";
  return fmt::format("{} ... {} {}", side("lower"), side("upper"), is_angle ? "deg" : "m");
}

void print_wheels(const Json& rover) {
  if (rover["wheels"].empty()) {
    fmt::print("  no wheels\n");
    return;
  }
  fmt::print("  wheelbase {:.4g} m, track {:.4g} m\n\n", rover["wheelbase_m"].get<double>(),
             rover["track_m"].get<double>());
  fmt::print("  {:<22}{:>8}{:>8}{:>9}{:>9}{:>9}  {:<28}{}\n", "wheel", "radius", "width", "x", "y",
             "z [m]", "drive", "steering");
  for (const Json& wheel : rover["wheels"]) {
    const Json& p = wheel["position_m"];
    fmt::print("  {:<22}{:>8.4g}{:>8.4g}{:>9.4g}{:>9.4g}{:>9.4g}  {:<28}{}\n",
               text_of(wheel["name"]), wheel["radius_m"].get<double>(),
               wheel["width_m"].get<double>(), p[0].get<double>(), p[1].get<double>(),
               p[2].get<double>(), text_of(wheel["drive"]), text_of(wheel["steer"]));
  }
}

void print_rover(const Json& rover) {
  const Json& com = rover["com_m"];
  fmt::print("{}: {:.4g} kg, {} bodies, {} freedoms\n", text_of(rover["name"]),
             rover["mass_kg"].get<double>(), rover["bodies"].get<int>(),
             rover["freedoms"].get<int>());
  fmt::print("  chassis {}, centre of mass there at {:.3g}, {:.3g}, {:.3g} m\n",
             text_of(rover["chassis"]), com[0].get<double>(), com[1].get<double>(),
             com[2].get<double>());
  print_wheels(rover);
  fmt::print("\n  {:<28}{:<12}{:<28}{}\n", "joint", "type", "on", "range");
  for (const Json& joint : rover["joints"]) {
    fmt::print("  {:<28}{:<12}{:<28}{}\n", text_of(joint["name"]), text_of(joint["type"]),
               text_of(joint["parent"]), range_text(joint));
  }
  fmt::print("\n  {:<28}{:<12}{:>10}{:>10}{:>12}\n", "motor", "type", "kp", "kd", "max effort");
  for (const Json& motor : rover["motors"]) {
    const Json& effort = motor["max_effort"];
    fmt::print("  {:<28}{:<12}{:>10.4g}{:>10.4g}{:>12}\n", text_of(motor["joint"]),
               text_of(motor["type"]), motor["kp"].get<double>(), motor["kd"].get<double>(),
               effort.is_null() ? "no limit" : fmt::format("{:.4g}", effort.get<double>()));
  }
  for (const Json& loop : rover["loops"]) {
    fmt::print("  loop {}: {} equations\n", text_of(loop["name"]), loop["equations"].get<int>());
  }
}

/// How fast a scene runs here, tried for a moment from its start; null if it diverges there.
Json cost_of(const World& world) {
  constexpr double kTry = 0.5;  // wall time [s]
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  try {
    Simulation simulation(world);
    while (simulation.time() < world.settings.duration && elapsed() < kTry) simulation.step();
    if (simulation.time() <= 0) return nullptr;
    const double factor = simulation.time() / elapsed();
    return {{"real_time_factor", factor},
            {"wall_time_s", world.settings.duration / factor},
            {"tried_s", simulation.time()}};
  } catch (const DivergedError&) {
    return nullptr;
  }
}

void print_terrain(const Json& terrain) {
  if (terrain.is_null()) {
    fmt::print("  no terrain\n");
    return;
  }
  const auto span = [](const Json& range) {
    return fmt::format("{:.4g} ... {:.4g}", range[0].get<double>(), range[1].get<double>());
  };
  fmt::print("  terrain x {}, y {} m, heights within {} m, grid {:.4g} mm\n", span(terrain["x_m"]),
             span(terrain["y_m"]), span(terrain["height_bounds_m"]),
             1e3 * terrain["spacing_m"].get<double>());
  std::string soils;
  for (const Json& soil : terrain["soils"]) soils += (soils.empty() ? "" : ", ") + text_of(soil);
  fmt::print("  soils {}; {} zones; rocks {} fixed, {} loose\n", soils, terrain["zones"].size(),
             terrain["rocks"].get<int>(), terrain["loose_rocks"].get<int>());
}

void print_scene(const Json& scene, const Json& cost) {
  const Json& g = scene["gravity_m_s2"];
  const Json& integrator = scene["integrator"];
  fmt::print("{}: {:g} s, {} of {:g} s, gravity {:.4g}, {:.4g}, {:.4g} m/s²\n",
             text_of(scene["name"]), scene["duration_s"].get<double>(),
             text_of(integrator["method"]), integrator["step_s"].get<double>(), g[0].get<double>(),
             g[1].get<double>(), g[2].get<double>());
  fmt::print("  {} bodies, {} freedoms, {:.4g} kg\n", scene["bodies"].get<int>(),
             scene["freedoms"].get<int>(), scene["mass_kg"].get<double>());
  print_terrain(scene["terrain"]);
  for (const Json& contact : scene["contacts"]) {
    std::string models;
    for (const auto& [model, count] : contact["models"].items()) {
      models += fmt::format("{}{} {}", models.empty() ? "" : ", ", count.get<int>(), model);
    }
    fmt::print("  contact {}: {}{}\n", text_of(contact["system"]), models,
               contact["rigid"].get<bool>() ? ", rigid" : "");
  }
  for (const Json& path : scene["paths"]) {
    fmt::print("  {} follows {} waypoints at {:g} m/s from {:g} s on\n", text_of(path["rover"]),
               path["waypoints_m"].size(), path["speed_m_s"].get<double>(),
               path["start_time_s"].get<double>());
  }
  fmt::print("  {} motors commanded, {} events\n", scene["commanded_motors"].get<int>(),
             scene["events"].size());
  for (const Json& rover : scene["rovers"]) {
    fmt::print("  rover {}: {:.4g} kg, {} wheels\n", text_of(rover["name"]),
               rover["mass_kg"].get<double>(), rover["wheels"].size());
  }
  for (const Json& warning : scene["warnings"]) fmt::print("  Warning: {}\n", text_of(warning));
  if (cost.is_null()) {
    fmt::print("  diverges at its start\n");
  } else {
    fmt::print("  takes about {:.2g} s here, {:.2g}× real time, by its first {:.3g} s\n",
               cost["wall_time_s"].get<double>(), cost["real_time_factor"].get<double>(),
               cost["tried_s"].get<double>());
  }
}

}  // namespace

int describe_rover(const std::string& name_or_file, bool json) {
  const World world = load_rover(name_or_file);
  if (world.rovers.empty()) {
    throw Error(
        ErrorKind::input,
        Issue{.message = "names no wheels, so that it is no rover: 'wheels' of a model in a "
                         "scene says which bodies are",
              .file = name_or_file});
  }
  const Json facts = rover_facts(world, world.rovers.front());
  if (json) {
    print_line(facts);
  } else {
    print_rover(facts);
  }
  return 0;
}

int describe_scene(const std::string& name_or_file, bool json) {
  const World world = load_named_scene(name_or_file);
  Json facts = scene_facts(world);
  const Json cost = cost_of(world);
  if (json) {
    facts["cost"] = cost;
    print_line(facts);
  } else {
    print_scene(facts, cost);
  }
  return 0;
}

}  // namespace grouser::internal
