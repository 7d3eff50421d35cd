#include "core/long_task.h"

#include <algorithm>
#include <utility>

namespace grouser::internal {
namespace {

std::atomic<bool> wants_cancel = false;
std::atomic<int> cancel_scopes = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "signal handlers use them");

ProgressSink& progress_sink() {
  static ProgressSink sink;
  return sink;
}

void throw_if_cancelled() {
  if (cancel_requested()) throw Cancelled();
}

}  // namespace

void request_cancel() noexcept { wants_cancel.store(true, std::memory_order_relaxed); }
void clear_cancel() noexcept { wants_cancel.store(false, std::memory_order_relaxed); }
bool cancel_requested() noexcept { return wants_cancel.load(std::memory_order_relaxed); }
const std::atomic<bool>& cancel_flag() noexcept { return wants_cancel; }

void set_progress_sink(ProgressSink sink) { progress_sink() = std::move(sink); }

CancelScope::CancelScope() noexcept { ++cancel_scopes; }
CancelScope::~CancelScope() { --cancel_scopes; }
bool CancelScope::any() noexcept { return cancel_scopes.load() > 0; }

LongTask::LongTask(std::string_view name, std::size_t total) : name_(name), total_(total) {
  throw_if_cancelled();
}

LongTask::~LongTask() {
  try {
    if (has_told_) progress_sink()(name_, 1);
  } catch (...) {  // whoever cannot show it
  }
}

void LongTask::advance(std::size_t count) {
  throw_if_cancelled();
  const std::size_t before = done_.fetch_add(count, std::memory_order_relaxed);
  // The clock is looked at now and then only: reading it each time would cost more than the work.
  constexpr std::size_t kLooks = 1024;  // per task
  const std::size_t stride = total_ / kLooks + 1;
  if (before / stride == (before + count) / stride) return;
  if (std::this_thread::get_id() == owner_) tell(before + count);
}

void LongTask::tell(std::size_t done) {
  constexpr std::chrono::milliseconds kQuiet(100);
  const WallClock::time_point now = WallClock::now();
  if (!progress_sink() || now - told_ < kQuiet) return;
  told_ = now;
  has_told_ = true;
  const double part =
      static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(total_, 1));
  progress_sink()(name_, std::min(part, 1.0));
}

}  // namespace grouser::internal
