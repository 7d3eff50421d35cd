#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assets/fields.h"
#include "core/rng.h"

namespace grouser::internal {

/// Sets every field to a random legal value (of each by itself). Files are taken from a list.
class RandomFields {
 public:
  RandomFields(CounterRng& rng, std::vector<std::string> files)
      : rng_(rng), files_(std::move(files)) {}

  void operator()(const FieldInfo&, bool& value) { value = rng_.index(2) == 1; }
  void operator()(const FieldInfo& field, int& value) {
    value = static_cast<int>(std::floor(rng_.uniform(field.min, field.max + 1)));
  }
  void operator()(const FieldInfo&, std::uint64_t& value) { value = rng_.bits(); }
  void operator()(const FieldInfo& field, double& value) { value = number(field); }
  void operator()(const FieldInfo& field, Vec2& value) { value = {number(field), number(field)}; }
  void operator()(const FieldInfo& field, Vec3& value) {
    value = {number(field), number(field), number(field)};
  }
  void operator()(const FieldInfo&, std::string& value) {
    value = files_[rng_.index(files_.size())];
  }
  void operator()(const FieldInfo& field, std::vector<Vec2>& value) {
    value.resize(rng_.index(4));
    for (Vec2& point : value) (*this)(field, point);
  }
  template <class Enum, std::size_t N>
  void operator()(const FieldInfo&, Enum& value, const std::array<const char*, N>&) {
    value = static_cast<Enum>(rng_.index(N));
  }
  template <HasFields<RandomFields> Struct>
  void operator()(const FieldInfo&, Struct& value) {
    visit_fields(value, *this);
  }
  template <HasFields<RandomFields> Struct>
  void operator()(const FieldInfo&, std::optional<Struct>& value) {
    value.reset();
    if (rng_.index(2) == 1) visit_fields(value.emplace(), *this);
  }
  template <HasFields<RandomFields> Struct>
  void operator()(const FieldInfo&, std::vector<Struct>& values) {
    values.assign(rng_.index(3), {});
    for (Struct& value : values) visit_fields(value, *this);
  }

 private:
  double number(const FieldInfo& field) { return rng_.uniform(field.min, field.max); }

  CounterRng& rng_;
  std::vector<std::string> files_;
};

/// Changes the field with the given number only, counting in the order of the visit; the presence of an
/// optional part and the length of a list count as fields too. `count` is how many there were.
class ChangeOneField {
 public:
  ChangeOneField(int number, std::string other_file)
      : number_(number), other_file_(std::move(other_file)) {}
  int count() const { return count_; }

  void operator()(const FieldInfo&, bool& value) {
    if (is_next()) value = !value;
  }
  void operator()(const FieldInfo&, int& value) {
    if (is_next()) ++value;
  }
  void operator()(const FieldInfo&, std::uint64_t& value) {
    if (is_next()) ++value;
  }
  void operator()(const FieldInfo&, double& value) { change(value); }
  void operator()(const FieldInfo&, Vec2& value) {
    change(value.x());
    change(value.y());
  }
  void operator()(const FieldInfo&, Vec3& value) {
    for (double& x : value) change(x);
  }
  void operator()(const FieldInfo&, std::string& value) {
    if (is_next()) value = other_file_;
  }
  void operator()(const FieldInfo&, std::vector<Vec2>& value) {
    if (is_next()) value.push_back(Vec2::Zero());
    for (Vec2& point : value) change(point.y());
  }
  template <class Enum, std::size_t N>
  void operator()(const FieldInfo&, Enum& value, const std::array<const char*, N>&) {
    if (is_next()) value = static_cast<Enum>((static_cast<std::size_t>(value) + 1) % N);
  }
  template <HasFields<ChangeOneField> Struct>
  void operator()(const FieldInfo&, Struct& value) {
    visit_fields(value, *this);
  }
  template <HasFields<ChangeOneField> Struct>
  void operator()(const FieldInfo&, std::optional<Struct>& value) {
    if (is_next()) {
      value.reset();
    } else if (value) {
      visit_fields(*value, *this);
    }
  }
  template <HasFields<ChangeOneField> Struct>
  void operator()(const FieldInfo&, std::vector<Struct>& values) {
    if (is_next()) values.emplace_back();
    for (Struct& value : values) visit_fields(value, *this);
  }

 private:
  bool is_next() { return count_++ == number_; }
  /// By the least that a double can change.
  void change(double& value) {
    if (is_next()) value = std::nextafter(value, 1e300);
  }

  int number_;
  std::string other_file_;
  int count_ = 0;
};

}  // namespace grouser::internal
