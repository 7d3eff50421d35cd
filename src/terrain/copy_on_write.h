#pragma once

#include <atomic>
#include <utility>

namespace grouser::internal {

/// A value on the heap, or none, that copies share until one of them writes. Copies may be used by
/// different threads; one copy only as a plain value may.
///
/// Differs from std::shared_ptr, whose use_count() does not synchronise with the threads that let
/// go: seeing 1 there does not yet allow to write.
template <class V>
class CopyOnWrite {
 public:
  CopyOnWrite() = default;
  CopyOnWrite(const CopyOnWrite& other) : shared_(other.shared_) {
    if (shared_) shared_->users.fetch_add(1, std::memory_order_relaxed);
  }
  CopyOnWrite(CopyOnWrite&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  CopyOnWrite& operator=(CopyOnWrite other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~CopyOnWrite() { release(); }

  /// Null if there is none.
  const V* get() const { return shared_ ? &shared_->value : nullptr; }

  /// Made as V{} if there is none, copied if shared.
  V& writable() {
    if (!shared_) {
      shared_ = new Shared;
    } else if (shared_->users.load(std::memory_order_acquire) != 1) {
      Shared* const own = new Shared(shared_->value);
      release();
      shared_ = own;
    }
    return shared_->value;
  }

 private:
  struct Shared {
    Shared() = default;
    explicit Shared(const V& original) : value(original) {}
    std::atomic<int> users = 1;
    V value{};
  };

  void release() {
    if (shared_ && shared_->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared_;
  }

  Shared* shared_ = nullptr;
};

}  // namespace grouser::internal
