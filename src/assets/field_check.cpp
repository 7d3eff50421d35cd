#include "assets/field_check.h"

#include <cmath>

#include <fmt/format.h>

#include "core/text.h"

namespace grouser::internal {

std::string legal_text(const FieldInfo& field) {
  const std::string unit = *field.unit == '\0' ? "" : fmt::format(" [{}]", field.unit);
  const bool bounded = std::isfinite(field.max);
  if (!std::isfinite(field.min)) {
    return (bounded ? "<= " + format_number(field.max) : "a finite number") + unit;
  }
  if (!bounded) return (field.open_min ? "> " : ">= ") + format_number(field.min) + unit;
  return (field.open_min ? "> " : "") + format_number(field.min) + " ... " +
         format_number(field.max) + unit;
}

void FieldChecker::check(const FieldInfo& field, double value, const std::string& part) {
  const bool above = field.open_min ? value > field.min : value >= field.min;
  if (std::isfinite(value) && above && value <= field.max) return;
  issues_.add({.message = std::isfinite(value) ? "out of range" : "not a finite number",
               .field = path_ + field.name + part,
               .value = format_number(value),
               .legal = legal_text(field)});
}

void FieldChecker::check_choice(const FieldInfo& field, int value, int count) {
  if (0 <= value && value < count) return;
  issues_.add({.message = "no such choice",
               .field = path_ + field.name,
               .value = std::to_string(value),
               .legal = fmt::format("0 ... {}", count - 1)});
}

void FieldChecker::operator()(const FieldInfo& field, const Vec2& value) {
  for (int i = 0; i < 2; ++i) check(field, value[i], fmt::format("[{}]", i));
}

void FieldChecker::operator()(const FieldInfo& field, const Vec3& value) {
  for (int i = 0; i < 3; ++i) check(field, value[i], fmt::format("[{}]", i));
}

void FieldChecker::operator()(const FieldInfo& field, const std::string& value) {
  if (!field.is_file || !value.empty()) return;
  issues_.add({.message = "no file given", .field = path_ + field.name, .legal = "a path"});
}

void FieldChecker::operator()(const FieldInfo& field, const std::vector<Vec2>& value) {
  for (std::size_t k = 0; k < value.size(); ++k) {
    for (int i = 0; i < 2; ++i) check(field, value[k][i], fmt::format("[{}][{}]", k, i));
  }
}

void add_issue(IssueList& issues, const std::string& place, const char* field, double value,
               const char* message, const std::string& legal) {
  issues.add({.message = message,
              .field = place.empty() ? field : place + "." + field,
              .value = format_number(value),
              .legal = legal});
}

}  // namespace grouser::internal
