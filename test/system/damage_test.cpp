// What the program says of damaged files, and of being interrupted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "core/rng.h"
#include "support/sanitized.h"
#include "system/program.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* kScene = R"(grouser: 1
name: falling
duration: 0.2
record: {rate_hz: 100}
models:
  - name: box
    base: free
    position: [0, 0, 1]
    tree: {bodies: [{name: trunk, mass: 1, shape: {box: [1, 1, 1]}}]}
)";

void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// Damages a file of a run, one byte in three of four cases, cut short in the fourth, and lets every command read it.
void damage(const char* name, int count) {
  const TemporaryFolder folder;
  const std::string run = (folder / "run").string();
  ASSERT_EQ(run_program({"run", folder.write("s.yaml", kScene), "-o", run, "--quiet"}).exit_code,
            0);
  const auto output = [&](const char* name) { return (folder / name).string(); };
  const std::vector<std::vector<std::string>> readers = {
      {"snapshot", run, "-o", output("a.png"), "--width", "64", "--height", "64"},
      {"export", "csv", run, "-o", output("csv")},
      {"export", "plots", run, "-o", output("plots")}};
  const std::vector<std::vector<std::string>> resume = {
      {"run", "--resume", run + "/checkpoint.h5", "-o", output("more"), "--duration", "0.3"}};
  CounterRng rng(3, 1);
  const bool is_run = std::string(name) == "run.h5";
  const fs::path path = fs::path(run) / name;
  const std::string good = read_text(path);
  for (int k = 0; k < count; ++k) {
    std::size_t place = rng.index(good.size());
    while (good[place] == 0) place = rng.index(good.size());
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ static_cast<char>(1 + rng.index(255)));
    put(path, k % 4 == 3 ? good.substr(0, place) : bad);
    for (const auto& command : is_run ? readers : resume) {
      const ProgramResult result = run_program(command);
      EXPECT_THAT(result.exit_code, AnyOf(0, 2, 4)) << command[0] << " " << place << result.err;
      if (result.exit_code == 0) continue;  // it did not matter
      EXPECT_THAT(result.err, HasSubstr(path.string())) << command[0] << " " << place;
    }
    EXPECT_FALSE(!is_run && fs::exists(folder / "more"));
  }
  put(path, good);
  for (const auto& command : readers) EXPECT_EQ(run_program(command).exit_code, 0);
  EXPECT_EQ(run_program(resume.front()).exit_code, 0);
}

// The readers themselves are tried with many more changes in test/record.
TEST(Damage, EveryCommandSaysThatARunIsDamaged) { damage("run.h5", 4); }
TEST(Damage, EveryCommandSaysThatACheckpointIsDamaged) { damage("checkpoint.h5", 4); }
TEST(LongDamage, EveryCommandSaysThatARunIsDamaged) { damage("run.h5", 200); }
TEST(LongDamage, EveryCommandSaysThatACheckpointIsDamaged) { damage("checkpoint.h5", 200); }

TEST(Damage, LooksThatAreNoneAreAnError) {
  const TemporaryFolder folder;
  const std::string run = (folder / "run").string();
  ASSERT_EQ(run_program({"run", folder.write("s.yaml", kScene), "-o", run, "--quiet"}).exit_code,
            0);
  const fs::path path = fs::path(run) / "run.h5";
  std::string bytes = read_text(path);
  const std::size_t place = bytes.find("{\"body\":");
  ASSERT_NE(place, std::string::npos);
  bytes[place] = '[';
  put(path, bytes);
  const ProgramResult result = run_program({"snapshot", run});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("run.h5"));
  EXPECT_THAT(result.err, HasSubstr("/visuals does not match its digest"));
}

/// Interrupts the program after a while; returns its exit code and how long it took to obey.
std::pair<int, double> interrupt(const std::vector<std::string>& arguments, int milliseconds) {
  const pid_t process = start_program(arguments);
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  const auto asked = std::chrono::steady_clock::now();
  kill(process, SIGINT);
  const int code = wait_for(process);
  return {code, std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count()};
}

TEST(Interrupt, LongSetUpEndsAtOnceAndLeavesNothing) {
  constexpr double kAtOnce = unless_sanitized(1, 10);  // [s]; all is ten times slower then
  const TemporaryFolder folder;
  const std::string scene = folder.write("s.yaml", std::string(kScene) + R"(terrain:
  surface: {size: [1010, 1010]}
  spacing: 0.1
  soil: dry_sand
  rocks: {size: [1000, 1000], sizes: {k: 0.1, min_diameter: 0.08}}
)");
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"run", scene, "-o", (folder / "run").string()},
           {"asset", "rocks", "--size", "1000", "1000", "--sizes.k", "0.1", "--sizes.min-diameter",
            "0.08", "-o", (folder / "assets").string()}}) {
    for (const int milliseconds : {100, 600}) {
      const auto [code, seconds] = interrupt(command, milliseconds);
      EXPECT_EQ(code, 130) << command[0];
      EXPECT_LT(seconds, kAtOnce) << command[0];
    }
  }
  EXPECT_FALSE(fs::exists(folder / "run"));
  EXPECT_FALSE(fs::exists(folder / "assets"));
}

}  // namespace
}  // namespace grouser::internal
