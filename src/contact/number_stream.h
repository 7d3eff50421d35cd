#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_system.h"

/// Memories as rows of numbers: each type lists its fields once, as visit(field) over doubles, counts and vectors, and
/// hashes, saves and loads by that list.
namespace grouser::internal {

/// Calls visit(number) for each component.
template <class Vector, class Visit>
void for_each_component(Vector& vector, Visit&& visit) {
  for (Eigen::Index i = 0; i < vector.size(); ++i) visit(vector.data()[i]);
}

/// Takes numbers.
class NumberWriter {
 public:
  void operator()(double number) { numbers_.push_back(number); }
  void operator()(std::int32_t number) { numbers_.push_back(number); }
  std::vector<double> take() { return std::move(numbers_); }

 private:
  std::vector<double> numbers_;
};

/// Gives them back in the same order. Throws DamagedMemory where they end too early or make no sense.
class NumberReader {
 public:
  explicit NumberReader(std::span<const double> numbers) : numbers_(numbers) {}

  void operator()(double& number) {
    number = next();
    if (!std::isfinite(number)) throw DamagedMemory("a number is not finite");
  }
  /// Any of 32 bits.
  void operator()(std::int32_t& number) { number = whole(INT32_MIN, INT32_MAX); }

  /// A whole number in [low, high].
  std::int32_t whole(double low, double high) {
    const double number = next();
    if (!(number >= low && number <= high) || number != std::floor(number)) {
      throw DamagedMemory("a count is out of range");
    }
    return static_cast<std::int32_t>(number);
  }
  /// A count of things of at least `width` numbers each, all of which are still to come.
  std::size_t count(std::size_t width) {
    const std::size_t most = (numbers_.size() - std::min(numbers_.size(), next_)) / width;
    return static_cast<std::size_t>(whole(0, static_cast<double>(most)));
  }
  void expect_end() const {
    if (next_ != numbers_.size()) throw DamagedMemory("there are more numbers than it needs");
  }

 private:
  double next() {
    if (next_ == numbers_.size()) throw DamagedMemory("it is cut short");
    return numbers_[next_++];
  }

  std::span<const double> numbers_;
  std::size_t next_ = 0;
};

/// Hashes numbers as they come.
class NumberHasher {
 public:
  explicit NumberHasher(Hasher& hasher) : hasher_(hasher) {}
  void operator()(double number) { hasher_.f64(number); }
  void operator()(std::int32_t number) { hasher_.u64(static_cast<std::uint64_t>(number)); }

 private:
  Hasher& hasher_;
};

}  // namespace grouser::internal
