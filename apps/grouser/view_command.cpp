#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "browser.h"
#include "commands.h"
#include "core/long_task.h"
#include "view/page.h"
#include "view/recorded_run.h"
#include "view/server.h"

namespace grouser::internal {
namespace {

struct ViewOptions {
  std::string run;
  unsigned short port = 0;
  bool no_browser = false;
  JsonOption json;
};

int view(const ViewOptions& options) {
  const RecordedRun run(options.run);
  const Server server({.port = options.port,
                       .answer = [&run](const Target& target) { return run.answer(target); },
                       .listen = {}});
  if (options.json.on) {
    fmt::print("{}\n",
               nlohmann::ordered_json{{"address", server.address()}, {"page", has_page()}}.dump());
  } else {
    fmt::print("{}\nCtrl-C ends the viewer.\n", server.address());
    if (!has_page())
      fmt::print("This program was built without the page: `make viewer` adds it.\n");
  }
  std::fflush(stdout);
  if (!options.no_browser) open_browser(server.address());
  const CancelScope scope;
  while (!cancel_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return 0;
}

}  // namespace

void add_view_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "look at a run in the browser");
  command->add_option("DIR", options->run, "folder of the run")->required();
  command->add_option("--port", options->port, "port on this machine (default: a free one)");
  command->add_flag("--no-browser", options->no_browser, "print the address, open no browser");
  options->json.add_to(*command);
  command->callback([options, &action] { action = [options] { return view(*options); }; });
}

}  // namespace grouser::internal
