#include <algorithm>

#include "core/text.h"
#include "objects.h"

namespace grouser::c {

HandleTable& WorldObject::table() {
  static HandleTable table(1, "world");
  return table;
}

WorldObject::WorldObject(World its_world)
    : world(std::move(its_world)), names{world.bodies(),  world.actuators(), world.rovers(),
                                         world.wheels(),  world.contacts(),  world.springs(),
                                         world.tethers(), world.events()} {}

GroundWindow inner(const grouser_ground_window* window) {
  const auto [x, y, spacing, columns, rows] = given(window, "the window");
  return {.x = x, .y = y, .spacing = spacing, .columns = columns, .rows = rows};
}

grouser_ground_point plain(const GroundPoint& point) {
  return {point.height, {point.normal.x, point.normal.y, point.normal.z}};
}

void copy_heights(const std::vector<double>& from, double* to, std::size_t room) {
  given(to, "the place for heights");
  if (room < from.size()) {
    refuse("there is room for " + std::to_string(room) + " heights, the window has " +
           std::to_string(from.size()));
  }
  std::ranges::copy(from, to);
}

namespace {

void hand_out_world(World world, grouser_world** out) {
  given(out, "the place for the handle");
  hand_out(std::make_unique<WorldObject>(std::move(world)), out);
}

std::string folder_of(const char* folder) { return folder == nullptr ? "." : folder; }

const std::vector<std::string>& list_of(const grouser_world* world, grouser_list list) {
  const auto& names = held<WorldObject>(world).names;
  const auto index = static_cast<std::size_t>(list);
  if (index >= names.size()) refuse("there is no list " + std::to_string(index) + " of names");
  return names[index];
}

const std::string& element(const std::vector<std::string>& list, std::size_t index) {
  if (index < list.size()) return list[index];
  refuse("there is no element " + std::to_string(index) + " in a list of " +
         std::to_string(list.size()));
}

int position_of(const std::vector<std::string>& list, const std::string& name) {
  const auto found = std::ranges::find(list, name);
  if (found != list.end()) return static_cast<int>(found - list.begin());
  const auto near = internal::closest_match(name, list);
  refuse("there is nothing called '" + name + "' in that list" +
         (near ? "; did you mean '" + *near + "'?" : std::string()));
}

const std::vector<std::string>& builtins(grouser_builtin kind) {
  static const std::vector<std::string> lists[] = {builtin_scenes(), builtin_rovers(),
                                                   builtin_soils()};
  const auto index = static_cast<std::size_t>(kind);
  if (index >= std::size(lists)) refuse("there is no list of that number");
  return lists[index];
}

}  // namespace
}  // namespace grouser::c

using namespace grouser;
using namespace grouser::c;

grouser_result grouser_world_load(const char* file, grouser_world** out) {
  return guarded([&] { hand_out_world(World::load(text(file, "the file's name")), out); });
}

grouser_result grouser_world_parse(const char* yaml, const char* folder, grouser_world** out) {
  return guarded(
      [&] { hand_out_world(World::parse(text(yaml, "the text"), folder_of(folder)), out); });
}

grouser_result grouser_world_builtin(const char* name, grouser_world** out) {
  return guarded([&] { hand_out_world(World::builtin(text(name, "the name")), out); });
}

grouser_result grouser_world_with_host_contacts(const grouser_world* world, grouser_world** out) {
  return guarded([&] { hand_out_world(held<WorldObject>(world).world.with_host_contacts(), out); });
}

grouser_result grouser_world_free(grouser_world* world) {
  return guarded([&] { free_handle<WorldObject>(world); });
}

grouser_result grouser_world_get_info(const grouser_world* world, grouser_world_info* out) {
  return guarded([&] {
    const World& inner = held<WorldObject>(world).world;
    const bool has_ground = inner.has_ground();
    const GroundBounds bounds = has_ground ? inner.ground_bounds() : GroundBounds{};
    grouser_world_info info = {inner.name().c_str(), inner.duration(), inner.step(),
                               inner.total_mass(),   has_ground,       bounds.x_min,
                               bounds.y_min,         bounds.x_max,     bounds.y_max};
    answer(out, info);
  });
}

grouser_result grouser_world_count(const grouser_world* world, grouser_list list, size_t* count) {
  return guarded([&] { answer(count, list_of(world, list).size()); });
}

grouser_result grouser_world_name(const grouser_world* world, grouser_list list, size_t index,
                                  const char** name) {
  return guarded([&] { answer(name, element(list_of(world, list), index).c_str()); });
}

grouser_result grouser_world_find(const grouser_world* world, grouser_list list, const char* name,
                                  int* index) {
  return guarded([&] { answer(index, position_of(list_of(world, list), text(name, "the name"))); });
}

grouser_result grouser_world_ground_at(const grouser_world* world, double x, double y,
                                       grouser_ground_point* point) {
  return guarded([&] { answer(point, plain(held<WorldObject>(world).world.ground_at(x, y))); });
}

grouser_result grouser_world_ground_heights(const grouser_world* world,
                                            const grouser_ground_window* window, double* heights,
                                            size_t count) {
  return guarded([&] {
    copy_heights(held<WorldObject>(world).world.ground_heights(inner(window)), heights, count);
  });
}

grouser_result grouser_builtin_count(grouser_builtin kind, size_t* count) {
  return guarded([&] { answer(count, builtins(kind).size()); });
}

grouser_result grouser_builtin_name(grouser_builtin kind, size_t index, const char** name) {
  return guarded([&] { answer(name, element(builtins(kind), index).c_str()); });
}
