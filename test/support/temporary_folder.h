#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace grouser::internal {

/// A folder of its own per test, removed afterwards.
class TemporaryFolderTest : public testing::Test {
 protected:
  TemporaryFolderTest() {
    std::string name = (std::filesystem::temp_directory_path() / "grouser_test_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~TemporaryFolderTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

inline std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace grouser::internal
