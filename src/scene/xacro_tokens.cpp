#include "scene/xacro_tokens.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "scene/xacro_expression.h"

namespace grouser::internal {
namespace {

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<XacroToken> run() {
    std::vector<XacroToken> tokens;
    while (true) {
      while (at_ < text_.size() && std::isspace(byte(at_)) != 0) ++at_;
      if (at_ >= text_.size()) break;
      tokens.push_back(next());
    }
    tokens.push_back({});
    return tokens;
  }

 private:
  int byte(std::size_t i) const { return static_cast<unsigned char>(text_[i]); }

  XacroToken next() {
    const int c = byte(at_);
    const bool point_number =
        c == '.' && at_ + 1 < text_.size() && std::isdigit(byte(at_ + 1)) != 0;
    if (std::isdigit(c) != 0 || point_number) return number();
    if (std::isalpha(c) != 0 || c == '_') return name();
    if (c == '\'' || c == '"') return quoted();
    return mark();
  }

  XacroToken number() {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < text_.size() && std::isdigit(byte(end)) != 0) ++end;
    };
    digits();
    bool whole = true;
    if (end < text_.size() && text_[end] == '.') {
      whole = false;
      ++end;
      digits();
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '-' || text_[exponent] == '+')) ++exponent;
      if (exponent < text_.size() && std::isdigit(byte(exponent)) != 0) {
        whole = false;
        end = exponent;
        digits();
      }
    }
    const std::string word(text_.substr(at_, end - at_));
    at_ = end;
    const XacroValue value = literal_value(word);
    if (!value.is_number()) throw ExpressionError("'" + word + "' is not a number");
    return {XacroToken::Kind::number, word, whole ? value : XacroValue(value.number())};
  }

  XacroToken name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(byte(at_)) != 0 || text_[at_] == '_')) ++at_;
    return {XacroToken::Kind::name, std::string(text_.substr(begin, at_ - begin)), {}};
  }

  XacroToken quoted() {
    const char quote = text_[at_++];
    std::string out;
    for (; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      out += text_[at_];
    }
    if (at_ >= text_.size()) throw ExpressionError("a quote does not close");
    ++at_;
    return {XacroToken::Kind::text, out, out};
  }

  XacroToken mark() {
    constexpr std::array<std::string_view, 6> kPairs = {"**", "//", "==", "!=", "<=", ">="};
    for (const std::string_view pair : kPairs) {
      if (!text_.substr(at_).starts_with(pair)) continue;
      at_ += pair.size();
      return {XacroToken::Kind::mark, std::string(pair), {}};
    }
    constexpr std::string_view kMarks = "+-*/%<>()[]{},:.=";
    if (kMarks.find(text_[at_]) == std::string_view::npos) {
      throw ExpressionError(fmt::format("'{}' is not supported", text_[at_]));
    }
    return {XacroToken::Kind::mark, std::string(1, text_[at_++]), {}};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<XacroToken> cut_expression(std::string_view text) { return Tokenizer(text).run(); }

}  // namespace grouser::internal
