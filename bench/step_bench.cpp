#include "bench/step_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/parallel.h"
#include "core/rng.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser {
namespace {

constexpr const char* kFloor = R"(  - name: floor
    base: fixed
    tree: {bodies: [{name: floor, mass: 1e4, shape: {box: [40, 40, 2], position: [0, 0, -1]}}]}
)";

World rover_on_floor() {
  return load_scene_text(fmt::format(R"(grouser: 1
gravity: mars
integrator: {{method: moreau_jean, step: 0.005}}
record: {{rate_hz: 1}}
models:
{}  - {{name: rover, rover: exomars, position: [0, 0, 0.579]}}
contacts:
  - {{model: bbcc, bodies: [floor/floor], material: {{friction: 0.6, restitution: 0.1}}}}
  - {{model: bbcc, wheels: all, group: rover, material: {{friction: 0.6, restitution: 0.1}}}}
commands: [{{wheels: all, ground_speed: 0.1}}]
)",
                                     kFloor),
                         "bench", ".");
}

/// Cubes of 0.2 m in rows, columns and layers, each with a gap, shifted at random by up to `loose` [m].
World cubes(int rows, int columns, int layers, double loose) {
  CounterRng rng(1);
  std::string models = kFloor, bodies = "floor/floor";
  for (int k = 0; k < rows * columns * layers; ++k) {
    const double pitch = loose > 0 ? 0.2 + 3 * loose : 0.2001;
    const auto place = [&](int i) { return pitch * i + rng.uniform(-loose, loose); };
    const double x = place(k % rows), y = place(k / rows % columns);
    const double z = 0.1 + (loose > 0 ? 0.25 : 0.2) * (k / (rows * columns));
    models += fmt::format(
        "  - {{name: c{}, position: [{:.6f}, {:.6f}, {:.6f}], tree: {{bodies: [{{name: cube, mass: "
        "1, "
        "shape: {{box: [0.2, 0.2, 0.2]}}}}]}}}}\n",
        k, x, y, z);
    bodies += fmt::format(", c{}/cube", k);
  }
  return load_scene_text(fmt::format(R"(grouser: 1
gravity: [0, 0, -9.81]
integrator: {{method: moreau_jean, step: 0.005}}
record: {{rate_hz: 1}}
models:
{}contacts:
  - {{model: bbcc, bodies: [{}], material: {{friction: 0.5, restitution: 0}}}}
)",
                                     models, bodies),
                         "bench", ".");
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
  add("wall100", cubes(10, 1, 10, 0), 0.2, 0.7, 1e-3, "ms", rows);
  add("pile100", cubes(5, 5, 4, 0.02), 0.3, 0.8, 1e-3, "ms", rows);
  set_thread_count(0);
  return rows;
}

}  // namespace grouser
