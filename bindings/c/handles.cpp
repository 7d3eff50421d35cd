#include "handles.h"

#include <cstdint>
#include <memory>

namespace grouser::c {
namespace {

// A handle: kind (8 bits), generation (32 bits), slot (24 bits). Never 0, since kinds count from 1.
static_assert(sizeof(void*) == 8);
constexpr int kSlotBits = 24, kGenerationBits = 32;

std::uint64_t bits(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }
std::size_t slot_index(const void* handle) {
  return bits(handle) & ((std::uint64_t{1} << kSlotBits) - 1);
}
std::uint32_t generation_of(const void* handle) {
  return static_cast<std::uint32_t>(bits(handle) >> kSlotBits);
}
unsigned kind_of(const void* handle) {
  return static_cast<unsigned>(bits(handle) >> (kSlotBits + kGenerationBits));
}

struct LastError {
  std::string text;
  std::vector<Issue> issues;
};
thread_local LastError last_error;

}  // namespace

void* HandleTable::add(void* object) {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    if (slots_ == kBlock * kBlocks) refuse(std::string("there are too many ") + name_ + "s");
    if (slots_ % kBlock == 0) blocks_[slots_ / kBlock] = new Slot[kBlock];
    free_.push_back(slots_++);
  }
  const std::size_t index = free_.back();
  free_.pop_back();
  Slot& slot = blocks_[index / kBlock].load()[index % kBlock];
  slot.object = object;
  const std::uint32_t generation = ++slot.generation;
  return reinterpret_cast<void*>((std::uint64_t{kind_} << (kSlotBits + kGenerationBits)) |
                                 (std::uint64_t{generation} << kSlotBits) | index);
}

HandleTable::Slot* HandleTable::slot_of(const void* handle) const {
  if (kind_of(handle) != kind_) return nullptr;
  const std::size_t index = slot_index(handle);
  Slot* block = index / kBlock < kBlocks ? blocks_[index / kBlock].load() : nullptr;
  if (block == nullptr) return nullptr;
  Slot& slot = block[index % kBlock];
  const std::uint32_t generation = slot.generation;
  return generation % 2 == 1 && generation == generation_of(handle) ? &slot : nullptr;
}

void* HandleTable::find(const void* handle) const {
  if (handle == nullptr) refuse(std::string("the handle of a ") + name_ + " is NULL");
  const Slot* slot = slot_of(handle);
  if (slot == nullptr) refuse(std::string("the handle is of no ") + name_ + ", or was freed");
  return slot->object;
}

void* HandleTable::remove(const void* handle) {
  void* object = find(handle);
  const std::lock_guard lock(mutex_);
  Slot* slot = slot_of(handle);
  if (slot == nullptr) refuse(std::string("two threads free one ") + name_);
  slot->object = nullptr;
  ++slot->generation;
  free_.push_back(slot_index(handle));
  return object;
}

Use::Use(Owner& owner) : owner_(owner) {
  const std::thread::id self = std::this_thread::get_id();
  std::thread::id before;
  if (owner_.thread.compare_exchange_strong(before, self)) return;
  if (before != self) refuse("another thread is at work with this handle");
  is_first_ = false;
}

Use::~Use() {
  if (is_first_) owner_.thread = std::thread::id();
}

void keep_error(const Error& error) { last_error = {error.what(), error.issues()}; }
void keep_error(const char* what) { last_error = {what, {Issue{.message = what}}}; }

}  // namespace grouser::c

using namespace grouser;
using namespace grouser::c;

int grouser_abi_version(void) { return GROUSER_ABI_VERSION; }

const char* grouser_version(void) {
  static const std::string text(version());
  return text.c_str();
}

const char* grouser_error_text(void) { return last_error.text.c_str(); }
size_t grouser_error_count(void) { return last_error.issues.size(); }

grouser_result grouser_error_issue(size_t index, grouser_issue* out) {
  // Leaves the findings of the call before as they are.
  if (out == nullptr || index >= last_error.issues.size()) return GROUSER_USAGE;
  const Issue& issue = last_error.issues[index];
  *out = {issue.message.c_str(), issue.file.c_str(),  issue.line,
          issue.field.c_str(),   issue.value.c_str(), issue.legal.c_str()};
  return GROUSER_OK;
}
