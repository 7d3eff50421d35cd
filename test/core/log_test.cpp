#include "core/log.h"

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

class Log : public testing::Test {
 protected:
  void TearDown() override { set_log_sink({}); }
};

TEST_F(Log, SinkReceivesEveryLevel) {
  std::vector<std::pair<LogLevel, std::string>> seen;
  set_log_sink([&](LogLevel level, std::string_view text) { seen.emplace_back(level, text); });
  log(LogLevel::debug, "a");
  log(LogLevel::error, "b");
  const std::vector<std::pair<LogLevel, std::string>> expected = {{LogLevel::debug, "a"},
                                                                  {LogLevel::error, "b"}};
  EXPECT_EQ(seen, expected);
}

TEST_F(Log, DefaultWritesInfoAndAboveToStandardError) {
  set_log_sink({});
  testing::internal::CaptureStderr();
  log(LogLevel::debug, "hidden");
  log(LogLevel::info, "plain");
  log(LogLevel::warning, "slow");
  log(LogLevel::error, "broken");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "plain\nwarning: slow\nerror: broken\n");
}

// The counter is neither atomic nor locked: only the log's own lock keeps the total right.
TEST_F(Log, SinkSeesOneMessageAtATime) {
  constexpr int kThreads = 4, kMessages = 2000;
  int count = 0;
  set_log_sink([&](LogLevel, std::string_view) { ++count; });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([] {
      for (int j = 0; j < kMessages; ++j) log(LogLevel::info, "message");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, kThreads * kMessages);
}

}  // namespace
}  // namespace grouser::internal
