#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "commands.h"
#include "core/disk.h"
#include "record/run_directory.h"
#include "run_report.h"

namespace grouser::internal {
namespace {

struct ReportOptions {
  std::string run;
  std::string output;
  JsonOption json;
};

std::string summary_of(const RunReader& run) {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(run.file()).parent_path() / kSummaryFile).rdbuf();
  return text.str();
}

int write_report(const ReportOptions& options) {
  const RunReader run(options.run);
  const std::filesystem::path out =
      options.output.empty() ? std::filesystem::path(run.file()).parent_path() / "report.html"
                             : std::filesystem::path(options.output);
  const std::string page = run_report(run, summary_of(run));
  AtomicFile file(out);
  file.write(page);
  file.commit();
  if (options.json.on) {
    fmt::print("{}\n",
               nlohmann::ordered_json{{"file", out.string()}, {"bytes", page.size()}}.dump());
  } else {
    fmt::print("{}\n", out.string());
  }
  return 0;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "write a run as one HTML page that needs nothing else");
  command->add_option("DIR", options->run, "folder of the run")->required();
  command->add_option("-o,--output", options->output, "file to write (default: DIR/report.html)");
  options->json.add_to(*command);
  command->callback([options, &action] { action = [options] { return write_report(*options); }; });
}

}  // namespace grouser::internal
