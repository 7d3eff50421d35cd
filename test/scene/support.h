#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "scene/load_scene.h"

/// What the tests of the scene layer share.
namespace grouser::internal {

inline World load_text(const std::string& text, const std::filesystem::path& folder = {}) {
  return load_scene_text(text, "test.yaml", folder);
}

/// The findings about a scene; empty if it is accepted.
inline std::vector<Issue> issues_of(const std::string& text) {
  try {
    load_text(text);
  } catch (const Error& error) {
    return error.issues();
  }
  return {};
}

/// A scene with one model whose tree is given, indented by six spaces.
inline std::string scene_with_tree(const std::string& tree, const std::string& rest = {}) {
  return "grouser: 1\nmodels:\n  - name: m\n    tree:\n" + tree + rest;
}

/// A folder that lives as long as a test.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("grouser_scene_" + name + "_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace grouser::internal
