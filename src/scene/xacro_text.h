#pragma once

#include <string>
#include <vector>

namespace grouser::internal {

/// A piece of a text of xacro: plain, the inside of ${...}, or that of $(...).
struct XacroPiece {
  enum class Kind { plain, expression, command } kind = Kind::plain;
  std::string text;
};

/// Cuts a text into its pieces; "$${" and "$$(" stand for themselves with one $ less. Throws
/// ExpressionError if a bracket does not close.
std::vector<XacroPiece> cut_xacro_text(const std::string& text);

}  // namespace grouser::internal
