#include "contact/contact_memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace grouser::internal {
namespace {

struct Numbers {
  std::vector<double> values;
  friend bool operator==(const Numbers&, const Numbers&) = default;
  void hash(Hasher& hasher) const {
    for (const double value : values) hasher.f64(value);
  }
};

struct Flag {
  bool up = false;
  friend bool operator==(const Flag&, const Flag&) = default;
  void hash(Hasher& hasher) const { hasher.u64(up ? 1 : 0); }
};

std::uint64_t hash_of(const ContactMemory& memory) {
  Hasher hasher;
  memory.hash(hasher);
  return hasher.digest();
}

TEST(ContactMemory, IsAValue) {
  const ContactMemory first(Numbers{{1, 2}});
  ContactMemory second = first;
  EXPECT_EQ(first, second);
  EXPECT_EQ(hash_of(first), hash_of(second));
  second.write<Numbers>().values[0] = 3;
  EXPECT_NE(first, second);
  EXPECT_NE(hash_of(first), hash_of(second));
  EXPECT_EQ(first.as<Numbers>().values[0], 1);
  second = first;
  EXPECT_EQ(first, second);
}

TEST(ContactMemory, KnowsItsType) {
  ContactMemory memory(Flag{true});
  EXPECT_TRUE(memory.holds<Flag>());
  EXPECT_FALSE(memory.holds<Numbers>());
  EXPECT_NE(memory, ContactMemory(Numbers{}));
  EXPECT_NE(memory, ContactMemory());
  EXPECT_EQ(ContactMemory(), ContactMemory());
  memory = ContactMemory(Numbers{{5}});
  EXPECT_TRUE(memory.holds<Numbers>());
}

// The same number only for the same content, also after going back.
TEST(ContactMemory, RevisionsTellContentsApart) {
  ContactMemory memory(Numbers{{1}});
  const ContactMemory saved = memory;
  EXPECT_EQ(saved.revision(), memory.revision());
  memory.write<Numbers>().values[0] = 2;
  EXPECT_NE(saved.revision(), memory.revision());
  const std::uint64_t changed = memory.revision();
  memory = saved;
  EXPECT_EQ(saved.revision(), memory.revision());
  memory.write<Numbers>().values[0] = 3;
  EXPECT_NE(memory.revision(), changed);
}

TEST(ContactMemory, AssignsWithoutAllocating) {
  ContactMemory memory(Numbers{{1, 2, 3}}), other(Numbers{{4, 5, 6}});
  const double* storage = memory.as<Numbers>().values.data();
  memory = other;
  EXPECT_EQ(memory, other);
  EXPECT_EQ(memory.as<Numbers>().values.data(), storage);
}

}  // namespace
}  // namespace grouser::internal
