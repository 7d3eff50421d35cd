// What remains of a run that could not end well.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>

#include "core/error.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "record_fixture.h"
#include "support/leak_checks.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using RunWriterCrashTest = RecordTest;

// Runs `work` in a child process whose standard error goes to a file. The child ends through
// exit(), so that everything that a program does at its end happens.
pid_t start_child(const fs::path& errors, const std::function<int()>& work) {
  std::fflush(nullptr);  // lest the child writes it again, perhaps beyond its size limit
  const pid_t child = fork();
  if (child != 0) return child;
  dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666), STDERR_FILENO);
  dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
  alarm(60);
  skip_leak_checks();
  int code = 99;
  try {
    code = work();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
  }
  std::exit(code);
}

int status_of(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

// Every row there is must be the one that was written.
void expect_good_rows(const RunReader& run, const World& world) {
  const Table time = run.read("/time"), p = run.read("/bodies/position"),
              v = run.read("/joints/velocity"), normal = run.read("/wheels/normal"),
              residual = run.read("/loop_residual");
  ASSERT_EQ(residual.rows, run.rows());
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const Sample sample = test_sample(world, static_cast<int>(row));
    ASSERT_EQ(time(row, 0), sample.time);
    ASSERT_EQ(p(row, 13), sample.X_WB[4].p.y());
    ASSERT_EQ(v(row, 11), sample.v[11]);
    ASSERT_EQ(normal(row, 0), sample.wheels[0].normal);
    ASSERT_EQ(residual(row, 0), sample.loop_residual);
  }
  for (const RunEvent& event : run.events()) ASSERT_EQ(event.index, 1);
}

TEST_F(RunWriterCrashTest, KillLeavesEverythingUpToTheLastFlush) {
  const World world = small_world();
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = start_child(folder_ / "errors", [&] {
    RunWriter writer(world, folder_ / "run", {.flush_interval = 1e9});
    for (int row = 0; row < 2500; ++row) {
      writer.on_sample(test_sample(world, row));
      if (row % 100 == 0) writer.on_event({.event = 1, .time = 0.02 * row});
    }
    writer.flush();
    for (int row = 2500; row < 2600; ++row) writer.on_sample(test_sample(world, row));
    if (write(ready[1], "x", 1) != 1) return 1;
    pause();
    return 1;
  });
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(status_of(child)));
  const RunReader run(folder_ / "run");
  EXPECT_FALSE(run.is_complete());
  EXPECT_EQ(run.rows(), 2500u);
  EXPECT_EQ(run.events().size(), 25u);
  expect_good_rows(run, world);
  close(ready[0]);
  close(ready[1]);
}

// At any moment there is either no run file yet or a good one.
TEST_F(RunWriterCrashTest, KillAtAnyMomentLeavesGoodRows) {
  const World world = small_world();
  std::size_t most = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const fs::path out = folder_ / std::to_string(trial);
    const pid_t child = start_child(folder_ / "errors", [&] {
      RunWriter writer(world, out, {.flush_interval = 0});  // a flush per sample
      for (int row = 0;; ++row) {
        writer.on_sample(test_sample(world, row));
        writer.on_event({.event = 1, .time = 0});
      }
      return 1;
    });
    // In every other trial the time counts from when there is a file, however slow the machine is.
    for (int k = 0; trial % 2 == 1 && k < 10000 && !fs::exists(out / "run.h5"); ++k) usleep(1000);
    usleep(static_cast<useconds_t>(1000 + 2500 * trial));
    kill(child, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(status_of(child)));
    if (!fs::exists(out / "run.h5")) continue;
    const RunReader run(out);
    most = std::max(most, run.rows());
    expect_good_rows(run, world);
  }
  EXPECT_GT(most, 10u);
  EXPECT_EQ(text_of(folder_ / "errors"), "");
}

// One node more is dug before each sample, all as deep as the row of samples says.
constexpr int kDugNodes = 200;
void dig_on(DugSoil& soil, int row) { soil.dig(7 * (row % kDugNodes), row % 100, -0.25 - row); }

void expect_good_soil(const RunReader& run) {
  const std::vector<double> times = run.soil_times();
  ASSERT_GE(times.size(), run.rows());  // soil is declared complete before the samples are
  ASSERT_LE(times.size(), run.rows() + 1);
  if (times.empty()) return;
  const int last = static_cast<int>(times.size()) - 1;
  const auto recorded = run.soil_at(times.back());
  for (int row = std::max(0, last - kDugNodes + 1); row <= last; ++row) {
    ASSERT_EQ(recorded->change.get(7 * (row % kDugNodes), row % 100), -0.25 - row);
  }
  ASSERT_EQ(recorded->cells.size(), 3u);
  ASSERT_EQ(recorded->cells[2].normal, 4 * times.back() + 6);
}

TEST_F(RunWriterCrashTest, KillAtAnyMomentLeavesGoodSoil) {
  World world = soil_world(15, 0.01);
  world.settings.soil_rate_hz = 1e5;
  std::size_t most = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const fs::path out = folder_ / std::to_string(trial);
    const pid_t child = start_child(folder_ / "errors", [&] {
      DugSoil soil(world);
      RunWriter writer(world, out, {.flush_interval = 0});
      for (int row = 0; row < 900; ++row) {
        dig_on(soil, row);
        writer.on_sample(soil.sample(0.125 * row));
      }
      pause();
      return 1;
    });
    // In every other trial the time counts from when there is a file, however slow the machine is.
    for (int k = 0; trial % 2 == 1 && k < 10000 && !fs::exists(out / "run.h5"); ++k) usleep(1000);
    usleep(static_cast<useconds_t>(30000 + 4000 * trial));
    kill(child, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(status_of(child)));
    if (!fs::exists(out / "run.h5")) continue;
    const RunReader run(out);
    most = std::max(most, run.rows());
    expect_good_soil(run);
  }
  EXPECT_GT(most, 10u);
  EXPECT_EQ(text_of(folder_ / "errors"), "");
}

TEST_F(RunWriterCrashTest, SizeLimitKeepsTheSoilThatWasFlushed) {
  World world = soil_world(1, 0.01);
  world.settings.soil_rate_hz = 1e5;
  std::size_t most = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const fs::path out = folder_ / std::to_string(trial);
    const auto bytes = static_cast<rlim_t>(600000 + 37000 * trial);
    const int status = status_of(start_child(folder_ / "errors", [&] {
      const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      DugSoil soil(world);
      RunWriter writer(world, out, {.flush_interval = 1e9});
      try {
        for (int row = 0; row < 100000; ++row) {
          soil.dig(row % 100, row % 37, -0.25 - row % 700);
          writer.on_sample(soil.sample(0.125 * row));
          if (row % 10 == 9) writer.flush();
        }
      } catch (const Error& error) {
        return error.kind() == ErrorKind::io ? 42 : 1;
      }
      return 2;
    }));
    ASSERT_TRUE(WIFEXITED(status)) << bytes;
    EXPECT_EQ(WEXITSTATUS(status), 42) << bytes;
    const RunReader run(out);
    ASSERT_EQ(run.soil_times().size(), run.rows()) << bytes;
    ASSERT_EQ(run.rows() % 10, 0u) << bytes;
    most = std::max(most, run.rows());
    if (run.rows() == 0) continue;
    const int last = static_cast<int>(run.rows()) - 1;
    EXPECT_EQ(run.soil_at(1e9)->change.get(last % 100, last % 37), -0.25 - last % 700);
  }
  EXPECT_GT(most, 10u);
  EXPECT_EQ(text_of(folder_ / "errors"), "");
}

// Writes until the disk refuses; the exit code says whether all went as it should. The number of
// samples that were safe before goes to a file `safe` (outside of the full disk).
int write_until_full(const World& world, const fs::path& out, const fs::path& safe) {
  std::size_t flushed = 0;
  const auto note = [&] { std::ofstream(safe) << flushed; };
  try {
    RunWriter writer(world, out, {.flush_interval = 1e9});
    note();
    for (int row = 0; row < 2000000; ++row) {
      writer.on_sample(test_sample(world, row));
      if (row % 500 != 499) continue;
      writer.flush();
      flushed = writer.rows();
      note();
    }
  } catch (const Error& error) {
    const std::string what = error.what();
    const bool names_file = what.find("run.h5") != std::string::npos;
    const bool says_why = what.find("File too large") != std::string::npos ||
                          what.find("No space left on device") != std::string::npos;
    return error.kind() == ErrorKind::io && names_file && says_why ? 42 : 1;
  }
  return 2;
}

void expect_safe_rows(const fs::path& out, const fs::path& safe, const World& world) {
  if (!fs::exists(out / "run.h5")) {  // there was no space even for an empty run
    EXPECT_FALSE(fs::exists(safe));
    return;
  }
  std::size_t flushed = 0;
  std::ifstream(safe) >> flushed;
  const RunReader run(out);
  EXPECT_FALSE(run.is_complete());
  EXPECT_EQ(run.rows(), flushed);
  expect_good_rows(run, world);
}

TEST_F(RunWriterCrashTest, SizeLimitKeepsWhatWasFlushed) {
  const World world = small_world();
  std::size_t with_rows = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const fs::path out = folder_ / std::to_string(trial);
    const fs::path safe = folder_ / ("safe" + std::to_string(trial));
    // From next to nothing over the set-up of the file to a few megabytes, at odd places.
    const auto bytes = static_cast<rlim_t>(500.0 * std::pow(1.17, trial));
    const int status = status_of(start_child(folder_ / "errors", [&] {
      const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      return write_until_full(world, out, safe);
    }));
    ASSERT_TRUE(WIFEXITED(status)) << bytes;
    EXPECT_EQ(WEXITSTATUS(status), 42) << bytes;
    expect_safe_rows(out, safe, world);
    std::size_t flushed = 0;
    std::ifstream(safe) >> flushed;
    with_rows += flushed > 0 ? 1 : 0;
    EXPECT_FALSE(fs::exists(out / "run.h5.tmp"));
  }
  EXPECT_GT(with_rows, 10u);
  EXPECT_EQ(text_of(folder_ / "errors"), "");
}

bool mount_small_disk(const fs::path& place, int kibibytes) {
  if (geteuid() != 0 && unshare(CLONE_NEWUSER) != 0) return false;
  if (unshare(CLONE_NEWNS) != 0) return false;
  mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  const std::string options = "size=" + std::to_string(kibibytes) + "k";
  return mount("tmpfs", place.c_str(), "tmpfs", 0, options.c_str()) == 0;
}

// A real full disk, mounted for the child alone; where mounting is not permitted, there is only
// the test above.
TEST_F(RunWriterCrashTest, FullDiskKeepsWhatWasFlushed) {
  const World world = small_world();
  const fs::path disk = folder_ / "disk";
  fs::create_directory(disk);
  for (const int kibibytes : {8, 40, 150, 400, 800, 1600, 2500, 5000}) {
    const fs::path safe = folder_ / ("safe" + std::to_string(kibibytes));
    const int status = status_of(start_child(folder_ / "errors", [&] {
      if (!mount_small_disk(disk, kibibytes)) return 77;
      const int result = write_until_full(world, disk / "run", safe);
      expect_safe_rows(disk / "run", safe, world);
      return testing::Test::HasFailure() ? 3 : result;
    }));
    ASSERT_TRUE(WIFEXITED(status)) << kibibytes;
    if (WEXITSTATUS(status) == 77) return;
    EXPECT_EQ(WEXITSTATUS(status), 42) << kibibytes;
  }
  EXPECT_EQ(text_of(folder_ / "errors"), "");
}

TEST_F(RunWriterCrashTest, AfterAFailureTheProgramGoesOn) {
  const World world = small_world();
  const int status = status_of(start_child(folder_ / "errors", [&] {
    const rlimit limit{.rlim_cur = 1200000, .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    RunWriter writer(world, folder_ / "run", {.flush_interval = 1e9});
    int failures = 0;
    for (int row = 0; row < 20000; ++row) {
      try {
        writer.on_sample(test_sample(world, row));
        if (row % 50 == 0) writer.flush();
      } catch (const Error&) {
        ++failures;
      }
    }
    writer.close();
    const std::size_t kept = RunReader(folder_ / "run").rows();  // in the same program
    const rlimit none{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &none);
    RunWriter other(world, folder_ / "other");
    other.on_sample(test_sample(world, 0));
    other.close();
    const bool good = failures > 0 && kept > 0 && RunReader(folder_ / "other").rows() == 1;
    return good ? 42 : 1;
  }));
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_EQ(text_of(folder_ / "errors"), "");
}

}  // namespace
}  // namespace grouser::internal
