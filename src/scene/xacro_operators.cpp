#include "scene/xacro_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/xacro_expression.h"
#include "scene/xacro_functions.h"

namespace grouser::internal {

XacroValue add(const XacroValue& a, const XacroValue& b) {
  if (a.string() != nullptr && b.string() != nullptr) {
    if (a.string()->size() + b.string()->size() > kMaxXacroText) {
      throw ExpressionError("the text is too long");
    }
    return *a.string() + *b.string();
  }
  if (a.list() != nullptr && b.list() != nullptr) {
    XacroList joined = *a.list();
    joined.insert(joined.end(), b.list()->begin(), b.list()->end());
    if (joined.size() > kMaxXacroText) throw ExpressionError("the list is too long");
    return joined;
  }
  std::int64_t sum = 0;
  if (a.is_integer() && b.is_integer() && !__builtin_add_overflow(a.integer(), b.integer(), &sum)) {
    return sum;
  }
  return number_of(a, "+") + number_of(b, "+");
}

XacroValue subtract(const XacroValue& a, const XacroValue& b) {
  std::int64_t difference = 0;
  if (a.is_integer() && b.is_integer() &&
      !__builtin_sub_overflow(a.integer(), b.integer(), &difference)) {
    return difference;
  }
  return number_of(a, "-") - number_of(b, "-");
}

XacroValue multiply(const XacroValue& a, const XacroValue& b) {
  if (a.string() != nullptr || b.string() != nullptr) {
    const std::string& text = a.string() != nullptr ? *a.string() : *b.string();
    const XacroValue& count = a.string() != nullptr ? b : a;
    if (!count.is_integer()) throw ExpressionError("* needs numbers, not the text '" + text + "'");
    const auto times = static_cast<std::size_t>(std::max<std::int64_t>(0, count.integer()));
    if (times > kMaxXacroText || times * text.size() > kMaxXacroText) {
      throw ExpressionError("the text is too long");
    }
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
  }
  std::int64_t product = 0;
  if (a.is_integer() && b.is_integer() &&
      !__builtin_mul_overflow(a.integer(), b.integer(), &product)) {
    return product;
  }
  return number_of(a, "*") * number_of(b, "*");
}

XacroValue divide(const std::string& mark, const XacroValue& a, const XacroValue& b) {
  const double x = number_of(a, mark.c_str()), y = number_of(b, mark.c_str());
  if (y == 0) throw ExpressionError("division by zero");
  if (mark == "/") return x / y;
  const double quotient = std::floor(x / y);
  const double result = mark == "//" ? quotient : x - y * quotient;
  const bool whole = a.is_integer() && b.is_integer() && std::abs(result) < 9e15;
  return whole ? XacroValue(static_cast<std::int64_t>(result)) : XacroValue(result);
}

XacroValue raise(const XacroValue& a, const XacroValue& b) {
  const double result = std::pow(number_of(a, "**"), number_of(b, "**"));
  const bool whole =
      a.is_integer() && b.is_integer() && b.integer() >= 0 && std::abs(result) < 9e15;
  return whole ? XacroValue(static_cast<std::int64_t>(result)) : XacroValue(result);
}

bool contains(const XacroValue& container, const XacroValue& item) {
  if (container.list() != nullptr) {
    return std::ranges::any_of(*container.list(), [&](const auto& x) { return equal(x, item); });
  }
  if (item.string() != nullptr && container.string() != nullptr) {
    return container.string()->find(*item.string()) != std::string::npos;
  }
  if (item.string() != nullptr && container.dict() != nullptr) {
    return std::ranges::any_of(*container.dict(),
                               [&](const auto& entry) { return entry.first == *item.string(); });
  }
  throw ExpressionError("'in' needs a list, a dictionary or two texts");
}

XacroValue item_of(const XacroValue& container, const XacroValue& key) {
  if (container.dict() != nullptr) {
    for (const auto& [name, value] : *container.dict()) {
      if (name == to_text(key)) return value;
    }
    throw ExpressionError(fmt::format("there is no key '{}'", to_text(key)));
  }
  const std::string* text = container.string();
  const XacroList* list = container.list();
  if (!key.is_integer() || (text == nullptr && list == nullptr)) {
    throw ExpressionError(
        fmt::format("{} cannot be indexed by {}", type_name(container), type_name(key)));
  }
  const auto size = static_cast<std::int64_t>(text != nullptr ? text->size() : list->size());
  const std::int64_t i = key.integer() < 0 ? size + key.integer() : key.integer();
  if (i < 0 || i >= size) {
    throw ExpressionError(fmt::format("the index {} is outside 0 ... {}", key.integer(), size - 1));
  }
  const auto slot = static_cast<std::size_t>(i);
  return text != nullptr ? XacroValue(std::string(1, (*text)[slot])) : (*list)[slot];
}

bool compare(const std::string& mark, const XacroValue& a, const XacroValue& b) {
  if (mark == "==") return equal(a, b);
  if (mark == "!=") return !equal(a, b);
  const bool texts = a.string() != nullptr && b.string() != nullptr;
  const double x =
      texts ? static_cast<double>(a.string()->compare(*b.string())) : number_of(a, mark.c_str());
  const double y = texts ? 0 : number_of(b, mark.c_str());
  if (mark == "<") return x < y;
  if (mark == ">") return x > y;
  return mark == "<=" ? x <= y : x >= y;
}

}  // namespace grouser::internal
