#include "scene/wheel_finder.h"

#include <fmt/format.h>

#include "scene/yaml_reader.h"

namespace grouser::internal {

std::optional<std::size_t> find_rover(const std::vector<Rover>& rovers,
                                      const std::optional<PlacedName>& name, const Place& place,
                                      IssueList& issues) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < rovers.size(); ++i) {
    if (name && rovers[i].name == name->text) return i;
    names.push_back(rovers[i].name);
  }
  if (name) {
    add_unknown_word(name->place, name->text, "unknown rover", names, issues);
  } else if (rovers.size() == 1) {
    return 0;
  } else {
    issues.add(issue_at(place, rovers.empty() ? "no model of the scene is a rover with wheels"
                                              : "the key 'rover' is missing: there are several"));
  }
  return std::nullopt;
}

std::vector<const Wheel*> find_wheels(const Rover& rover, const std::vector<PlacedName>& names,
                                      bool steerable, const Place& place, IssueList& issues) {
  std::vector<const Wheel*> found;
  if (names.empty()) {
    for (const Wheel& wheel : rover.wheels) {
      if (!steerable || wheel.steer_dof >= 0) found.push_back(&wheel);
    }
    if (found.empty()) issues.add(issue_at(place, "the rover has no such wheels"));
    return found;
  }
  for (const PlacedName& name : names) {
    const std::string full = fmt::format("{}/{}", rover.name, name.text);
    std::vector<std::string_view> known;
    const Wheel* match = nullptr;
    for (const Wheel& wheel : rover.wheels) {
      if (wheel.name == full || wheel.name == name.text) match = &wheel;
      known.push_back(std::string_view(wheel.name).substr(rover.name.size() + 1));
    }
    if (match != nullptr) {
      found.push_back(match);
    } else {
      add_unknown_word(name.place, name.text, "unknown wheel", known, issues);
    }
  }
  return found;
}

}  // namespace grouser::internal
