#include "scene/xacro.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>

#include "core/text.h"
#include "scene/text_file.h"
#include "scene/xacro_texts.h"

namespace grouser::internal {
namespace {

constexpr int kMaxXacroDepth = 400;          // elements, macros and includes within each other
constexpr int kMaxMacroDepth = 64;           // macros that call each other
constexpr int kMaxIncludeDepth = 32;         // files
constexpr int kMaxPropertyDepth = 100;       // properties that name each other
constexpr long kMaxXacroWork = 2'000'000;    // elements looked at
constexpr long kMaxXacroElements = 200'000;  // of the result
constexpr std::size_t kMaxXacroIssues = 100;

/// Ends the expansion: going on would only cost time, or tell more of the same.
struct Abandoned {};

class XacroExpander {
 public:
  XacroExpander(const XacroArguments& arguments, PackageFinder& packages,
                std::vector<Issue>& warnings, IssueList& issues)
      : arguments_(arguments),
        packages_(packages),
        texts_(arguments, packages),
        warnings_(warnings),
        issues_(issues) {}

  XmlElement run(const XmlElement& root) {
    XmlElement robot{.name = root.name, .file = root.file, .line = root.line};
    XacroScope scope;
    try {
      copy_attributes(root, scope, robot);
      expand_children(root, scope, robot);
      check_arguments(root);
      warn_of_left_out(root);
    } catch (const Abandoned&) {
      // What is wrong was reported.
    }
    return robot;
  }

 private:
  // Reporting.

  void report(const Place& place, std::string message, std::string value = {},
              std::string legal = {}) {
    if (!calls_.empty()) message += fmt::format(" (in {})", calls_.back());
    issues_.add(issue_at(place, std::move(message), std::move(value), std::move(legal)));
    if (issues_.issues().size() >= kMaxXacroIssues) throw Abandoned{};
  }

  [[noreturn]] void abandon(const Place& place, std::string message, std::string legal = {}) {
    report(place, std::move(message), {}, std::move(legal));
    throw Abandoned{};
  }

  void warn_of_left_out(const XmlElement& root) {
    if (left_out_.empty()) return;
    warnings_.push_back(issue_at(
        root.place(), fmt::format("left out, because their packages are missing: {} (looked in {})",
                                  fmt::join(left_out_, ", "), packages_.searched())));
  }

  /// An argument of the command line that nothing declares is a slip of the keyboard.
  void check_arguments(const XmlElement& root) {
    const std::vector<std::string>& declared = texts_.declared();
    for (const auto& [name, value] : arguments_) {
      if (std::ranges::find(declared, name) != declared.end()) continue;
      const auto near = closest_match(name, declared);
      report(root.place(), fmt::format("the file has no xacro argument '{}'{}", name,
                                       near ? fmt::format(", did you mean '{}'?", *near) : ""));
    }
  }

  // Texts.

  /// The value of an attribute; reports what is wrong with it and returns nothing.
  std::optional<XacroValue> value_of(const XmlElement& element, const XmlAttribute& attribute,
                                     XacroScope& scope) {
    try {
      return texts_.value_of(attribute.value, *element.file, scope);
    } catch (const ExpressionError& error) {
      std::string shown = attribute.value.substr(0, 80);
      if (shown.size() < attribute.value.size()) shown += "…";
      report(element.place_of(attribute, element.name + "." + attribute.name), error.what(),
             "\"" + shown + "\"");
      return std::nullopt;
    }
  }

  std::optional<std::string> required_text(const XmlElement& element, const char* key,
                                           XacroScope& scope) {
    const XmlAttribute* attribute = element.attribute(key);
    if (attribute == nullptr) {
      report(element.place(), fmt::format("'{}' needs the attribute '{}'", element.name, key));
      return std::nullopt;
    }
    const auto value = value_of(element, *attribute, scope);
    return value ? std::optional(to_text(*value)) : std::nullopt;
  }

  // Elements.

  void copy_attributes(const XmlElement& from, XacroScope& scope, XmlElement& into) {
    for (const XmlAttribute& attribute : from.attributes) {
      if (attribute.name.starts_with("xmlns:") || attribute.name.starts_with("xacro:")) continue;
      const auto value = value_of(from, attribute, scope);
      into.attributes.push_back({attribute.name, value ? to_text(*value) : "", attribute.line});
    }
  }

  void expand_children(const XmlElement& from, XacroScope& scope, XmlElement& into) {
    if (++depth_ > kMaxXacroDepth) {
      abandon(from.place(), "elements and macros are nested too deeply",
              fmt::format("<= {}", kMaxXacroDepth));
    }
    for (const XmlElement& child : from.children) expand(child, scope, into);
    --depth_;
  }

  void expand(const XmlElement& element, XacroScope& scope, XmlElement& into) {
    if (++work_ > kMaxXacroWork) {
      abandon(element.place(), "expands to far too much", fmt::format("<= {}", kMaxXacroWork));
    }
    const std::string& name = element.name;
    if (name.starts_with("xacro:")) return expand_xacro_element(element, scope, into);
    constexpr std::string_view kOld[] = {"include", "macro", "property", "insert_block"};
    if (into.name == "robot" && std::ranges::find(kOld, name) != std::end(kOld)) {
      return report(element.place(),
                    fmt::format("'{0}' without prefix is the form of old xacro; write "
                                "'xacro:{0}'",
                                name));
    }
    if (++elements_ > kMaxXacroElements) {
      abandon(element.place(), "expands to too many elements",
              fmt::format("<= {}", kMaxXacroElements));
    }
    XmlElement copy{.name = name, .file = element.file, .line = element.line};
    if (name != "gazebo") {
      copy_attributes(element, scope, copy);
      expand_children(element, scope, copy);
    }
    into.children.push_back(std::move(copy));
  }

  void expand_xacro_element(const XmlElement& element, XacroScope& scope, XmlElement& into) {
    const std::string tag = element.name.substr(6);
    if (tag == "property") return define_property(element, scope);
    if (tag == "macro") return define_macro(element, scope);
    if (tag == "arg") return define_argument(element, scope);
    if (tag == "include") return include(element, scope, into);
    if (tag == "insert_block") return insert_block(element, scope, into);
    if (tag == "if" || tag == "unless") {
      if (holds(element, scope) == (tag == "if")) expand_children(element, scope, into);
      return;
    }
    if (tag == "attribute") return add_attribute(element, scope, into);
    if (tag == "element") return add_element(element, scope, into);
    if (tag == "call") {
      const auto name = required_text(element, "macro", scope);
      if (name) call_macro(element, *name, scope, into);
      return;
    }
    call_macro(element, tag, scope, into);
  }

  void define_property(const XmlElement& element, XacroScope& scope) {
    const auto name = required_text(element, "name", scope);
    if (!name) return;
    const XmlAttribute* value = element.attribute("value");
    const XmlAttribute* fallback = element.attribute("default");
    if (element.text("remove") == "true") return scope.remove(*name);
    if (fallback != nullptr && value == nullptr) {
      if (scope.knows(*name)) return;
      value = fallback;
    }
    XacroScope* target = &scope;
    const std::string where = element.text("scope");
    if (where == "global") target = &scope.root();
    if (where == "parent" && scope.parent() != nullptr) target = scope.parent();
    if (value == nullptr) return target->define_block(*name, {&element, true});
    const bool is_lazy = where.empty() && element.text("lazy_eval") != "false";
    if (is_lazy) return target->define(*name, value->value);
    if (const auto now = value_of(element, *value, scope)) target->define(*name, *now);
  }

  void define_macro(const XmlElement& element, XacroScope& scope) {
    const auto name = required_text(element, "name", scope);
    if (!name) return;
    // Old files name the prefix, too.
    const std::string plain = name->starts_with("xacro:") ? name->substr(6) : *name;
    scope.define_macro({plain, parse_xacro_parameters(element.text("params")), &element});
  }

  void define_argument(const XmlElement& element, XacroScope& scope) {
    const auto name = required_text(element, "name", scope);
    if (!name) return;
    texts_.declare(*name);
    const XmlAttribute* fallback = element.attribute("default");
    if (fallback == nullptr || texts_.has_argument(*name)) return;
    if (const auto value = value_of(element, *fallback, scope)) {
      texts_.set_default(*name, to_text(*value));
    }
  }

  /// Whether an include names a package that is missing.
  bool is_left_out(const XmlElement& element, XacroScope& scope) {
    try {
      texts_.value_of(element.text("filename"), *element.file, scope);
    } catch (const MissingPackage&) {
      left_out_.push_back(element.text("filename"));
      return true;
    } catch (const ExpressionError&) {
      return false;  // reported when it is read
    }
    return false;
  }

  void include(const XmlElement& element, XacroScope& scope, XmlElement& into) {
    if (is_left_out(element, scope)) return;
    const auto name = required_text(element, "filename", scope);
    if (!name) return;
    if (element.attribute("ns") != nullptr) {
      return report(element.place(), "includes with a namespace ('ns') are not supported");
    }
    if (name->find_first_of("*?[") != std::string::npos) {
      return report(element.place(), "includes of several files by a pattern are not supported",
                    "'" + *name + "'");
    }
    if (++include_depth_ > kMaxIncludeDepth) {
      abandon(element.place(), "files include each other too deeply",
              fmt::format("<= {}", kMaxIncludeDepth));
    }
    const std::filesystem::path file = std::filesystem::path(*element.file).parent_path() / *name;
    std::error_code ignored;
    const bool may_miss = element.text("optional") == "true";
    if (std::filesystem::exists(file, ignored) &&
        !std::filesystem::is_regular_file(file, ignored)) {
      report(element.place(), "is not a file", "'" + file.string() + "'");
    } else if (!may_miss || std::filesystem::exists(file, ignored)) {
      const std::size_t before = issues_.issues().size();
      const auto text = read_text_file(file, element.place("xacro:include"), issues_);
      auto root = text ? read_xml(*text, file.string(), issues_) : std::nullopt;
      if (root) {
        documents_.push_back(*std::move(root));
        expand_children(documents_.back(), scope, into);
      } else if (issues_.issues().size() == before) {
        report(element.place(), "cannot be read", file.string());
      }
    }
    --include_depth_;
  }

  void insert_block(const XmlElement& element, XacroScope& scope, XmlElement& into) {
    const auto name = required_text(element, "name", scope);
    if (!name) return;
    const XacroBlock* block = scope.find_block(*name);
    if (block == nullptr) {
      return report(element.place(), fmt::format("there is no block '{}' to insert", *name));
    }
    if (block->content_only) {
      expand_children(*block->element, scope, into);
    } else {
      expand(*block->element, scope, into);
    }
  }

  bool holds(const XmlElement& element, XacroScope& scope) {
    const XmlAttribute* condition = element.attribute("value");
    if (condition == nullptr) {
      report(element.place(), fmt::format("'{}' needs the attribute 'value'", element.name));
      return false;
    }
    const auto value = value_of(element, *condition, scope);
    if (!value) return false;
    if (value->string() == nullptr) return is_true(*value);
    const XacroValue literal = literal_value(trimmed_text(*value->string()));
    if (!literal.is_integer()) {
      report(element.place_of(*condition), fmt::format("'{}' needs true or false", element.name),
             "'" + *value->string() + "'");
      return false;
    }
    return is_true(literal);
  }

  void add_attribute(const XmlElement& element, XacroScope& scope, XmlElement& into) {
    const auto name = required_text(element, "name", scope);
    const auto value = required_text(element, "value", scope);
    if (name && value) into.set(*name, *value);
  }

  void add_element(const XmlElement& element, XacroScope& scope, XmlElement& into) {
    const auto name = required_text(element, "xacro:name", scope);
    if (!name) return;
    XmlElement copy{.name = *name, .file = element.file, .line = element.line};
    copy_attributes(element, scope, copy);
    expand_children(element, scope, copy);
    into.children.push_back(std::move(copy));
  }

  // Macros.

  void call_macro(const XmlElement& element, const std::string& name, XacroScope& scope,
                  XmlElement& into) {
    const XacroMacro* known = scope.find_macro(name);
    if (known == nullptr) {
      const auto near = closest_match(name, scope.macro_names());
      const std::string hint = near ? fmt::format(", did you mean '{}'?", *near)
                               : left_out_.empty()
                                   ? std::string()
                                   : fmt::format("; it may be in a file of a missing package: {}",
                                                 fmt::join(left_out_, ", "));
      return report(element.place(), fmt::format("there is no macro '{}'{}", name, hint));
    }
    if (static_cast<int>(calls_.size()) >= kMaxMacroDepth) {
      abandon(element.place(), fmt::format("the macro '{}' calls itself without end", name),
              fmt::format("<= {} macros within each other", kMaxMacroDepth));
    }
    const XacroMacro macro = *known;  // its definition may be replaced while it runs
    XacroScope inner(&scope);
    const std::size_t issues_before = issues_.issues().size();
    take_values(element, macro, scope, inner);
    take_blocks(element, macro, scope, inner);
    take_defaults(element, macro, scope, inner);
    if (issues_.issues().size() > issues_before) return;
    calls_.push_back(
        fmt::format("the macro '{}', called at {}:{}", name, *element.file, element.line));
    expand_children(*macro.body, inner, into);
    calls_.pop_back();
  }

  void take_values(const XmlElement& element, const XacroMacro& macro, XacroScope& scope,
                   XacroScope& inner) {
    for (const XmlAttribute& attribute : element.attributes) {
      if (element.name == "xacro:call" && attribute.name == "macro") continue;
      if (attribute.name.starts_with("xmlns:")) continue;
      const bool is_parameter = std::ranges::any_of(macro.parameters, [&](const auto& parameter) {
        return parameter.kind == XacroParameter::Kind::value && parameter.name == attribute.name;
      });
      if (!is_parameter) {
        std::vector<std::string> names;
        for (const XacroParameter& parameter : macro.parameters) names.push_back(parameter.name);
        const auto near = closest_match(attribute.name, names);
        report(element.place_of(attribute),
               fmt::format("the macro '{}' has no parameter '{}'{}", macro.name, attribute.name,
                           near ? fmt::format(", did you mean '{}'?", *near) : std::string()));
        continue;
      }
      if (const auto value = value_of(element, attribute, scope)) {
        inner.define(attribute.name, *value);
      }
    }
  }

  void take_blocks(const XmlElement& element, const XacroMacro& macro, XacroScope& scope,
                   XacroScope& inner) {
    documents_.push_back({.name = element.name, .file = element.file, .line = element.line});
    XmlElement& blocks = documents_.back();
    expand_children(element, scope, blocks);
    std::size_t next = 0;
    for (const XacroParameter& parameter : macro.parameters) {
      if (parameter.kind == XacroParameter::Kind::value) continue;
      if (next >= blocks.children.size()) {
        report(element.place(),
               fmt::format("the macro '{}' needs the block '{}'", macro.name, parameter.name));
        return;
      }
      inner.define_block(parameter.name, {&blocks.children[next++],
                                          parameter.kind == XacroParameter::Kind::content});
    }
    if (next < blocks.children.size()) {
      report(blocks.children[next].place(), fmt::format("the macro '{}' takes no block '{}'",
                                                        macro.name, blocks.children[next].name));
    }
  }

  void take_defaults(const XmlElement& element, const XacroMacro& macro, XacroScope& scope,
                     XacroScope& inner) {
    std::vector<std::string> missing;
    for (const XacroParameter& parameter : macro.parameters) {
      if (parameter.kind != XacroParameter::Kind::value) continue;
      if (element.attribute(parameter.name) != nullptr) continue;
      try {
        const std::string& file = *macro.body->file;
        if (parameter.forwards) {
          if (const auto outer = texts_.property(parameter.name, file, scope)) {
            inner.define(parameter.name, *outer);
            continue;
          }
        }
        if (parameter.fallback) {
          inner.define(parameter.name, texts_.value_of(*parameter.fallback, file, scope));
        } else {
          missing.push_back(parameter.name);
        }
      } catch (const ExpressionError& error) {
        report(macro.body->place("xacro:macro.params"),
               fmt::format("the default of '{}': {}", parameter.name, error.what()));
      }
    }
    if (missing.empty()) return;
    report(element.place(),
           fmt::format("the macro '{}' needs {}", macro.name, fmt::join(missing, ", ")));
  }

  const XacroArguments& arguments_;
  PackageFinder& packages_;
  XacroTexts texts_;
  std::vector<Issue>& warnings_;
  IssueList& issues_;
  std::vector<std::string> left_out_;  ///< includes
  std::deque<XmlElement> documents_;   ///< included files and blocks: macros point into them
  std::vector<std::string> calls_;     ///< macros that run, for messages
  int depth_ = 0, include_depth_ = 0;
  long work_ = 0, elements_ = 0;
};

bool uses_xacro(const XmlElement& element) {
  return element.name.starts_with("xacro:") || std::ranges::any_of(element.children, uses_xacro);
}

}  // namespace

bool is_xacro(const XmlElement& root) {
  const bool declared = std::ranges::any_of(root.attributes, [](const XmlAttribute& attribute) {
    return attribute.name == "xmlns:xacro";
  });
  return declared || uses_xacro(root);
}

XmlElement expand_xacro(const XmlElement& root, const XacroArguments& arguments,
                        PackageFinder& packages, std::vector<Issue>& warnings, IssueList& issues) {
  return XacroExpander(arguments, packages, warnings, issues).run(root);
}

}  // namespace grouser::internal
