#pragma once

#include <atomic>
#include <csignal>

namespace grouser::python {

/// While it exists, SIGINT also sets a flag, so that a run without Python's lock ends after its step. Python's own handler is
/// called as before; it raises KeyboardInterrupt once the lock is held again. Only in Python's main thread, which alone
/// handles signals, and only if Python handles SIGINT at all; does nothing elsewhere. They nest.
class InterruptFlag {
 public:
  explicit InterruptFlag(std::atomic<bool>& flag);
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;

 private:
  bool is_set_ = false;
  std::atomic<bool>* outer_ = nullptr;  // flag of the run around this one
};

}  // namespace grouser::python
