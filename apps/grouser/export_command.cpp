#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "record/csv.h"
#include "run_plots.h"

namespace grouser::internal {
namespace {

struct ExportOptions {
  std::string run;
  std::string output;
  JsonOption json;
};

std::filesystem::path folder_of(const ExportOptions& options, const char* name) {
  return options.output.empty() ? std::filesystem::path(options.run) / name
                                : std::filesystem::path(options.output);
}

/// Says which files were written.
int print(const std::vector<std::string>& files, const ExportOptions& options) {
  if (options.json.on) {
    fmt::print("{}\n", nlohmann::ordered_json{{"files", files}}.dump());
    return 0;
  }
  for (const std::string& file : files) fmt::print("{}\n", file);
  return 0;
}

int export_to_csv(const ExportOptions& options) {
  std::vector<std::string> names;
  for (const auto& file : export_csv(options.run, folder_of(options, "csv"))) {
    names.push_back(file.string());
  }
  return print(names, options);
}

int export_plots(const ExportOptions& options) {
  const RunReader run(options.run);
  return print(write_texts(folder_of(options, "plots"), run_plots(run)), options);
}

void add_format(CLI::App& command, Action& action, const char* name, const std::string& what,
                int (*write)(const ExportOptions&)) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* format = command.add_subcommand(name, what);
  format->add_option("DIR", options->run, "folder of the run")->required();
  format->add_option("-o,--output", options->output,
                     fmt::format("folder to write (default: DIR/{})", name));
  options->json.add_to(*format);
  format->callback([options, write, &action] { action = [=] { return write(*options); }; });
}

}  // namespace

void add_export_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("export", "turn a run into files for other tools");
  command->require_subcommand(1);
  add_format(*command, action, "csv", "tables of a run", export_to_csv);
  add_format(*command, action, "plots", "wheels and motion of a run over time, as SVG",
             export_plots);
}

}  // namespace grouser::internal
