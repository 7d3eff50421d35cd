#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "scene/xacro_value.h"

namespace grouser::internal {

/// An expression that cannot be evaluated; says why.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// $(find) of a package that is nowhere.
class MissingPackage : public ExpressionError {
 public:
  using ExpressionError::ExpressionError;
};

/// What the names of an expression stand for.
struct ExpressionNames {
  /// The value of a name; nothing if it is unknown.
  std::function<std::optional<XacroValue>(const std::string& name)> find;
  /// The result of a function that is not of Python, such as load_yaml(); nothing if it is unknown.
  std::function<std::optional<XacroValue>(const std::string& function,
                                          const std::vector<XacroValue>& arguments)>
      call;
  /// All names that could have been meant, for "did you mean".
  std::function<std::vector<std::string>()> known;
};

/// Evaluates what stands within ${...}: the subset of Python that robots are described with. Numbers,
/// texts, lists, dictionaries; + - * / // % **, comparisons, `in`, and, or, not, `a if c else b`;
/// x[i], x.key; the functions and constants of Python's math; abs, min, max, round, int, float, str,
/// bool, len, sum, range, sorted, list, and the methods of texts and dictionaries that are in use. Throws
/// ExpressionError, also for what is Python but not of this subset. Bounded in depth and size.
XacroValue evaluate_expression(const std::string& text, const ExpressionNames& names);

}  // namespace grouser::internal
