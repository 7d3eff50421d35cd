#include <charconv>
#include <variant>

#include "objects.h"

namespace grouser::c {
namespace {

struct SceneObject {
  static HandleTable& table() {
    static HandleTable table(3, "scene");
    return table;
  }

  Value root = Map{};
};

/// A key of a map, or a position in a list.
using PathStep = std::variant<std::string, std::size_t>;

[[noreturn]] void refuse_path(std::string_view path) {
  refuse("'" + std::string(path) +
         "' is no path: write keys with dots and positions in brackets, "
         "as in models[0].tree.bodies[1].mass");
}

/// Takes the position in brackets that `rest` begins with.
std::size_t take_position(std::string_view& rest, std::string_view path) {
  std::size_t position = 0;
  const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), position);
  if (error != std::errc() || end == rest.data() + rest.size() || *end != ']') refuse_path(path);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
  return position;
}

std::vector<PathStep> steps_of(std::string_view path) {
  constexpr std::size_t kMostSteps = 64;
  std::vector<PathStep> steps;
  for (std::string_view rest = path; !rest.empty() || steps.empty();) {
    const std::size_t end = std::min(rest.find_first_of(".["), rest.size());
    if (end == 0) refuse_path(path);
    steps.emplace_back(std::string(rest.substr(0, end)));
    rest.remove_prefix(end);
    while (rest.starts_with('[')) steps.emplace_back(take_position(rest, path));
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      if (rest.empty()) refuse_path(path);
    } else if (!rest.empty()) {
      refuse_path(path);
    }
    if (steps.size() > kMostSteps) refuse_path(path);
  }
  return steps;
}

/// `old` with `leaf` where the steps lead.
Value with(const Value& old, std::span<const PathStep> steps, const Value& leaf,
           const std::string& path) {
  if (steps.empty()) return leaf;
  const bool is_new = !old.map() && !old.list() && !old.text() && !old.number() && !old.truth();
  if (const auto* key = std::get_if<std::string>(&steps[0])) {
    if (!is_new && !old.map()) refuse("'" + path + "': '" + *key + "' is sought in what is no map");
    const Map map = is_new ? Map{} : *old.map();
    const auto entry = std::ranges::find(
        map, *key, [](const auto& each) -> const std::string& { return each.first; });
    const Value below = entry == map.end() ? Value() : entry->second;
    return merged(map, Map{{*key, with(below, steps.subspan(1), leaf, path)}});
  }
  if (!is_new && !old.list()) refuse("'" + path + "': a position is sought in what is no list");
  const std::size_t position = std::get<std::size_t>(steps[0]);
  List list = is_new ? List{} : *old.list();
  if (position > list.size()) {
    refuse("'" + path + "': the list has " + std::to_string(list.size()) + " elements so far");
  }
  if (position == list.size()) list.emplace_back();
  list[position] = with(list[position], steps.subspan(1), leaf, path);
  return Value(std::move(list));
}

grouser_result set(grouser_scene* scene, const char* path, const auto& make_value) {
  return guarded([&] {
    Value& root = held<SceneObject>(scene).root;
    const std::string where = text(path, "the path");
    root = with(root, steps_of(where), make_value(), where);
  });
}

}  // namespace
}  // namespace grouser::c

using namespace grouser;
using namespace grouser::c;

grouser_result grouser_scene_create(grouser_scene** scene) {
  return guarded([&] { hand_out(std::make_unique<SceneObject>(), scene); });
}

grouser_result grouser_scene_free(grouser_scene* scene) {
  return guarded([&] { free_handle<SceneObject>(scene); });
}

grouser_result grouser_scene_set_number(grouser_scene* scene, const char* path, double value) {
  return set(scene, path, [&] { return Value(value); });
}

grouser_result grouser_scene_set_numbers(grouser_scene* scene, const char* path,
                                         const double* values, size_t count) {
  return set(scene, path, [&] {
    if (count > 0) given(values, "the numbers");
    return Value(count > 0 ? List(values, values + count) : List{});
  });
}

grouser_result grouser_scene_set_text(grouser_scene* scene, const char* path, const char* value) {
  return set(scene, path, [&] { return Value(text(value, "the text")); });
}

grouser_result grouser_scene_set_truth(grouser_scene* scene, const char* path, bool value) {
  return set(scene, path, [&] { return Value(value); });
}

grouser_result grouser_world_build(const grouser_scene* scene, const char* folder,
                                   grouser_world** world) {
  return guarded([&] {
    given(world, "the place for the handle");
    const Value& root = held<SceneObject>(scene).root;
    hand_out(std::make_unique<WorldObject>(World::build(root, folder == nullptr ? "." : folder)),
             world);
  });
}
