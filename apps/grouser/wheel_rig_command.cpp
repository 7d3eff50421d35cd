#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "math/angle.h"
#include "rig_commands.h"
#include "rig_options.h"
#include "rigs/model_comparison.h"
#include "rigs/rig_files.h"
#include "rigs/rig_json.h"
#include "scene/soil_reader.h"
#include "text_files.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

struct WheelOptions : RigOptions {
  WheelRigSpec spec;
  std::vector<std::string> slips = {"0:0.8:0.1"}, angles = {"0"}, models;
};

std::vector<WheelCase> cases_of(const WheelOptions& options) {
  std::vector<double> angles;
  for (const std::string& text : options.angles) append_numbers("--slip-angles", text, angles);
  std::vector<WheelCase> cases;
  for (const double angle : angles) {
    for (const std::string& text : options.slips) {
      if (text == "free") {
        cases.push_back({.slip = {}, .slip_angle = angle * kDegree});
        continue;
      }
      std::vector<double> slips;
      append_numbers("--slips", text, slips);
      for (const double slip : slips) {
        cases.push_back({.slip = slip, .slip_angle = angle * kDegree});
      }
    }
  }
  return cases;
}

void print_header() {
  fmt::print("{:>7}{:>7}{:>6}{:>10}{:>9}{:>11}{:>10}{:>13}{:>14}{:>10}\n", "asked", "angle", "pass",
             "slip", "pull", "lateral", "load", "torque", "sinkage", "rut");
  fmt::print("{:>7}{:>7}{:>6}{:>10}{:>9}{:>11}{:>10}{:>13}{:>14}{:>10}\n", "[-]", "[deg]", "",
             "[-]", "[N]", "[N]", "[N]", "[N m]", "[mm]", "[mm]");
}

void print_passes(const std::vector<WheelPass>& passes) {
  for (const WheelPass& p : passes) {
    fmt::print("{:>7}{:>7.3g}{:>6}{:>10.3f}{:>9.2f}{:>11.2f}{:>10.2f}{:>13.3f}{:>14.2f}{:>10}\n",
               p.asked.slip ? fmt::format("{:.3g}", *p.asked.slip) : "free",
               p.asked.slip_angle / kDegree, p.pass, p.slip.mean, p.pull.mean, p.lateral.mean,
               p.load.mean, p.torque.mean, 1e3 * p.sinkage.mean,
               p.rut_depth ? fmt::format("{:.2f}", 1e3 * *p.rut_depth) : "-");
    for (const std::string& warning : p.warnings) fmt::print("Note: {}.\n", warning);
  }
}

int run_models_command(WheelOptions& options) {
  const WheelRigSpec& spec = options.spec;
  const std::vector<ModelPasses> runs =
      run_wheel_models(spec, models_of(options.models, options.fields), cases_of(options),
                       show_progress("rig wheel"));
  const std::vector<std::string> files =
      write_texts(options.output, {{"models.csv", wheel_models_csv(runs)},
                                   {"models_traces.csv", wheel_models_traces_csv(runs)},
                                   {"models.svg", to_svg(wheel_models_figure(runs))}});
  if (options.json.on) {
    Json json = wheel_models_json(spec, runs);
    json["files"] = files;
    print_json(json);
    return 0;
  }
  print_header();
  for (const ModelPasses& run : runs) {
    fmt::print("{}\n", run.model);
    print_passes(run.passes);
  }
  for (const std::string& file : files) fmt::print("{}\n", file);
  return 0;
}

int run_wheel_command(WheelOptions& options) {
  options.read();
  WheelRigSpec& spec = options.spec;
  spec.soil = load_soil(options.soil);
  spec.wheel = options.fields.wheel;
  spec.scm = options.fields.scm;
  if (!options.models.empty()) return run_models_command(options);
  const std::vector<WheelPass> passes =
      run_wheel_sweep(spec, cases_of(options), show_progress("rig wheel"));
  const std::vector<std::string> files =
      write_texts(options.output, {{"sweep.csv", wheel_sweep_csv(passes)},
                                   {"traces.csv", wheel_traces_csv(passes)},
                                   {"sweep.svg", to_svg(wheel_figure(passes))}});
  if (options.json.on) {
    Json json = wheel_json(spec, passes);
    json["files"] = files;
    print_json(json);
    return 0;
  }
  print_header();
  print_passes(passes);
  for (const std::string& file : files) fmt::print("{}\n", file);
  return 0;
}

}  // namespace

void add_wheel_rig(CLI::App& command, Action& action) {
  auto options = std::make_shared<WheelOptions>();
  options->soil = "dlr_a";
  WheelRigSpec& spec = options->spec;
  options->fields.has_wheel = options->fields.has_models = true;
  options->fields.wheel = spec.wheel;
  CLI::App* sub =
      command.add_subcommand("wheel", "a single wheel at given slips: pull, torque, sinkage");
  sub->add_option("--slips", options->slips,
                  "numbers in -1 ... 1, FROM:TO:STEP, or 'free' for rolling without drive (default "
                  "0:0.8:0.1)");
  sub->add_option("--slip-angles", options->angles,
                  "heading against travel, left positive, -80 ... 80 [deg] (default 0)");
  sub->add_option("--mesh", spec.mesh, "file of the wheel, axle y; --wheel.radius is for its slip");
  sub->add_option("--load", spec.load, "[N] (default 100)")->check(CLI::Range(1e-3, 1e6));
  sub->add_option("--speed", spec.speed, "of travel [m/s] (default 0.05)")
      ->check(CLI::Range(1e-4, 10.0));
  sub->add_option("--rim-speed", spec.rim_speed, "at slip 1 [m/s] (default 0.05)")
      ->check(CLI::Range(1e-4, 10.0));
  sub->add_option("--distance", spec.distance, "of travel [m] (default 0.8)")
      ->check(CLI::Range(0.01, 1000.0));
  sub->add_option("--slope", spec.slope_deg, "uphill positive [deg] (default 0)")
      ->check(CLI::Range(-60.0, 60.0));
  sub->add_option("--gravity", spec.gravity, "[m/s2] (default 9.80665)")
      ->check(CLI::Range(1e-4, 1000.0));
  sub->add_option("--passes", spec.passes, "in the same rut (default 1)")
      ->check(CLI::Range(1, 1000));
  sub->add_option(
      "--models", options->models,
      "side by side: all, or some of scm, terra, bekker, bjh, bwr, rheological (default "
      "scm alone)");
  options->add_to(*sub, spec.spacing);
  sub->callback([options, &action] { action = [options] { return run_wheel_command(*options); }; });
}

}  // namespace grouser::internal
