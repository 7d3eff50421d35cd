#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <string_view>
#include <thread>

namespace grouser::internal {

/// Thrown by long work that was asked to stop. Nothing is wrong, so it is no Error.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// Asks all long tasks of the process to stop, until clear_cancel(). Any thread or signal handler may call it.
void request_cancel() noexcept;
void clear_cancel() noexcept;
bool cancel_requested() noexcept;
/// Set while a stop is asked for, for loops that look by themselves.
const std::atomic<bool>& cancel_flag() noexcept;

/// Hears how far a task is: its name and the part that is done, 0 ... 1. It hears 1 when the task ends, done or not.
using ProgressSink = std::function<void(std::string_view task, double done)>;

/// Replaces the sink; an empty function, the default, hears nothing. Must not be called while a task runs.
void set_progress_sink(ProgressSink sink);

/// While one exists, somebody looks at the cancel flag, or has files to tidy up: a signal handler must not end the
/// program, but call request_cancel().
class CancelScope {
 public:
  CancelScope() noexcept;
  ~CancelScope();
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  static bool any() noexcept;  ///< whether one exists in the process
};

/// Work that may take longer than a user waits without a word: tells how far it is, and stops when asked to.
class LongTask {
 public:
  /// `name` as a user would call it, "placing rocks"; it must outlive the task. `total`: number of advances.
  /// Throws Cancelled.
  LongTask(std::string_view name, std::size_t total);
  ~LongTask();
  LongTask(const LongTask&) = delete;
  LongTask& operator=(const LongTask&) = delete;

  /// `count` more are done. Any thread may call it; the sink is called from the thread that made the task, ten times
  /// a second at most. Cheap enough for each microsecond of work. Throws Cancelled.
  void advance(std::size_t count = 1);

 private:
  using WallClock = std::chrono::steady_clock;
  void tell(std::size_t done);

  CancelScope scope_;
  std::string_view name_;
  std::size_t total_;
  std::atomic<std::size_t> done_ = 0;
  std::thread::id owner_ = std::this_thread::get_id();
  WallClock::time_point told_ = WallClock::now();
  bool has_told_ = false;
};

}  // namespace grouser::internal
