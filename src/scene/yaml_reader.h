#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/spatial.h"
#include "scene/range.h"
#include "scene/yaml_value.h"

/// Checked conversions from YAML: whatever is wrong becomes an issue, and reading goes on, so that
/// all mistakes of a file are found at once.
namespace grouser::internal {

/// The finite double that all of `text` spells, or what is wrong with it. Knows no locale.
struct ParsedNumber {
  double value = 0;
  const char* defect = nullptr;  ///< nullptr if the value is good
};
ParsedNumber parse_number(std::string_view text);

std::optional<double> read_number(const YamlValue& value, const Range& range, IssueList& issues);

/// A list of numbers, all in the same range, of a length in [min_length, max_length].
std::optional<std::vector<double>> read_numbers(const YamlValue& value, const Range& range,
                                                std::size_t min_length, std::size_t max_length,
                                                IssueList& issues);

std::optional<Vec3> read_vector(const YamlValue& value, const Range& range, IssueList& issues);

/// A direction, scaled to unit length.
std::optional<Vec3> read_axis(const YamlValue& value, IssueList& issues);

std::optional<std::string> read_text(const YamlValue& value, IssueList& issues);

/// A name: letters, digits, '_', '-' and '.'; at most 64 of them.
std::optional<std::string> read_name(const YamlValue& value, IssueList& issues);

/// A reference to a name: one line of text.
std::optional<PlacedName> read_reference(const YamlValue& value, IssueList& issues);

template <class T>
using Choices = std::span<const std::pair<std::string_view, T>>;

/// Adds the issue that `word` is none of the legal words, with "did you mean".
void add_unknown_word(const Place& place, std::string_view word, const char* what,
                      const std::vector<std::string_view>& legal, IssueList& issues);

template <class T>
std::optional<T> read_choice(const YamlValue& value, Choices<T> choices, IssueList& issues) {
  const auto text = read_text(value, issues);
  if (!text) return std::nullopt;
  std::vector<std::string_view> words;
  for (const auto& [word, choice] : choices) {
    if (word == *text) return choice;
    words.push_back(word);
  }
  add_unknown_word(value.place, *text, "unknown word", words, issues);
  return std::nullopt;
}

/// Reads the keys of a map one by one and, at the end, reports the keys nobody asked for.
class MapReader {
 public:
  /// Reports a value that is no map; every key then counts as absent.
  MapReader(const YamlValue& value, IssueList& issues);

  const Place& place() const { return value_.place; }
  IssueList& issues() const { return issues_; }
  bool is_map() const { return value_.kind == YamlValue::Kind::map; }

  /// The value of an optional key, or nullptr. A key without a value is reported.
  const YamlValue* find(std::string_view key);
  /// The same, reporting the absence.
  const YamlValue* require(std::string_view key);
  /// The items of an optional list; empty if absent.
  std::span<const YamlValue> list(std::string_view key);

  double number(std::string_view key, const Range& range, double fallback);
  std::optional<double> number(std::string_view key, const Range& range);
  std::optional<double> required_number(std::string_view key, const Range& range);
  /// A whole number.
  double integer(std::string_view key, const Range& range, double fallback);
  /// `key` in radians or `key_deg` in degrees; both at once are reported. [rad]
  std::optional<double> angle(const std::string& key, const Range& range);
  Vec3 vector(std::string_view key, const Range& range, const Vec3& fallback);
  std::optional<Vec3> axis(std::string_view key);
  /// `position` [m] and `rpy_deg` [deg], both optional.
  Pose pose(const Range& position_range);
  std::optional<std::string> text(std::string_view key);
  std::optional<std::string> name(std::string_view key);
  std::optional<PlacedName> reference(std::string_view key);
  std::optional<PlacedName> required_reference(std::string_view key);
  bool flag(std::string_view key, bool fallback);
  template <class T>
  std::optional<T> choice(std::string_view key, Choices<T> choices) {
    const YamlValue* value = find(key);
    return value != nullptr ? read_choice<T>(*value, choices, issues_) : std::nullopt;
  }

  /// The one key of `keys` that is present; reports none or several.
  std::optional<std::string_view> exactly_one_of(std::span<const std::string_view> keys);

  /// Adds an issue about the map itself.
  void error(std::string message) const;
  /// Adds an issue about a key if it is present, for keys that make no sense here.
  void refuse(std::string_view key, const std::string& why);
  /// Reports the keys that were never asked for. Call last.
  void finish();

 private:
  const YamlValue& value_;
  IssueList& issues_;
  std::vector<std::string> known_;
};

/// "all", which gives none, or a list of wheel names.
std::vector<PlacedName> read_wheel_names(const YamlValue& value, IssueList& issues);

}  // namespace grouser::internal
