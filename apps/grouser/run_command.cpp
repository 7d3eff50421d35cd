#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "browser.h"
#include "commands.h"
#include "core/error.h"
#include "core/log.h"
#include "core/long_task.h"
#include "core/parallel.h"
#include "core/text.h"
#include "named_scene.h"
#include "progress.h"
#include "record/checkpoint.h"
#include "record/contact_tables.h"
#include "record/run_directory.h"
#include "record/run_writer.h"
#include "record/summary.h"
#include "rigs/self_check.h"
#include "run_summary.h"
#include "scene/builtin.h"
#include "scene/load_scene.h"
#include "sim/divergence.h"
#include "view/live_view.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string scene;
  std::string output;
  std::string resume;
  std::optional<double> duration, step;
  std::optional<std::uint64_t> seed;
  int threads = 0;
  bool quiet = false;
  bool patches = false;
  bool view = false, no_browser = false;
  unsigned short port = 0;
  bool check = false;
  CheckOptions checking;
  JsonOption json;
};

World load_world(const RunOptions& options) {
  if (!options.scene.empty()) return load_named_scene(options.scene);
  if (options.resume.empty()) return load_builtin_scene("default");
  const CheckpointScene stored = read_checkpoint_scene(options.resume);
  World world = load_scene_text(stored.text, stored.file, fs::path(stored.file).parent_path());
  // Overrides of the run that wrote the checkpoint belong to what is resumed.
  world.settings.integrator = stored.integrator;
  world.settings.seed = stored.seed;
  return world;
}

void apply_overrides(const RunOptions& options, World& world) {
  if (options.duration) world.settings.duration = *options.duration;
  if (options.step) world.settings.integrator.step = *options.step;
  if (options.seed) world.settings.seed = *options.seed;
}

/// A resumed run gets a folder of its own: the first part's record stays.
fs::path output_folder(const RunOptions& options, const World& world) {
  if (!options.output.empty()) return options.output;
  std::string name;
  for (const char c : world.name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
    name += plain ? c : '_';
  }
  if (name.empty()) name = "run";
  if (!options.resume.empty()) name += "-resumed";
  return fs::path("runs") / name;
}

/// Hands everything to the recorder and to the progress bar.
class Both : public Observer {
 public:
  Both(Observer& first, Observer& second) : first_(first), second_(second) {}
  void on_sample(const Sample& sample) override {
    first_.on_sample(sample);
    second_.on_sample(sample);
  }
  void on_event(const EventRecord& event) override {
    first_.on_event(event);
    second_.on_event(event);
  }
  void on_checkpoint(const State& state) override { first_.on_checkpoint(state); }
  void on_warning(const std::string& warning) override {
    first_.on_warning(warning);
    second_.on_warning(warning);
  }
  void on_alarm(const Alarm& alarm) override {
    first_.on_alarm(alarm);
    second_.on_alarm(alarm);
  }
  void on_step(double time, long steps) override {
    first_.on_step(time, steps);
    second_.on_step(time, steps);
  }

 private:
  Observer& first_;
  Observer& second_;
};

/// A run that diverged keeps its good samples and its last good state.
[[noreturn]] void keep_and_rethrow(const DivergedError& error, const World& world,
                                   RunWriter& writer) {
  writer.close();
  const fs::path kept = writer.folder() / "last_good.h5";
  save_checkpoint(kept, world, error.last_good());
  Issue issue = error.issues().front();
  issue.message +=
      fmt::format("; the state at t = {:g} s is kept in {}", error.last_good().time, kept.string());
  throw Error(ErrorKind::diverged, issue);
}

/// Nothing unless the run shall be seen. Tells where.
std::unique_ptr<LiveView> open_view(const World& world, const RunOptions& options) {
  if (!options.view) return nullptr;
  auto view = std::make_unique<LiveView>(world, options.port);
  fmt::print(stderr, "{}\n", view->address());
  if (!options.no_browser) open_browser(view->address());
  return view;
}

/// Until those who look on have gone.
void wait_for_pages(const LiveView& view) {
  std::fflush(stdout);  // what was printed may be waited for
  if (view.pages() > 0 && !cancel_requested()) {
    fmt::print(stderr, "The run is over; its page stays until it is closed (or Ctrl-C).\n");
  }
  while (view.pages() > 0 && !cancel_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

/// As simulate(), shown in the browser.
RunReport simulate_in_view(const World& world, const State& start, Observer& observer,
                           LiveView& view) {
  Both both(observer, view);
  Simulation simulation(world, start);
  simulation.set_observer(&both);
  view.run(simulation, world.settings.duration, cancel_flag());
  simulation.set_observer(nullptr);
  RunReport report = simulation.report();
  if (view.was_driven()) {
    report.warnings.emplace_back(
        "the rover was driven by hand in the viewer: the scene alone does not repeat this run");
  }
  view.finish(to_string(report.outcome));
  return report;
}

RunReport simulate_and_record(const World& world, const State& start, const RunOptions& options,
                              RunWriter& writer, LiveView* view) {
  Progress progress(start.time, world.settings.duration, !options.quiet && !options.json.on);
  Both both(writer, progress);
  const SimulateOptions until{.end_time = world.settings.duration, .interrupt = &cancel_flag()};
  try {
    if (view) return simulate_in_view(world, start, both, *view);
    if (!options.patches) return simulate(world, start, until, both);
    ContactTables patches(world, writer.folder());
    Both all(both, patches);
    const RunReport report = simulate(world, start, until, all);
    patches.close();
    return report;
  } catch (const DivergedError& error) {
    keep_and_rethrow(error, world, writer);
  }
}

void refuse_check_of_part(const RunOptions& options) {
  if (!options.check || options.resume.empty()) return;
  throw Error(
      ErrorKind::usage,
      Issue{.message = "--check repeats a run from its start: soil that was recorded on one grid "
                       "cannot be continued on another; check the first part of the run instead",
            .field = "--check"});
}

/// Adds what the self-check found to the summary, which is on disk by now. Returns whether it got to its end.
bool check_and_add(const World& world, const RunReport& report, const RunOptions& options,
                   const fs::path& folder, nlohmann::ordered_json& summary) {
  try {
    const SelfCheck check = check_run(world, report, options.checking);
    summary["check"] = check_json(check);
    write_summary(folder, summary);
    if (!options.json.on) fmt::print("\n{}", check_text(check));
    return true;
  } catch (const Cancelled&) {
    summary["check"] = {{"interrupted", true}, {"converged", nullptr}};
    write_summary(folder, summary);
    fmt::print(stderr, "grouser: the check was interrupted; the run itself is complete\n");
    return false;
  }
}

int run(const RunOptions& options) {
  refuse_check_of_part(options);
  set_thread_count(options.threads);
  World world = load_world(options);
  apply_overrides(options, world);
  if (options.check) validate(options.checking, world);
  const State start =
      options.resume.empty() ? initial_state(world) : load_checkpoint(options.resume, world);
  if (start.time >= world.settings.duration) {
    throw Error(ErrorKind::input,
                Issue{.message = fmt::format("the checkpoint is at {:g} s and the run ends at {:g} "
                                             "s: give a later end with --duration",
                                             start.time, world.settings.duration),
                      .file = options.resume});
  }
  if (options.patches && !has_contact_tables(world)) {
    throw Error(ErrorKind::usage, Issue{.message = "--patches: no meshes touch in this scene"});
  }
  const fs::path folder = output_folder(options, world);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error like a full disk
  const CancelScope scope;        // the run stops at its next step, and what it wrote is kept
  RunWriter writer(world, folder);
  const std::unique_ptr<LiveView> view = open_view(world, options);
  const RunReport report = simulate_and_record(world, start, options, writer, view.get());
  writer.close();
  save_checkpoint(folder / kCheckpointFile, world, report.resumable);
  nlohmann::ordered_json summary = summary_json(world, report, folder);
  write_summary(folder, summary);
  if (!options.json.on) print_summary(world, report, folder);
  const bool is_interrupted = report.outcome == Outcome::interrupted;
  const bool is_checked =
      !options.check || is_interrupted || check_and_add(world, report, options, folder, summary);
  if (options.json.on) fmt::print("{}\n", to_line(summary));
  if (view) wait_for_pages(*view);
  if (!is_interrupted) return is_checked ? 0 : kExitInterrupted;
  fmt::print(stderr, "grouser: interrupted at {:g} s; go on with: grouser run --resume {}\n",
             report.state.time, (folder / kCheckpointFile).string());
  return kExitInterrupted;
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run_app = app.add_subcommand("run", "simulate a scene and record it");
  run_app->add_option("SCENE", options->scene,
                      "scene file, or the name of a built-in scene (default: default)");
  run_app->add_option("-o,--output", options->output, "folder to write (default: runs/NAME)");
  run_app->add_option("--duration", options->duration, "time at which the run ends [s]")
      ->check(CLI::Range(1e-9, 1e9));
  run_app->add_option("--step", options->step, "step of the integrator [s]")
      ->check(CLI::Range(1e-9, 10.0));
  run_app->add_option("--threads", options->threads, "threads to use (default: all cores)")
      ->check(CLI::Range(0, 1024));
  run_app->add_option("--seed", options->seed, "seed of all random numbers");
  run_app->add_option("--resume", options->resume,
                      "go on from a checkpoint; without SCENE, in the scene it was taken in");
  run_app->add_flag(
      "--patches", options->patches,
      "also write patches.csv: pressure and slip of each element of meshes in contact");
  CLI::Option* view = run_app->add_flag(
      "--view", options->view, "show the run in the browser while it goes on: pause, step, drive");
  view->excludes("--patches");
  run_app->add_option("--port", options->port, "port of --view (default: a free one)")->needs(view);
  run_app->add_flag("--no-browser", options->no_browser, "with --view: print the address only")
      ->needs(view);
  run_app
      ->add_flag("--check", options->check,
                 "repeat the run at half the step and half the grid, and say what changes")
      ->excludes(view);
  run_app
      ->add_option("--check-duration", options->checking.duration,
                   "how much of the run, from its start, the check repeats [s] (default: all, or "
                   "10 s on soft soil)")
      ->check(CLI::Range(1e-9, 1e9))
      ->needs("--check");
  run_app
      ->add_option("--check-tolerance", options->checking.tolerance,
                   "change up to which the run counts as converged [-] (default 0.03)")
      ->check(CLI::Range(1e-9, 10.0))
      ->needs("--check");
  run_app->add_flag("--quiet", options->quiet, "no progress");
  options->json.add_to(*run_app);
  run_app->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace grouser::internal
