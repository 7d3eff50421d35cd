#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <memory>
#include <typeinfo>
#include <utility>

#include "core/hash.h"

namespace grouser::internal {

class ContactMemory;

/// What a value must offer to be remembered: a copy is a snapshot, equality is that of all bits that matter. Not a
/// memory itself, which is asked first: whether that is copyable would depend on the answer.
template <class T>
concept Memorable = !std::same_as<T, ContactMemory> && std::copyable<T> &&
                    std::equality_comparable<T> && requires(const T& value, Hasher& hasher) {
  value.hash(hasher);
};

/// What a contact system remembers between accepted steps: any Memorable value, or nothing. Regular itself. Assigning
/// a memory of the same type copies into what is there, so that it need not allocate.
class ContactMemory {
 public:
  ContactMemory() = default;
  template <Memorable T>
  explicit ContactMemory(T value)
      : held_(std::make_unique<Held<T>>(std::move(value))), revision_(next_revision()) {}
  ContactMemory(const ContactMemory& other)
      : held_(other.held_ ? other.held_->clone() : nullptr), revision_(other.revision_) {}
  ContactMemory(ContactMemory&&) noexcept = default;
  ContactMemory& operator=(const ContactMemory& other);
  ContactMemory& operator=(ContactMemory&&) noexcept = default;
  ~ContactMemory() = default;

  template <class T>
  bool holds() const {
    return held_ && type_of(*held_) == typeid(Held<T>);
  }
  template <class T>
  const T& as() const {
    assert(holds<T>());
    return static_cast<const Held<T>&>(*held_).value;
  }
  /// To be changed: counts as another memory from now on.
  template <class T>
  T& write() {
    assert(holds<T>());
    revision_ = next_revision();
    return static_cast<Held<T>&>(*held_).value;
  }

  /// Equal numbers mean equal content, in this process: what was found for it once may be used again.
  std::uint64_t revision() const { return revision_; }

  friend bool operator==(const ContactMemory& a, const ContactMemory& b);
  /// Adds nothing if there is nothing.
  void hash(Hasher& hasher) const;

 private:
  struct AnyHeld {
    virtual ~AnyHeld() = default;
    virtual std::unique_ptr<AnyHeld> clone() const = 0;
    /// Both of the same type.
    virtual void assign(const AnyHeld& other) = 0;
    virtual bool equals(const AnyHeld& other) const = 0;
    virtual void hash(Hasher& hasher) const = 0;
  };

  template <class T>
  struct Held final : AnyHeld {
    explicit Held(T v) : value(std::move(v)) {}
    std::unique_ptr<AnyHeld> clone() const override { return std::make_unique<Held>(value); }
    void assign(const AnyHeld& other) override { value = static_cast<const Held&>(other).value; }
    bool equals(const AnyHeld& other) const override {
      return value == static_cast<const Held&>(other).value;
    }
    void hash(Hasher& hasher) const override { value.hash(hasher); }

    T value;
  };

  static const std::type_info& type_of(const AnyHeld& held) { return typeid(held); }
  static std::uint64_t next_revision();

  std::unique_ptr<AnyHeld> held_;
  std::uint64_t revision_ = 0;
};

}  // namespace grouser::internal
