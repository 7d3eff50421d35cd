#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "rig_commands.h"
#include "rig_options.h"
#include "rigs/model_comparison.h"
#include "scene/soil_reader.h"
#include "text_files.h"

namespace grouser::internal {
namespace {

struct SlopeOptions : RigOptions {
  SlopeSpec spec;
  std::vector<std::string> slopes = {"0:25:5"}, models = {"terra"};
  bool single = false;
};

int run_slope_command(SlopeOptions& options) {
  options.read();
  SlopeSpec& spec = options.spec;
  spec.soil = load_soil(options.soil);
  spec.scm = options.fields.scm;
  spec.grousers = options.fields.grousers;
  spec.wheel = options.fields.wheel;
  if (options.single) spec.rover.clear();
  std::vector<double> slopes;
  for (const std::string& text : options.slopes) append_numbers("--slopes", text, slopes);
  const std::vector<ModelSlopes> runs = run_slope_models(
      spec, models_of(options.models, options.fields), slopes, show_progress("rig slope"));
  const std::vector<std::string> files = write_texts(
      options.output, {{"slope.csv", slope_csv(runs)}, {"slope.svg", to_svg(slope_figure(runs))}});
  if (options.json.on) {
    nlohmann::ordered_json json = slope_json(spec, runs);
    json["files"] = files;
    print_json(json);
    return 0;
  }
  fmt::print("{:<14}{:>11}{:>8}{:>14}{:>15}\n", "model", "slope [deg]", "slip", "sinkage [mm]",
             "torque [N m]");
  for (const ModelSlopes& run : runs) {
    for (const SlopeRun& one : run.runs) {
      fmt::print("{:<14}{:>11.3g}{:>8}{:>14.2f}{:>15.3f}{}\n", run.model, one.slope_deg,
                 one.climbs ? fmt::format("{:.3f}", one.slip) : "none", 1e3 * one.sinkage,
                 one.torque, one.steady ? "" : "  not steady");
      for (const std::string& warning : one.warnings) fmt::print("Note: {}.\n", warning);
    }
  }
  for (const std::string& file : files) fmt::print("{}\n", file);
  return 0;
}

}  // namespace

void add_slope_rig(CLI::App& command, Action& action) {
  auto options = std::make_shared<SlopeOptions>();
  options->soil = "grc_1";
  SlopeSpec& spec = options->spec;
  spec.spacing = 0.01;
  options->fields.has_wheel = options->fields.has_grousers = options->fields.has_models = true;
  options->fields.wheel = spec.wheel;
  options->fields.grousers = spec.grousers;
  CLI::App* sub = command.add_subcommand("slope", "slip of a rover or a wheel against slope");
  sub->add_option("--rover", spec.rover,
                  "built-in (grouser rovers; default four_wheel), or a file: URDF, tree or scene "
                  "(SCENE#NAME if it has several)");
  sub->add_flag("--single-wheel", options->single, "a wheel (--wheel.radius ...) with --mass on it")
      ->excludes("--rover");
  sub->add_option("--slopes", options->slopes, "[deg] or FROM:TO:STEP (default 0:25:5)");
  sub->add_option("--models", options->models,
                  "all, or some of scm, terra, bekker, bjh, bwr, rheological (default terra)");
  sub->add_option("--mass", spec.mass, "of the rover with ballast, or on the wheel [kg]")
      ->check(CLI::Range(0.0, 1e5));
  sub->add_option("--rim-speed", spec.rim_speed, "of all wheels [m/s] (default 0.2)")
      ->check(CLI::Range(1e-4, 10.0));
  sub->add_option("--distance", spec.distance, "that the rims go [m] (default 2)")
      ->check(CLI::Range(0.05, 1000.0));
  sub->add_option("--gravity", spec.gravity, "[m/s2] (default 9.80665)")
      ->check(CLI::Range(1e-4, 1000.0));
  options->add_to(*sub, spec.spacing);
  sub->callback([options, &action] { action = [options] { return run_slope_command(*options); }; });
}

}  // namespace grouser::internal
