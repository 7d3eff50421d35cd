#include "scene/yaml_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text.h"
#include "math/angle.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kMaxName = 64;
constexpr std::size_t kMaxReference = 256;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

void add_wrong_kind(const YamlValue& value, const char* wanted, IssueList& issues,
                    std::string legal = {}) {
  issues.add(
      issue_at(value.place, fmt::format("must be {}", wanted), value.shown(), std::move(legal)));
}

bool spells_not_finite(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto same = [&](std::string_view word) {
    return std::ranges::equal(text, word, {}, lower);
  };
  return same("inf") || same("nan") || same("infinity");
}

}  // namespace

ParsedNumber parse_number(std::string_view text) {
  constexpr const char* kNotFinite = "must be a finite number";
  constexpr const char* kNotNumber = "must be a number";
  if (spells_not_finite(text)) return {.defect = kNotFinite};
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  ParsedNumber number;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number.value);
  if (error == std::errc::result_out_of_range) return {.defect = kNotFinite};
  if (error != std::errc{} || stop != end) return {.defect = kNotNumber};
  if (!std::isfinite(number.value)) return {.defect = kNotFinite};
  return number;
}

std::optional<double> read_number(const YamlValue& value, const Range& range, IssueList& issues) {
  if (value.kind != YamlValue::Kind::scalar || value.quoted) {
    add_wrong_kind(value, "a number", issues, legal_text(range));
    return std::nullopt;
  }
  const ParsedNumber number = parse_number(value.text);
  const std::string defect =
      number.defect != nullptr ? number.defect : range_defect(range, number.value);
  if (defect.empty()) return number.value;
  issues.add(issue_at(value.place, defect, value.shown(), legal_text(range)));
  return std::nullopt;
}

std::optional<std::vector<double>> read_numbers(const YamlValue& value, const Range& range,
                                                std::size_t min_length, std::size_t max_length,
                                                IssueList& issues) {
  const std::size_t size = value.items.size();
  if (value.kind != YamlValue::Kind::list || size < min_length || size > max_length) {
    const std::string wanted = min_length == max_length
                                   ? fmt::format("a list of {} numbers", min_length)
                                   : fmt::format("a list of at least {} numbers", min_length);
    add_wrong_kind(value, wanted.c_str(), issues, fmt::format("[{}]", range.unit));
    return std::nullopt;
  }
  std::vector<double> numbers;
  for (const YamlValue& item : value.items) {
    if (const auto number = read_number(item, range, issues)) numbers.push_back(*number);
  }
  if (numbers.size() != size) return std::nullopt;
  return numbers;
}

std::optional<Vec3> read_vector(const YamlValue& value, const Range& range, IssueList& issues) {
  const auto numbers = read_numbers(value, range, 3, 3, issues);
  if (!numbers) return std::nullopt;
  return Vec3((*numbers)[0], (*numbers)[1], (*numbers)[2]);
}

std::optional<Vec3> read_axis(const YamlValue& value, IssueList& issues) {
  const auto axis = read_vector(value, ranges::kComponent, issues);
  if (!axis) return std::nullopt;
  constexpr double kTooShort = 1e-9;  // a direction written with any sense is longer
  if (axis->norm() < kTooShort) {
    issues.add(issue_at(value.place, "must not be the zero vector"));
    return std::nullopt;
  }
  return axis->normalized();
}

std::optional<std::string> read_text(const YamlValue& value, IssueList& issues) {
  if (value.kind == YamlValue::Kind::scalar && !value.text.empty()) return value.text;
  add_wrong_kind(value, "a text", issues);
  return std::nullopt;
}

std::optional<std::string> read_name(const YamlValue& value, IssueList& issues) {
  auto text = read_text(value, issues);
  if (!text) return std::nullopt;
  if (text->size() <= kMaxName && std::ranges::all_of(*text, is_name_character)) return text;
  issues.add(issue_at(value.place, "is not a legal name", value.shown(),
                      fmt::format("letters, digits, '_', '-', '.'; at most {}", kMaxName)));
  return std::nullopt;
}

std::optional<PlacedName> read_reference(const YamlValue& value, IssueList& issues) {
  auto text = read_text(value, issues);
  if (!text) return std::nullopt;
  if (text->size() > kMaxReference) {
    issues.add(issue_at(value.place, "is too long for a name", value.shown()));
    return std::nullopt;
  }
  return PlacedName{*std::move(text), value.place};
}

void add_unknown_word(const Place& place, std::string_view word, const char* what,
                      const std::vector<std::string_view>& legal, IssueList& issues) {
  constexpr std::size_t kMaxListed = 16;
  word = word.substr(0, kMaxName);
  if (const auto meant = closest_match(word, legal)) {
    issues.add(issue_at(place, fmt::format("{} '{}', did you mean '{}'?", what, word, *meant)));
  } else if (legal.size() <= kMaxListed) {
    issues.add(issue_at(place, fmt::format("{} '{}'", what, word), {},
                        fmt::format("{}", fmt::join(legal, ", "))));
  } else {
    issues.add(issue_at(place, fmt::format("{} '{}'", what, word)));
  }
}

MapReader::MapReader(const YamlValue& value, IssueList& issues) : value_(value), issues_(issues) {
  if (!is_map()) add_wrong_kind(value, "a map of keys and values", issues);
}

const YamlValue* MapReader::find(std::string_view key) {
  const bool first_time = std::ranges::find(known_, key) == known_.end();
  if (first_time) known_.emplace_back(key);
  const YamlValue* value = value_.find(key);
  if (value == nullptr || value->kind != YamlValue::Kind::null) return value;
  if (first_time) issues_.add(issue_at(value->place, "has no value"));
  return nullptr;
}

const YamlValue* MapReader::require(std::string_view key) {
  const YamlValue* value = find(key);
  if (value == nullptr && is_map() && value_.find(key) == nullptr) {
    error(fmt::format("the key '{}' is missing", key));
  }
  return value;
}

std::span<const YamlValue> MapReader::list(std::string_view key) {
  const YamlValue* value = find(key);
  if (value == nullptr) return {};
  if (value->kind == YamlValue::Kind::list) return value->items;
  add_wrong_kind(*value, "a list", issues_);
  return {};
}

double MapReader::number(std::string_view key, const Range& range, double fallback) {
  return number(key, range).value_or(fallback);
}

std::optional<double> MapReader::number(std::string_view key, const Range& range) {
  const YamlValue* value = find(key);
  return value != nullptr ? read_number(*value, range, issues_) : std::nullopt;
}

std::optional<double> MapReader::required_number(std::string_view key, const Range& range) {
  const YamlValue* value = require(key);
  return value != nullptr ? read_number(*value, range, issues_) : std::nullopt;
}

double MapReader::integer(std::string_view key, const Range& range, double fallback) {
  const auto value = number(key, range);
  if (!value || *value == std::floor(*value)) return value.value_or(fallback);
  issues_.add(issue_at(value_.find(key)->place, "must be a whole number", value_.find(key)->shown(),
                       legal_text(range)));
  return fallback;
}

std::optional<double> MapReader::angle(const std::string& key, const Range& range) {
  const std::string key_deg = key + "_deg";
  const auto radians = number(key, range);
  const auto degrees = number(key_deg, ranges::kJointDegrees);
  if (radians && degrees) {
    issues_.add(issue_at(value_.find(key_deg)->place,
                         fmt::format("give either '{}' or '{}', not both", key, key_deg)));
  }
  if (degrees) return *degrees * kDegree;
  return radians;
}

Vec3 MapReader::vector(std::string_view key, const Range& range, const Vec3& fallback) {
  const YamlValue* value = find(key);
  return value != nullptr ? read_vector(*value, range, issues_).value_or(fallback) : fallback;
}

std::optional<Vec3> MapReader::axis(std::string_view key) {
  const YamlValue* value = find(key);
  return value != nullptr ? read_axis(*value, issues_) : std::nullopt;
}

Pose MapReader::pose(const Range& position_range) {
  const Vec3 position = vector("position", position_range, Vec3::Zero());
  const Vec3 rpy_deg = vector("rpy_deg", ranges::kOrientation, Vec3::Zero());
  return {rotation_from_rpy(rpy_deg * kDegree), position};
}

std::optional<std::string> MapReader::text(std::string_view key) {
  const YamlValue* value = find(key);
  return value != nullptr ? read_text(*value, issues_) : std::nullopt;
}

std::optional<std::string> MapReader::name(std::string_view key) {
  const YamlValue* value = find(key);
  return value != nullptr ? read_name(*value, issues_) : std::nullopt;
}

std::optional<PlacedName> MapReader::reference(std::string_view key) {
  const YamlValue* value = find(key);
  return value != nullptr ? read_reference(*value, issues_) : std::nullopt;
}

std::optional<PlacedName> MapReader::required_reference(std::string_view key) {
  const YamlValue* value = require(key);
  return value != nullptr ? read_reference(*value, issues_) : std::nullopt;
}

bool MapReader::flag(std::string_view key, bool fallback) {
  const YamlValue* value = find(key);
  if (value == nullptr) return fallback;
  const bool plain = value->kind == YamlValue::Kind::scalar && !value->quoted;
  if (plain && value->text == "true") return true;
  if (plain && value->text == "false") return false;
  add_wrong_kind(*value, "true or false", issues_);
  return fallback;
}

std::optional<std::string_view> MapReader::exactly_one_of(std::span<const std::string_view> keys) {
  std::vector<std::string_view> present;
  for (const std::string_view key : keys) {
    if (find(key) != nullptr || value_.find(key) != nullptr) present.push_back(key);
  }
  if (present.size() == 1) {
    if (find(present[0]) == nullptr) return std::nullopt;  // has no value, which was reported
    return present[0];
  }
  if (is_map()) {
    error(present.empty() ? fmt::format("one of the keys {} is missing", fmt::join(keys, ", "))
                          : fmt::format("give only one of {}", fmt::join(present, ", ")));
  }
  return std::nullopt;
}

void MapReader::error(std::string message) const {
  issues_.add(issue_at(value_.place, std::move(message)));
}

void MapReader::refuse(std::string_view key, const std::string& why) {
  const YamlValue* value = find(key);
  if (value != nullptr) issues_.add(issue_at(value->place, why, value->shown()));
}

void MapReader::finish() {
  const std::vector<std::string_view> known(known_.begin(), known_.end());
  for (std::size_t i = 0; i < value_.keys.size(); ++i) {
    const std::string& key = value_.keys[i];
    if (std::ranges::find(known, key) != known.end()) continue;
    add_unknown_word(value_.items[i].place, key, "unknown key", known, issues_);
  }
}

std::vector<PlacedName> read_wheel_names(const YamlValue& value, IssueList& issues) {
  if (value.kind == YamlValue::Kind::scalar && value.text == "all") return {};
  std::vector<PlacedName> names;
  if (value.kind != YamlValue::Kind::list || value.items.empty()) {
    issues.add(issue_at(value.place, "must be 'all' or a list of wheels", value.shown()));
  }
  for (const YamlValue& item : value.items) {
    if (auto name = read_reference(item, issues)) names.push_back(*std::move(name));
  }
  return names;
}

}  // namespace grouser::internal
