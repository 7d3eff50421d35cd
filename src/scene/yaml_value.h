#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/place.h"

namespace grouser::internal {

/// A YAML node with the place it was read from. Anchors and aliases are already expanded.
struct YamlValue {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string text;     ///< of a scalar
  bool quoted = false;  ///< a scalar in quotes is a text, even "12"
  Place place;
  std::vector<std::string> keys;  ///< of a map, in the order of the file
  std::vector<YamlValue> items;   ///< of a list or map

  /// The value of a key, or nullptr if this is no map or has no such key.
  const YamlValue* find(std::string_view key) const;

  /// Short text of the value for messages: "12", "a list of 4", "a map".
  std::string shown() const;
};

/// Where the value stands that a path such as "zones[0].polygon" leads to from `value`; the nearest one
/// above it if there is none.
Place place_of(const YamlValue& value, std::string_view path);

/// "a number", "a list" ... for messages.
const char* to_string(YamlValue::Kind kind);

/// Parses one YAML document. On a syntax error, or if the document is nested too deeply or grows too
/// large through aliases, adds an issue and returns null. A key that is given twice is an issue, too,
/// but the rest can be used to find more.
YamlValue parse_yaml(const std::string& text, const std::string& file, IssueList& issues);

}  // namespace grouser::internal
