#include "contact/contact_memory.h"

#include <atomic>

namespace grouser::internal {

std::uint64_t ContactMemory::next_revision() {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

ContactMemory& ContactMemory::operator=(const ContactMemory& other) {
  if (this == &other) return *this;
  if (held_ && other.held_ && type_of(*held_) == type_of(*other.held_)) {
    if (revision_ != other.revision_) held_->assign(*other.held_);
  } else {
    held_ = other.held_ ? other.held_->clone() : nullptr;
  }
  revision_ = other.revision_;
  return *this;
}

bool operator==(const ContactMemory& a, const ContactMemory& b) {
  if (!a.held_ || !b.held_) return !a.held_ && !b.held_;
  return ContactMemory::type_of(*a.held_) == ContactMemory::type_of(*b.held_) &&
         a.held_->equals(*b.held_);
}

void ContactMemory::hash(Hasher& hasher) const {
  if (held_) held_->hash(hasher);
}

}  // namespace grouser::internal
