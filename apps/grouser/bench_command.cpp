#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "core/error.h"
#include "core/text.h"
#include "lab/bench/bench.h"

namespace grouser::internal {
namespace {

struct BenchOptions {
  std::vector<std::string> ids;
  bool list = false;
  std::string problems;
  JsonOption json;
};

const Bench& find_bench(const std::string& id) {
  std::vector<std::string> names;
  for (const Bench& bench : benches()) {
    if (bench.id == id) return bench;
    names.push_back(bench.id);
  }
  Issue issue{.message = fmt::format("there is no benchmark called '{}'", id),
              .legal = "an id of 'grouser bench --list'"};
  if (const auto near = closest_match(id, names)) {
    issue.message += fmt::format("; did you mean '{}'?", *near);
  }
  throw Error(ErrorKind::usage, issue);
}

std::vector<BenchRow> run_one(const Bench& bench, const BenchOptions& options) {
  if (options.problems.empty()) return bench.run();
  if (bench.run_on) return bench.run_on(options.problems);
  throw Error(ErrorKind::usage, {.message = fmt::format("'{}' takes no --problems", bench.id),
                                 .legal = "grouser bench nonsmooth --problems DIR"});
}

int bench(const BenchOptions& options) {
  if (options.list) {
    for (const Bench& known : benches()) fmt::print("{:<16}{}\n", known.id, known.title);
    return 0;
  }
  std::vector<const Bench*> chosen;
  for (const std::string& id : options.ids) chosen.push_back(&find_bench(id));
  if (chosen.empty()) {
    for (const Bench& known : benches()) chosen.push_back(&known);
  }
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const Bench* one : chosen) {
    const std::vector<BenchRow> rows = run_one(*one, options);
    results.push_back(bench_json(*one, rows));
    if (options.json.on) continue;
    fmt::print("\n{}: {}\n", one->id, one->title);
    for (const BenchRow& row : rows) {
      fmt::print("  {:<44}{:>12.4g} {}\n", row.name, row.value, row.unit);
    }
  }
  if (options.json.on && results.size() == 1) {
    fmt::print("{}\n", results[0].dump());
  } else if (options.json.on) {
    fmt::print("{}\n", nlohmann::ordered_json{{"results", results}}.dump());
  }
  return 0;
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "measure the speeds we hold ourselves to");
  command->add_option("ID", options->ids, "which (default: all)");
  command->add_flag("--list", options->list, "list what there is");
  command->add_option("--problems", options->problems,
                      "nonsmooth: also the cone problems in this folder (.fc3d, .hdf5)");
  options->json.add_to(*command);
  command->callback([options, &action] { action = [options] { return bench(*options); }; });
}

}  // namespace grouser::internal
