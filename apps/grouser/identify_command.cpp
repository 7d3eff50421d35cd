#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "core/error.h"
#include "identify_commands.h"
#include "math/angle.h"
#include "render/figure.h"
#include "rigs/soil_fit_files.h"
#include "scene/yaml_reader.h"
#include "text_files.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct IdentifySoilOptions {
  std::string data;
  std::string shear;
  std::string output = ".";
  std::string name = "identified_soil";
  std::string like;
  std::vector<std::string> group;
  FitMode fit = FitMode::log;
  std::optional<double> least_sinkage;
  bool offset = false;
  ColumnFlags columns;
  JsonOption json;
};

/// One line of the table, and one entry of the JSON object.
struct Row {
  const char* key;
  const char* symbol;
  const char* unit;
  Estimate estimate;
};

Row in_degrees(Row row) {
  row.estimate.value *= kDegPerRad;
  row.estimate.low *= kDegPerRad;
  row.estimate.high *= kDegPerRad;
  return row;
}

std::vector<Row> rows_of(const PlateFit& fit) {
  std::vector<Row> rows = {{"sinkage_exponent", "n", "-", fit.exponent}};
  if (fit.one_width) {
    rows.push_back({"modulus", "k = k_c/b + k_phi", "N/m^(n+2)", fit.frictional_modulus});
  } else {
    rows.push_back({"cohesive_modulus", "k_c", "N/m^(n+1)", fit.cohesive_modulus});
    rows.push_back({"frictional_modulus", "k_phi", "N/m^(n+2)", fit.frictional_modulus});
  }
  return rows;
}

std::vector<Row> rows_of(const ShearFit& fit) {
  std::vector<Row> rows;
  if (!fit.one_stress) rows.push_back({"cohesion", "c", "Pa", fit.cohesion});
  rows.push_back(in_degrees({"friction_angle_deg", "phi", "deg", fit.friction_angle}));
  rows.push_back({"shear_modulus", "K", "m", fit.shear_modulus});
  return rows;
}

std::string left_out_text(const LeftOut& left_out) {
  std::string text;
  const auto add = [&text](std::size_t count, const char* why) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, why);
  };
  add(left_out.unloading, "behind the deepest point so far (unloading)");
  add(left_out.shallow, "before the least sinkage");
  add(left_out.no_pressure, "without pressure");
  return text.empty() ? "none" : text;
}

template <class Fit>
void print_fit(const char* law, const char* level, double level_factor, const Fit& fit) {
  fmt::print("{}\n  {:<20}{:>13}   {:<27}{}\n", law, "parameter", "value", "95 % interval", "unit");
  for (const Row& row : rows_of(fit)) {
    fmt::print("  {:<20}{:>13.5g}   {:<27}{}\n", row.symbol, row.estimate.value,
               fmt::format("{:.4g} ... {:.4g}", row.estimate.low, row.estimate.high), row.unit);
  }
  fmt::print("  intervals from {}\n",
             fit.resampled ? "resampling the trials" : "the covariance of the fit");
  fmt::print("  rms misfit {:.3g} kPa, R2 {:.4f}\n", 1e-3 * fit.rms, fit.r_squared);
  fmt::print("  points left out: {}\n", left_out_text(fit.left_out));
  fmt::print("  {:<36}{:>10}{:>9}{:>12}{:>13}\n", "trial", level, "points", "rms [kPa]",
             "offset [mm]");
  for (const TrialMisfit& trial : fit.trials) {
    fmt::print("  {:<36}{:>10.4g}{:>9}{:>12.3g}{:>13.3g}\n", trial.trial,
               level_factor * trial.level, trial.points, 1e-3 * trial.rms, 1e3 * trial.offset);
  }
  for (const std::string& warning : fit.warnings) fmt::print("  Note: {}.\n", warning);
}

template <class Fit>
Json fit_json(const char* level, const Fit& fit) {
  Json json;
  for (const Row& row : rows_of(fit)) {
    json[row.key] = {{"value", row.estimate.value},
                     {"low", row.estimate.low},
                     {"high", row.estimate.high},
                     {"unit", row.unit}};
  }
  json["intervals"] = fit.resampled ? "resampled trials" : "covariance";
  json["rms_Pa"] = fit.rms;
  json["r_squared"] = fit.r_squared;
  json["left_out"] = {{"unloading", fit.left_out.unloading},
                      {"shallow", fit.left_out.shallow},
                      {"no_pressure", fit.left_out.no_pressure}};
  json["trials"] = Json::array();
  for (const TrialMisfit& trial : fit.trials) {
    json["trials"].push_back({{"trial", trial.trial},
                              {level, trial.level},
                              {"points", trial.points},
                              {"rms_Pa", trial.rms},
                              {"offset_m", trial.offset}});
  }
  json["warnings"] = fit.warnings;
  return json;
}

std::vector<std::string> write_files(const std::string& folder, const SoilIdentification& soil) {
  std::vector<NamedText> files = {{"soil.yaml", soil_yaml(soil)},
                                  {"fit.csv", plate_csv(soil.plates)},
                                  {"fit.svg", to_svg(fit_figure(soil))}};
  if (soil.shear) files.push_back({"fit_shear.csv", shear_csv(*soil.shear)});
  return write_texts(folder, files);
}

void check_name(const std::string& name) {
  YamlValue value;
  value.kind = YamlValue::Kind::scalar;
  value.text = name;
  value.place = {"command line", 0, "--name"};
  IssueList issues;
  read_name(value, issues);
  issues.throw_if_any();
}

/// Shear tests are often kept otherwise than plate tests: a group's column may be missing there.
std::vector<ShearTest> read_shear_tests(const IdentifySoilOptions& options, const CsvTable& table) {
  SoilTestOptions reading;
  for (const std::string& name : options.group) {
    if (std::ranges::find(table.header, name) != table.header.end()) reading.group.push_back(name);
  }
  return shear_tests(table, reading);
}

struct SoilTables {
  CsvTable plates;
  std::optional<CsvTable> shear;
};

/// Both files, with their columns as the flags say.
SoilTables read_tables(const IdentifySoilOptions& options) {
  const auto quantities = soil_test_quantities();
  const ColumnMapping mapping =
      column_mapping(options.columns.columns, options.columns.units, quantities);
  SoilTables tables{.plates = read_csv(options.data)};
  std::vector<const CsvTable*> all = {&tables.plates};
  if (!options.shear.empty()) all.push_back(&tables.shear.emplace(read_csv(options.shear)));
  check_columns_exist(mapping, all);
  tables.plates = with_columns(std::move(tables.plates), mapping, quantities);
  if (tables.shear) tables.shear = with_columns(*std::move(tables.shear), mapping, quantities);
  return tables;
}

int identify_soil(const IdentifySoilOptions& options) {
  check_name(options.name);
  SoilIdentification soil{.name = options.name,
                          .plate_file = fs::path(options.data).filename().string(),
                          .shear_file = fs::path(options.shear).filename().string(),
                          .options = {.fit = options.fit,
                                      .least_sinkage = options.least_sinkage,
                                      .offset = options.offset},
                          .plates = {},
                          .shear = {},
                          .like = {}};
  if (!options.like.empty()) soil.like = find_soil(options.like);
  const SoilTables tables = read_tables(options);
  const std::vector<PlateTest> plates = plate_tests(tables.plates, {.group = options.group});
  std::vector<ShearTest> shears;
  if (tables.shear) shears = read_shear_tests(options, *tables.shear);
  soil.plates = identify_plates(plates, soil.options);
  if (tables.shear) soil.shear = identify_shear(shears, soil.options);

  const std::vector<std::string> files = write_files(options.output, soil);
  if (options.json.on) {
    Json json = {{"name", soil.name},
                 {"fit", options.fit == FitMode::log ? "log" : "pressure"},
                 {"plates", fit_json("plate_b_m", soil.plates)}};
    json["plates"]["correlation"] = soil.plates.correlation;
    if (soil.shear) json["shear"] = fit_json("normal_stress_Pa", *soil.shear);
    json["files"] = files;
    fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  print_fit("Plates: p = (k_c/b + k_phi) z^n, b is the radius of a disc or the short side",
            "b [mm]", 1e3, soil.plates);
  if (soil.shear) {
    print_fit("Shear: tau = (c + p tan phi)(1 - exp(-j/K))", "p [kPa]", 1e-3, *soil.shear);
  }
  for (const std::string& file : files) fmt::print("{}\n", file);
  return 0;
}

}  // namespace

void add_identify_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("identify", "parameters from measurements");
  command->require_subcommand(1);
  auto options = std::make_shared<IdentifySoilOptions>();
  CLI::App* soil = command->add_subcommand("soil", "a soil from plate and shear tests");
  soil->add_option("DATA", options->data, "CSV file of plate tests")->required();
  soil->add_option("--shear", options->shear, "CSV file of shear tests");
  soil->add_option("-o,--output", options->output, "folder for soil.yaml, fit.csv and fit.svg");
  const std::vector<std::pair<std::string, FitMode>> modes = {{"log", FitMode::log},
                                                              {"pressure", FitMode::pressure}};
  soil->add_option("--fit", options->fit, "errors of ln p (default), or of p by each trial's rms")
      ->transform(CLI::CheckedTransformer(modes));
  soil->add_option("--min-sinkage", options->least_sinkage,
                   "leave shallower points out [m] (default: 5 % of a trial's depth; 0 with "
                   "--fit pressure)")
      ->check(CLI::Range(0.0, 10.0));
  soil->add_flag("--offset", options->offset, "fit the zero of each trial's sinkage");
  soil->add_option("--group", options->group,
                   "column of DATA (and SHEAR, if there) that tells trials apart beside 'trial'")
      ->allow_extra_args(false);
  soil->add_option("--name", options->name, "of the soil");
  soil->add_option("--like", options->like, "preset with what is not identified (grouser soils)");
  options->columns.add_to(*soil);
  options->json.add_to(*soil);
  soil->callback([options, &action] { action = [options] { return identify_soil(*options); }; });
  add_identify_wheel(*command, action);
}

}  // namespace grouser::internal
