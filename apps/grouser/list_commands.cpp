#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "describe.h"
#include "math/angle.h"
#include "scene/builtin.h"
#include "scene/schema.h"
#include "scene/text_file.h"
#include "terrain/soil.h"

namespace grouser::internal {
namespace {

int list(const char* kind, const std::vector<BuiltinEntry>& entries, bool json) {
  if (json) {
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const BuiltinEntry& entry : entries) {
      array.push_back({{"name", entry.name}, {"description", entry.description}});
    }
    fmt::print("{}\n", nlohmann::ordered_json{{kind, array}}.dump());
    return 0;
  }
  for (const BuiltinEntry& entry : entries) {
    fmt::print("{:<22}{}\n", entry.name, entry.description);
  }
  return 0;
}

struct ListOptions {
  std::string name;
  JsonOption json;
};

void add_list(CLI::App& app, Action& action, const char* kind, const char* help,
              std::vector<BuiltinEntry> (*entries)(),
              int (*describe)(const std::string& name, bool json)) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand(kind, help);
  command->add_option("NAME", options->name, "show what this one, or a file, holds");
  options->json.add_to(*command);
  command->callback([=, &action] {
    action = [=] {
      return options->name.empty() ? list(kind, entries(), options->json.on)
                                   : describe(options->name, options->json.on);
    };
  });
}

nlohmann::ordered_json soil_json(const Soil& soil) {
  return {{"name", soil.name},
          {"description", soil.description},
          {"source", soil.source},
          {"validity", soil.validity},
          {"sinkage_exponent", soil.sinkage_exponent},
          {"cohesive_modulus", soil.cohesive_modulus},
          {"frictional_modulus", soil.frictional_modulus},
          {"cohesion", soil.cohesion},
          {"friction_angle", soil.friction_angle},
          {"shear_modulus", soil.shear_modulus},
          {"density", soil.density},
          {"repose_angle", soil.repose_angle},
          {"estimated", soil.estimated}};
}

/// One soil with all there is to know, an estimate marked by ~.
void print_soil(const Soil& soil) {
  const auto line = [&](const char* field, const char* symbol, double value, const char* unit) {
    const bool guess = std::ranges::find(soil.estimated, field) != soil.estimated.end();
    fmt::print("  {:<20}{:<4}{:>2}{:<12.6g}{}\n", field, symbol, guess ? "~" : "", value, unit);
  };
  fmt::print("{}: {}\n", soil.name, soil.description);
  line("sinkage_exponent", "n", soil.sinkage_exponent, "-");
  line("cohesive_modulus", "k_c", soil.cohesive_modulus, "N/m^(n+1)");
  line("frictional_modulus", "k_φ", soil.frictional_modulus, "N/m^(n+2)");
  line("cohesion", "c", soil.cohesion, "Pa");
  line("friction_angle", "φ", kDegPerRad * soil.friction_angle, "deg");
  line("shear_modulus", "K", soil.shear_modulus, "m");
  line("density", "ρ", soil.density, "kg/m³");
  line("repose_angle", "ψ", kDegPerRad * soil.repose_angle, "deg");
  fmt::print("  source: {}\n  validity: {}\n", soil.source, soil.validity);
  if (!soil.estimated.empty()) fmt::print("  ~ estimated, not given by the source\n");
}

/// Number of characters of an UTF-8 text.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Prints rows of equal length, each column as wide as its widest cell: the first and the last one to the left, numbers
/// to the right.
void print_table(const std::vector<std::vector<std::string>>& rows) {
  const std::size_t columns = rows.front().size();
  std::vector<std::size_t> widths(columns, 0);
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < columns; ++k) widths[k] = std::max(widths[k], characters(row[k]));
  }
  for (const auto& row : rows) {
    std::string line = fmt::format("{:<{}}", row.front(), widths.front());
    for (std::size_t k = 1; k + 1 < columns; ++k)
      line += fmt::format("  {:>{}}", row[k], widths[k]);
    if (!row.back().empty()) line += "  " + row.back();
    fmt::print("{}\n", line);
  }
}

void print_soil_table() {
  std::vector<std::vector<std::string>> rows = {
      {"soil", "n", "k_c", "k_φ", "c", "φ", "K", "ρ", "description"},
      {"", "-", "N/m^(n+1)", "N/m^(n+2)", "Pa", "deg", "mm", "kg/m³", ""}};
  const auto number = [](double value) { return fmt::format("{:.4g}", value); };
  for (const Soil& soil : soil_presets()) {
    rows.push_back({soil.name, number(soil.sinkage_exponent), number(soil.cohesive_modulus),
                    number(soil.frictional_modulus), number(soil.cohesion),
                    number(kDegPerRad * soil.friction_angle), number(1e3 * soil.shear_modulus),
                    number(soil.density), soil.description});
  }
  print_table(rows);
  fmt::print("Sources, validity and which figures are estimates: grouser soils NAME\n");
}

int list_soils(const std::string& name, bool json) {
  if (!name.empty()) {
    const Soil& soil = find_soil(name);
    if (json) {
      fmt::print("{}\n", soil_json(soil).dump());
    } else {
      print_soil(soil);
    }
    return 0;
  }
  if (!json) {
    print_soil_table();
    return 0;
  }
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const Soil& soil : soil_presets()) array.push_back(soil_json(soil));
  fmt::print("{}\n", nlohmann::ordered_json{{"soils", array}}.dump());
  return 0;
}

void add_soils(CLI::App& app, Action& action) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("soils", "list the built-in soils and their sources");
  command->add_option("NAME", options->name, "show all about this one");
  options->json.add_to(*command);
  command->callback(
      [=, &action] { action = [=] { return list_soils(options->name, options->json.on); }; });
}

/// The schema of scenes, or a page of documentation with its tables of fields brought up to date.
int print_schema(const std::string& page) {
  if (page.empty()) {
    fmt::print("{}", scene_schema());
    return 0;
  }
  IssueList issues;
  const auto text = read_text_file(page, {}, issues);
  issues.throw_if_any();
  fmt::print("{}", with_field_tables(*text));
  return 0;
}

void add_schema(CLI::App& app, Action& action) {
  auto page = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("schema", "print the JSON Schema of scenes for editors");
  command->add_option("--tables", *page,
                      "print this Markdown page instead, its tables of fields brought up to date");
  command->callback([=, &action] { action = [=] { return print_schema(*page); }; });
}

}  // namespace

void add_list_commands(CLI::App& app, Action& action) {
  add_list(app, action, "scenes", "list the built-in scenes, or show what one holds",
           builtin_scenes, describe_scene);
  add_list(app, action, "rovers", "list the built-in rovers, or show what one holds",
           builtin_rovers, describe_rover);
  add_soils(app, action);
  add_schema(app, action);
}

}  // namespace grouser::internal
