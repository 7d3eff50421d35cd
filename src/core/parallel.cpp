#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#ifdef __SANITIZE_THREAD__
#include <thread>
#include <vector>
#endif

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace grouser::internal {
namespace detail {

/// The arena sets how many threads we use. The global control only raises TBB's own limit, which
/// is the number of cores, and never lowers it: a host program may use TBB for itself.
class Pool {
 public:
  explicit Pool(int threads)
      : threads_(threads),
        limit_(tbb::global_control::max_allowed_parallelism,
               static_cast<std::size_t>(std::max(threads, tbb::info::default_concurrency()))),
        arena_(threads) {}

  int threads() const { return threads_; }
  tbb::task_arena& arena() { return arena_; }

 private:
  int threads_;
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

}  // namespace detail

namespace {

using detail::Pool;

std::unique_ptr<Pool>& shared_pool() {
  static auto pool = std::make_unique<Pool>(tbb::info::default_concurrency());
  return pool;
}

/// The pool of this thread, or nothing where it is the one that all share.
thread_local Pool* own_pool = nullptr;

Pool& current_pool() { return own_pool != nullptr ? *own_pool : *shared_pool(); }

/// Threads of a pool call parallel_for as the one does that they work for.
class PoolScope {
 public:
  explicit PoolScope(Pool* pool) : before_(own_pool) { own_pool = pool; }
  ~PoolScope() { own_pool = before_; }
  PoolScope(const PoolScope&) = delete;
  PoolScope& operator=(const PoolScope&) = delete;

 private:
  Pool* before_;
};

#ifdef __SANITIZE_THREAD__

/// The thread sanitizer knows nothing of how TBB, which is not built with it, synchronises its threads: it sees races where
/// there are none. It does know these. Loops within loops run on the thread that meets them. To start threads takes long:
/// after its first loops a thread shares out one of many only, which meets every kind of loop all the same.
template <class Run>
void spread(Pool& pool, std::size_t chunks, const Run& run) {
  constexpr unsigned kFirst = 2000, kOneOf = 61;
  static thread_local bool is_within = false;
  static thread_local unsigned loops = 0;
  if (is_within || (++loops > kFirst && loops % kOneOf != 0)) return run(std::size_t{0}, chunks);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    is_within = true;
    for (std::size_t chunk = next++; chunk < chunks; chunk = next++) run(chunk, chunk + 1);
    is_within = false;
  };
  std::vector<std::thread> threads;
  for (int k = 1; k < pool.threads(); ++k) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

#else

template <class Run>
void spread(Pool& pool, std::size_t chunks, const Run& run) {
  const auto run_all = [&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, chunks),
        [&](const tbb::blocked_range<std::size_t>& range) { run(range.begin(), range.end()); });
  };
  pool.arena().execute([&] { tbb::this_task_arena::isolate(run_all); });
}

#endif

/// The exception of the lowest chunk that threw.
class FirstFailure {
 public:
  /// True if a lower chunk has failed, so that the outcome of this one no longer matters.
  bool precedes(std::size_t chunk) const { return chunk_.load(std::memory_order_relaxed) < chunk; }

  void record(std::size_t chunk, std::exception_ptr exception) {
    const std::lock_guard lock(mutex_);
    if (chunk >= chunk_.load(std::memory_order_relaxed)) return;
    chunk_.store(chunk, std::memory_order_relaxed);
    exception_ = std::move(exception);
  }

  void rethrow_if_any() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<std::size_t> chunk_ = std::numeric_limits<std::size_t>::max();
  std::mutex mutex_;
  std::exception_ptr exception_;
};

}  // namespace

int thread_count() { return current_pool().threads(); }

ThreadPool::ThreadPool(int threads) : pool_(std::make_unique<Pool>(threads)) {}
ThreadPool::~ThreadPool() = default;

ThreadPool::Use::Use(ThreadPool* pool) : before_(own_pool) {
  if (pool != nullptr) own_pool = pool->pool_.get();
}

ThreadPool::Use::~Use() { own_pool = before_; }

void set_thread_count(int count) {
  assert(count >= 0);
  const int threads = count > 0 ? count : tbb::info::default_concurrency();
  if (threads == shared_pool()->threads()) return;
  // The old limit must be gone first: TBB obeys the lowest of those that exist.
  shared_pool().reset();
  shared_pool() = std::make_unique<Pool>(threads);
}

namespace detail {

void run_chunks(std::size_t count, std::size_t grain, void* context, ChunkFunction function) {
  assert(grain > 0);
  const auto run_chunk = [=](std::size_t chunk) {
    const std::size_t begin = chunk * grain;
    function(context, begin, begin + std::min(grain, count - begin));
  };

  const std::size_t chunks = count / grain + (count % grain != 0 ? 1 : 0);
  if (chunks <= 1 || thread_count() == 1) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) run_chunk(chunk);
    return;
  }

  FirstFailure failure;
  Pool& pool = current_pool();
  Pool* const own = own_pool;
  spread(pool, chunks, [&](std::size_t begin, std::size_t end) {
    const PoolScope scope(own);
    for (std::size_t chunk = begin; chunk != end; ++chunk) {
      if (failure.precedes(chunk)) return;
      try {
        run_chunk(chunk);
      } catch (...) {
        failure.record(chunk, std::current_exception());
      }
    }
  });
  failure.rethrow_if_any();
}

}  // namespace detail
}  // namespace grouser::internal
