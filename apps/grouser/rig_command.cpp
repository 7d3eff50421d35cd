#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "rig_commands.h"
#include "rig_options.h"
#include "rigs/rig_files.h"
#include "rigs/rig_json.h"
#include "scene/soil_reader.h"
#include "text_files.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

// Bevameter

struct BevameterOptions : RigOptions {
  BevameterSpec spec;
  std::vector<double> radii;
  std::vector<double> plate, offset;
  bool no_shear = false;
};

int run_bevameter_command(BevameterOptions& options) {
  options.read();
  BevameterSpec& spec = options.spec;
  spec.soil = load_soil(options.soil);
  spec.scm = options.fields.scm;
  if (!options.radii.empty() || !options.plate.empty()) spec.plates.clear();
  for (const double radius : options.radii) spec.plates.push_back({.radius = radius});
  if (!options.plate.empty()) {
    spec.plates.push_back({.size = Vec2(options.plate[0], options.plate[1])});
  }
  if (!options.offset.empty()) spec.offset = Vec2(options.offset[0], options.offset[1]);
  if (options.no_shear) spec.stresses.clear();
  const BevameterTests tests = run_bevameter(spec);
  const BevameterFit fit = identify(tests);
  const std::vector<std::string> files =
      write_texts(options.output, {{"plates.csv", plates_csv(tests)},
                                   {"shear.csv", shear_csv(tests)},
                                   {"bevameter.svg", to_svg(bevameter_figure(tests, fit))}});
  Json json = bevameter_json(spec.soil, fit);
  json["files"] = files;
  if (options.json.on) {
    print_json(json);
    return 0;
  }
  fmt::print("{:<20}{:>14}{:>14}{:>11}   unit\n", "parameter", "identified", "put in", "error");
  for (const char* part : {"plates", "shear"}) {
    if (!json.contains(part)) continue;
    for (const auto& [name, value] : json[part].items()) {
      if (name == "warnings") continue;
      const double ours = value["identified"], truth = value["put_in"];
      const std::string error =
          truth != 0 ? fmt::format("{:.3f} %", 100 * (ours / truth - 1)) : "-";
      fmt::print("{:<20}{:>14.6g}{:>14.6g}{:>11}   {}\n", name, ours, truth, error,
                 value["unit"].get<std::string>());
    }
    for (const auto& warning : json[part]["warnings"]) {
      fmt::print("Note: {}.\n", warning.get<std::string>());
    }
  }
  for (const std::string& file : files) fmt::print("{}\n", file);
  return 0;
}

void add_bevameter(CLI::App& command, Action& action) {
  auto options = std::make_shared<BevameterOptions>();
  options->soil = "dlr_a";
  BevameterSpec& spec = options->spec;
  CLI::App* sub = command.add_subcommand(
      "bevameter", "press plates and turn a shear ring; identify the soil from that");
  sub->add_option("--radii", options->radii, "of the discs [m] (default 0.075 0.15)")
      ->check(CLI::Range(1e-3, 10.0));
  sub->add_option("--plate", options->plate, "sides of a rectangle instead of discs [m]")
      ->expected(2)
      ->check(CLI::Range(1e-3, 10.0))
      ->excludes("--radii");
  sub->add_option("--offset", options->offset,
                  "of the grid against the plate, x y [m] (default 0 0)")
      ->expected(2);
  sub->add_option("--depth", spec.depth, "to press to [m] (default 0.06)")
      ->check(CLI::Range(1e-4, 0.4));
  sub->add_option("--points", spec.points, "of each loading (default 60)")
      ->check(CLI::Range(3, 100000));
  sub->add_option("--cycles", spec.cycles, "of unloading and loading on the way (default 0)")
      ->check(CLI::Range(0, 1000));
  sub->add_option("--stresses", spec.stresses,
                  "normal stresses of the shear tests [Pa] (default 5000 10000 20000)")
      ->check(CLI::Range(1.0, 1e8));
  sub->add_option("--travel", spec.travel, "of the shear ring [m] (default 0.06)")
      ->check(CLI::Range(1e-4, 10.0));
  sub->add_flag("--no-shear", options->no_shear, "plates only");
  options->add_to(*sub, spec.spacing);
  sub->callback(
      [options, &action] { action = [options] { return run_bevameter_command(*options); }; });
}

// Tethered rover

struct DrawbarOptions : RigOptions {
  DrawbarSpec spec;
  std::vector<std::string> slips = {"0:0.9:0.1"};
};

int run_drawbar_command(DrawbarOptions& options) {
  options.read();
  DrawbarSpec& spec = options.spec;
  spec.soil = load_soil(options.soil);
  spec.grousers = options.fields.grousers;
  spec.scm = options.fields.scm;
  std::vector<double> slips;
  for (const std::string& text : options.slips) append_numbers("--slips", text, slips);
  const std::vector<DrawbarRun> runs = run_drawbar_sweep(spec, slips, show_progress("rig drawbar"));
  const std::vector<std::string> files =
      write_texts(options.output, {{"drawbar.csv", drawbar_sweep_csv(runs)},
                                   {"traces.csv", drawbar_traces_csv(runs)},
                                   {"drawbar.svg", to_svg(drawbar_figure(runs))}});
  if (options.json.on) {
    Json json = drawbar_json(spec, runs);
    json["files"] = files;
    print_json(json);
    return 0;
  }
  fmt::print("{:>7}{:>9}{:>12}{:>9}{:>14}{:>14}{:>10}\n", "asked", "slip", "tension", "+-",
             "torque", "sinkage", "load");
  fmt::print("{:>7}{:>9}{:>12}{:>9}{:>14}{:>14}{:>10}\n", "[-]", "[-]", "[N]", "[N]", "[N m]",
             "[mm]", "[N]");
  for (const DrawbarRun& run : runs) {
    fmt::print("{:>7.3g}{:>9.3f}{:>12.2f}{:>9.2f}{:>14.3f}{:>14.2f}{:>10.1f}{}\n", run.asked_slip,
               run.slip.mean, run.tension.mean, run.tension.deviation, run.torque.mean,
               1e3 * run.sinkage.mean, run.load.mean, run.steady ? "" : "  not steady");
    for (const std::string& warning : run.warnings) fmt::print("Note: {}.\n", warning);
  }
  for (const std::string& file : files) fmt::print("{}\n", file);
  return 0;
}

void add_drawbar(CLI::App& command, Action& action) {
  auto options = std::make_shared<DrawbarOptions>();
  options->soil = "dlr_d";
  DrawbarSpec& spec = options->spec;
  options->fields.has_grousers = true;
  options->fields.grousers = spec.grousers;
  CLI::App* sub = command.add_subcommand("drawbar", "pull of a tethered rover over slip");
  sub->add_option("--rover", spec.rover,
                  "built-in (grouser rovers; default exomars), or a file: URDF, tree or scene "
                  "(SCENE#NAME if it has several)");
  sub->add_option("--slips", options->slips,
                  "numbers in 0 ... 0.99 or FROM:TO:STEP (default "
                  "0:0.9:0.1)");
  sub->add_option("--speed", spec.speed, "at which the rope is paid out [m/s] (default 0.0108)")
      ->check(CLI::Range(1e-4, 10.0));
  sub->add_option("--distance", spec.distance, "of rope [m] (default 0.25)")
      ->check(CLI::Range(0.01, 100.0));
  sub->add_option("--mass", spec.mass, "of the rover with ballast [kg] (default: without)")
      ->check(CLI::Range(0.0, 1e5));
  sub->add_option("--gravity", spec.gravity, "[m/s2] (default 9.80665)")
      ->check(CLI::Range(1e-4, 1000.0));
  sub->add_option("--hitch-height", spec.hitch_height,
                  "of the rope above the ground [m] (default 0.2)")
      ->check(CLI::Range(0.0, 5.0));
  sub->add_option("--wheel-width", spec.wheel_width, "of all wheels [m] (default: their own)")
      ->check(CLI::Range(0.001, 2.0));
  options->add_to(*sub, spec.spacing);
  sub->callback(
      [options, &action] { action = [options] { return run_drawbar_command(*options); }; });
}

}  // namespace

void add_rig_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "rig", "test rigs in soft soil: bevameter, single wheel, slope, tethered rover");
  command->require_subcommand(1);
  add_bevameter(*command, action);
  add_wheel_rig(*command, action);
  add_slope_rig(*command, action);
  add_drawbar(*command, action);
}

}  // namespace grouser::internal
