#include "scene/xacro_scope.h"

#include <fmt/format.h>

#include "scene/xacro_expression.h"

namespace grouser::internal {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Takes a default from the front of `rest`: it goes to the next blank outside of quotes, ${...} and $(...).
std::string take_default(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && !is_blank(rest[end])) {
    const char c = rest[end];
    char closing = '\0';
    if (c == '\'' || c == '"') closing = c;
    if (c == '$' && end + 1 < rest.size() && rest[end + 1] == '{') closing = '}';
    if (c == '$' && end + 1 < rest.size() && rest[end + 1] == '(') closing = ')';
    if (closing != '\0') end = std::min(rest.find(closing, end + 1), rest.size() - 1);
    ++end;
  }
  const std::string text(rest.substr(0, end));
  rest.remove_prefix(end);
  return text;
}

}  // namespace

std::vector<XacroParameter> parse_xacro_parameters(const std::string& text) {
  std::vector<XacroParameter> parameters;
  std::string_view rest = text;
  const auto skip_blanks = [&] {
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  };
  for (skip_blanks(); !rest.empty(); skip_blanks()) {
    XacroParameter parameter;
    if (rest.starts_with("**")) {
      parameter.kind = XacroParameter::Kind::content;
      rest.remove_prefix(2);
    } else if (rest.starts_with("*")) {
      parameter.kind = XacroParameter::Kind::block;
      rest.remove_prefix(1);
    }
    std::size_t end = 0;
    while (end < rest.size() && !is_blank(rest[end]) && rest[end] != '=' && rest[end] != ':') ++end;
    parameter.name = rest.substr(0, end);
    rest.remove_prefix(end);
    std::string_view after = rest;
    while (!after.empty() && is_blank(after.front())) after.remove_prefix(1);
    const std::size_t mark = after.starts_with(":=") ? 2 : after.starts_with("=") ? 1 : 0;
    if (mark > 0) {
      rest = after.substr(mark);
      skip_blanks();
      if (rest.starts_with("^")) {
        parameter.forwards = true;
        rest.remove_prefix(rest.starts_with("^|") ? 2 : 1);
      }
      std::string fallback = take_default(rest);
      if (!fallback.empty() || !parameter.forwards) parameter.fallback = std::move(fallback);
    } else if (end == 0) {
      rest.remove_prefix(1);  // a stray mark
      continue;
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

XacroScope& XacroScope::root() {
  XacroScope* scope = this;
  while (scope->parent_ != nullptr) scope = scope->parent_;
  return *scope;
}

void XacroScope::define(const std::string& name, const std::string& text) {
  properties_[name] = {text, std::nullopt, false};
}

void XacroScope::define(const std::string& name, const XacroValue& value) {
  properties_[name] = {
      {}, value.string() != nullptr ? literal_value(*value.string()) : value, false};
}

void XacroScope::define_macro(XacroMacro macro) { macros_[macro.name] = std::move(macro); }

void XacroScope::remove(const std::string& name) {
  for (XacroScope* scope = this; scope != nullptr; scope = scope->parent_) {
    if (scope->properties_.erase(name) > 0) return;
  }
}

bool XacroScope::knows(const std::string& name) const {
  for (const XacroScope* scope = this; scope != nullptr; scope = scope->parent_) {
    if (scope->properties_.contains(name)) return true;
  }
  return false;
}

std::optional<XacroValue> XacroScope::find(const std::string& name, const Evaluate& evaluate) {
  for (XacroScope* scope = this; scope != nullptr; scope = scope->parent_) {
    const auto found = scope->properties_.find(name);
    if (found == scope->properties_.end()) continue;
    Property& property = found->second;
    if (property.value) return property.value;
    if (property.in_evaluation) {
      throw ExpressionError(fmt::format("the property '{}' is defined by itself", name));
    }
    property.in_evaluation = true;
    try {
      XacroValue value = evaluate(property.text, *scope);
      if (value.string() != nullptr) value = literal_value(*value.string());
      property.value = std::move(value);
    } catch (const ExpressionError& error) {
      property.in_evaluation = false;
      const std::string why = error.what();
      const bool is_told = why.starts_with("the property '");
      throw ExpressionError(is_told ? why : fmt::format("the property '{}': {}", name, why));
    }
    property.in_evaluation = false;
    return property.value;
  }
  return std::nullopt;
}

const XacroBlock* XacroScope::find_block(const std::string& name) const {
  for (const XacroScope* scope = this; scope != nullptr; scope = scope->parent_) {
    const auto found = scope->blocks_.find(name);
    if (found != scope->blocks_.end()) return &found->second;
  }
  return nullptr;
}

const XacroMacro* XacroScope::find_macro(const std::string& name) const {
  for (const XacroScope* scope = this; scope != nullptr; scope = scope->parent_) {
    const auto found = scope->macros_.find(name);
    if (found != scope->macros_.end()) return &found->second;
  }
  return nullptr;
}

std::vector<std::string> XacroScope::property_names() const {
  std::vector<std::string> names;
  for (const XacroScope* scope = this; scope != nullptr; scope = scope->parent_) {
    for (const auto& [name, property] : scope->properties_) names.push_back(name);
  }
  return names;
}

std::vector<std::string> XacroScope::macro_names() const {
  std::vector<std::string> names;
  for (const XacroScope* scope = this; scope != nullptr; scope = scope->parent_) {
    for (const auto& [name, macro] : scope->macros_) names.push_back(name);
  }
  return names;
}

}  // namespace grouser::internal
