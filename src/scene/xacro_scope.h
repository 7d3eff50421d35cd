#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scene/xacro_value.h"
#include "scene/xml_element.h"

namespace grouser::internal {

/// A parameter of a macro: `name`, `name:=default`, `name:=^`, `name:=^|default`, `*name`, `**name`.
struct XacroParameter {
  enum class Kind { value, block, content } kind = Kind::value;
  std::string name;
  bool forwards = false;  ///< takes the caller's property of the same name
  std::optional<std::string> fallback;
};

/// The parameters in a `params` attribute.
std::vector<XacroParameter> parse_xacro_parameters(const std::string& text);

struct XacroMacro {
  std::string name;
  std::vector<XacroParameter> parameters;
  const XmlElement* body = nullptr;
};

/// A block that a macro was given, or that a property holds.
struct XacroBlock {
  const XmlElement* element = nullptr;
  bool content_only = false;
};

/// Properties, blocks and macros that are known at a place; those of the parent count where there are
/// none of that name. A macro's scope has its caller's as parent.
class XacroScope {
 public:
  explicit XacroScope(XacroScope* parent = nullptr) : parent_(parent) {}

  XacroScope* parent() const { return parent_; }
  XacroScope& root();

  /// A property whose text is evaluated when it is asked for first.
  void define(const std::string& name, const std::string& text);
  void define(const std::string& name, const XacroValue& value);
  void define_block(const std::string& name, XacroBlock block) { blocks_[name] = block; }
  void define_macro(XacroMacro macro);
  void remove(const std::string& name);

  bool knows(const std::string& name) const;
  /// `evaluate` is called with the text of a property that has no value yet, and the scope that it is in.
  /// Throws ExpressionError if a property is defined by itself.
  using Evaluate = std::function<XacroValue(const std::string& text, XacroScope& scope)>;
  std::optional<XacroValue> find(const std::string& name, const Evaluate& evaluate);
  const XacroBlock* find_block(const std::string& name) const;
  const XacroMacro* find_macro(const std::string& name) const;

  std::vector<std::string> property_names() const;
  std::vector<std::string> macro_names() const;

 private:
  struct Property {
    std::string text;
    std::optional<XacroValue> value;
    bool in_evaluation = false;
  };
  XacroScope* parent_ = nullptr;
  std::map<std::string, Property> properties_;
  std::map<std::string, XacroBlock> blocks_;
  std::map<std::string, XacroMacro> macros_;
};

}  // namespace grouser::internal
