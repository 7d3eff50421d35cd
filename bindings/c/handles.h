#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "grouser/error.h"
#include "grouser/grouser.h"

/// What stands between C's handles and C++ objects.
namespace grouser::c {

[[noreturn]] inline void refuse(std::string message) {
  throw Error(ErrorKind::usage, Issue{.message = std::move(message)});
}

/// Throws Error(usage) for NULL.
template <class Anything>
Anything& given(Anything* pointer, const char* what) {
  if (pointer == nullptr) refuse(std::string(what) + " is NULL");
  return *pointer;
}
/// Writes an answer where the caller wants it.
template <class Place, class Answer>
void answer(Place* place, const Answer& value) {
  given(place, "the place for the answer") = value;
}
/// The same for texts.
inline std::string text(const char* pointer, const char* what) { return &given(pointer, what); }

/// Objects behind handles of one kind. A handle is not the address of anything but a number: of a slot, and of how many
/// objects were in the slot before. What is no handle, or one that was freed, is therefore recognised without a look at
/// memory that it might point to. Finding takes no lock.
class HandleTable {
 public:
  /// `kind` tells the handles of several tables apart; `name` is for messages.
  HandleTable(unsigned kind, const char* name) : kind_(kind), name_(name) {}

  void* add(void* object);
  /// Throws Error(usage).
  void* find(const void* handle) const;
  /// The same, and forgets it.
  void* remove(const void* handle);

 private:
  struct Slot {
    std::atomic<std::uint32_t> generation = 0;  // odd while an object is in it
    std::atomic<void*> object = nullptr;
  };
  static constexpr std::size_t kBlock = 1024, kBlocks = 4096;

  Slot* slot_of(const void* handle) const;

  unsigned kind_;
  const char* name_;
  std::mutex mutex_;                         // of all that follows, but for reading
  std::atomic<Slot*> blocks_[kBlocks] = {};  // never freed: stale handles are looked up, too
  std::size_t slots_ = 0;
  std::vector<std::size_t> free_;
};

/// The table of a kind of object: each says which it is by `static HandleTable& table()`.
template <class Object, class Handle>
void hand_out(std::unique_ptr<Object> object, Handle** handle) {
  given(handle, "the place for the handle");
  *handle = static_cast<Handle*>(Object::table().add(object.get()));
  object.release();
}
template <class Object>
Object& held(const void* handle) {
  return *static_cast<Object*>(Object::table().find(handle));
}

/// Which thread works with an object. Threads that share one are told, where they meet.
class Owner {
 public:
  std::atomic<std::thread::id> thread = {};
};
class Use {
 public:
  explicit Use(Owner& owner);
  ~Use();
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  Owner& owner_;
  bool is_first_ = true;
};

template <class Object>
void free_handle(const void* handle) {
  if (handle == nullptr) return;
  Object& object = held<Object>(handle);
  if constexpr (requires { object.owner; }) {
    if (object.owner.thread.load() != std::thread::id()) {
      refuse(
          "is still at work: it cannot be freed by its own controllers, or while another "
          "thread runs it");
    }
  }
  delete static_cast<Object*>(Object::table().remove(handle));
}

void keep_error(const Error& error);
void keep_error(const char* what);

/// Runs the body of a C function; whatever it throws is kept for grouser_error_text().
template <class Work>
grouser_result guarded(const Work& work) noexcept {
  try {
    work();
    return GROUSER_OK;
  } catch (const Error& error) {
    keep_error(error);
    return static_cast<grouser_result>(error.kind());
  } catch (const std::exception& error) {
    keep_error(error.what());
  } catch (...) {
    keep_error("an unknown exception");
  }
  return GROUSER_INTERNAL;
}

}  // namespace grouser::c
