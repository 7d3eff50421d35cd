#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <grouser/error.h>
#include <grouser/math.h>

namespace grouser {

/// One number of each sample of a run.
struct Column {
  std::string label;  ///< e.g. "rover/trunk.x"
  std::string unit;   ///< e.g. "m"; "1" if dimensionless
};

/// Rows of one quantity over time.
struct Table {
  std::vector<Column> columns;
  std::size_t rows = 0;
  std::vector<double> values;  ///< row by row

  double operator()(std::size_t row, std::size_t column) const {
    return values[row * columns.size() + column];
  }
};

/// A recorded run (docs/run-format.md), also one that is still being written, or was killed: then what was written by
/// then. It does not grow while it is open.
class GROUSER_API Run {
 public:
  /// A run's folder or its run.h5. Throws Error(io) if there is none, Error(input) if it is damaged.
  explicit Run(const std::filesystem::path& path);
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  std::string scene_name() const;
  /// The scene as text, as it was read.
  std::string scene_text() const;
  /// Whether its writer got to close it.
  bool is_complete() const;
  /// Of each sample [s].
  std::vector<double> times() const;
  /// Paths of all quantities, e.g. "/bodies/position", "/wheels/slip".
  std::vector<std::string> quantities() const;
  /// Throws Error(input) if there is no such quantity.
  Table read(const std::string& quantity) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grouser
