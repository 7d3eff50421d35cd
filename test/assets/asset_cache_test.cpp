#include "assets/asset_cache.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assets/asset_file.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "geometry/mesh_file.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using AssetCacheTest = TemporaryFolderTest;

TEST_F(AssetCacheTest, MakesAFileOnce) {
  const AssetCache cache(folder_ / "deep" / "cache");
  int made = 0;
  const auto make = [&] { return "made " + std::to_string(++made); };
  const fs::path path = cache.ensure("wheel", 0xAB, make);
  EXPECT_EQ(path, folder_ / "deep" / "cache" / "wheel_00000000000000ab.obj");
  EXPECT_EQ(cache.ensure("wheel", 0xAB, make), path);
  EXPECT_EQ(text_of(path), "made 1");
  EXPECT_EQ(made, 1);
  cache.ensure("rock", 0xAB, make);
  EXPECT_EQ(made, 2);
}

TEST_F(AssetCacheTest, LeftoversOfAKilledProcessAreNoAssets) {
  const AssetCache cache(folder_);
  const fs::path path = cache.path_of("wheel", 1);
  std::ofstream(path.string() + ".4711-0.tmp") << "half";
  EXPECT_EQ(text_of(cache.ensure("wheel", 1, [] { return std::string("whole"); })), "whole");
}

TEST_F(AssetCacheTest, AFailedMakerLeavesNothing) {
  const AssetCache cache(folder_);
  EXPECT_THROW(
      cache.ensure("wheel", 1, []() -> std::string { throw Error(ErrorKind::input, Issue{}); }),
      Error);
  EXPECT_TRUE(fs::is_empty(folder_));
  const AssetCache nowhere("/proc/none");
  EXPECT_THROW(nowhere.ensure("wheel", 1, [] { return std::string(); }), Error);
}

// Several processes at once: each finds a whole file, and one remains.
TEST_F(AssetCacheTest, ProcessesMayShareAFolder) {
  const std::string text(1 << 20, 'x');
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      bool whole = true;
      for (std::uint64_t id = 0; id < 20; ++id) {
        whole = whole && text_of(AssetCache(folder_).ensure("a", id, [&] { return text; })) == text;
      }
      _exit(whole ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 20);
}

TEST(AssetCacheFolder, ComesFromTheEnvironment) {
  const auto saved = [](const char* name) { return std::string(getenv(name) ? getenv(name) : ""); };
  const std::string home = saved("HOME");
  setenv("GROUSER_CACHE", "/a", 1);
  setenv("XDG_CACHE_HOME", "/b", 1);
  setenv("HOME", "/c", 1);
  EXPECT_EQ(AssetCache::default_folder(), "/a");
  unsetenv("GROUSER_CACHE");
  EXPECT_EQ(AssetCache::default_folder(), "/b/grouser");
  setenv("XDG_CACHE_HOME", "", 1);
  EXPECT_EQ(AssetCache::default_folder(), "/c/.cache/grouser");
  unsetenv("HOME");
  EXPECT_THROW(AssetCache::default_folder(), Error);
  setenv("HOME", home.c_str(), 1);
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(AssetCacheTest, FilesBeginWithTheirOrigin) {
  const AssetCache cache(folder_);
  const WheelSpec spec{.radius = 0.25};
  const fs::path path = ensure_asset(cache, spec);
  EXPECT_EQ(path.filename(), "wheel_" + hash_text(asset_id(spec)) + ".obj");
  const std::string text = text_of(path);
  EXPECT_THAT(text,
              testing::StartsWith("# grouser asset wheel_" + hash_text(asset_id(spec)) +
                                  "\n# generator = wheel 1\n# kind = rim\n# radius = 0.25\n"));
  EXPECT_EQ(read_mesh(path).mesh.vertices, make_wheel(spec).vertices);
}

// Every kind of asset, twice for each number of threads.
TEST(AssetFile, SameBytesForAnyNumberOfThreads) {
  SurfaceSpec ground{.size = {6, 6}};
  ground.noise.emplace();
  ground.random_craters.emplace();
  const RockFieldSpec rocks{.size = {5, 5}};
  const auto all = [&] {
    return asset_obj(WheelSpec{}) + asset_obj(WheelSpec{.kind = WheelKind::rimless}) +
           asset_obj(RockSpec{.divisions = 20}) + asset_obj(ground) + asset_obj(rocks, ground);
  };
  const std::string first = all();
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    EXPECT_EQ(all(), first);
    EXPECT_EQ(all(), first);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace grouser::internal
