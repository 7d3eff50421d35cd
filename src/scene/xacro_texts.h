#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/xacro.h"
#include "scene/xacro_expression.h"
#include "scene/xacro_scope.h"

namespace grouser::internal {

/// The text without blanks at its ends.
std::string trimmed_text(const std::string& text);

/// Substitutes ${...} and $(...) in texts; knows the arguments of the file. All that evaluates throws
/// ExpressionError.
class XacroTexts {
 public:
  XacroTexts(const XacroArguments& arguments, PackageFinder& packages)
      : arguments_(arguments), packages_(packages) {}

  /// The value of a text that stands in `file`. One expression keeps its type; all else is text.
  XacroValue value_of(const std::string& text, const std::string& file, XacroScope& scope);
  /// The value of a property, if there is one.
  std::optional<XacroValue> property(const std::string& name, const std::string& file,
                                     XacroScope& scope);

  /// An argument that the file declares.
  void declare(const std::string& name) { declared_.push_back(name); }
  const std::vector<std::string>& declared() const { return declared_; }
  bool has_argument(const std::string& name) const {
    return arguments_.contains(name) || defaults_.contains(name);
  }
  void set_default(const std::string& name, const std::string& value) { defaults_[name] = value; }

 private:
  ExpressionNames names_in(XacroScope& scope);
  ExpressionNames names_of_arguments(XacroScope& scope);
  XacroValue evaluate(const std::string& text, XacroScope& scope);
  std::optional<XacroValue> find_property(const std::string& name, XacroScope& scope);
  std::optional<XacroValue> call(const std::string& name, const std::vector<XacroValue>& given);
  XacroValue command(const std::string& text, XacroScope& scope);
  XacroValue load_yaml(const std::string& name) const;
  std::string argument(const std::string& name) const;
  std::string package(const std::string& name);

  const XacroArguments& arguments_;
  PackageFinder& packages_;
  XacroArguments defaults_;
  std::vector<std::string> declared_;
  std::filesystem::path folder_;  ///< of the file that is being evaluated
  int property_depth_ = 0;
};

}  // namespace grouser::internal
