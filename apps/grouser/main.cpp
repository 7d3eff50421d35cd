#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "core/error.h"
#include "core/long_task.h"
#include "core/version.h"
#include "progress.h"

namespace grouser::internal {

void JsonOption::add_to(CLI::App& command) {
  command.add_flag("--json", on, "print one JSON object on standard output and nothing else");
}

namespace {

bool has_flag(int argc, char** argv, const char* flag) {
  return std::any_of(argv + std::min(argc, 1), argv + argc,
                     [flag](const char* word) { return std::strcmp(word, flag) == 0; });
}

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

/// The first signal asks what is under way to stop and tidy up; a second one, or one when nobody would hear, ends the
/// program at once.
void on_signal(int signal) {
  constexpr int kExitSignal = 128;
  if (cancel_requested() || !CancelScope::any()) _exit(kExitSignal + signal);
  request_cancel();
}

int report_interrupt(bool json) {
  fmt::print(stderr, "grouser: interrupted\n");
  if (json) fmt::print("{}\n", nlohmann::ordered_json{{"error", "interrupted"}}.dump());
  return kExitInterrupted;
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
  add_view_command(app, action);
  add_report_command(app, action);
  add_map_command(app, action);
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

int run_safely(int argc, char** argv) {
  const bool json = wants_json(argc, argv);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (!json && !has_flag(argc, argv, "--quiet")) show_long_tasks();
  try {
    return run_program(argc, argv);
  } catch (const Cancelled&) {
    return report_interrupt(json);
  } catch (const Error& error) {
    return report(error, json);
  } catch (const std::bad_alloc&) {
    return report(Error(ErrorKind::io, Issue{.message = "out of memory"}), json);
  } catch (const std::exception& surprise) {
    return report(
        Error(ErrorKind::io, Issue{.message = std::string("internal error: ") + surprise.what()}),
        json);
  }
}

}  // namespace

bool wants_json(int argc, char** argv) { return has_flag(argc, argv, "--json"); }

}  // namespace grouser::internal

int main(int argc, char** argv) { return grouser::internal::run_safely(argc, argv); }
