#include "scene/field_reader.h"

#include <algorithm>
#include <limits>

namespace grouser::internal {
namespace {

Range range_of(const FieldInfo& field) {
  return {.low = field.min,
          .high = field.max,
          .above_low = field.open_min,
          .unit = field.unit[0] != '\0' ? field.unit : "-",
          .hint = field.hint};
}

}  // namespace

void FieldReader::operator()(const FieldInfo& field, bool& value) {
  value = map_.flag(field.name, value);
}

void FieldReader::operator()(const FieldInfo& field, int& value) {
  Range range = range_of(field);
  range.low = std::max(range.low, static_cast<double>(std::numeric_limits<int>::min()));
  range.high = std::min(range.high, static_cast<double>(std::numeric_limits<int>::max()));
  value = static_cast<int>(map_.integer(field.name, range, value));
}

void FieldReader::operator()(const FieldInfo& field, std::uint64_t& value) {
  if (map_.find(field.name) == nullptr) return;
  value = static_cast<std::uint64_t>(map_.integer(field.name, ranges::kSeed, 0));
}

void FieldReader::operator()(const FieldInfo& field, double& value) {
  value = map_.number(field.name, range_of(field), value);
}

void FieldReader::operator()(const FieldInfo& field, std::optional<double>& value) {
  if (const auto number = map_.number(field.name, range_of(field))) value = number;
}

void FieldReader::operator()(const FieldInfo& field, Vec2& value) {
  const YamlValue* found = map_.find(field.name);
  if (found == nullptr) return;
  if (const auto numbers = read_numbers(*found, range_of(field), 2, 2, map_.issues())) {
    value = Vec2((*numbers)[0], (*numbers)[1]);
  }
}

void FieldReader::operator()(const FieldInfo& field, Vec3& value) {
  value = map_.vector(field.name, range_of(field), value);
}

void FieldReader::operator()(const FieldInfo& field, std::string& value) {
  const auto text = map_.text(field.name);
  if (!text) return;
  value = field.is_file ? (folder_ / *text).string() : *text;
}

void FieldReader::operator()(const FieldInfo& field, std::vector<Vec2>& value) {
  if (map_.find(field.name) == nullptr) return;
  value.clear();
  for (const YamlValue& item : map_.list(field.name)) {
    const auto numbers = read_numbers(item, range_of(field), 2, 2, map_.issues());
    if (numbers) value.emplace_back((*numbers)[0], (*numbers)[1]);
  }
}

}  // namespace grouser::internal
