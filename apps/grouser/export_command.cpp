#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "record/csv.h"

namespace grouser {
namespace {

struct ExportOptions {
  std::string run;
  std::string output;
  JsonOption json;
};

int export_to_csv(const ExportOptions& options) {
  const std::filesystem::path run(options.run);
  const std::filesystem::path out =
      options.output.empty() ? run / "csv" : std::filesystem::path(options.output);
  const std::vector<std::filesystem::path> files = export_csv(run, out);
  if (options.json.on) {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const std::filesystem::path& file : files) names.push_back(file.string());
    fmt::print("{}\n", nlohmann::ordered_json{{"files", names}}.dump());
    return 0;
  }
  for (const std::filesystem::path& file : files) fmt::print("{}\n", file.string());
  return 0;
}

}  // namespace

void add_export_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("export", "turn a run into files for other tools");
  command->require_subcommand(1);
  auto options = std::make_shared<ExportOptions>();
  CLI::App* csv = command->add_subcommand("csv", "tables of a run");
  csv->add_option("DIR", options->run, "folder of the run")->required();
  csv->add_option("-o,--output", options->output, "folder to write (default: DIR/csv)");
  options->json.add_to(*csv);
  csv->callback([options, &action] { action = [options] { return export_to_csv(*options); }; });
}

}  // namespace grouser
