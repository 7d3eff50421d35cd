#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "scene/place.h"

namespace grouser::internal {

/// Larger scene, tree and URDF files are refused: they hold a mistake, or an attack.
inline constexpr std::size_t kMaxTextFileBytes = std::size_t{16} << 20;

/// Reads a file of text. If it is missing, unreadable, too large or not text, adds an issue that
/// names `file` and is placed at `referrer` (the line that asked for it; empty for the first file).
std::optional<std::string> read_text_file(const std::filesystem::path& file, const Place& referrer,
                                          IssueList& issues);

/// True if `text` is UTF-8 without control characters other than tab and line ends; otherwise adds
/// an issue with the line of the first offending byte.
bool check_text(std::string_view text, const std::string& file, IssueList& issues);

}  // namespace grouser::internal
