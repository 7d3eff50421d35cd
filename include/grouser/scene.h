#pragma once

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <grouser/math.h>

/// Scenes without files: the keys and values of docs/scene-format.md as C++ values.
namespace grouser {

class Value;

/// Values one after the other: `List{6, 4}`. A list of a single list is `List{Value(List{6, 4})}`: what compilers make of
/// `List{List{6, 4}}` differs.
using List = std::vector<Value>;

/// Values by key, in order: `Map{{"size", List{6, 4}}, {"spacing", 0.01}}`. A key that comes twice is an error of the scene.
using Map = std::vector<std::pair<std::string, Value>>;

/// What a key of a scene stands for: nothing, a truth, a number, a text, a list or a map.
class Value {
 public:
  Value() = default;
  template <std::same_as<bool> Truth>  // no other type, a pointer say, turns into one by itself
  Value(Truth truth) : held_(truth) {}
  Value(double number) : held_(number) {}
  template <std::integral Whole>
  requires(!std::same_as<Whole, bool>) Value(Whole number) : held_(static_cast<double>(number)) {}
  Value(std::string text) : held_(std::move(text)) {}
  Value(std::string_view text) : held_(std::string(text)) {}
  Value(const char* text) : held_(std::string(text)) {}
  Value(List list) : held_(std::move(list)) {}
  Value(Map map) : held_(std::move(map)) {}
  Value(const Vec3& vector) : held_(List{vector.x, vector.y, vector.z}) {}

  const bool* truth() const { return std::get_if<bool>(&held_); }
  const double* number() const { return std::get_if<double>(&held_); }
  const std::string* text() const { return std::get_if<std::string>(&held_); }
  const List* list() const { return std::get_if<List>(&held_); }
  const Map* map() const { return std::get_if<Map>(&held_); }

 private:
  std::variant<std::monostate, bool, double, std::string, List, Map> held_;
};

/// A map with the entries of another: values of keys that it has are replaced, new keys come after its own. Values are
/// taken as a whole, also maps and lists.
inline Map merged(Map map, const Map& changes) {
  for (const auto& [key, value] : changes) {
    const auto same = std::find_if(map.begin(), map.end(),
                                   [&key = key](const auto& entry) { return entry.first == key; });
    if (same == map.end()) {
      map.emplace_back(key, value);
    } else {
      same->second = value;
    }
  }
  return map;
}

}  // namespace grouser
