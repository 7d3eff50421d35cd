#include "scene/xacro_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace grouser::internal {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr const char* kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Shortest text that reads back the same, with Python's ".0" behind whole numbers.
std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string quoted(const XacroValue& value) {
  return value.string() != nullptr ? "'" + *value.string() + "'" : to_text(value);
}

template <class T>
std::optional<T> whole_text_as(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::int64_t XacroValue::integer() const {
  return is_bool() ? std::int64_t{std::get<bool>(data)} : std::get<std::int64_t>(data);
}

double XacroValue::number() const {
  return is_integer() ? static_cast<double>(integer()) : std::get<double>(data);
}

const char* type_name(const XacroValue& value) {
  constexpr const char* kNames[] = {"None", "bool", "int", "float", "str", "list", "dict"};
  return kNames[value.data.index()];
}

std::string to_text(const XacroValue& value) {
  if (value.is_none()) return "None";
  if (value.is_bool()) return std::get<bool>(value.data) ? "True" : "False";
  if (value.is_integer()) return fmt::format("{}", value.integer());
  if (value.is_number()) return float_text(value.number());
  if (value.string() != nullptr) return *value.string();
  std::string text;
  if (const XacroList* list = value.list()) {
    for (const XacroValue& item : *list) text += (text.empty() ? "" : ", ") + quoted(item);
    return "[" + text + "]";
  }
  for (const auto& [key, item] : *value.dict()) {
    text += fmt::format("{}'{}': {}", text.empty() ? "" : ", ", key, quoted(item));
  }
  return "{" + text + "}";
}

bool is_true(const XacroValue& value) {
  if (value.is_none()) return false;
  if (value.is_number()) return value.number() != 0;
  if (value.string() != nullptr) return !value.string()->empty();
  return value.list() != nullptr ? !value.list()->empty() : !value.dict()->empty();
}

XacroValue literal_value(const std::string& text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') {
    return text.substr(1, text.size() - 2);
  }
  const std::string_view bare = trimmed(text);
  if (const auto whole = whole_text_as<std::int64_t>(bare)) return *whole;
  // Words like "inf" and "nan" may be names.
  const bool has_digit = bare.find_first_of("0123456789") != std::string_view::npos;
  if (const auto number = has_digit ? whole_text_as<double>(bare) : std::nullopt) return *number;
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  return text;
}

bool equal(const XacroValue& a, const XacroValue& b) {
  if (a.is_number() && b.is_number()) return a.number() == b.number();
  if (a.data.index() != b.data.index()) return false;
  if (a.string() != nullptr) return *a.string() == *b.string();
  if (a.list() != nullptr) {
    return std::ranges::equal(*a.list(), *b.list(),
                              [](const auto& x, const auto& y) { return equal(x, y); });
  }
  if (a.dict() != nullptr) {
    return std::ranges::equal(*a.dict(), *b.dict(), [](const auto& x, const auto& y) {
      return x.first == y.first && equal(x.second, y.second);
    });
  }
  return true;
}

}  // namespace grouser::internal
