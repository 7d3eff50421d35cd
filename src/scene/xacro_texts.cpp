#include "scene/xacro_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/text.h"
#include "scene/text_file.h"
#include "scene/xacro_functions.h"
#include "scene/xacro_text.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {
namespace {

constexpr int kMaxPropertyDepth = 100;  // properties that name each other

XacroValue from_yaml(const YamlValue& value) {
  if (value.kind == YamlValue::Kind::list) {
    XacroList list;
    for (const YamlValue& item : value.items) list.push_back(from_yaml(item));
    return list;
  }
  if (value.kind == YamlValue::Kind::map) {
    XacroDict dict;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      dict.emplace_back(value.keys[i], from_yaml(value.items[i]));
    }
    return dict;
  }
  if (value.kind != YamlValue::Kind::scalar) return {};
  return value.quoted ? XacroValue(value.text) : literal_value(value.text);
}

std::string environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) {
    throw ExpressionError(fmt::format("the environment variable '{}' is not set", name));
  }
  return value;
}

}  // namespace

std::string trimmed_text(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

XacroValue XacroTexts::value_of(const std::string& text, const std::string& file,
                                XacroScope& scope) {
  folder_ = std::filesystem::path(file).parent_path();
  property_depth_ = 0;
  return evaluate(text, scope);
}

std::optional<XacroValue> XacroTexts::property(const std::string& name, const std::string& file,
                                               XacroScope& scope) {
  folder_ = std::filesystem::path(file).parent_path();
  property_depth_ = 0;
  return find_property(name, scope);
}

ExpressionNames XacroTexts::names_in(XacroScope& scope) {
  return {.find = [this, &scope](const std::string& name) { return find_property(name, scope); },
          .call = [this](const std::string& name,
                         const std::vector<XacroValue>& given) { return call(name, given); },
          .known = [&scope] { return scope.property_names(); }};
}

std::optional<XacroValue> XacroTexts::find_property(const std::string& name, XacroScope& scope) {
  if (++property_depth_ > kMaxPropertyDepth) {
    property_depth_ = 0;
    throw ExpressionError("properties name each other too deeply");
  }
  auto value = scope.find(
      name, [&](const std::string& text, XacroScope& owner) { return evaluate(text, owner); });
  --property_depth_;
  return value;
}

std::optional<XacroValue> XacroTexts::call(const std::string& name,
                                           const std::vector<XacroValue>& given) {
  const auto word = [&] {
    if (given.empty()) throw ExpressionError(name + "() takes a name");
    return to_text(given[0]);
  };
  if (name == "load_yaml") return load_yaml(word());
  if (name == "arg") return literal_value(argument(word()));
  if (name == "find") return package(word());
  if (name == "env") return environment(word());
  if (name == "optenv") {
    const char* value = std::getenv(word().c_str());
    if (value != nullptr) return literal_value(value);
    return given.size() > 1 ? given[1] : XacroValue("");
  }
  return std::nullopt;
}

XacroValue XacroTexts::load_yaml(const std::string& name) const {
  const std::filesystem::path file = folder_ / name;
  IssueList found;
  const auto text = read_text_file(file, {}, found);
  XacroValue value;
  if (text) value = from_yaml(parse_yaml(*text, file.string(), found));
  if (!found.empty()) throw ExpressionError(to_string(found.issues().front()));
  return value;
}

std::string XacroTexts::argument(const std::string& name) const {
  const auto given = arguments_.find(name);
  if (given != arguments_.end()) return given->second;
  const auto found = defaults_.find(name);
  if (found != defaults_.end()) return found->second;
  const auto near = closest_match(name, declared_);
  throw ExpressionError(fmt::format("the argument '{}' has no value: give {}:=VALUE{}", name, name,
                                    near ? fmt::format(", or did you mean '{}'?", *near) : ""));
}

std::string XacroTexts::package(const std::string& name) {
  if (const auto folder = packages_.find(name)) return folder->string();
  throw MissingPackage(
      fmt::format("there is no package '{}' (looked in {})", name, packages_.searched()));
}

XacroValue XacroTexts::command(const std::string& text, XacroScope& scope) {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
  const std::string word = text.substr(0, end);
  const std::string rest = trimmed_text(text.substr(end));
  if (word == "eval") return evaluate_expression(rest, names_of_arguments(scope));
  if (word == "dirname") return packages_.folder().string();
  const std::string name = to_text(evaluate(rest, scope));
  if (word == "find") return package(name);
  if (word == "arg") return argument(name);
  if (word == "env") return environment(name);
  if (word == "optenv") {
    const std::size_t name_end = std::min(name.find_first_of(" \t\r\n"), name.size());
    const char* value = std::getenv(name.substr(0, name_end).c_str());
    return value != nullptr ? std::string(value) : trimmed_text(name.substr(name_end));
  }
  throw ExpressionError(fmt::format("'$({})' is not supported", word));
}

/// In $(eval), names are arguments first.
ExpressionNames XacroTexts::names_of_arguments(XacroScope& scope) {
  ExpressionNames names = names_in(scope);
  names.find = [this, find = names.find](const std::string& name) -> std::optional<XacroValue> {
    if (has_argument(name)) {
      return literal_value(argument(name));
    }
    return find(name);
  };
  return names;
}

XacroValue XacroTexts::evaluate(const std::string& text, XacroScope& scope) {
  if (text.find('$') == std::string::npos) return text;
  const std::vector<XacroPiece> pieces = cut_xacro_text(text);
  std::string joined;
  for (const XacroPiece& piece : pieces) {
    XacroValue value = piece.text;
    if (piece.kind == XacroPiece::Kind::expression) {
      // Commands within an expression come first: ${'$(arg side)' == 'left'}.
      const bool nested = piece.text.find('$') != std::string::npos;
      value = evaluate_expression(nested ? to_text(evaluate(piece.text, scope)) : piece.text,
                                  names_in(scope));
    } else if (piece.kind == XacroPiece::Kind::command) {
      value = command(piece.text, scope);
    }
    if (pieces.size() == 1) return value;
    joined += to_text(value);
    if (joined.size() > kMaxXacroText) throw ExpressionError("the text is too long");
  }
  return joined;
}

}  // namespace grouser::internal
