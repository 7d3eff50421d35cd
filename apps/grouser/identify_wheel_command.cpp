#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "identify_commands.h"
#include "rig_options.h"
#include "rigs/identify_wheel.h"
#include "scene/soil_reader.h"
#include "text_files.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

struct IdentifyWheelOptions : RigOptions {
  bool terra = true;  ///< else Bekker, Wong and Reece's wheel
  std::string data;
  ColumnFlags columns;
  int hold_out = 3;
  WheelRigSpec rig;
  std::vector<std::string> slips = {"0:0.7:0.1"}, loads = {"70", "130"};
  std::vector<std::string> held_slips = {"0.15:0.65:0.25"}, held_loads = {"100"};
};

struct TestSets {
  std::vector<WheelTest> fitted, held_out;
};

/// Every `hold_out`-th test of a file is kept for trying.
TestSets read_tests(const IdentifyWheelOptions& options) {
  const auto quantities = wheel_test_quantities();
  const ColumnMapping mapping =
      column_mapping(options.columns.columns, options.columns.units, quantities);
  CsvTable table = read_csv(options.data);
  check_columns_exist(mapping, std::vector<const CsvTable*>{&table});
  TestSets sets;
  int count = 0;
  for (WheelTest& test : wheel_tests(with_columns(std::move(table), mapping, quantities))) {
    const bool held = options.hold_out > 0 && ++count % options.hold_out == 0;
    (held ? sets.held_out : sets.fitted).push_back(std::move(test));
  }
  return sets;
}

std::vector<WheelTest> scm_tests(const IdentifyWheelOptions& options,
                                 const std::vector<std::string>& slip_words,
                                 const std::vector<std::string>& load_words) {
  std::vector<double> slips, loads;
  for (const std::string& text : slip_words) append_numbers("--slips", text, slips);
  for (const std::string& text : load_words) append_numbers("--loads", text, loads);
  std::vector<WheelCase> cases;
  for (const double slip : slips) cases.push_back({.slip = slip});
  std::vector<WheelTest> tests;
  for (const double load : loads) {
    WheelRigSpec rig = options.rig;
    rig.load = load;
    for (WheelTest& test :
         tests_of(rig, run_wheel_sweep(rig, cases, show_progress("identify: SCM")))) {
      tests.push_back(std::move(test));
    }
  }
  return tests;
}

Json misfit_json(const WheelMisfit& misfit) {
  return {{"sinkage", misfit.sinkage},
          {"worst_sinkage", misfit.worst_sinkage},
          {"sinkage_rms_m", misfit.sinkage_rms},
          {"pull_rms_N", misfit.pull_rms},
          {"torque_rms_Nm", misfit.torque_rms}};
}

void print_misfit(const char* what, std::size_t count, const WheelMisfit& misfit) {
  fmt::print(
      "{} ({} tests): sinkage off by {:.1f} % in the mean, {:.1f} % at worst; rms {:.2f} mm, "
      "pull {:.2f} N, torque {:.3f} N m\n",
      what, count, 100 * misfit.sinkage, 100 * misfit.worst_sinkage, 1e3 * misfit.sinkage_rms,
      misfit.pull_rms, misfit.torque_rms);
}

int identify_wheel(IdentifyWheelOptions& options) {
  options.read();
  WheelRigSpec& rig = options.rig;
  rig.soil = load_soil(options.soil);
  rig.wheel = options.fields.wheel;
  rig.scm = options.fields.scm;
  TestSets sets;
  if (options.data.empty()) {
    sets.fitted = scm_tests(options, options.slips, options.loads);
    sets.held_out = scm_tests(options, options.held_slips, options.held_loads);
  } else {
    sets = read_tests(options);
  }
  const double height = rig.wheel.grousers.count > 0 ? rig.wheel.grousers.height : 0;
  const WheelOnTest wheel{
      .form = {.radius = rig.wheel.radius, .width = rig.wheel.width, .grouser_height = height},
      .soil = rig.soil,
      .gravity = rig.gravity};
  const IdentifyOptions settings{.resamples = 40};
  const WheelIdentification fit =
      options.terra
          ? identify_terra(wheel, sets.fitted, sets.held_out, options.fields.terra, settings)
          : identify_bwr(wheel, sets.fitted, sets.held_out, options.fields.bwr, settings);
  const std::vector<std::string> files =
      write_texts(options.output, {{"contact.yaml", wheel_yaml(fit)},
                                   {"fit.csv", wheel_fit_csv(fit)},
                                   {"fit.svg", to_svg(wheel_fit_figure(fit))}});
  if (options.json.on) {
    Json json = {{"model", name_of(fit.model)}, {"soil", rig.soil.name}};
    for (const WheelParameter& p : fit.parameters) {
      json["parameters"][p.name] = {{"value", p.estimate.value},
                                    {"low", p.estimate.low},
                                    {"high", p.estimate.high},
                                    {"unit", p.unit},
                                    {"fitted", p.fitted}};
    }
    json["fitted"] = misfit_json(fit.misfit);
    json["held_out"] = misfit_json(fit.held_out_misfit);
    json["warnings"] = fit.warnings;
    json["files"] = files;
    print_json(json);
    return 0;
  }
  fmt::print("{:<20}{:>12}   {:<27}{}\n", "parameter", "value", "95 % interval", "unit");
  for (const WheelParameter& p : fit.parameters) {
    fmt::print(
        "{:<20}{:>12.5g}   {:<27}{}\n", p.name, p.estimate.value,
        p.fitted ? fmt::format("{:.4g} ... {:.4g}", p.estimate.low, p.estimate.high) : "kept",
        p.unit);
  }
  print_misfit("fitted", fit.fitted.size(), fit.misfit);
  if (!fit.held_out.empty()) print_misfit("held out", fit.held_out.size(), fit.held_out_misfit);
  for (const std::string& warning : fit.warnings) fmt::print("Note: {}.\n", warning);
  for (const std::string& file : files) fmt::print("{}\n", file);
  return 0;
}

void add_one(CLI::App& command, Action& action, bool terra) {
  auto options = std::make_shared<IdentifyWheelOptions>();
  options->terra = terra;
  options->soil = "dry_sand";
  WheelRigSpec& rig = options->rig;
  rig.spacing = 0.01;
  rig.speed = 0.1;
  rig.distance = 0.5;
  options->fields.has_wheel = options->fields.has_models = true;
  options->fields.wheel = rig.wheel;
  CLI::App* sub =
      terra ? command.add_subcommand("terra", "TerRA from wheel tests or runs of SCM")
            : command.add_subcommand("wheel", "K, a0, a1 and λ of Bekker, Wong and Reece's wheel");
  sub->add_option("DATA", options->data, "CSV file of wheel tests; without one SCM is run");
  options->columns.add_to(*sub);
  sub->add_option("--hold-out", options->hold_out,
                  "of DATA, every so many-th test is not fitted (default 3; 0: none)")
      ->check(CLI::Range(0, 1000));
  sub->add_option("--slips", options->slips, "to fit to (default 0:0.7:0.1)");
  sub->add_option("--loads", options->loads, "[N] (default 70 130)");
  sub->add_option("--held-slips", options->held_slips, "to try on (default 0.15:0.65:0.25)");
  sub->add_option("--held-loads", options->held_loads, "[N] (default 100)");
  sub->add_option("--speed", rig.speed, "of travel [m/s] (default 0.1)")
      ->check(CLI::Range(1e-4, 10.0));
  sub->add_option("--distance", rig.distance, "of travel [m] (default 0.5)")
      ->check(CLI::Range(0.01, 1000.0));
  sub->add_option("--gravity", rig.gravity, "[m/s2] (default 9.80665)")
      ->check(CLI::Range(1e-4, 1000.0));
  options->add_to(*sub, rig.spacing);
  sub->callback([options, &action] { action = [options] { return identify_wheel(*options); }; });
}

}  // namespace

void add_identify_wheel(CLI::App& command, Action& action) {
  add_one(command, action, true);
  add_one(command, action, false);
}

}  // namespace grouser::internal
