#include "rigs/self_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/long_task.h"
#include "core/text.h"
#include "scene/load_scene.h"
#include "sim/divergence.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kRefinement = 2;         // of step and grid [-]
constexpr double kToleranceFactor = 0.1;  // of the tolerances of methods that choose their steps
constexpr double kSinkageFloor = 0.05;    // of the radius [-]
constexpr double kRollingFloor = 0.01;    // coefficient of rolling resistance [-]
constexpr double kDistanceFloor = 0.1;    // without wheels [m]
constexpr std::size_t kProgressTicks = 1000;

constexpr std::size_t index_of(Compared quantity) { return static_cast<std::size_t>(quantity); }

/// Difference over a scale; all of it, 1, where there is no scale.
double relative(double coarse, double fine, double scale) {
  const double difference = std::abs(coarse - fine);
  if (difference == 0) return 0;
  return scale > 0 ? difference / scale : 1;
}

std::array<double, kComparedOfWheels> compare_wheels(const WheelStatistics& coarse,
                                                     const WheelStatistics& fine, double radius) {
  const double load = std::max(coarse.normal_mean, fine.normal_mean);
  const double least_torque = kRollingFloor * load * radius;
  return {std::abs(coarse.slip_mean - fine.slip_mean),
          relative(coarse.sinkage_max, fine.sinkage_max,
                   std::max(fine.sinkage_max, kSinkageFloor * radius)),
          relative(coarse.torque_rms, fine.torque_rms, std::max(fine.torque_rms, least_torque)),
          load > 0 ? std::abs(coarse.pull_mean - fine.pull_mean) / load : 0};
}

/// Tells how far a run is.
class CheckProgress : public Observer {
 public:
  CheckProgress(std::string_view name, double end) : end_(end), task_(name, kProgressTicks) {}
  void on_step(double time, long /*steps*/) override {
    const auto reached = static_cast<std::size_t>(kProgressTicks * std::min(1.0, time / end_));
    task_.advance(reached - told_);
    told_ = reached;
  }

 private:
  double end_;
  LongTask task_;
  std::size_t told_ = 0;
};

/// Nothing is recorded, which changes no result.
RunReport run_silently(World world, std::string_view what, double end) {
  world.settings.record_rate_hz = 0;
  world.settings.checkpoint_interval = 0;
  CheckProgress progress(what, end);
  RunReport report = simulate(world, initial_state(world),
                              {.end_time = end, .interrupt = &cancel_flag()}, progress);
  if (report.outcome == Outcome::interrupted) throw Cancelled();
  return report;
}

void halve_step(World& world) {
  IntegratorOptions& integrator = world.settings.integrator;
  integrator.step /= kRefinement;
  if (!is_adaptive(integrator.method)) return;
  integrator.relative_tolerance *= kToleranceFactor;
  integrator.absolute_tolerance *= kToleranceFactor;
}

bool has_soil_grid(const World& world) {
  return std::ranges::any_of(world.contacts,
                             [](const auto& system) { return system->shapes_ground(); });
}

std::vector<WheelSize> wheel_sizes(const World& world) {
  std::vector<WheelSize> sizes;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) sizes.push_back({wheel.name, wheel.radius});
  }
  return sizes;
}

/// Runs that are compared with one and the same coarse one.
struct Comparer {
  const RunReport& coarse;
  const std::vector<WheelSize>& wheels;
  double end;

  /// By an event or an alarm that stops.
  bool ends_early(const RunReport& run) const { return run.state.time < end * (1 - 1e-9); }

  FinerRun operator()(const World& world, std::string_view what) const {
    try {
      const RunReport fine = run_silently(world, what, end);
      FinerRun run{.change = compare_runs(coarse, fine, wheels), .failure = {}};
      if (ends_early(fine) != ends_early(coarse)) {
        run.failure = fmt::format("ends otherwise: {} at {:g} s instead of {} at {:g} s",
                                  to_string(fine.outcome), fine.state.time,
                                  to_string(coarse.outcome), coarse.state.time);
      }
      return run;
    } catch (const DivergedError& error) {
      return {.change = {}, .failure = "diverges: " + error.issues().front().message};
    }
  }
};

double checked_duration(const World& world, const RunReport& run, const CheckOptions& options) {
  if (options.duration > 0) return std::min(options.duration, run.state.time);
  return has_soil_grid(world) ? std::min(kSoilCheckDuration, run.state.time) : run.state.time;
}

/// What a verdict over that run does not cover.
std::string limits_of(const RunReport& run, const std::vector<WheelSize>& wheels) {
  if (wheels.empty()) return "there are no wheels: distance and energy alone are compared";
  const auto largest_wheel = std::ranges::max_element(wheels, {}, &WheelSize::radius);
  if (run.distance >= largest_wheel->radius) return {};
  return fmt::format("the rover moved {:.3g} m only: this tells how it stands, not how it drives",
                     run.distance);
}

/// "slip changes by 0.043, sinkage by 12 %" of all that change too much.
std::string too_large(const Changes& changes, double tolerance) {
  std::string text;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    if (changes[k] <= tolerance) continue;
    const std::string amount = k == index_of(Compared::slip)
                                   ? fmt::format("{:.3g}", changes[k])
                                   : fmt::format("{:.3g} %", 100 * changes[k]);
    text += fmt::format("{}{}{} by {}", text.empty() ? "" : ", ", kComparedNames[k],
                        text.empty() ? " changes" : "", amount);
  }
  return text;
}

/// Whether there is anything of that kind to compare.
bool is_compared(const SelfCheck& check, std::size_t quantity) {
  return quantity >= kComparedOfWheels || !check.wheels.empty();
}

/// Of the first of the finer runs, both halved first, that does not agree.
std::string why_not(const SelfCheck& check) {
  for (const FinerRun* run : {&check.both, check.step_alone ? &*check.step_alone : nullptr,
                              check.grid_alone ? &*check.grid_alone : nullptr}) {
    if (run == nullptr || run->agrees(check.tolerance)) continue;
    return run->failure.empty() ? too_large(run->change.worst, check.tolerance)
                                : "the finer run " + run->failure;
  }
  return {};
}

std::string row_text(const SelfCheck& check, const char* what, const Changes& changes) {
  std::string text = fmt::format("  {:<26}", what);
  for (std::size_t k = 0; k < changes.size(); ++k) {
    text +=
        is_compared(check, k) ? fmt::format("{:>10.4f}", changes[k]) : fmt::format("{:>10}", "-");
  }
  return text + "\n";
}

std::string run_text(const SelfCheck& check, const char* what, const FinerRun& run) {
  if (!run.failure.empty()) return fmt::format("  {:<26}  {}\n", what, run.failure);
  return row_text(check, what, run.change.worst);
}

Json changes_json(const SelfCheck& check, const Changes& changes) {
  Json json;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    json[kComparedNames[k]] = is_compared(check, k) ? Json(changes[k]) : Json(nullptr);
  }
  return json;
}

Json run_json(const SelfCheck& check, const std::optional<FinerRun>& run) {
  if (!run) return nullptr;
  Json json = {{"changes", nullptr}, {"failure", nullptr}};
  if (run->failure.empty()) {
    json["changes"] = changes_json(check, run->change.worst);
  } else {
    json["failure"] = run->failure;
  }
  return json;
}

}  // namespace

double largest(const Changes& changes) { return *std::ranges::max_element(changes); }

bool FinerRun::agrees(double tolerance) const {
  return failure.empty() && largest(change.worst) <= tolerance;
}

bool SelfCheck::converged() const {
  const auto agrees = [&](const std::optional<FinerRun>& run) {
    return !run || run->agrees(tolerance);
  };
  return both.agrees(tolerance) && agrees(step_alone) && agrees(grid_alone);
}

RunComparison compare_runs(const RunReport& coarse, const RunReport& fine,
                           const std::vector<WheelSize>& wheels) {
  RunComparison result;
  double weight = 0, least_distance = wheels.empty() ? kDistanceFloor : 0;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    result.wheels.push_back(compare_wheels(coarse.wheels[w], fine.wheels[w], wheels[w].radius));
    for (std::size_t k = 0; k < kComparedOfWheels; ++k) {
      const double change = result.wheels.back()[k];
      result.worst[k] = std::max(result.worst[k], change);
      result.mean[k] += change / static_cast<double>(wheels.size());
    }
    weight += fine.wheels[w].normal_mean;
    least_distance = std::max(least_distance, wheels[w].radius);
  }
  const double way = std::max(fine.distance, least_distance);
  const double distance = relative(coarse.distance, fine.distance, way);
  const double energy =
      relative(coarse.energy, fine.energy, std::max(fine.energy, kRollingFloor * weight * way));
  result.worst[index_of(Compared::distance)] = result.mean[index_of(Compared::distance)] = distance;
  result.worst[index_of(Compared::energy)] = result.mean[index_of(Compared::energy)] = energy;
  return result;
}

void validate(const CheckOptions& options, const World& world) {
  const double longest = world.settings.duration;
  if (options.duration <= longest) return;
  throw Error(ErrorKind::usage, Issue{.message = "is longer than the run",
                                      .field = "--check-duration",
                                      .value = format_number(options.duration),
                                      .legal = fmt::format("<= {} [s]", format_number(longest))});
}

SelfCheck check_run(const World& world, const RunReport& run, const CheckOptions& options) {
  validate(options, world);
  SelfCheck check{.duration = checked_duration(world, run, options),
                  .tolerance = options.tolerance,
                  .step_size = world.settings.integrator.step,
                  .wheels = wheel_sizes(world)};
  const bool is_whole = check.duration >= run.state.time;
  const double end = is_whole ? world.settings.duration : check.duration;
  const RunReport coarse = is_whole ? run : run_silently(world, "check: the run again", end);
  check.limits = limits_of(coarse, check.wheels);
  const Comparer compare{coarse, check.wheels, end};
  World finer = world;
  halve_step(finer);
  FinerRun step = compare(finer, "check: half the step");
  if (!has_soil_grid(world)) {
    check.both = std::move(step);
    return check;
  }
  check.spacing = world.ground->map.grid().spacing;
  check.step_alone = std::move(step);
  finer = with_finer_ground(world, kRefinement);
  check.grid_alone = compare(finer, "check: half the grid");
  halve_step(finer);
  check.both = compare(finer, "check: half the step and the grid");
  return check;
}

std::string advice_of(const SelfCheck& check) {
  if (check.converged()) return {};
  const std::string step =
      fmt::format("the step to {} s", format_number(check.step_size / kRefinement));
  if (!check.spacing) return "halve " + step;
  const std::string grid = fmt::format("the grid to {:.4g} mm", 1e3 * *check.spacing / kRefinement);
  const bool step_matters = !check.step_alone->agrees(check.tolerance);
  const bool grid_matters = !check.grid_alone->agrees(check.tolerance);
  if (step_matters == grid_matters) return fmt::format("halve {} and {}", step, grid);
  return "halve " + (step_matters ? step : grid);
}

std::string check_text(const SelfCheck& check) {
  std::string text = fmt::format("  check over the first {:g} s: largest changes [-]\n  {:<26}",
                                 check.duration, "");
  for (const char* name : kComparedNames) text += fmt::format("{:>10}", name);
  text += "\n";
  if (check.step_alone) text += run_text(check, "half the step", *check.step_alone);
  if (check.grid_alone) text += run_text(check, "half the grid", *check.grid_alone);
  text += run_text(check, check.spacing ? "half of both" : "half the step", check.both);
  if (check.both.failure.empty() && check.wheels.size() > 1) {
    text += row_text(check, "  mean over the wheels", check.both.change.mean);
  }
  const std::string percent = fmt::format("{:g} %", 100 * check.tolerance);
  if (check.converged()) {
    text += "  converged within " + percent + "\n";
  } else {
    text += fmt::format("  not converged within {}: {}; {}\n", percent, why_not(check),
                        advice_of(check));
  }
  if (!check.limits.empty()) text += "  " + check.limits + "\n";
  return text;
}

Json check_json(const SelfCheck& check) {
  Json json = {{"converged", check.converged()},
               {"tolerance", check.tolerance},
               {"changes", nullptr},
               {"changes_mean", nullptr},
               {"step_s", check.step_size},
               {"spacing_m", check.spacing ? Json(*check.spacing) : Json(nullptr)},
               {"duration_s", check.duration},
               {"failure", nullptr},
               {"step_alone", run_json(check, check.step_alone)},
               {"grid_alone", run_json(check, check.grid_alone)},
               {"wheels", Json::array()},
               {"advice", check.converged() ? Json(nullptr) : Json(advice_of(check))},
               {"limits", check.limits.empty() ? Json(nullptr) : Json(check.limits)}};
  if (!check.both.failure.empty()) {
    json["failure"] = check.both.failure;
    return json;
  }
  json["changes"] = changes_json(check, check.both.change.worst);
  json["changes_mean"] = changes_json(check, check.both.change.mean);
  for (std::size_t w = 0; w < check.wheels.size(); ++w) {
    Json wheel = {{"name", check.wheels[w].name}};
    for (std::size_t k = 0; k < kComparedOfWheels; ++k) {
      wheel[kComparedNames[k]] = check.both.change.wheels[w][k];
    }
    json["wheels"].push_back(std::move(wheel));
  }
  return json;
}

}  // namespace grouser::internal
