#include "lab/bench/wheel_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/wheel/wheel_frame.h"
#include "contact/wheel/wheel_model.h"
#include "core/error.h"
#include "core/parallel.h"
#include "lab/scene_parts.h"
#include "sim/simulate.h"
#include "terrain/flat_field.h"

/// The fast wheel models: one force with the ground's heights looked up, and a rover that drives by them.
namespace grouser::internal {
namespace {

/// The ExoMars-like rover on its six wheels, by its servos (10 N m s/rad on 0.02 kg m²).
World driving_world(const char* method, double step) {
  const Map scene{{"gravity", "mars"},
                  {"integrator", fixed_step(method, step)},
                  {"record", Map{{"rate_hz", 1}}},
                  {"terrain", level_sand(100, 20, 0.05)},
                  {"contacts", List{all_wheels_by("terra")}},
                  {"commands", List{drive_by_table({0, 1}, {0, 0.05})}},
                  {"models", List{rover_at("exomars", {-40, 0, 0.565})}}};
  return load_scene_values(scene, "bench", ".");
}

double force_us(const WheelModel& model) {
  const ElevationMap map(
      std::make_shared<FlatField>(FlatOptions{.domain = {Vec2(-1, -1), Vec2(1, 1)}}));
  const WheelForm form{.radius = 0.125, .width = 0.1};
  const WheelSoil soil = wheel_soil(find_soil("dry_sand"), form, 9.80665);
  const Twist twist{.angular = Vec3(0, 0.6, 0), .linear = Vec3(0.05, 0.003, -1e-4)};
  WheelMemory memory;
  Pose pose;
  double sum = 0;
  int k = 0;
  const auto force = [&](double dt, bool commit) {
    pose.p = Vec3(1e-7 * k++, 0, form.radius - 0.012);
    const WheelFrame frame =
        wheel_frame(form, pose, twist, ground_under(map, form, pose), Vec3::UnitZ());
    const WheelReaction reaction = commit
                                       ? wheel_commit(model, form, soil, frame.motion, dt, memory)
                                       : wheel_force(model, form, soil, frame.motion, memory, dt);
    sum += wrench_of(frame, reaction).force.x();
  };
  for (int i = 0; i < 2000; ++i) force(1e-3, true);
  const double us = time_us([&] { force(1e-3, false); });
  return sum != 0 ? us : 0;
}

constexpr double kStretch = 100;  // [s]

/// Once it drives evenly.
State driving_rover(const World& world) {
  Observer nobody;
  return simulate(world, initial_state(world), {.end_time = 10}, nobody).resumable;
}

/// Of a stretch by steps of half a millisecond [m].
double exact_way() {
  const World world = driving_world("moreau_jean", 0.0005);
  const State start = driving_rover(world);
  Observer nobody;
  return simulate(world, start, {.end_time = start.time + kStretch}, nobody).distance;
}

/// Simulated over wall time on one core. Throws if the rover does not go the way that it should.
double rover_rtf(const char* method, double step, double way) {
  const World world = driving_world(method, step);
  Observer nobody;
  State state = driving_rover(world);
  double best = 0;
  for (int stretch = 0; stretch < 5; ++stretch) {
    RunReport report = simulate(world, state, {.end_time = state.time + kStretch}, nobody);
    best = std::max(best, kStretch / report.wall_time);
    if (!(std::abs(report.distance - way) < 1e-3)) {
      throw Error(ErrorKind::diverged,
                  {.message = fmt::format("the rover went {:g} m, by short steps {:g} m",
                                          report.distance, way)});
    }
    state = std::move(report.resumable);
  }
  return best;
}

}  // namespace

std::vector<BenchRow> wheel_bench() {
  const int threads = thread_count();
  set_thread_count(1);
  RheologicalModel rheological;
  rheological.mass = 10;
  const double way = exact_way();
  std::vector<BenchRow> rows = {
      {"terra_ns", 1e3 * force_us(TerraModel{}), "ns"},
      {"bekker_ns", 1e3 * force_us(BekkerModel{}), "ns"},
      {"bjh_ns", 1e3 * force_us(BjhModel{}), "ns"},
      {"rheological_ns", 1e3 * force_us(rheological), "ns"},
      {"bwr_us", force_us(BwrModel{}), "us"},
      {"rover_terra_rtf", rover_rtf("moreau_jean", 0.02, way), "x real time"},
      {"rover_terra_explicit_rtf", rover_rtf("semi_implicit", 0.003, way), "x real time"},
  };
  set_thread_count(threads);
  return rows;
}

}  // namespace grouser::internal
