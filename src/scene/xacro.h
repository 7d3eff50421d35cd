#pragma once

#include <map>
#include <string>

#include "scene/package_finder.h"
#include "scene/xml_element.h"

namespace grouser::internal {

/// Arguments of a robot file: NAME:=VALUE on the command line.
using XacroArguments = std::map<std::string, std::string>;

/// Whether a document is to be expanded: it declares the namespace of xacro or uses its elements.
bool is_xacro(const XmlElement& root);

/// Expands xacro: properties, macros with parameters and blocks, conditions, includes, arguments,
/// expressions, $(find), $(arg), $(env), $(optenv), $(eval), $(dirname), load_yaml(). What is not
/// supported is an issue with the file and line of the xacro source, as is all that is wrong. Elements keep
/// the place they were written at. Bounded in depth, work and size, whatever the input.
///
/// A file of a package that is missing is left out, which `warnings` tell: most such files hold macros of
/// sensors that are switched off. Calling one of them is an issue.
///
/// Differs from ROS: text between elements is dropped, and what stands within <gazebo>, which other
/// programs read.
XmlElement expand_xacro(const XmlElement& root, const XacroArguments& arguments,
                        PackageFinder& packages, std::vector<Issue>& warnings, IssueList& issues);

}  // namespace grouser::internal
