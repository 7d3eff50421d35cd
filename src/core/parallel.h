#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace grouser::internal {

namespace detail {
class Pool;
}

/// Threads that parallel_for uses when called from here, the calling one included.
int thread_count();

/// Sets the number of threads where no ThreadPool is in use, >= 0; 0 = one per core, which is the default. More
/// threads than cores are allowed: tests use them to show that results do not depend on the number.
/// Must not be called while a parallel_for runs.
void set_thread_count(int count);

/// Threads of somebody's own, beside those that all share.
class ThreadPool {
 public:
  explicit ThreadPool(int threads);  ///< > 0
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// While it exists, parallel_for of the thread that made it runs in the pool; with nullptr nothing changes.
  class Use {
   public:
    explicit Use(ThreadPool* pool);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    detail::Pool* before_;
  };

 private:
  std::unique_ptr<detail::Pool> pool_;
};

namespace detail {

using ChunkFunction = void (*)(void* context, std::size_t begin, std::size_t end);

void run_chunks(std::size_t count, std::size_t grain, void* context, ChunkFunction function);

}  // namespace detail

/// Calls f(begin, end) for the chunks [0, grain), [grain, 2 grain), ... that cover [0, count).
/// `grain` must be > 0. The chunks do not depend on the number of threads, so results are the
/// same for any number as long as each call writes only its own slots.
///
/// Runs on the calling thread, without any allocation, if there is but one chunk or one thread.
/// If chunks throw, the exception of the lowest one arrives at the caller; chunks above it may or
/// may not have run. Calls may be nested: a thread that waits for an inner loop takes up no chunk
/// of an outer one, so an outer chunk can use per-thread scratch throughout.
template <class F>
void parallel_for(std::size_t count, std::size_t grain, F&& f) {
  using Function = std::remove_reference_t<F>;
  detail::run_chunks(count, grain, const_cast<void*>(static_cast<const void*>(std::addressof(f))),
                     [](void* context, std::size_t begin, std::size_t end) {
                       (*static_cast<Function*>(context))(begin, end);
                     });
}

}  // namespace grouser::internal
