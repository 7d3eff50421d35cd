#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "core/error.h"
#include "core/text.h"
#include "lab/reproduce.h"
#include "text_files.h"

namespace grouser::internal {
namespace {

struct ReproduceOptions {
  std::vector<std::string> patterns;
  std::string figures;
  bool list = false;
  JsonOption json;
};

std::vector<const Reproduction*> select(const std::vector<std::string>& patterns) {
  std::vector<const Reproduction*> chosen;
  for (const std::string& pattern : patterns) {
    const std::vector<const Reproduction*> found = find_reproductions(pattern);
    if (found.empty()) {
      std::vector<std::string> ids;
      for (const Reproduction& known : reproductions()) ids.push_back(known.id);
      Issue issue{.message = fmt::format("there is nothing to reproduce called '{}'", pattern),
                  .legal = "an id of 'grouser reproduce --list'"};
      if (const auto near = closest_match(pattern, ids)) {
        issue.message += fmt::format("; did you mean '{}'?", *near);
      }
      throw Error(ErrorKind::usage, issue);
    }
    chosen.insert(chosen.end(), found.begin(), found.end());
  }
  return chosen;
}

void print_rows(const Reproduction& reproduction, const std::vector<ReproductionRow>& rows) {
  fmt::print("\n{}: {}\n", reproduction.id, reproduction.title);
  fmt::print("  {:<44}{:>8}{:>14}{:>14}{:>12}\n", "quantity", "unit", "reference", "ours",
             "tolerance");
  for (const ReproductionRow& row : rows) {
    const double reference = row.paper ? *row.paper : row.expected.value_or(0);
    fmt::print("  {:<44}{:>8}{:>14.7g}{:>14.7g}{:>12.2g}  {}\n", row.quantity, row.unit, reference,
               row.ours, row.tolerance, row.pass() ? "pass" : "FAIL");
  }
}

/// DIR/group_name.svg, if there is a figure; returns its path or nothing.
std::string write_figure(const Reproduction& reproduction, const std::string& folder) {
  if (!reproduction.figure || folder.empty()) return {};
  std::string name = reproduction.id + ".svg";
  std::ranges::replace(name, '/', '_');
  return write_texts(folder, {{name, to_svg(reproduction.figure())}}).front();
}

int reproduce(const ReproduceOptions& options) {
  if (options.list) {
    for (const Reproduction& known : reproductions()) {
      fmt::print("{:<26}{}\n", known.id, known.title);
    }
    return 0;
  }
  const std::vector<std::string> all = {"*"};
  bool pass = true;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const Reproduction* chosen : select(options.patterns.empty() ? all : options.patterns)) {
    const std::vector<ReproductionRow> rows = chosen->run();
    if (!options.json.on) print_rows(*chosen, rows);
    results.push_back(reproduction_json(*chosen, rows));
    const std::string figure = write_figure(*chosen, options.figures);
    if (!figure.empty()) results.back()["figure"] = figure;
    if (!figure.empty() && !options.json.on) fmt::print("  {}\n", figure);
    pass = pass && results.back()["pass"].get<bool>();
  }
  if (options.json.on && results.size() == 1) {
    fmt::print("{}\n", results[0].dump());
  } else if (options.json.on) {
    fmt::print("{}\n", nlohmann::ordered_json{{"pass", pass}, {"results", results}}.dump());
  }
  return pass ? 0 : kExitNotReproduced;
}

}  // namespace

void add_reproduce_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command =
      app.add_subcommand("reproduce", "run tables and figures of the papers again: paper, ours");
  command->add_option("ID", options->patterns, "which; * stands for anything (default: all)");
  command->add_option("--figures", options->figures, "folder for figures, of those that have one");
  command->add_flag("--list", options->list, "list what there is");
  options->json.add_to(*command);
  command->footer("Exits with 3 if a row does not pass.");
  command->callback([options, &action] { action = [options] { return reproduce(*options); }; });
}

}  // namespace grouser::internal
