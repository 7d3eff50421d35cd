#include "core/hash.h"

#include <cmath>
#include <limits>
#include <set>

#include "core/rng.h"

#include <gtest/gtest.h>

namespace grouser::internal {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::uint64_t hash(std::string_view text) {
  Hasher hasher;
  hasher.bytes(bytes_of(text));
  return hasher.digest();
}

// Published digests of XXH64 with seed 0, for 0, 1, 3, 8, 31, 32, 39 and 43 bytes.
TEST(Hasher, KnownAnswers) {
  EXPECT_EQ(hash_text(hash("")), "ef46db3751d8e999");
  EXPECT_EQ(hash_text(hash("a")), "d24ec4f1a98c6e5b");
  EXPECT_EQ(hash_text(hash("abc")), "44bc2cf5ad770999");
  EXPECT_EQ(hash_text(hash("12345678")), "d2d02f08cf7cfd4a");
  EXPECT_EQ(hash_text(hash("abcdefghijklmnopqrstuvwxyz12345")), "467605901b01d6f6");
  EXPECT_EQ(hash_text(hash("12345678901234567890123456789012")), "40fd1aa52d98274c");
  EXPECT_EQ(hash_text(hash("Nobody inspects the spammish repetition")), "fbcea83c8a378bf1");
  EXPECT_EQ(hash_text(hash("The quick brown fox jumps over the lazy dog")), "0b242d361fda71bc");
}

TEST(Hasher, CutsDoNotMatter) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += static_cast<char>(i * 37);
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (const std::size_t second : {std::size_t{0}, std::size_t{1}, std::size_t{31}}) {
      Hasher hasher;
      const std::size_t middle = std::min(first + second, text.size());
      hasher.bytes(bytes_of(text.substr(0, first)));
      hasher.bytes(bytes_of(text.substr(first, middle - first)));
      hasher.bytes(bytes_of(text.substr(middle)));
      ASSERT_EQ(hasher.digest(), hash(text)) << first << ' ' << second;
    }
  }
}

TEST(Hasher, NumbersAreLittleEndianBytes) {
  Hasher number;
  number.u64(0x3837363534333231);
  EXPECT_EQ(number.digest(), hash("12345678"));
  Hasher one;
  one.f64(1.0);  // 0x3ff0000000000000
  EXPECT_EQ(one.digest(), hash(std::string_view("\0\0\0\0\0\0\xf0\x3f", 8)));
}

TEST(Hasher, DoublesCountByBitPattern) {
  const auto of = [](double value) {
    Hasher hasher;
    hasher.f64(value);
    return hasher.digest();
  };
  EXPECT_NE(of(0.0), of(-0.0));
  EXPECT_NE(of(1.0), of(std::nextafter(1.0, 2.0)));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(of(nan), of(nan));
}

TEST(Hasher, TextIsPrefixedByItsLength) {
  Hasher a, b;
  a.text("ab");
  a.text("c");
  b.text("a");
  b.text("bc");
  EXPECT_NE(a.digest(), b.digest());
}

TEST(Hasher, DigestMayBeTakenOnTheWay) {
  Hasher hasher;
  hasher.bytes(bytes_of("abc"));
  EXPECT_EQ(hash_text(hasher.digest()), "44bc2cf5ad770999");
  hasher.bytes(bytes_of("def"));
  EXPECT_EQ(hasher.digest(), hash("abcdef"));
}

// Turning over one input bit must turn over each output bit with probability 1/2. With 2000
// trials the standard deviation of a frequency is 0.011; the largest of 64 * 64 * 3 frequencies
// may stray by 4 to 5 of them.
TEST(Hasher, Avalanche) {
  constexpr int kTrials = 2000;
  for (const std::size_t words : {1u, 4u, 7u}) {
    CounterRng rng(1, words);
    for (unsigned in = 0; in < 64; ++in) {
      std::array<int, 64> flips = {};
      for (int trial = 0; trial < kTrials; ++trial) {
        Hasher plain, flipped;
        for (std::size_t word = 0; word < words; ++word) {
          const std::uint64_t value = rng.bits();
          plain.u64(value);
          flipped.u64(word == words / 2 ? value ^ std::uint64_t{1} << in : value);
        }
        const std::uint64_t change = plain.digest() ^ flipped.digest();
        for (unsigned out = 0; out < 64; ++out) flips[out] += static_cast<int>(change >> out & 1);
      }
      for (const int count : flips) {
        ASSERT_NEAR(static_cast<double>(count) / kTrials, 0.5, 0.06);  // measured at most 0.045
      }
    }
  }
}

TEST(Hasher, SmallNumbersDoNotCollide) {
  std::set<std::uint64_t> digests;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    Hasher hasher;
    hasher.u64(i);
    digests.insert(hasher.digest());
  }
  EXPECT_EQ(digests.size(), 100000u);
}

TEST(HashText, KeepsLeadingZeros) { EXPECT_EQ(hash_text(0xab), "00000000000000ab"); }

}  // namespace
}  // namespace grouser::internal
