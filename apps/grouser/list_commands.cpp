#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "scene/builtin.h"

namespace grouser {
namespace {

int list(const char* kind, const std::vector<BuiltinEntry>& entries, bool json) {
  if (json) {
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const BuiltinEntry& entry : entries) {
      array.push_back({{"name", entry.name}, {"description", entry.description}});
    }
    fmt::print("{}\n", nlohmann::ordered_json{{kind, array}}.dump());
    return 0;
  }
  for (const BuiltinEntry& entry : entries) {
    fmt::print("{:<22}{}\n", entry.name, entry.description);
  }
  return 0;
}

void add_list(CLI::App& app, Action& action, const char* kind, const char* help,
              std::vector<BuiltinEntry> (*entries)()) {
  auto json = std::make_shared<JsonOption>();
  CLI::App* command = app.add_subcommand(kind, help);
  json->add_to(*command);
  command->callback([=, &action] { action = [=] { return list(kind, entries(), json->on); }; });
}

}  // namespace

void add_list_commands(CLI::App& app, Action& action) {
  add_list(app, action, "scenes", "list the built-in scenes", builtin_scenes);
  add_list(app, action, "rovers", "list the built-in rovers", builtin_rovers);
}

}  // namespace grouser
