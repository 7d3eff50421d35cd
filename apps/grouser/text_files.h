#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grouser::internal {

/// A file to be written.
struct NamedText {
  std::string name, text;
};

/// Writes the files to the folder, which is made; returns their paths. Throws Error(io).
std::vector<std::string> write_texts(const std::filesystem::path& folder,
                                     const std::vector<NamedText>& files);

}  // namespace grouser::internal
