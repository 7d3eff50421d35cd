#include "scene/xacro_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "math/angle.h"
#include "scene/xacro_expression.h"

namespace grouser::internal {
namespace {

using Arguments = std::vector<XacroValue>;

struct Function {
  std::size_t min_arguments, max_arguments;
  XacroValue (*call)(const Arguments&);
};

constexpr std::size_t kAny = 1000;

XacroValue to_whole(double value) {
  if (!(std::abs(value) < 9e18)) throw ExpressionError("too large for a whole number");
  return static_cast<std::int64_t>(value);
}

/// Half to even, as Python rounds.
double round_half_even(double value) {
  const double below = std::floor(value), rest = value - below;
  if (rest != 0.5) return std::round(value);
  return std::fmod(below, 2) == 0 ? below : below + 1;
}

XacroValue round_number(const Arguments& a) {
  const double value = number_of(a[0], "round()");
  if (a.size() == 1) return to_whole(round_half_even(value));
  const double scale = std::pow(10, std::clamp(number_of(a[1], "round()"), -300.0, 300.0));
  const double scaled = value * scale;
  return std::isfinite(scaled) ? round_half_even(scaled) / scale : value;
}

XacroValue to_integer(const Arguments& a) {
  const XacroValue value = a[0].string() != nullptr ? literal_value(*a[0].string()) : a[0];
  if (!value.is_number()) throw ExpressionError("int() of '" + to_text(a[0]) + "'");
  return value.is_integer() ? XacroValue(value.integer()) : to_whole(std::trunc(value.number()));
}

XacroValue to_float(const Arguments& a) {
  const XacroValue value = a[0].string() != nullptr ? literal_value(*a[0].string()) : a[0];
  if (!value.is_number()) throw ExpressionError("float() of '" + to_text(a[0]) + "'");
  return value.number();
}

/// The items of one list, or the arguments themselves.
Arguments items_of(const Arguments& a) {
  if (a.size() != 1) return a;
  if (a[0].list() == nullptr) throw ExpressionError("takes several numbers, or a list of them");
  return *a[0].list();
}

bool is_less(const XacroValue& a, const XacroValue& b) {
  if (a.string() != nullptr && b.string() != nullptr) return *a.string() < *b.string();
  return number_of(a, "a comparison") < number_of(b, "a comparison");
}

XacroValue extreme(const Arguments& a, bool largest) {
  const Arguments items = items_of(a);
  if (items.empty()) throw ExpressionError("min() and max() need at least one item");
  XacroValue best = items.front();
  for (const XacroValue& item : items) {
    if (largest ? is_less(best, item) : is_less(item, best)) best = item;
  }
  return best;
}

XacroValue range_of(const Arguments& a) {
  std::vector<std::int64_t> given;
  for (const XacroValue& value : a) {
    if (!value.is_integer()) throw ExpressionError("range() takes whole numbers");
    given.push_back(value.integer());
  }
  const std::int64_t first = given.size() > 1 ? given[0] : 0;
  const std::int64_t end = given.size() > 1 ? given[1] : given[0];
  const std::int64_t step = given.size() > 2 ? given[2] : 1;
  if (step == 0) throw ExpressionError("the step of range() must not be zero");
  XacroList items;
  for (double i = static_cast<double>(first);
       step > 0 ? i < static_cast<double>(end) : i > static_cast<double>(end);
       i += static_cast<double>(step)) {
    if (items.size() >= kMaxXacroText) throw ExpressionError("the list is too long");
    items.emplace_back(static_cast<std::int64_t>(i));
  }
  return items;
}

XacroValue sum_of(const Arguments& a) {
  const Arguments items = items_of(a);
  double sum = 0;
  bool whole = true;
  for (const XacroValue& item : items) {
    sum += number_of(item, "sum()");
    whole = whole && item.is_integer();
  }
  return whole ? to_whole(sum) : XacroValue(sum);
}

XacroValue sorted_list(const Arguments& a) {
  if (a[0].list() == nullptr) throw ExpressionError("sorted() takes a list");
  XacroList items = *a[0].list();
  std::ranges::stable_sort(items, is_less);
  return items;
}

XacroValue length_of(const Arguments& a) {
  std::size_t size = 0;
  if (a[0].string() != nullptr) {
    size = a[0].string()->size();
  } else if (a[0].list() != nullptr) {
    size = a[0].list()->size();
  } else if (a[0].dict() != nullptr) {
    size = a[0].dict()->size();
  } else {
    throw ExpressionError(fmt::format("len() of {}", type_name(a[0])));
  }
  return static_cast<std::int64_t>(size);
}

XacroValue absolute(const Arguments& a) {
  if (a[0].is_integer()) return std::abs(a[0].integer());
  return std::abs(number_of(a[0], "abs()"));
}

XacroValue to_list(const Arguments& a) {
  if (a.empty()) return XacroList{};
  if (a[0].list() != nullptr) return *a[0].list();
  if (a[0].dict() == nullptr) throw ExpressionError("list() takes a list or a dictionary");
  XacroList keys;
  for (const auto& [key, value] : *a[0].dict()) keys.emplace_back(key);
  return keys;
}

XacroValue logarithm(const Arguments& a) {
  const double value = number_of(a[0], "log()");
  if (value <= 0) throw ExpressionError("log() of a number that is not positive");
  return a.size() == 1 ? std::log(value) : std::log(value) / std::log(number_of(a[1], "log()"));
}

XacroValue square_root(const Arguments& a) {
  const double value = number_of(a[0], "sqrt()");
  if (value < 0) throw ExpressionError("sqrt() of a negative number");
  return std::sqrt(value);
}

template <double (*f)(double)>
XacroValue of_one(const Arguments& a) {
  return f(number_of(a[0], "a function"));
}
template <double (*f)(double, double)>
XacroValue of_two(const Arguments& a) {
  return f(number_of(a[0], "a function"), number_of(a[1], "a function"));
}

const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> table = {
      {"sin", {1, 1, of_one<std::sin>}},
      {"cos", {1, 1, of_one<std::cos>}},
      {"tan", {1, 1, of_one<std::tan>}},
      {"asin", {1, 1, of_one<std::asin>}},
      {"acos", {1, 1, of_one<std::acos>}},
      {"atan", {1, 1, of_one<std::atan>}},
      {"sinh", {1, 1, of_one<std::sinh>}},
      {"cosh", {1, 1, of_one<std::cosh>}},
      {"tanh", {1, 1, of_one<std::tanh>}},
      {"exp", {1, 1, of_one<std::exp>}},
      {"log10", {1, 1, of_one<std::log10>}},
      {"log2", {1, 1, of_one<std::log2>}},
      {"fabs", {1, 1, of_one<std::fabs>}},
      {"atan2", {2, 2, of_two<std::atan2>}},
      {"pow", {2, 2, of_two<std::pow>}},
      {"fmod", {2, 2, of_two<std::fmod>}},
      {"hypot", {2, 2, of_two<std::hypot>}},
      {"copysign", {2, 2, of_two<std::copysign>}},
      {"log", {1, 2, logarithm}},
      {"sqrt", {1, 1, square_root}},
      {"floor",
       {1, 1, [](const Arguments& a) { return to_whole(std::floor(number_of(a[0], "floor()"))); }}},
      {"ceil",
       {1, 1, [](const Arguments& a) { return to_whole(std::ceil(number_of(a[0], "ceil()"))); }}},
      {"trunc",
       {1, 1, [](const Arguments& a) { return to_whole(std::trunc(number_of(a[0], "trunc()"))); }}},
      {"radians",
       {1, 1,
        [](const Arguments& a) -> XacroValue { return number_of(a[0], "radians()") * kDegree; }}},
      {"degrees",
       {1, 1,
        [](const Arguments& a) -> XacroValue { return number_of(a[0], "degrees()") / kDegree; }}},
      {"abs", {1, 1, absolute}},
      {"min", {1, kAny, [](const Arguments& a) { return extreme(a, false); }}},
      {"max", {1, kAny, [](const Arguments& a) { return extreme(a, true); }}},
      {"round", {1, 2, round_number}},
      {"int", {1, 1, to_integer}},
      {"float", {1, 1, to_float}},
      {"str", {1, 1, [](const Arguments& a) -> XacroValue { return to_text(a[0]); }}},
      {"bool", {1, 1, [](const Arguments& a) -> XacroValue { return is_true(a[0]); }}},
      {"len", {1, 1, length_of}},
      {"sum", {1, 1, sum_of}},
      {"range", {1, 3, range_of}},
      {"sorted", {1, 1, sorted_list}},
      {"list", {0, 1, to_list}},
      {"tuple", {0, 1, to_list}},
  };
  return table;
}

std::string word_of(const Arguments& a, std::size_t k) {
  if (k >= a.size() || a[k].string() == nullptr) throw ExpressionError("takes a text");
  return *a[k].string();
}

XacroValue split(const std::string& text, const Arguments& a) {
  XacroList parts;
  if (!a.empty()) {
    const std::string mark = word_of(a, 0);
    if (mark.empty()) throw ExpressionError("split() needs a separator");
    std::size_t from = 0;
    for (std::size_t at; (at = text.find(mark, from)) != std::string::npos; from = at + mark.size())
      parts.emplace_back(text.substr(from, at - from));
    parts.emplace_back(text.substr(from));
    return parts;
  }
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t\r\n", at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return parts;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  if (from.empty()) throw ExpressionError("replace() needs a text to look for");
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
    if (text.size() > kMaxXacroText) throw ExpressionError("the text is too long");
  }
  return text;
}

std::optional<XacroValue> text_method(const std::string& text, const std::string& name,
                                      const Arguments& a) {
  const auto mapped = [&](int (*f)(int)) {
    std::string out = text;
    for (char& c : out) c = static_cast<char>(f(static_cast<unsigned char>(c)));
    return out;
  };
  if (name == "lower") return mapped(std::tolower);
  if (name == "upper") return mapped(std::toupper);
  if (name == "startswith") return text.starts_with(word_of(a, 0));
  if (name == "endswith") return text.ends_with(word_of(a, 0));
  if (name == "replace") return replaced(text, word_of(a, 0), word_of(a, 1));
  if (name == "split") return split(text, a);
  if (name == "strip") {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
  }
  return std::nullopt;
}

std::optional<XacroValue> dict_method(const XacroDict& dict, const std::string& name,
                                      const Arguments& a) {
  XacroList items;
  if (name == "get") {
    const auto found = std::ranges::find(dict, word_of(a, 0), &XacroDict::value_type::first);
    if (found != dict.end()) return found->second;
    return a.size() > 1 ? a[1] : XacroValue();
  }
  if (name == "keys") {
    for (const auto& [key, value] : dict) items.emplace_back(key);
    return items;
  }
  if (name == "values") {
    for (const auto& [key, value] : dict) items.push_back(value);
    return items;
  }
  return std::nullopt;
}

}  // namespace

double number_of(const XacroValue& value, const char* what) {
  if (!value.is_number()) {
    throw ExpressionError(
        fmt::format("{} needs a number, not {} '{}'", what, type_name(value), to_text(value)));
  }
  return value.number();
}

std::optional<XacroValue> find_constant(const std::string& name) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (name == "pi") return std::numbers::pi;
  if (name == "tau") return 2 * std::numbers::pi;
  if (name == "e") return std::numbers::e;
  if (name == "inf") return kInfinity;
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (name == "True" || name == "true") return true;
  if (name == "False" || name == "false") return false;
  if (name == "None") return XacroValue();
  return std::nullopt;
}

bool is_function(const std::string& name) { return functions().contains(name); }

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const auto& [name, function] : functions()) names.push_back(name);
  return names;
}

XacroValue call_function(const std::string& name, const Arguments& arguments) {
  const Function& function = functions().at(name);
  if (arguments.size() < function.min_arguments || arguments.size() > function.max_arguments) {
    throw ExpressionError(fmt::format("{}() takes {} argument{}, not {}", name,
                                      function.min_arguments,
                                      function.min_arguments == 1 ? "" : "s", arguments.size()));
  }
  return function.call(arguments);
}

XacroValue call_method(const XacroValue& object, const std::string& name,
                       const Arguments& arguments) {
  std::optional<XacroValue> result;
  if (object.string() != nullptr) result = text_method(*object.string(), name, arguments);
  if (object.dict() != nullptr) result = dict_method(*object.dict(), name, arguments);
  if (!result) {
    throw ExpressionError(
        fmt::format("the method '{}' of {} is not supported", name, type_name(object)));
  }
  return *std::move(result);
}

}  // namespace grouser::internal
