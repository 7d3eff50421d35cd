#include "geometry/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace grouser::internal {
namespace {

using testing::HasSubstr;

constexpr ChildLimits kLimits{.memory_bytes = std::uint64_t{256} << 20, .seconds = 5};

/// What becomes of a child that never answers.
std::string end_of(const std::function<void()>& work, const ChildLimits& limits = kLimits) {
  ChildProcess child(limits, [&](int) { work(); });
  char byte = 0;
  EXPECT_FALSE(child.read(&byte, 1));
  return child.what_happened();
}

TEST(ChildProcess, SendsItsResult) {
  std::vector<int> numbers(300'000), received(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  const std::size_t bytes = numbers.size() * sizeof(int);
  ChildProcess child(kLimits, [&](int pipe) { write_all(pipe, numbers.data(), bytes); });
  ASSERT_TRUE(child.read(received.data(), bytes));
  EXPECT_EQ(received, numbers);
}

TEST(ChildProcess, CrashesAreNamed) {
  EXPECT_THAT(end_of([] { raise(SIGSEGV); }), HasSubstr("crashed on it (signal 11)"));
  EXPECT_THAT(end_of([] { std::abort(); }), HasSubstr("crashed on it (signal 6)"));
  EXPECT_THAT(end_of([] { throw std::runtime_error("no"); }), HasSubstr("crashed on it"));
  EXPECT_THAT(end_of([] {}), HasSubstr("crashed on it"));  // ended without a word
}

TEST(ChildProcess, HangingEndsInTime) {
  const auto start = std::chrono::steady_clock::now();
  const auto hang = [] {
    for (;;) pause();
  };
  EXPECT_THAT(end_of(hang, {.memory_bytes = 1 << 20, .seconds = 0.1}),
              HasSubstr("did not finish within 0.1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

TEST(ChildProcess, MemoryIsLimited) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve memory as they like";
#endif
  const auto eat = [] {
    std::vector<std::vector<char>> eaten;
    for (int i = 0; i < 1000; ++i) eaten.emplace_back(1 << 20, 'x');
  };
  EXPECT_THAT(end_of(eat), HasSubstr("needed more than 256 MB"));
}

TEST(ChildProcess, HasNoFilesNorStreamsOfOurs) {
  const int null = open("/dev/null", O_RDONLY);
  const int file = fcntl(null, F_DUPFD, 100);
  close(null);
  ASSERT_GE(file, 100);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  ChildProcess child(kLimits, [&](int pipe) {
    std::fputs("to stdout", stdout);
    std::fflush(stdout);
    std::fputs("to stderr", stderr);
    const char is_open = fcntl(file, F_GETFD) >= 0 ? 'y' : 'n';
    write_all(pipe, &is_open, 1);
  });
  char is_open = 0;
  EXPECT_TRUE(child.read(&is_open, 1));
  EXPECT_EQ(is_open, 'n');
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  close(file);
}

TEST(ChildProcess, EndsWithItsObject) {
  pid_t pid = 0;
  {
    ChildProcess child(kLimits, [](int pipe) {
      const pid_t self = getpid();
      write_all(pipe, &self, sizeof self);
      for (;;) pause();
    });
    ASSERT_TRUE(child.read(&pid, sizeof pid));
    EXPECT_EQ(kill(pid, 0), 0);
  }
  EXPECT_EQ(kill(pid, 0), -1);
}

}  // namespace
}  // namespace grouser::internal
