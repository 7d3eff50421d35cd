#include "rigs/soil_tests.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "core/log.h"
#include "core/text.h"
#include "rigs/csv_columns.h"

namespace grouser::internal {
namespace {

/// What a column may hold, in its SI unit.
struct Limits {
  double low, high;
  bool positive;  // low itself is not legal
  const char* legal;
};
constexpr Limits kSize{0, 10, true, "> 0, <= 10 [m]"};
constexpr Limits kTravel{-10, 10, false, "-10 ... 10 [m]"};
constexpr Limits kAnyForce{-1e9, 1e9, false, "-1e9 ... 1e9 [N]"};
constexpr Limits kAnyStress{-1e9, 1e9, false, "-1e9 ... 1e9 [Pa]"};
constexpr Limits kNormalStress{0, 1e9, true, "> 0, <= 1e9 [Pa]"};

struct Column {
  std::size_t index = 0;
  std::string name;
  double factor = 1;
  Limits limits{};
};

/// Looks columns up by name, reads their numbers, and knows which nobody asked for.
class TableReader {
 public:
  explicit TableReader(const CsvTable& table) : table_(table) {}

  IssueList& issues() { return issues_; }

  void report(int line, const std::string& field, std::string message, std::string value = {},
              std::string legal = {}) {
    issues_.add({.message = std::move(message),
                 .file = table_.file,
                 .line = line,
                 .field = field,
                 .value = std::move(value),
                 .legal = std::move(legal)});
  }

  std::optional<std::size_t> find_name(const std::string& name) {
    const auto found = std::ranges::find(table_.header, name);
    if (found == table_.header.end()) return std::nullopt;
    used_.insert(name);
    return static_cast<std::size_t>(found - table_.header.begin());
  }

  /// The column of a quantity in whichever unit; two of them are an error.
  std::optional<Column> find(const std::string& quantity, Dimension dimension, Limits limits) {
    std::optional<Column> column;
    for (const ColumnUnit& unit : units_of(dimension)) {
      const std::string name = column_name(quantity, unit);
      const auto index = find_name(name);
      if (!index) continue;
      if (column) {
        report(table_.header_line, name, "this quantity has a column already", name, column->name);
        continue;
      }
      column = Column{*index, table_.shown_name(*index), unit.factor, limits};
    }
    return column;
  }

  std::optional<Column> require(const std::string& quantity, Dimension dimension, Limits limits) {
    auto column = find(quantity, dimension, limits);
    if (!column) report_missing(quantity, column_names(quantity, dimension));
    return column;
  }

  void report_missing(const std::string& quantity, const std::string& legal) {
    std::string message = "there is no such column";
    if (const auto near = closest_match(quantity + "_m", table_.header)) {
      message += fmt::format("; '{}' is none of them", *near);
    }
    report(table_.header_line, quantity, message, {}, legal);
  }

  /// The number in SI units; adds an issue if there is none.
  std::optional<double> number(const CsvTable::Row& row, const Column& column) {
    const std::string& text = row.fields[column.index];
    const auto number = number_in(table_, text);
    const auto refuse = [&](const char* message, const std::string& legal) {
      report(row.line, column.name, message, text, legal);
      return std::nullopt;
    };
    if (text.empty()) return refuse("is empty", "a number");
    if (!number) return refuse("is not a number", number_format(table_));
    if (!std::isfinite(*number)) return refuse("is not finite", column.limits.legal);
    const double value = *number * column.factor;
    const Limits& limits = column.limits;
    const bool low_enough = limits.positive ? value > limits.low : value >= limits.low;
    if (!low_enough || value > limits.high) return refuse("is out of range", limits.legal);
    return value;
  }

  void log_ignored() const {
    std::vector<std::string> ignored;
    for (std::size_t k = 0; k < table_.header.size(); ++k) {
      const std::string& name = table_.header[k];
      if (!name.empty() && !used_.contains(name)) ignored.push_back(table_.shown_name(k));
    }
    if (ignored.empty()) return;
    log(LogLevel::info,
        fmt::format("{}: columns not used: {}", table_.file, fmt::join(ignored, ", ")));
  }

 private:
  const CsvTable& table_;
  IssueList issues_;
  std::set<std::string> used_;
};

/// Tells where a test ends and the next begins.
class TrialSplitter {
 public:
  TrialSplitter(TableReader& reader, const CsvTable& table, const SoilTestOptions& options)
      : reader_(reader) {
    trial_ = reader.find_name("trial");
    for (const std::string& name : options.group) {
      if (const auto index = reader.find_name(name)) {
        group_.push_back(*index);
      } else {
        reader.report(table.header_line, "--group", "there is no such column", name,
                      fmt::format("{}", fmt::join(table.header, ", ")));
      }
    }
  }

  /// Whether the row is the first of a test; `apart` is a number that differs between tests.
  bool begins(const CsvTable::Row& row, double apart) {
    std::vector<std::string> words;
    for (const std::size_t index : group_) words.push_back(row.fields[index]);
    if (trial_) words.push_back(row.fields[*trial_]);
    Key key{words, apart};
    if (number_ > 0 && key == last_) return false;
    ++number_;
    name_ = fmt::format("{}", fmt::join(words, "/"));
    if (!trial_) name_ += (name_.empty() ? "" : "/") + std::to_string(number_);
    if (trial_ && !seen_.insert(key).second) {
      reader_.report(row.line, "trial", "comes back after another trial", name_,
                     "each trial in one piece; --group COLUMN tells trials of one name apart");
    }
    last_ = std::move(key);
    return true;
  }

  const std::string& name() const { return name_; }

 private:
  using Key = std::pair<std::vector<std::string>, double>;

  TableReader& reader_;
  std::optional<std::size_t> trial_;
  std::vector<std::size_t> group_;
  std::set<Key> seen_;
  Key last_;
  int number_ = 0;
  std::string name_;
};

struct PlateColumns {
  std::optional<Column> diameter, width, length, sinkage, force, pressure;

  explicit PlateColumns(TableReader& reader, int header_line) {
    diameter = reader.find("plate_diameter", Dimension::length, kSize);
    width = reader.find("plate_width", Dimension::length, kSize);
    sinkage = reader.require("sinkage", Dimension::length, kTravel);
    pressure = reader.find("pressure", Dimension::stress, kAnyStress);
    if (!pressure) force = reader.find("force", Dimension::force, kAnyForce);
    if (!pressure && !force)
      reader.report_missing("pressure",
                            column_names("pressure", Dimension::stress) + " or force_N");
    if (diameter && width) {
      reader.report(header_line, width->name, "a plate is either round or not",
                    diameter->name + " and " + width->name, "one of them");
    }
    if (!diameter && !width) {
      reader.report_missing("plate_diameter", column_names("plate_diameter", Dimension::length) +
                                                  ", or " +
                                                  column_names("plate_width", Dimension::length));
    }
    if (width && force) length = reader.require("plate_length", Dimension::length, kSize);
  }
};

/// Width b and area of the plate of a row.
std::optional<std::pair<double, double>> plate_of(TableReader& reader, const PlateColumns& columns,
                                                  const CsvTable::Row& row) {
  if (columns.diameter) {
    const auto diameter = reader.number(row, *columns.diameter);
    if (!diameter) return std::nullopt;
    return std::pair{*diameter / 2, std::numbers::pi / 4 * *diameter * *diameter};
  }
  const auto width = reader.number(row, *columns.width);
  if (!columns.length) return width ? std::optional(std::pair{*width, 0.0}) : std::nullopt;
  const auto length = reader.number(row, *columns.length);
  if (!width || !length) return std::nullopt;
  if (*width > *length) {
    reader.report(row.line, columns.width->name, "the width is the short side of a plate",
                  row.fields[columns.width->index],
                  "<= " + columns.length->name + " " + row.fields[columns.length->index]);
    return std::nullopt;
  }
  return std::pair{*width, *width * *length};
}

}  // namespace

std::vector<PlateTest> plate_tests(const CsvTable& table, const SoilTestOptions& options) {
  TableReader reader(table);
  TrialSplitter splitter(reader, table, options);
  const PlateColumns columns(reader, table.header_line);
  reader.issues().throw_if_any();
  std::vector<PlateTest> tests;
  for (const CsvTable::Row& row : table.rows) {
    const auto plate = plate_of(reader, columns, row);
    const auto sinkage = reader.number(row, *columns.sinkage);
    const auto load = reader.number(row, columns.pressure ? *columns.pressure : *columns.force);
    if (!plate || !sinkage || !load) continue;
    const auto [width, area] = *plate;
    if (splitter.begins(row, width)) {
      tests.push_back({.trial = splitter.name(),
                       .width = width,
                       .disc = columns.diameter.has_value(),
                       .file = table.file,
                       .line = row.line,
                       .points = {}});
    }
    tests.back().points.push_back({*sinkage, columns.pressure ? *load : *load / area});
  }
  reader.issues().throw_if_any();
  reader.log_ignored();
  return tests;
}

std::vector<ShearTest> shear_tests(const CsvTable& table, const SoilTestOptions& options) {
  TableReader reader(table);
  TrialSplitter splitter(reader, table, options);
  const auto normal = reader.require("normal_stress", Dimension::stress, kNormalStress);
  const auto displacement = reader.require("displacement", Dimension::length, kTravel);
  const auto shear = reader.require("shear_stress", Dimension::stress, kAnyStress);
  const bool has_trials = reader.find_name("trial").has_value();
  reader.issues().throw_if_any();
  std::vector<ShearTest> tests;
  for (const CsvTable::Row& row : table.rows) {
    const auto p = reader.number(row, *normal);
    const auto j = reader.number(row, *displacement);
    const auto tau = reader.number(row, *shear);
    if (!p || !j || !tau) continue;
    // A measured normal stress wavers within a trial, so it tells tests apart only without names.
    if (splitter.begins(row, has_trials ? 0 : *p)) {
      tests.push_back(
          {.trial = splitter.name(), .file = table.file, .line = row.line, .points = {}});
    }
    tests.back().points.push_back({*p, *j, *tau});
  }
  reader.issues().throw_if_any();
  reader.log_ignored();
  return tests;
}

}  // namespace grouser::internal
