#include "core/parallel.h"

#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/allocation_count.h"

namespace grouser::internal {
namespace {

class Parallel : public testing::Test {
 protected:
  void TearDown() override { set_thread_count(0); }
};

class ParallelThreads : public Parallel, public testing::WithParamInterface<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Threads, ParallelThreads, testing::Values(1, 2, 5, 8));

TEST_P(ParallelThreads, ChunksCoverTheRangeAtMultiplesOfTheGrain) {
  using Chunk = std::pair<std::size_t, std::size_t>;
  std::mutex mutex;
  std::multiset<Chunk> seen;
  parallel_for(23, 5, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex);
    seen.insert({begin, end});
  });
  EXPECT_EQ(seen, (std::multiset<Chunk>{{0, 5}, {5, 10}, {10, 15}, {15, 20}, {20, 23}}));
}

TEST_P(ParallelThreads, EverySlotIsWrittenOnceWithTheSameBits) {
  constexpr std::size_t kCount = 10007;
  // Each value depends on the beginning of its chunk, so a moved boundary would show.
  const auto value = [](std::size_t begin, std::size_t i) {
    return std::sin(static_cast<double>(i)) + std::sqrt(static_cast<double>(begin));
  };
  std::vector<double> expected(kCount), result(kCount);
  for (std::size_t i = 0; i < kCount; ++i) expected[i] = value(i / 64 * 64, i);
  parallel_for(kCount, 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) result[i] += value(begin, i);
  });
  EXPECT_EQ(result, expected);
}

TEST_P(ParallelThreads, LowestExceptionArrives) {
  const auto run = [] {
    parallel_for(1000, 1, [](std::size_t begin, std::size_t) {
      if (begin % 10 == 7) throw std::runtime_error(std::to_string(begin));
    });
  };
  for (int repeat = 0; repeat < 50; ++repeat) {
    try {
      run();
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
  }
}

TEST_P(ParallelThreads, NestedLoopsComplete) {
  std::vector<int> result(60 * 40);
  parallel_for(60, 1, [&](std::size_t row, std::size_t) {
    parallel_for(40, 3, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) result[row * 40 + i] += 1;
    });
  });
  EXPECT_EQ(result, std::vector<int>(60 * 40, 1));
}

TEST_P(ParallelThreads, WaitingForAnInnerLoopTakesUpNoOuterChunk) {
  thread_local bool inside = false;
  std::atomic<int> intrusions = 0;
  parallel_for(64, 1, [&](std::size_t, std::size_t) {
    if (inside) ++intrusions;
    inside = true;
    parallel_for(64, 1, [](std::size_t, std::size_t) { std::this_thread::yield(); });
    inside = false;
  });
  EXPECT_EQ(intrusions, 0);
}

TEST_P(ParallelThreads, CountIsReported) { EXPECT_EQ(thread_count(), GetParam()); }

// Every chunk waits until all have begun, which takes as many threads as there are chunks.
TEST_F(Parallel, MoreThreadsThanCoresReallyRun) {
  constexpr int kThreads = 5;
  set_thread_count(kThreads);
  std::atomic<int> begun = 0;
  parallel_for(kThreads, 1, [&](std::size_t, std::size_t) {
    ++begun;
    while (begun < kThreads) std::this_thread::yield();
  });
  EXPECT_EQ(begun, kThreads);
}

TEST_F(Parallel, EmptyRangeCallsNothing) {
  parallel_for(0, 4, [](std::size_t, std::size_t) { FAIL(); });
}

TEST_F(Parallel, ZeroMeansAllCores) {
  set_thread_count(3);
  set_thread_count(0);
  EXPECT_GE(thread_count(), 1);
}

TEST(AllocationCount, SeesAllocations) {
  if (!allocations_are_counted()) GTEST_SKIP() << "sanitizer build";
  const std::uint64_t before = allocation_count();
  const std::vector<double> vector(100);
  EXPECT_EQ(allocation_count(), before + 1);
}

TEST_F(Parallel, OneChunkRunsInlineWithoutAllocation) {
  set_thread_count(4);
  const std::thread::id caller = std::this_thread::get_id();
  std::thread::id runner;
  const std::uint64_t before = allocation_count();
  parallel_for(8, 8, [&](std::size_t, std::size_t) { runner = std::this_thread::get_id(); });
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(runner, caller);
}

TEST_F(Parallel, OneThreadRunsInlineInOrderWithoutAllocation) {
  set_thread_count(1);
  std::size_t next = 0;
  bool ordered = true;
  const std::uint64_t before = allocation_count();
  parallel_for(100, 7, [&](std::size_t begin, std::size_t end) {
    ordered = ordered && begin == next;
    next = end;
  });
  EXPECT_EQ(allocation_count(), before);
  EXPECT_TRUE(ordered);
  EXPECT_EQ(next, 100u);
}

TEST_F(Parallel, AcceptsConstAndTemporaryFunctions) {
  struct Body {
    std::atomic<int>* calls;
    void operator()(std::size_t, std::size_t) const { ++*calls; }
  };
  std::atomic<int> calls = 0;
  const Body body{&calls};
  parallel_for(3, 1, body);
  parallel_for(3, 1, Body{&calls});
  EXPECT_EQ(calls, 6);
}

}  // namespace
}  // namespace grouser::internal
