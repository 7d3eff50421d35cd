#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigs/csv_table.h"

/// Which column of a table holds which quantity, in which unit: "sinkage_mm".
namespace grouser::internal {

enum class Dimension { none, ratio, length, force, stress, angle, speed, torque };

/// A unit as headers and flags write it; a column of it is called "quantity_unit".
struct ColumnUnit {
  const char* name;  ///< "kPa"; empty: a column without a unit
  double factor;     ///< to SI
};

/// Of a dimension, the most usual first.
std::span<const ColumnUnit> units_of(Dimension dimension);

/// "sinkage_m"; the quantity alone for columns without a unit.
std::string column_name(std::string_view quantity, const ColumnUnit& unit);

/// "sinkage_m or sinkage_mm or ..." of all units.
std::string column_names(std::string_view quantity, Dimension dimension);

struct ColumnQuantity {
  const char* name;
  Dimension dimension;
};

/// What tables of soil tests and of wheel tests may hold.
std::span<const ColumnQuantity> soil_test_quantities();
std::span<const ColumnQuantity> wheel_test_quantities();

/// What a user says of the columns of a file.
struct ColumnMapping {
  std::map<std::string, std::string> columns;  ///< by quantity: the name of its column
  std::map<std::string, std::string> units;    ///< by quantity: its unit
};

/// From words "quantity=column" and "quantity=unit". Throws Error(usage) naming the flag for what is no such word, no
/// such quantity, or no unit of it.
ColumnMapping column_mapping(const std::vector<std::string>& columns,
                             const std::vector<std::string>& units,
                             std::span<const ColumnQuantity> quantities);

/// The table with its columns named by quantity and unit, as readers expect them: those that the mapping names, by its
/// unit or the one that ends their name, and those called "sinkage [mm]", "sinkage (mm)" or "sinkage" with a unit of
/// the mapping. Throws Error(input) if the unit of a column is not known, or another column has its name already.
CsvTable with_columns(CsvTable table, const ColumnMapping& mapping,
                      std::span<const ColumnQuantity> quantities);

/// Throws Error(input) naming each column of the mapping that none of the tables has.
void check_columns_exist(const ColumnMapping& mapping, std::span<const CsvTable* const> tables);

}  // namespace grouser::internal
