// Whatever a file holds: it loads, or it is refused as bad input. Nothing else may happen.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "scene/builtin_files.h"
#include "support.h"

namespace grouser::internal {
namespace {

std::string load_outcome(const std::string& text) {
  try {
    load_text(text);
    return "loaded";
  } catch (const Error& error) {
    return error.kind() == ErrorKind::input && !error.issues().empty() ? "refused" : error.what();
  }
}

std::string urdf_outcome(const std::string& text, const TemporaryFolder& folder) {
  folder.write("r.urdf", text);
  try {
    load_text("grouser: 1\nmodels: [{name: m, urdf: r.urdf}]\n", folder.path());
    return "loaded";
  } catch (const Error& error) {
    return error.kind() == ErrorKind::input && !error.issues().empty() ? "refused" : error.what();
  }
}

bool is_fine(const std::string& outcome) { return outcome == "loaded" || outcome == "refused"; }

/// Replaces, removes or doubles a few stretches of a text.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % std::max<std::size_t>(n, 1); };
  const std::string tokens[] = {"1e308",  "-1",   ".nan", "0",     "[",     "}",  "{",
                                "*a",     "&a ",  ": ",   "\n- ",  "<",     "/>", "\"",
                                "1e-320", "\xff", "name", "world", "&amp;", "inf"};
  for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
    const std::size_t at = below(text.size());
    const std::size_t length = below(12);
    switch (below(3)) {
      case 0:
        text.replace(at, length, tokens[below(std::size(tokens))]);
        break;
      case 1:
        text.erase(at, length);
        break;
      default:
        text.insert(below(text.size()), text.substr(at, 5 * length));
        break;
    }
  }
  return text;
}

TEST(Fuzz, TruncatedScenes) {
  for (const BuiltinFile& file : builtin_files()) {
    if (file.kind != "scenes") continue;
    for (std::size_t size = 0; size < file.text.size(); size += 13) {
      const std::string outcome = load_outcome(std::string(file.text.substr(0, size)));
      ASSERT_TRUE(is_fine(outcome)) << file.name << " cut at " << size << ": " << outcome;
    }
  }
}

TEST(Fuzz, MutatedScenes) {
  std::mt19937 random(1);
  for (const BuiltinFile& file : builtin_files()) {
    if (file.kind != "scenes") continue;
    for (int i = 0; i < 200; ++i) {
      const std::string text = mutated(std::string(file.text), random);
      const std::string outcome = load_outcome(text);
      ASSERT_TRUE(is_fine(outcome)) << outcome << "\n" << text;
    }
  }
}

TEST(Fuzz, MutatedUrdfs) {
  std::mt19937 random(2);
  const TemporaryFolder folder("fuzz");
  const std::filesystem::path seeds =
      std::filesystem::path(GROUSER_SOURCE_DIR) / "test/data/malformed";
  for (const auto& entry : std::filesystem::directory_iterator(seeds)) {
    if (entry.path().extension() != ".urdf") continue;
    std::ostringstream seed;
    seed << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    for (int i = 0; i < 10; ++i) {
      const std::string text = mutated(seed.str(), random);
      const std::string outcome = urdf_outcome(text, folder);
      ASSERT_TRUE(is_fine(outcome)) << outcome << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace grouser::internal
