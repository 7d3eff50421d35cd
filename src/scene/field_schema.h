#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "assets/fields.h"

namespace grouser::internal {

/// The JSON Schema of a struct, from the same list of fields that reads it.
class FieldSchema {
 public:
  using Json = nlohmann::ordered_json;

  Json schema() const {
    return {{"type", "object"}, {"properties", properties_}, {"additionalProperties", false}};
  }

  void operator()(const FieldInfo& field, const bool& value) {
    put(field, {{"type", "boolean"}, {"default", value}});
  }
  void operator()(const FieldInfo& field, const int& value) { put_number(field, "integer", value); }
  void operator()(const FieldInfo& field, const std::uint64_t& value) {
    put(field, {{"type", "integer"}, {"minimum", 0}, {"default", value}});
  }
  void operator()(const FieldInfo& field, const double& value) {
    put_number(field, "number", value);
  }
  void operator()(const FieldInfo& field, const std::optional<double>&) {
    Json json = {{"type", "number"}};
    add_range(field, json);
    put(field, json);
  }
  void operator()(const FieldInfo& field, const Vec2&) { put(field, list_of_numbers(field, 2)); }
  void operator()(const FieldInfo& field, const Vec3&) { put(field, list_of_numbers(field, 3)); }
  void operator()(const FieldInfo& field, const std::string&) { put(field, {{"type", "string"}}); }
  void operator()(const FieldInfo& field, const std::vector<Vec2>&) {
    put(field, {{"type", "array"}, {"items", list_of_numbers(field, 2)}});
  }
  template <class Enum, std::size_t N>
  void operator()(const FieldInfo& field, const Enum& value,
                  const std::array<const char*, N>& names) {
    put(field, {{"enum", names}, {"default", names.at(static_cast<std::size_t>(value))}});
  }
  template <HasFields<FieldSchema> Struct>
  void operator()(const FieldInfo& field, Struct& value) {
    put(field, of(value));
  }
  template <HasFields<FieldSchema> Struct>
  void operator()(const FieldInfo& field, std::optional<Struct>&) {
    Struct fresh;
    put(field, of(fresh));
  }
  template <HasFields<FieldSchema> Struct>
  void operator()(const FieldInfo& field, std::vector<Struct>&) {
    Struct fresh;
    put(field, {{"type", "array"}, {"items", of(fresh)}});
  }

  template <class Struct>
  static Json of(Struct& value) {
    FieldSchema inner;
    visit_fields(value, inner);
    return inner.schema();
  }
  /// Of a struct as it is by default.
  template <class Struct>
  static Json of() {
    Struct fresh;
    return of(fresh);
  }
  /// The fields alone.
  template <class Struct>
  static Json properties_of(Struct value) {
    return of(value)["properties"];
  }

 private:
  static void add_range(const FieldInfo& field, Json& json) {
    if (std::isfinite(field.min)) json[field.open_min ? "exclusiveMinimum" : "minimum"] = field.min;
    if (std::isfinite(field.max)) json["maximum"] = field.max;
  }
  static Json list_of_numbers(const FieldInfo& field, int count) {
    Json number = {{"type", "number"}};
    add_range(field, number);
    return {{"type", "array"}, {"items", number}, {"minItems", count}, {"maxItems", count}};
  }
  template <class Number>
  void put_number(const FieldInfo& field, const char* type, const Number& value) {
    Json json = {{"type", type}};
    add_range(field, json);
    json["default"] = value;
    put(field, json);
  }
  void put(const FieldInfo& field, const Json& json) {
    const std::string unit = field.unit[0] != '\0' ? std::string(" [") + field.unit + "]" : "";
    Json all = {{"description", field.help + unit}};
    all.update(json);
    properties_[field.name] = all;
  }

  Json properties_ = Json::object();
};

}  // namespace grouser::internal
