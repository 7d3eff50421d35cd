#pragma once

#include <string>
#include <vector>

#include "commands.h"
#include "rigs/csv_columns.h"

namespace grouser::internal {

/// `identify terra` and `identify wheel`.
void add_identify_wheel(CLI::App& command, Action& action);

/// The flags --column and --unit, which say what the columns of measured tables are.
struct ColumnFlags {
  std::vector<std::string> columns, units;

  void add_to(CLI::App& command) {
    command
        .add_option("--column", columns,
                    "QUANTITY=NAME: the column of DATA that holds a quantity, e.g. "
                    "pressure=p_kPa; may be repeated")
        ->allow_extra_args(false);
    command
        .add_option("--unit", units,
                    "QUANTITY=UNIT: unit of a column whose name does not end in it, e.g. "
                    "sinkage=mm; may be repeated")
        ->allow_extra_args(false);
  }
};

}  // namespace grouser::internal
