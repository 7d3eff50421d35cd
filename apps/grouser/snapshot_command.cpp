#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "run_picture.h"

namespace grouser::internal {
namespace {

struct SnapshotOptions {
  std::string run;
  std::string output;
  double time = 0;
  bool has_time = false;
  RunPictureOptions picture;
  JsonOption json;
};

std::string legend_text(const RutLegend& ruts) {
  return fmt::format(
      "ruts down to {:.1f} mm (blue), heaps up to {:.1f} mm (red), as recorded at {:g} s, drawn "
      "every "
      "{:.3g} mm",
      1e3 * ruts.range.sunk, 1e3 * ruts.range.heaped, ruts.time, 1e3 * ruts.spacing);
}

void print_snapshot_json(const std::filesystem::path& file, const std::optional<RutLegend>& ruts) {
  nlohmann::ordered_json json = {{"file", file.string()}, {"ruts", nullptr}};
  if (ruts) {
    json["ruts"] = {{"depth_m", ruts->range.sunk},
                    {"height_m", ruts->range.heaped},
                    {"time_s", ruts->time},
                    {"spacing_m", ruts->spacing}};
  }
  fmt::print("{}\n", json.dump());
}

int take_snapshot(SnapshotOptions options) {
  const std::filesystem::path run(options.run);
  if (options.has_time) options.picture.time = options.time;
  const std::filesystem::path out =
      options.output.empty() ? run / "snapshot.png" : std::filesystem::path(options.output);
  const RunPicture picture = picture_of_run(RunReader(run), options.picture);
  write_png(out, picture.image);
  if (options.json.on) {
    print_snapshot_json(out, picture.ruts);
  } else {
    fmt::print("{}\n", out.string());
    if (picture.ruts) fmt::print("{}\n", legend_text(*picture.ruts));
  }
  return 0;
}

}  // namespace

void add_snapshot_command(CLI::App& app, Action& action) {
  const std::map<std::string, ViewFrom> views = {{"front", ViewFrom::front},
                                                 {"side", ViewFrom::side},
                                                 {"rear", ViewFrom::rear},
                                                 {"top", ViewFrom::top},
                                                 {"corner", ViewFrom::corner}};
  auto options = std::make_shared<SnapshotOptions>();
  CLI::App* command = app.add_subcommand("snapshot", "draw an instant of a run as PNG");
  command->add_option("DIR", options->run, "folder of the run")->required();
  CLI::Option* at = command->add_option("--at", options->time, "time [s] (default: the end)");
  command->add_option("-o,--output", options->output, "file to write (default: DIR/snapshot.png)");
  command->add_option("--view", options->picture.view, "seen from: corner, front, side, rear, top")
      ->transform(CLI::CheckedTransformer(views, CLI::ignore_case).description(""));
  command->add_option("--body", options->picture.body, "what to look at; * stands for any letters");
  command->add_option("--zoom", options->picture.zoom, "more than 1: nearer (default 1)")
      ->check(CLI::Range(0.01, 100.0));
  command->add_option("--width", options->picture.width, "[px] (default 1280)")
      ->check(CLI::Range(16, 4096));
  command->add_option("--height", options->picture.height, "[px] (default 800)")
      ->check(CLI::Range(16, 4096));
  options->json.add_to(*command);
  command->callback([options, at, &action] {
    options->has_time = at->count() > 0;
    action = [options] { return take_snapshot(*options); };
  });
}

}  // namespace grouser::internal
