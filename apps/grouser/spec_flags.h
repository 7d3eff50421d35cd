#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assets/fields.h"
#include "scene/yaml_value.h"

namespace grouser::internal {

/// A parameter of a generator as a flag of the command line.
struct SpecFlag {
  std::string path;  ///< of the field, e.g. "grousers.height"
  std::string help;
  int count = 1;  ///< number of values; 0 = any number of points "x,y"
  bool is_file = false;
  std::vector<std::string> values = {};  ///< as given; empty if not
};

/// Visits the fields of a spec and makes a flag of each, with unit, legal range and default in its help.
class FlagCollector {
 public:
  const std::vector<SpecFlag>& flags() const { return flags_; }

  void operator()(const FieldInfo& field, const bool& value);
  void operator()(const FieldInfo& field, const int& value);
  void operator()(const FieldInfo& field, const std::uint64_t& value);
  void operator()(const FieldInfo& field, const double& value);
  void operator()(const FieldInfo& field, const Vec2& value);
  void operator()(const FieldInfo& field, const Vec3& value);
  void operator()(const FieldInfo& field, const std::string& value);
  void operator()(const FieldInfo& field, const std::vector<Vec2>& value);

  template <class Enum, std::size_t N>
  void operator()(const FieldInfo& field, const Enum& value,
                  const std::array<const char*, N>& names) {
    add(field, 1,
        fmt::format("{}; default {}", fmt::join(names, " | "),
                    names.at(static_cast<std::size_t>(value))));
  }
  template <HasFields<FlagCollector> Struct>
  void operator()(const FieldInfo& field, Struct& value) {
    enter(field, value);
  }
  template <HasFields<FlagCollector> Struct>
  void operator()(const FieldInfo& field, std::optional<Struct>& value) {
    Struct shown = value.value_or(Struct{});
    enter(field, shown);
  }
  /// Lists of structs can be given in YAML only.
  template <HasFields<FlagCollector> Struct>
  void operator()(const FieldInfo&, std::vector<Struct>&) {}

 private:
  void add(const FieldInfo& field, int count, const std::string& legal);

  template <class Struct>
  void enter(const FieldInfo& field, Struct& value) {
    const std::size_t length = prefix_.size();
    prefix_ += std::string(field.name) + ".";
    visit_fields(value, *this);
    prefix_.resize(length);
  }

  std::vector<SpecFlag> flags_;
  std::string prefix_;
};

/// Adds the flags to a command; they are filled when it is parsed. They must outlive it.
void add_flags(CLI::App& command, std::vector<SpecFlag>& flags);

/// Writes the flags that were given into the map, over what it holds: from here on they are read and
/// checked like a file.
void overlay(const std::vector<SpecFlag>& flags, YamlValue& map);

}  // namespace grouser::internal
