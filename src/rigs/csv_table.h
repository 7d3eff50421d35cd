#pragma once

#include <filesystem>
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
  std::vector<Row> rows;            ///< at least one, each as long as the header
};

/// Reads a table whose first line names the columns. Fields are separated by commas, semicolons or
/// tabs, whichever the header has most of, and may stand in quotes (RFC 4180). Blanks around fields,
/// empty lines, lines that begin with #, a byte order mark and either kind of line end are no matter.
/// Throws Error(input) naming every line that does not fit.
CsvTable parse_csv(std::string_view text, const std::string& file);

/// The same from a file; throws Error(io) if it cannot be read.
CsvTable read_csv(const std::filesystem::path& file);

}  // namespace grouser::internal
