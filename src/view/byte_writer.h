#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

namespace grouser::internal {

/// Numbers in a row of bytes, little-endian, for messages to the page.
class ByteWriter {
 public:
  static_assert(std::endian::native == std::endian::little);

  template <class Number>
  void put(Number number) {
    static_assert(std::is_arithmetic_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void u32(std::size_t number) { put(static_cast<std::uint32_t>(number)); }
  void i32(int number) { put(static_cast<std::int32_t>(number)); }
  void f32(double number) { put(static_cast<float>(number)); }
  void f64(double number) { put(number); }
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  std::size_t size() const { return bytes_.size(); }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace grouser::internal
