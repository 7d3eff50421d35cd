#include "lab/hybrid_reproductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/bbcc/bbcc_system.h"
#include "core/parallel.h"
#include "lab/cubes.h"
#include "lab/scene_parts.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

/// Where the trunk was, and how fast anything has moved.
class Watch : public Observer {
 public:
  explicit Watch(int trunk) : trunk_(static_cast<std::size_t>(trunk)) {}

  void on_sample(const Sample& sample) override {
    if (sample.time < 10) return;  // still settling
    if (!settled_) start_ = sample.X_WB[trunk_].p;
    settled_ = true;
    drift = std::max(drift, (sample.X_WB[trunk_].p - start_).norm());
    fastest = std::max(fastest, sample.v.cwiseAbs().maxCoeff());
  }

  double drift = 0, fastest = 0;

 private:
  std::size_t trunk_;
  Vec3 start_ = Vec3::Zero();
  bool settled_ = false;
};

/// The rover's brakes are on: dry friction in the drives.
World parked_rover(double slope) {
  Map brakes;
  for (const char* wheel : {"rear", "centre", "front"}) {
    for (const char* side : {"left", "right"}) {
      brakes.push_back({fmt::format("{}_{}_drive", wheel, side), Map{{"friction", 50}}});
    }
  }
  const Map ground = model_of("ground", {0, 0, -0.5}, body_of("rock", 1, box_shape(6, 6, 1)));
  const Map material{{"friction", 0.8}, {"restitution", 0.1}};
  const Map scene{
      {"gravity", inclined_gravity(3.69, -slope)},
      {"integrator", fixed_step("moreau_jean", 0.005)},
      {"record", Map{{"rate_hz", 1}}},
      {"models", List{merged(ground, {{"base", "fixed"}}),
                      merged(rover_at("exomars", {0, 0, 0.579}), {{"joints", brakes}})}},
      {"contacts", List{wheel_contacts(material), body_contacts({"ground/rock"}, material)}}};
  return load_scene_values(scene, "nonsmooth/park", ".");
}

std::vector<ReproductionRow> park() {
  const World world = parked_rover(15 * M_PI / 180);
  Watch watch(world.model.find_body("rover/trunk"));
  const RunReport report = simulate(world, initial_state(world), {.end_time = 3600}, watch);
  return {analytic_row("drift from 10 s to 1 h", "m", 0, watch.drift, 1e-6),
          analytic_row("fastest of all velocities", "-", 0, watch.fastest, 1e-10),
          analytic_row("steps whose impulses missed 1e-8", "-", 0,
                       static_cast<double>(report.impulses->unsolved), 0)};
}

/// How deep rigid bodies are in each other at the ends of steps.
class OverlapWatch : public Observer {
 public:
  explicit OverlapWatch(const World& world)
      : bodies_(*find_contacts<BbccSystem>(world)),
        fresh_(bodies_.initial_memory({})),
        scratch_(bodies_.make_scratch()) {}

  void on_sample(const Sample& sample) override {
    contacts_.clear();
    bodies_.find_rigid(sample.X_WB, 0, fresh_, *scratch_, contacts_);
    for (const RigidContact& contact : contacts_.contacts) {
      deepest = std::max(deepest, -contact.gap);
    }
  }

  double deepest = 0;  ///< [m]

 private:
  const BbccSystem& bodies_;
  ContactMemory fresh_;
  std::unique_ptr<ContactScratch> scratch_;
  RigidContacts contacts_;
};

World bedrock_world(double step) {
  World world = load_builtin_scene("bedrock");
  world.settings.integrator.step = step;
  return world;
}

RunReport drive(const World& world, double end) {
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = end}, nobody);
}

std::vector<ReproductionRow> bedrock() {
  constexpr double kEnd = 16;
  World world = bedrock_world(2e-3);
  world.settings.record_rate_hz = 500;
  OverlapWatch watch(world);
  const RunReport own = simulate(world, initial_state(world), {.end_time = kEnd}, watch);
  const RunReport coarse = drive(bedrock_world(4e-3), kEnd),
                  fine = drive(bedrock_world(1e-3), kEnd);
  const auto sinkage = [](const RunReport& run) {
    double sum = 0;
    for (const WheelStatistics& wheel : run.wheels) sum += wheel.sinkage_max;
    return 1e3 * sum / static_cast<double>(run.wheels.size());
  };
  const auto torque = [](const RunReport& run) {
    double sum = 0;
    for (const WheelStatistics& wheel : run.wheels) sum += wheel.torque_rms;
    return sum / static_cast<double>(run.wheels.size());
  };
  std::vector<ReproductionRow> rows;
  const auto compare = [&](const char* what, const char* unit, auto&& quantity) {
    rows.push_back(analytic_row(fmt::format("{}: 4 ms beside 1 ms", what), unit, quantity(fine),
                                quantity(coarse), 0.04 * quantity(fine)));
    rows.push_back(analytic_row(fmt::format("{}: 2 ms beside 1 ms", what), unit, quantity(fine),
                                quantity(own), 0.02 * quantity(fine)));
  };
  compare("distance in 16 s", "m", [](const RunReport& run) { return run.distance; });
  compare("greatest sinkage, mean of wheels", "mm", sinkage);
  compare("torque, rms, mean of wheels", "N m", torque);
  rows.push_back(
      analytic_row("deepest overlap on rock after any step of 2 ms", "m", 0, watch.deepest, 1e-4));
  const double steps = static_cast<double>(own.impulses->steps);
  rows.push_back(
      analytic_row(fmt::format("of {} steps, at most 1 % whose impulses missed 1e-8", steps), "-",
                   0, static_cast<double>(own.impulses->unsolved), 0.01 * steps));
  const auto bits = [](int threads) {
    set_thread_count(threads);
    const std::uint64_t bits = hash(drive(bedrock_world(2e-3), 5).state);
    set_thread_count(0);
    return bits;
  };
  rows.push_back(analytic_row("same bits on 1 and 5 threads, 5 s", "1: yes", 1,
                              bits(1) == bits(5) ? 1 : 0, 0));
  return rows;
}

std::vector<ReproductionRow> pile() {
  const World world = cubes_on_floor({.loose = 0.02});
  Observer nobody;
  const RunReport run = simulate(world, initial_state(world), {.end_time = 2}, nobody);
  return {analytic_row("steps whose impulses missed 1e-8", "-", 0,
                       static_cast<double>(run.impulses->unsolved), 0),
          analytic_row("fastest of all velocities in the end", "-", 0,
                       run.state.v.cwiseAbs().maxCoeff(), 1e-3),
          {.quantity = "a step while they fall and settle, at most 10 (Siconos: 229)",
           .unit = "ms",
           .expected = 5,
           .ours = 1e3 * run.wall_time / static_cast<double>(run.steps),
           .tolerance = 5}};
}

}  // namespace

std::vector<Reproduction> hybrid_reproductions() {
  return {{"nonsmooth/park", "Rover parked on rock of 15 degrees for an hour", park},
          {"nonsmooth/pile", "A hundred cubes fall on a heap", pile},
          {"nonsmooth/bedrock", "Rover drives from sand over bedrock and loose rocks", bedrock}};
}

}  // namespace grouser::internal
