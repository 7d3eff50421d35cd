#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grouser::internal {

/// A table of text with named columns, and the line of the file that each row began on.
struct CsvTable {
  struct Row {
    int line = 0;  ///< 1-based
    std::vector<std::string> fields;
  };

  std::string file;                 ///< as the user gave it
  int header_line = 0;              ///< 1-based
  std::vector<std::string> header;  ///< no two alike; columns without a name are ""
  std::vector<std::string>
      given;                   ///< of the columns: names in the file, if they were mapped to others
  std::vector<Row> rows;       ///< at least one, each as long as the header
  bool decimal_comma = false;  ///< numbers are written as 0,5

  /// What the file calls a column.
  const std::string& shown_name(std::size_t column) const {
    return given.empty() ? header[column] : given[column];
  }
};

/// Reads a table whose first line names the columns. Fields are separated by commas, semicolons or
/// tabs, whichever the header has most of, and may stand in quotes (RFC 4180). Blanks around fields,
/// empty lines, lines that begin with #, a byte order mark and either kind of line end are no matter. Numbers have
/// decimal commas if some do, none has a decimal point, and commas do not separate fields.
/// Throws Error(input) naming every line that does not fit.
CsvTable parse_csv(std::string_view text, const std::string& file);

/// The same from a file; throws Error(io) if it cannot be read.
CsvTable read_csv(const std::filesystem::path& file);

/// The number that a field holds, finite or not; nothing if it holds none.
std::optional<double> number_in(const CsvTable& table, std::string text);

/// How numbers are to be written in a table, for messages.
const char* number_format(const CsvTable& table);

}  // namespace grouser::internal
