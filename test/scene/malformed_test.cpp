// Every file of test/data/malformed must be refused with exactly the findings that its first lines
// announce, "# expect: LINE: FRAGMENT" (in URDFs as XML comments), at that line.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "scene/load_scene.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(GROUSER_SOURCE_DIR) / "test/data/malformed";

struct Expectation {
  int line = 0;
  std::string fragment;
};

std::vector<Expectation> read_expectations(const fs::path& file) {
  std::vector<Expectation> expectations;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::string mark = "expect: ";
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) break;
    std::string text = line.substr(at + mark.size());
    if (text.ends_with(" -->")) text.resize(text.size() - 4);
    Expectation expectation;
    const char* begin = text.data();
    const auto end = std::from_chars(begin, begin + text.size(), expectation.line).ptr;
    expectation.fragment = text.substr(static_cast<std::size_t>(end - begin) + 2);
    expectations.push_back(std::move(expectation));
  }
  return expectations;
}

std::vector<std::string> malformed_files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

void load(const std::string& name) {
  if (name.ends_with(".yaml")) {
    load_scene(kFolder / name);
  } else {
    load_scene_text("grouser: 1\nmodels: [{name: m, urdf: " + name + "}]\n", "scene.yaml", kFolder);
  }
}

class Malformed : public testing::TestWithParam<std::string> {};

TEST_P(Malformed, IsRefusedWithAllItsMistakes) {
  const std::vector<Expectation> expectations = read_expectations(kFolder / GetParam());
  ASSERT_FALSE(expectations.empty()) << "the file does not say what to expect";
  try {
    load(GetParam());
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.issues().size(), expectations.size()) << error.what();
    for (const Expectation& expected : expectations) {
      const bool found = std::ranges::any_of(error.issues(), [&](const Issue& issue) {
        return issue.line == expected.line && issue.file == (kFolder / GetParam()).string() &&
               to_string(issue).find(expected.fragment) != std::string::npos;
      });
      EXPECT_TRUE(found) << "expected " << expected.line << ": " << expected.fragment
                         << "\nbut got\n"
                         << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Malformed, testing::ValuesIn(malformed_files()),
                         [](const testing::TestParamInfo<std::string>& file) {
                           std::string name = file.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST(MalformedFolder, HoldsEnoughOfEachKind) {
  const std::vector<std::string> names = malformed_files();
  const auto urdfs =
      std::ranges::count_if(names, [](const std::string& name) { return name.ends_with(".urdf"); });
  EXPECT_GE(urdfs, 50);
  EXPECT_GE(static_cast<std::ptrdiff_t>(names.size()) - urdfs, 100);
}

}  // namespace
}  // namespace grouser::internal
