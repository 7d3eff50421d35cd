#include "scene/xacro_expression.h"

#include <fmt/format.h>

#include "core/text.h"
#include "scene/xacro_functions.h"
#include "scene/xacro_operators.h"
#include "scene/xacro_tokens.h"

namespace grouser::internal {
namespace {

constexpr int kMaxExpressionDepth = 100;
constexpr std::size_t kMaxExpression = 20'000;

/// Evaluates while it parses, by descent. What `and`, `or` and `if` pass over is parsed only: `live_` is
/// false then.
class Evaluator {
 public:
  Evaluator(std::vector<XacroToken> tokens, const ExpressionNames& names)
      : tokens_(std::move(tokens)), names_(names) {}

  XacroValue run() {
    for (at_ = 0; at_ + 1 < tokens_.size(); ++at_) {
      if (is_word("for") || is_word("lambda")) unexpected();
    }
    at_ = 0;
    XacroValue value = ternary();
    if (is_mark(",")) throw ExpressionError("a tuple needs parentheses");
    if (token().kind != XacroToken::Kind::end) unexpected();
    return value;
  }

 private:
  const XacroToken& token() const { return tokens_[at_]; }
  bool is_mark(std::string_view mark) const {
    return token().kind == XacroToken::Kind::mark && token().text == mark;
  }
  bool is_word(std::string_view word) const {
    return token().kind == XacroToken::Kind::name && token().text == word;
  }
  bool take(std::string_view text) {
    if (!is_mark(text) && !is_word(text)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view mark) {
    if (!take(mark)) unexpected(fmt::format("'{}' is missing", mark));
  }
  [[noreturn]] void unexpected(const std::string& why = {}) const {
    if (is_word("for") || is_word("lambda")) {
      throw ExpressionError(fmt::format("'{}' in expressions is not supported", token().text));
    }
    if (!why.empty()) throw ExpressionError(why);
    if (token().kind == XacroToken::Kind::end)
      throw ExpressionError("the expression is not complete");
    throw ExpressionError(fmt::format("'{}' is not expected here", token().text));
  }

  /// Parses by `parse` without evaluating unless `live`.
  template <class Parse>
  XacroValue only_if(bool live, Parse&& parse) {
    const bool before = live_;
    live_ = live_ && live;
    XacroValue value = parse();
    live_ = before;
    return value;
  }

  XacroValue ternary() {
    if (++depth_ > kMaxExpressionDepth) throw ExpressionError("is nested too deeply");
    // `a if c else b` evaluates c first: a is parsed blindly, and again once c is known.
    const std::size_t begin = at_;
    const std::size_t condition = end_of_choice(begin);
    XacroValue value;
    if (condition == 0) {
      value = disjunction();
    } else {
      at_ = condition;
      const bool chosen = is_true(disjunction());
      if (!take("else")) unexpected("'else' is missing");
      XacroValue other = only_if(!chosen, [&] { return ternary(); });
      const std::size_t end = at_;
      at_ = begin;
      value = only_if(chosen, [&] { return disjunction(); });
      if (at_ + 1 != condition) unexpected();
      if (chosen || !live_) other = value;
      value = other;
      at_ = end;
    }
    --depth_;
    return value;
  }

  /// Position behind the `if` that belongs to the expression at `begin`; 0 if there is none.
  std::size_t end_of_choice(std::size_t begin) const {
    int nesting = 0;
    for (std::size_t i = begin; i < tokens_.size(); ++i) {
      const XacroToken& t = tokens_[i];
      if (t.kind == XacroToken::Kind::end) return 0;
      if (t.kind == XacroToken::Kind::name && nesting == 0) {
        if (t.text == "if") return i + 1;
        if (t.text == "else") return 0;
      }
      if (t.kind != XacroToken::Kind::mark) continue;
      if (t.text == "(" || t.text == "[" || t.text == "{") ++nesting;
      if (t.text == ")" || t.text == "]" || t.text == "}") --nesting;
      if (nesting < 0 || (nesting == 0 && (t.text == "," || t.text == ":"))) return 0;
    }
    return 0;
  }

  XacroValue disjunction() {
    XacroValue value = conjunction();
    while (take("or")) {
      const bool decided = is_true(value);
      XacroValue other = only_if(!decided, [&] { return conjunction(); });
      if (!decided) value = other;
    }
    return value;
  }

  XacroValue conjunction() {
    XacroValue value = negation();
    while (take("and")) {
      const bool decided = !is_true(value);
      XacroValue other = only_if(!decided, [&] { return negation(); });
      if (!decided) value = other;
    }
    return value;
  }

  XacroValue negation() {
    if (!take("not")) return comparison();
    if (++depth_ > kMaxExpressionDepth) throw ExpressionError("is nested too deeply");
    const XacroValue value = negation();
    --depth_;
    return live_ ? XacroValue(!is_true(value)) : value;
  }

  XacroValue comparison() {
    XacroValue value = sum();
    bool holds = true, compared = false;
    while (true) {
      std::string mark;
      for (const char* candidate : {"==", "!=", "<=", ">=", "<", ">"}) {
        if (take(candidate)) mark = candidate;
        if (!mark.empty()) break;
      }
      bool turned = false;
      if (mark.empty() && is_word("not") && tokens_[at_ + 1].text == "in") {
        turned = true;
        ++at_;
      }
      if (mark.empty() && take("in")) mark = "in";
      if (mark.empty()) break;
      const XacroValue other = sum();
      compared = true;
      if (live_) {
        holds = holds &&
                (mark == "in" ? contains(other, value) != turned : compare(mark, value, other));
      }
      value = other;
    }
    return compared ? XacroValue(holds) : value;
  }

  XacroValue sum() {
    XacroValue value = product();
    while (is_mark("+") || is_mark("-")) {
      const bool plus = take("+");
      if (!plus) take("-");
      const XacroValue other = product();
      if (live_) value = plus ? add(value, other) : subtract(value, other);
    }
    return value;
  }

  XacroValue product() {
    XacroValue value = factor();
    while (is_mark("*") || is_mark("/") || is_mark("//") || is_mark("%")) {
      const std::string mark = tokens_[at_++].text;
      const XacroValue other = factor();
      if (live_) value = mark == "*" ? multiply(value, other) : divide(mark, value, other);
    }
    return value;
  }

  XacroValue factor() {
    if (++depth_ > kMaxExpressionDepth) throw ExpressionError("is nested too deeply");
    XacroValue value;
    if (take("-")) {
      value = factor();
      if (live_) value = subtract(XacroValue(0), value);
      if (live_ && value.is_number() && !value.is_integer() && value.number() == 0) value = -0.0;
    } else if (take("+")) {
      value = factor();
      if (live_) number_of(value, "+");
    } else {
      value = postfix();
      if (take("**")) {
        const XacroValue exponent = factor();
        if (live_) value = raise(value, exponent);
      }
    }
    --depth_;
    return value;
  }

  std::vector<XacroValue> items_until(std::string_view mark) {
    std::vector<XacroValue> items;
    while (!is_mark(mark)) {
      items.push_back(ternary());
      if (is_mark("=")) throw ExpressionError("named arguments are not supported");
      if (!take(",")) break;
    }
    expect(mark);
    return items;
  }

  XacroValue postfix() {
    XacroValue value = primary();
    while (true) {
      if (take("[")) {
        const XacroValue key = ternary();
        if (is_mark(":")) throw ExpressionError("slices are not supported");
        expect("]");
        if (live_) value = item_of(value, key);
      } else if (take(".")) {
        if (token().kind != XacroToken::Kind::name) unexpected();
        const std::string name = tokens_[at_++].text;
        if (take("(")) {
          const std::vector<XacroValue> arguments = items_until(")");
          if (live_) value = call_method(value, name, arguments);
        } else if (live_) {
          value = item_of(value, name);
        }
      } else {
        return value;
      }
    }
  }

  XacroValue primary() {
    const XacroToken first = token();
    if (first.kind == XacroToken::Kind::number || first.kind == XacroToken::Kind::text) {
      ++at_;
      XacroValue value = first.value;
      // Neighbouring texts are one, as in Python.
      while (first.kind == XacroToken::Kind::text && token().kind == XacroToken::Kind::text) {
        value = add(value, tokens_[at_++].value);
      }
      return value;
    }
    if (take("(")) {
      std::vector<XacroValue> items;
      bool tuple = is_mark(")");
      while (!is_mark(")")) {
        items.push_back(ternary());
        if (!take(",")) break;
        tuple = true;
      }
      expect(")");
      return tuple ? XacroValue(items) : items.front();
    }
    if (take("[")) return items_until("]");
    if (take("{")) return dictionary();
    if (first.kind == XacroToken::Kind::name) return named();
    unexpected();
  }

  XacroValue dictionary() {
    XacroDict dict;
    while (!is_mark("}")) {
      const XacroValue key = ternary();
      expect(":");
      dict.emplace_back(to_text(key), ternary());
      if (!take(",")) break;
    }
    expect("}");
    return dict;
  }

  XacroValue named() {
    std::string name = tokens_[at_++].text;
    for (const char* word : {"if", "else", "and", "or", "not", "in", "is", "for", "lambda"}) {
      if (name == word) {
        --at_;
        unexpected();
      }
    }
    const bool qualified = (name == "math" || name == "xacro") && is_mark(".");
    if (qualified) {
      ++at_;
      if (token().kind != XacroToken::Kind::name) unexpected();
      name = tokens_[at_++].text;
    }
    const bool is_call = is_mark("(");
    if (is_call && is_function(name)) return call_function(name);
    if (!live_ && !is_call) return {};
    if (live_ && !qualified) {
      if (auto value = names_.find(name)) return *std::move(value);
    }
    if (auto value = find_constant(name)) return *std::move(value);
    if (is_call) return call_host(name);
    const auto near = closest_match(name, names_.known());
    throw ExpressionError(fmt::format("the name '{}' is not defined{}", name,
                                      near ? fmt::format(", did you mean '{}'?", *near) : ""));
  }

  std::vector<XacroValue> arguments() {
    expect("(");
    return items_until(")");
  }

  XacroValue call_function(const std::string& name) {
    const std::vector<XacroValue> given = arguments();
    return live_ ? internal::call_function(name, given) : XacroValue();
  }

  XacroValue call_host(const std::string& name) {
    const std::vector<XacroValue> given = arguments();
    if (!live_) return {};
    if (auto value = names_.call(name, given)) return *std::move(value);
    const auto near = closest_match(name, function_names());
    throw ExpressionError(fmt::format("the function '{}' is not supported{}", name,
                                      near ? fmt::format(", did you mean '{}'?", *near) : ""));
  }

  std::vector<XacroToken> tokens_;
  const ExpressionNames& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool live_ = true;
};

}  // namespace

XacroValue evaluate_expression(const std::string& text, const ExpressionNames& names) {
  if (text.size() > kMaxExpression) throw ExpressionError("the expression is too long");
  return Evaluator(cut_expression(text), names).run();
}

}  // namespace grouser::internal
