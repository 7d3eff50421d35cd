#pragma once

#include <string>
#include <string_view>

#include "core/error.h"

namespace grouser::internal {

/// Refuses what could exhaust an XML parser or has no place in a URDF: document types (and with
/// them entities), deep nesting, enormous tags or too many of them. A light scan, not a parser;
/// true if nothing was found.
bool guard_xml(std::string_view text, const std::string& file, IssueList& issues);

}  // namespace grouser::internal
