#include "spec_flags.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/text.h"

namespace grouser::internal {
namespace {

std::string flag_name(const std::string& path) {
  std::string name = "--" + path;
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string range_text(const FieldInfo& field) {
  const bool below = std::isfinite(field.min), above = std::isfinite(field.max);
  const char* more = field.open_min ? ">" : ">=";
  std::string text;
  if (below) text = fmt::format("{} {}", more, format_number(field.min));
  if (below && above) text += ", ";
  if (above) text += fmt::format("<= {}", format_number(field.max));
  return text;
}

std::string number_help(const FieldInfo& field, const std::string& fallback) {
  const std::string range = range_text(field);
  return range + (range.empty() ? "" : "; ") + "default " + fallback;
}

template <class Vector>
std::string join_numbers(const Vector& vector) {
  std::string text;
  for (const double number : vector) {
    text += (text.empty() ? "" : " ") + format_number(number);
  }
  return text;
}

YamlValue scalar(const std::string& text, const Place& place) {
  YamlValue value;
  value.kind = YamlValue::Kind::scalar;
  value.text = text;
  value.place = place;
  return value;
}

YamlValue list(std::vector<YamlValue> items, const Place& place) {
  YamlValue value;
  value.kind = YamlValue::Kind::list;
  value.items = std::move(items);
  value.place = place;
  return value;
}

YamlValue scalars(const std::vector<std::string>& texts, const Place& place) {
  std::vector<YamlValue> items;
  for (const std::string& text : texts) items.push_back(scalar(text, place));
  return list(std::move(items), place);
}

/// "1,2.5" as the list [1, 2.5].
YamlValue point(const std::string& text, const Place& place) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return scalars(parts, place);
}

YamlValue value_of(const SpecFlag& flag, const Place& place) {
  if (flag.count == 0) {
    std::vector<YamlValue> points;
    for (const std::string& text : flag.values) points.push_back(point(text, place));
    return list(std::move(points), place);
  }
  if (flag.count > 1) return scalars(flag.values, place);
  // A path on the command line starts at the working folder, not at the file's.
  const std::string& text = flag.values.front();
  YamlValue value = scalar(flag.is_file ? std::filesystem::absolute(text).string() : text, place);
  value.quoted = flag.is_file;
  return value;
}

/// The value of a key, made as a map if it is not there.
YamlValue& child(YamlValue& map, const std::string& key, const Place& place) {
  map.kind = YamlValue::Kind::map;
  const auto found = std::ranges::find(map.keys, key);
  if (found != map.keys.end()) {
    return map.items[static_cast<std::size_t>(found - map.keys.begin())];
  }
  map.keys.push_back(key);
  YamlValue& value = map.items.emplace_back();
  value.place = place;
  return value;
}

}  // namespace

void FlagCollector::operator()(const FieldInfo& field, const bool& value) {
  add(field, 1, fmt::format("true | false; default {}", value));
}
void FlagCollector::operator()(const FieldInfo& field, const int& value) {
  add(field, 1, number_help(field, std::to_string(value)));
}
void FlagCollector::operator()(const FieldInfo& field, const std::uint64_t& value) {
  add(field, 1, number_help(field, std::to_string(value)));
}
void FlagCollector::operator()(const FieldInfo& field, const double& value) {
  add(field, 1, number_help(field, format_number(value)));
}
void FlagCollector::operator()(const FieldInfo& field, const Vec2& value) {
  add(field, 2, number_help(field, join_numbers(value)));
}
void FlagCollector::operator()(const FieldInfo& field, const Vec3& value) {
  add(field, 3, number_help(field, join_numbers(value)));
}
void FlagCollector::operator()(const FieldInfo& field, const std::string& value) {
  add(field, 1, value.empty() ? "" : "default " + value);
}
void FlagCollector::operator()(const FieldInfo& field, const std::vector<Vec2>&) {
  add(field, 0, "points as x,y x,y ...");
}

void FlagCollector::add(const FieldInfo& field, int count, const std::string& legal) {
  const std::string unit = field.unit[0] != '\0' ? fmt::format(" [{}]", field.unit) : "";
  const std::string tail = legal.empty() ? "" : fmt::format(" ({})", legal);
  flags_.push_back({.path = prefix_ + field.name,
                    .help = field.help + unit + tail,
                    .count = count,
                    .is_file = field.is_file});
}

void add_flags(CLI::App& command, std::vector<SpecFlag>& flags) {
  for (SpecFlag& flag : flags) {
    CLI::Option* option = command.add_option(flag_name(flag.path), flag.values, flag.help);
    option->group("Parameters");
    option->type_name(flag.is_file ? "FILE" : "");
    if (flag.count > 0) {
      option->expected(flag.count);
    } else {
      option->expected(1, 100000);
    }
  }
}

void overlay(const std::vector<SpecFlag>& flags, YamlValue& map) {
  for (const SpecFlag& flag : flags) {
    if (flag.values.empty()) continue;
    const Place place{.file = "command line", .line = 0, .field = flag_name(flag.path)};
    YamlValue* where = &map;
    std::size_t begin = 0;
    for (std::size_t dot = flag.path.find('.'); dot != std::string::npos;
         dot = flag.path.find('.', begin)) {
      where = &child(*where, flag.path.substr(begin, dot - begin), place);
      where->kind = YamlValue::Kind::map;
      begin = dot + 1;
    }
    child(*where, flag.path.substr(begin), place) = value_of(flag, place);
  }
}

}  // namespace grouser::internal
