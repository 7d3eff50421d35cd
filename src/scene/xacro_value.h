#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// What an expression of xacro may result in: the values of Python that robots are described with.
namespace grouser::internal {

struct XacroValue;
using XacroList = std::vector<XacroValue>;
/// In the order in which it was written; a robot has few keys.
using XacroDict = std::vector<std::pair<std::string, XacroValue>>;

struct XacroValue {
  std::variant<std::monostate, bool, std::int64_t, double, std::string,
               std::shared_ptr<const XacroList>, std::shared_ptr<const XacroDict>>
      data;

  XacroValue() = default;
  XacroValue(bool value) : data(value) {}
  XacroValue(int value) : data(std::int64_t{value}) {}
  XacroValue(std::int64_t value) : data(value) {}
  XacroValue(double value) : data(value) {}
  XacroValue(const char* value) : data(std::string(value)) {}
  XacroValue(std::string value) : data(std::move(value)) {}
  XacroValue(XacroList value) : data(std::make_shared<const XacroList>(std::move(value))) {}
  XacroValue(XacroDict value) : data(std::make_shared<const XacroDict>(std::move(value))) {}

  const std::string* string() const { return std::get_if<std::string>(&data); }
  const XacroList* list() const {
    const auto* held = std::get_if<std::shared_ptr<const XacroList>>(&data);
    return held == nullptr ? nullptr : held->get();
  }
  const XacroDict* dict() const {
    const auto* held = std::get_if<std::shared_ptr<const XacroDict>>(&data);
    return held == nullptr ? nullptr : held->get();
  }
  bool is_none() const { return data.index() == 0; }
  bool is_bool() const { return std::holds_alternative<bool>(data); }
  /// A whole number, or True and False, which count as 1 and 0.
  bool is_integer() const { return is_bool() || std::holds_alternative<std::int64_t>(data); }
  bool is_number() const { return is_integer() || std::holds_alternative<double>(data); }
  std::int64_t integer() const;  ///< of an is_integer()
  double number() const;         ///< of an is_number()
};

/// "int", "str", ... as Python calls it.
const char* type_name(const XacroValue& value);

/// As Python prints it; texts within lists are quoted.
std::string to_text(const XacroValue& value);

/// Whether Python takes it for true.
bool is_true(const XacroValue& value);

/// What the text of a property or parameter means: a number, True or False, the text between single
/// quotes, or the text itself.
XacroValue literal_value(const std::string& text);

bool equal(const XacroValue& a, const XacroValue& b);

}  // namespace grouser::internal
