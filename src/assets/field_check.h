#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assets/fields.h"
#include "core/error.h"

namespace grouser::internal {

/// Collects every field of a struct that is not finite or out of its range.
class FieldChecker {
 public:
  FieldChecker(const std::string& place, IssueList& issues)
      : path_(place.empty() ? "" : place + "."), issues_(issues) {}

  void operator()(const FieldInfo&, bool) {}
  void operator()(const FieldInfo& field, int value) { check(field, value); }
  void operator()(const FieldInfo&, std::uint64_t) {}
  void operator()(const FieldInfo& field, double value) { check(field, value); }
  void operator()(const FieldInfo& field, const Vec2& value);
  void operator()(const FieldInfo& field, const Vec3& value);
  void operator()(const FieldInfo& field, const std::string& value);
  void operator()(const FieldInfo& field, const std::vector<Vec2>& value);

  template <class Enum, std::size_t N>
  void operator()(const FieldInfo& field, const Enum& value, const std::array<const char*, N>&) {
    check_choice(field, static_cast<int>(value), static_cast<int>(N));
  }

  template <HasFields<FieldChecker> Struct>
  void operator()(const FieldInfo& field, Struct& value) {
    enter(field.name, value);
  }

  template <HasFields<FieldChecker> Struct>
  void operator()(const FieldInfo& field, std::optional<Struct>& value) {
    if (value) enter(field.name, *value);
  }

  template <HasFields<FieldChecker> Struct>
  void operator()(const FieldInfo& field, std::vector<Struct>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      enter(std::string(field.name) + "[" + std::to_string(i) + "]", values[i]);
    }
  }

 private:
  void check(const FieldInfo& field, double value, const std::string& part = {});
  void check_choice(const FieldInfo& field, int value, int count);

  template <class Struct>
  void enter(const std::string& name, Struct& value) {
    const std::size_t length = path_.size();
    path_ += name + ".";
    visit_fields(value, *this);
    path_.resize(length);
  }

  std::string path_;  // of the struct that is visited, with a dot at its end
  IssueList& issues_;
};

/// "0 ... 1 [m]", "> 0 [m]"
std::string legal_text(const FieldInfo& field);

/// Checks each field by itself and then, if all are legal, how they fit each other.
template <class Spec>
void validate_fields(Spec spec, const std::string& place) {
  IssueList issues;
  FieldChecker checker(place, issues);
  visit_fields(spec, checker);
  if (issues.empty()) check_fit(spec, place, issues);
  issues.throw_if_any();
}

/// Adds one finding about a number.
void add_issue(IssueList& issues, const std::string& place, const char* field, double value,
               const char* message, const std::string& legal);

}  // namespace grouser::internal
