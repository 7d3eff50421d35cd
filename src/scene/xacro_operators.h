#pragma once

#include <string>

#include "scene/xacro_value.h"

/// The operators of expressions, as in Python: whole numbers stay whole except in divisions. All throw
/// ExpressionError.
namespace grouser::internal {

XacroValue add(const XacroValue& a, const XacroValue& b);       ///< numbers, texts or lists
XacroValue subtract(const XacroValue& a, const XacroValue& b);  ///< numbers
XacroValue multiply(const XacroValue& a,
                    const XacroValue& b);  ///< numbers, or a text and how often
/// By "/", "//" or "%".
XacroValue divide(const std::string& mark, const XacroValue& a, const XacroValue& b);
XacroValue raise(const XacroValue& a, const XacroValue& b);
/// By "==", "!=", "<", ">", "<=" or ">=".
bool compare(const std::string& mark, const XacroValue& a, const XacroValue& b);
bool contains(const XacroValue& container, const XacroValue& item);
/// container[key], of a dictionary, a list or a text.
XacroValue item_of(const XacroValue& container, const XacroValue& key);

}  // namespace grouser::internal
