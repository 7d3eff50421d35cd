#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/xacro_value.h"

namespace grouser::internal {

/// A word of an expression.
struct XacroToken {
  enum class Kind { number, text, name, mark, end } kind = Kind::end;
  std::string text;
  XacroValue value;  ///< of a number or text
};

/// Cuts an expression into its words; the last one is of kind end. Throws ExpressionError.
std::vector<XacroToken> cut_expression(std::string_view text);

}  // namespace grouser::internal
