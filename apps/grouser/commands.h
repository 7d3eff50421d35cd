#pragma once

#include <CLI/CLI.hpp>
#include <functional>

/// The sub-commands of the program. Each adds itself to `app` and, when it was the one asked for,
/// sets `action` to what shall be done; that returns the exit code or throws Error.
namespace grouser::internal {

using Action = std::function<int()>;

void add_run_command(CLI::App& app, Action& action);
void add_list_commands(CLI::App& app, Action& action);  ///< scenes, rovers, soils, schema
void add_asset_command(CLI::App& app, Action& action);
void add_snapshot_command(CLI::App& app, Action& action);
void add_view_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_map_command(CLI::App& app, Action& action);
void add_export_command(CLI::App& app, Action& action);
void add_reproduce_command(CLI::App& app, Action& action);
void add_identify_command(CLI::App& app, Action& action);
void add_rig_command(CLI::App& app, Action& action);
void add_bench_command(CLI::App& app, Action& action);

inline constexpr int kExitInterrupted = 130;
inline constexpr int kExitNotReproduced = 3;

/// The flag --json, and what it means for errors.
struct JsonOption {
  bool on = false;
  void add_to(CLI::App& command);
};

/// True if the command line asks for JSON anywhere; main() wants to know before parsing succeeds.
bool wants_json(int argc, char** argv);

}  // namespace grouser::internal
