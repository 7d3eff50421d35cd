#include "rigs/csv_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/text.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

constexpr ColumnUnit kNone[] = {{"", 1}};
constexpr ColumnUnit kRatios[] = {{"", 1}, {"percent", 0.01}};
constexpr ColumnUnit kLengths[] = {{"m", 1}, {"mm", 1e-3}};
constexpr ColumnUnit kForces[] = {{"N", 1}, {"kN", 1e3}};
constexpr ColumnUnit kStresses[] = {{"Pa", 1}, {"kPa", 1e3}, {"MPa", 1e6}, {"bar", 1e5}};
constexpr ColumnUnit kAngles[] = {{"deg", kDegree}, {"rad", 1}};
constexpr ColumnUnit kSpeeds[] = {{"m_s", 1}, {"mm_s", 1e-3}, {"cm_s", 1e-2}};
constexpr ColumnUnit kTorques[] = {{"Nm", 1}, {"kNm", 1e3}, {"Nmm", 1e-3}};

constexpr ColumnQuantity kSoilTests[] = {
    {"trial", Dimension::none},          {"plate_diameter", Dimension::length},
    {"plate_width", Dimension::length},  {"plate_length", Dimension::length},
    {"sinkage", Dimension::length},      {"force", Dimension::force},
    {"pressure", Dimension::stress},     {"normal_stress", Dimension::stress},
    {"displacement", Dimension::length}, {"shear_stress", Dimension::stress}};

constexpr ColumnQuantity kWheelTests[] = {
    {"trial", Dimension::none},       {"slip", Dimension::ratio},     {"load", Dimension::force},
    {"pull", Dimension::force},       {"sinkage", Dimension::length}, {"torque", Dimension::torque},
    {"slip_angle", Dimension::angle}, {"speed", Dimension::speed}};

/// A unit as people write it: "m/s", "%", "N m", "°".
std::string plain_unit(std::string text) {
  if (text == "%") return "percent";
  if (text == "°") return "deg";
  std::erase(text, ' ');
  std::ranges::replace(text, '/', '_');
  if (text == "-" || text == "1") return "";
  return text;
}

const ColumnUnit* find_unit(Dimension dimension, const std::string& text) {
  const auto units = units_of(dimension);
  const std::string plain = plain_unit(text);
  const auto found =
      std::ranges::find_if(units, [&](const ColumnUnit& unit) { return plain == unit.name; });
  return found == units.end() ? nullptr : &*found;
}

std::string unit_names(Dimension dimension) {
  std::string names;
  for (const ColumnUnit& unit : units_of(dimension)) {
    names += (names.empty() ? "" : ", ") + std::string(*unit.name != '\0' ? unit.name : "-");
  }
  return names;
}

const ColumnQuantity* find_quantity(std::string_view name,
                                    std::span<const ColumnQuantity> quantities) {
  const auto found = std::ranges::find_if(
      quantities, [name](const ColumnQuantity& quantity) { return name == quantity.name; });
  return found == quantities.end() ? nullptr : &*found;
}

/// A header as a name and the unit that ends it: "p [kPa]", "p (kPa)", "p_kPa", "p/kPa".
struct HeaderParts {
  std::string name;
  std::string unit;  ///< empty: none
};

std::vector<HeaderParts> parts_of(const std::string& header) {
  std::vector<HeaderParts> all;
  for (const auto& [open, close] : {std::pair{'[', ']'}, std::pair{'(', ')'}}) {
    const std::size_t at = header.find(open);
    if (at == std::string::npos || !header.ends_with(close)) continue;
    std::string name = header.substr(0, at);
    name.erase(name.find_last_not_of(' ') + 1);
    all.push_back({name, header.substr(at + 1, header.size() - at - 2)});
  }
  for (std::size_t at = 1; at + 1 < header.size(); ++at) {
    if (header[at] == '_' || header[at] == '/' || header[at] == ' ') {
      all.push_back({header.substr(0, at), header.substr(at + 1)});
    }
  }
  return all;
}

/// The unit that ends a header, if it is one of the dimension.
const ColumnUnit* unit_in(const std::string& header, Dimension dimension) {
  for (const HeaderParts& parts : parts_of(header)) {
    if (const ColumnUnit* unit = find_unit(dimension, parts.unit)) return unit;
  }
  return nullptr;
}

[[noreturn]] void refuse(const char* flag, const std::string& value, std::string message,
                         std::string legal) {
  throw Error(
      ErrorKind::usage,
      Issue{
          .message = std::move(message), .field = flag, .value = value, .legal = std::move(legal)});
}

/// The two sides of "quantity=word"; checks the quantity.
std::pair<std::string, std::string> split(const char* flag, const std::string& word,
                                          std::span<const ColumnQuantity> quantities) {
  const std::size_t at = word.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == word.size()) {
    refuse(flag, word, "cannot be read",
           fmt::format("QUANTITY={}", flag[2] == 'c' ? "NAME" : "UNIT"));
  }
  const std::string name = word.substr(0, at);
  if (find_quantity(name, quantities) == nullptr) {
    std::vector<std::string_view> names;
    for (const ColumnQuantity& quantity : quantities) names.emplace_back(quantity.name);
    const auto near = closest_match(name, names);
    refuse(flag, name,
           "there is no such quantity" + (near ? "; did you mean '" + *near + "'?" : std::string()),
           fmt::format("{}", fmt::join(names, ", ")));
  }
  return {name, word.substr(at + 1)};
}

/// What a column that holds a quantity is called; nothing if its unit is not known, which is reported.
std::optional<std::string> name_of(const CsvTable& table, const ColumnQuantity& quantity,
                                   const std::string& header, const ColumnMapping& mapping,
                                   IssueList& issues) {
  const auto said = mapping.units.find(quantity.name);
  const ColumnUnit* unit = said != mapping.units.end() ? find_unit(quantity.dimension, said->second)
                                                       : unit_in(header, quantity.dimension);
  if (unit == nullptr) unit = find_unit(quantity.dimension, "");
  if (unit != nullptr) return column_name(quantity.name, *unit);
  issues.add(
      {.message = fmt::format("the unit of '{}' is not known: the column's name does not end "
                              "in it, say --unit {}=UNIT",
                              header, quantity.name),
       .file = table.file,
       .line = table.header_line,
       .field = quantity.name,
       .legal = unit_names(quantity.dimension)});
  return std::nullopt;
}

/// The quantity that a column is called by, without or with a unit in brackets; nothing if none, or if it is called as
/// readers expect it.
const ColumnQuantity* called(const std::string& header, const ColumnMapping& mapping,
                             std::span<const ColumnQuantity> quantities) {
  if (const ColumnQuantity* quantity = find_quantity(header, quantities)) {
    return mapping.units.contains(quantity->name) ? quantity : nullptr;
  }
  if (!header.ends_with(']') && !header.ends_with(')')) return nullptr;
  const auto parts = parts_of(header);
  return parts.empty() ? nullptr : find_quantity(parts.front().name, quantities);
}

/// The quantity that a mapping, or else its name, gives to a column; nothing if it stays as it is.
const ColumnQuantity* quantity_of(const std::string& header, const ColumnMapping& mapping,
                                  std::span<const ColumnQuantity> quantities) {
  for (const auto& [quantity, column] : mapping.columns) {
    if (column == header) return find_quantity(quantity, quantities);
  }
  const ColumnQuantity* quantity = called(header, mapping, quantities);
  // A column that the user chose goes before one that has the right name.
  return quantity != nullptr && mapping.columns.contains(quantity->name) ? nullptr : quantity;
}

}  // namespace

std::span<const ColumnUnit> units_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::ratio:
      return kRatios;
    case Dimension::length:
      return kLengths;
    case Dimension::force:
      return kForces;
    case Dimension::stress:
      return kStresses;
    case Dimension::angle:
      return kAngles;
    case Dimension::speed:
      return kSpeeds;
    case Dimension::torque:
      return kTorques;
    case Dimension::none:
      break;
  }
  return kNone;
}

std::string column_name(std::string_view quantity, const ColumnUnit& unit) {
  return *unit.name == '\0' ? std::string(quantity) : fmt::format("{}_{}", quantity, unit.name);
}

std::string column_names(std::string_view quantity, Dimension dimension) {
  std::string names;
  for (const ColumnUnit& unit : units_of(dimension)) {
    names += (names.empty() ? "" : " or ") + column_name(quantity, unit);
  }
  return names;
}

std::span<const ColumnQuantity> soil_test_quantities() { return kSoilTests; }
std::span<const ColumnQuantity> wheel_test_quantities() { return kWheelTests; }

ColumnMapping column_mapping(const std::vector<std::string>& columns,
                             const std::vector<std::string>& units,
                             std::span<const ColumnQuantity> quantities) {
  ColumnMapping mapping;
  for (const std::string& word : columns) {
    const auto [quantity, column] = split("--column", word, quantities);
    if (!mapping.columns.emplace(quantity, column).second) {
      refuse("--column", word, "the quantity has a column already", mapping.columns[quantity]);
    }
  }
  for (const std::string& word : units) {
    const auto [quantity, unit] = split("--unit", word, quantities);
    const Dimension dimension = find_quantity(quantity, quantities)->dimension;
    if (find_unit(dimension, unit) == nullptr) {
      refuse("--unit", word, fmt::format("is no unit of {}", quantity), unit_names(dimension));
    }
    if (!mapping.units.emplace(quantity, unit).second) {
      refuse("--unit", word, "the quantity has a unit already", mapping.units[quantity]);
    }
  }
  return mapping;
}

CsvTable with_columns(CsvTable table, const ColumnMapping& mapping,
                      std::span<const ColumnQuantity> quantities) {
  IssueList issues;
  table.given = table.header;
  for (std::size_t k = 0; k < table.header.size(); ++k) {
    const ColumnQuantity* quantity = quantity_of(table.given[k], mapping, quantities);
    if (quantity == nullptr) continue;
    const auto name = name_of(table, *quantity, table.given[k], mapping, issues);
    if (!name) continue;
    // What has the name by itself, but was not chosen, is not this quantity.
    const auto taken = std::ranges::find(table.header, *name);
    if (taken != table.header.end() && *taken != table.header[k]) {
      if (mapping.columns.contains(quantity->name)) {
        *taken = fmt::format("{} (not chosen)", *taken);
      } else {
        issues.add({.message = "this quantity has a column already",
                    .file = table.file,
                    .line = table.header_line,
                    .field = table.given[k],
                    .value = *name});
        continue;
      }
    }
    table.header[k] = *name;
  }
  issues.throw_if_any();
  return table;
}

void check_columns_exist(const ColumnMapping& mapping, std::span<const CsvTable* const> tables) {
  IssueList issues;
  for (const auto& [quantity, column] : mapping.columns) {
    std::vector<std::string> names;
    for (const CsvTable* table : tables) {
      for (const std::string& name : table->header) names.push_back(name);
    }
    if (std::ranges::find(names, column) != names.end()) continue;
    const auto near = closest_match(column, names);
    issues.add({.message = "there is no such column" +
                           (near ? "; did you mean '" + *near + "'?" : std::string()),
                .file = tables.front()->file,
                .line = tables.front()->header_line,
                .field = fmt::format("--column {}", quantity),
                .value = column,
                .legal = fmt::format("{}", fmt::join(names, ", "))});
  }
  issues.throw_if_any();
}

}  // namespace grouser::internal
