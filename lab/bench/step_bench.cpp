#include "lab/bench/step_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/parallel.h"
#include "lab/cubes.h"
#include "lab/scene_parts.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

World rover_on_floor() {
  const Map material{{"friction", 0.6}, {"restitution", 0.1}};
  const Map scene{
      {"gravity", "mars"},
      {"integrator", fixed_step("moreau_jean", 0.005)},
      {"record", Map{{"rate_hz", 1}}},
      {"models", List{slab("floor", 40, 40, 2), rover_at("exomars", {0, 0, 0.579})}},
      {"contacts", List{body_contacts({"floor/floor"}, material), wheel_contacts(material)}},
      {"commands", List{drive_at(0.1)}}};
  return load_scene_values(scene, "bench", ".");
}

/// Wall time of a step from one instant to another, best of several, and how exactly impulses were found.
void add(const char* name, const World& world, double from, double to, double unit,
         const char* unit_name, std::vector<BenchRow>& rows) {
  Observer nobody;
  const State start = simulate(world, initial_state(world), {.end_time = from}, nobody).resumable;
  constexpr int kTimes = 5;
  double best = std::numeric_limits<double>::infinity(), residual = 0;
  for (int k = 0; k < kTimes; ++k) {
    const RunReport report = simulate(world, start, {.end_time = to}, nobody);
    best = std::min(best, report.wall_time / static_cast<double>(report.steps));
    residual = report.impulses->worst_residual;
  }
  rows.push_back({fmt::format("{}_step_{}", name, unit_name), best / unit, unit_name});
  rows.push_back({fmt::format("{}_worst_residual", name), residual, "-"});
}

}  // namespace

std::vector<BenchRow> step_bench() {
  set_thread_count(1);
  std::vector<BenchRow> rows;
  add("rover", rover_on_floor(), 1, 11, 1e-6, "us", rows);
  add("wall100", cubes_on_floor({.rows = 10, .columns = 1, .layers = 10}), 0.2, 0.7, 1e-3, "ms",
      rows);
  add("pile100", cubes_on_floor({.rows = 5, .columns = 5, .layers = 4, .loose = 0.02}), 0.3, 0.8,
      1e-3, "ms", rows);
  set_thread_count(0);
  return rows;
}

}  // namespace grouser::internal
