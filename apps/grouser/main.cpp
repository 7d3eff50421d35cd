#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "core/error.h"
#include "core/version.h"

namespace grouser {

void JsonOption::add_to(CLI::App& command) {
  command.add_flag("--json", on, "print one JSON object on standard output and nothing else");
}

bool wants_json(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) return true;
  }
  return false;
}

namespace {

const char* kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::diverged:
      return "diverged";
    case ErrorKind::io:
      break;
  }
  return "io";
}

/// Every finding on its own line of standard error; as JSON on standard output if asked for.
int report(const Error& error, bool json) {
  for (const Issue& issue : error.issues()) {
    fmt::print(stderr, "grouser: {}\n", to_string(issue));
  }
  if (json) {
    nlohmann::ordered_json issues = nlohmann::ordered_json::array();
    for (const Issue& issue : error.issues()) {
      issues.push_back({{"message", issue.message},
                        {"file", issue.file},
                        {"line", issue.line},
                        {"field", issue.field},
                        {"value", issue.value},
                        {"legal", issue.legal}});
    }
    const nlohmann::ordered_json object = {{"error", kind_name(error.kind())}, {"issues", issues}};
    fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return static_cast<int>(error.kind());
}

int run_program(int argc, char** argv) {
  CLI::App app("Contact dynamics and terramechanics for planetary rovers.", "grouser");
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 ok, 1 usage, 2 bad input, 3 diverged, 4 input/output, 130 interrupted.");
  Action action;
  add_run_command(app, action);
  add_snapshot_command(app, action);
  add_asset_command(app, action);
  add_list_commands(app, action);
  add_export_command(app, action);
  add_reproduce_command(app, action);
  add_identify_command(app, action);
  add_rig_command(app, action);
  add_bench_command(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_help = error.get_exit_code() == 0;
    app.exit(error);
    return asked_for_help ? 0 : static_cast<int>(ErrorKind::usage);
  }
  return action();
}

}  // namespace
}  // namespace grouser

int main(int argc, char** argv) {
  try {
    return grouser::run_program(argc, argv);
  } catch (const grouser::Error& error) {
    return grouser::report(error, grouser::wants_json(argc, argv));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "grouser: out of memory\n");
    return static_cast<int>(grouser::ErrorKind::io);
  }
}
