#include "scene/xacro_text.h"

#include "scene/xacro_expression.h"

namespace grouser::internal {
namespace {

/// Position of the bracket that closes the one at `open`, quotes and inner brackets left out.
std::size_t closing_bracket(const std::string& text, std::size_t open) {
  const char opening = text[open];
  const char closing = opening == '{' ? '}' : ')';
  int depth = 0;
  char quote = '\0';
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (opening == '{' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == opening) {
      ++depth;
    } else if (c == closing && --depth == 0) {
      return i;
    }
  }
  // A quote may be an apostrophe.
  return text.find(closing, open);
}

}  // namespace

std::vector<XacroPiece> cut_xacro_text(const std::string& text) {
  std::vector<XacroPiece> pieces;
  const auto add_plain = [&](std::string_view plain) {
    if (plain.empty()) return;
    if (pieces.empty() || pieces.back().kind != XacroPiece::Kind::plain) pieces.emplace_back();
    pieces.back().text += plain;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t dollar = text.find('$', at);
    if (dollar == std::string::npos || dollar + 1 >= text.size()) {
      add_plain(std::string_view(text).substr(at));
      break;
    }
    add_plain(std::string_view(text).substr(at, dollar - at));
    const std::size_t after = text.find_first_not_of('$', dollar);
    const bool opens = after != std::string::npos && (text[after] == '{' || text[after] == '(');
    if (!opens || after > dollar + 1) {
      // $${ stands for ${; other dollars for themselves.
      const std::size_t end = opens ? after + 1 : std::min(after, text.size());
      add_plain(std::string_view(text).substr(opens ? dollar + 1 : dollar,
                                              end - dollar - (opens ? 1 : 0)));
      at = end;
      continue;
    }
    const std::size_t close = closing_bracket(text, after);
    if (close == std::string::npos) {
      throw ExpressionError("'" + text.substr(dollar, 40) + "' does not close");
    }
    pieces.push_back({text[after] == '{' ? XacroPiece::Kind::expression : XacroPiece::Kind::command,
                      text.substr(after + 1, close - after - 1)});
    at = close + 1;
  }
  return pieces;
}

}  // namespace grouser::internal
