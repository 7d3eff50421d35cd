#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/xacro_value.h"

/// The functions, constants and methods that expressions of xacro know.
namespace grouser::internal {

inline constexpr std::size_t kMaxXacroText = 1'000'000;  ///< characters of a text, items of a list

/// pi, e, tau, inf, nan, None; nothing if it is none of these.
std::optional<XacroValue> find_constant(const std::string& name);

/// Whether there is a function of this name, without "math." before it.
bool is_function(const std::string& name);
std::vector<std::string> function_names();

/// Calls a function. Throws ExpressionError.
XacroValue call_function(const std::string& name, const std::vector<XacroValue>& arguments);

/// Calls a method of a text or a dictionary. Throws ExpressionError.
XacroValue call_method(const XacroValue& object, const std::string& name,
                       const std::vector<XacroValue>& arguments);

/// The number of an argument. Throws ExpressionError.
double number_of(const XacroValue& value, const char* what);

}  // namespace grouser::internal
