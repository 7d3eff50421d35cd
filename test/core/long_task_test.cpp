#include "core/long_task.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/disk.h"
#include "core/parallel.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

using Clock = std::chrono::steady_clock;

/// Leaves the process as it was.
class LongTaskTest : public TemporaryFolderTest {
 protected:
  ~LongTaskTest() override {
    clear_cancel();
    set_progress_sink({});
  }
};

TEST_F(LongTaskTest, TellsHowFarItIsAndThatItEnded) {
  std::vector<double> heard;
  set_progress_sink([&](std::string_view task, double done) {
    EXPECT_EQ(task, "counting");
    heard.push_back(done);
  });
  {
    LongTask task("counting", 100);
    for (int i = 0; i < 50; ++i) task.advance();
    EXPECT_TRUE(heard.empty());  // too early to bother anybody
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    task.advance(25);
    EXPECT_EQ(heard, std::vector<double>{0.75});
    task.advance(25);
    EXPECT_EQ(heard.size(), 1u);  // ten times a second at most
  }
  EXPECT_EQ(heard, (std::vector<double>{0.75, 1}));
}

TEST_F(LongTaskTest, StopsWhenAsked) {
  LongTask task("counting", 10);
  task.advance();
  request_cancel();
  EXPECT_TRUE(cancel_flag());
  EXPECT_THROW(task.advance(), Cancelled);
  EXPECT_THROW(LongTask("more", 1), Cancelled);
  clear_cancel();
  EXPECT_NO_THROW(task.advance());
}

TEST_F(LongTaskTest, StopsLoopsOnAllThreads) {
  std::thread other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    request_cancel();
  });
  LongTask task("waiting", 1000000);
  const auto wait = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      task.advance();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  const auto begin = Clock::now();
  EXPECT_THROW(parallel_for(1000000, 100, wait), Cancelled);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(1));
  other.join();
}

TEST_F(LongTaskTest, ScopesSayWhetherSomebodyTidiesUp) {
  EXPECT_FALSE(CancelScope::any());
  {
    const LongTask task("counting", 1);
    const CancelScope inner;
    EXPECT_TRUE(CancelScope::any());
  }
  EXPECT_FALSE(CancelScope::any());
}

// A file is finished first, and the stop is not forgotten; as part of something larger, that has the say.
TEST_F(LongTaskTest, FilesAreFinishedBeforeTheStop) {
  const auto write = [&](const char* name) {
    AtomicFile file(folder_ / name);
    file.write("text");
    request_cancel();
    file.commit();
  };
  EXPECT_THROW(write("alone"), Cancelled);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "alone"));
  const CancelScope larger;
  EXPECT_NO_THROW(write("part"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "part"));
}

}  // namespace
}  // namespace grouser::internal
