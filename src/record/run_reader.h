#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/grid.h"
#include "geometry/tri_mesh.h"
#include "math/spatial.h"
#include "sim/sample.h"
#include "terrain/tiled_grid.h"

namespace grouser::internal {

/// What a column of numbers is.
struct Column {
  std::string label;  ///< e.g. "rover/trunk.x"
  std::string unit;   ///< e.g. "m"; "1" if dimensionless
};

/// Rows of one quantity.
struct Table {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  ///< row by row

  double operator()(std::size_t row, std::size_t column) const {
    return values[row * columns + column];
  }
};

struct RunEvent {
  double time = 0;  ///< [s]
  int index = 0;    ///< of the event in the scene
  std::string name;
};

struct RunAlarm {
  double time = 0;   ///< [s]
  std::string kind;  ///< "stuck"
  std::string body, message;
};

/// Where a run came from.
struct RunInfo {
  std::string grouser_version;
  std::string scene_name;
  std::string scene_file;
  std::string scene_text;
  std::string scene_hash;     ///< 16 hexadecimal digits of the text
  std::string integrator;     ///< e.g. "rk4"
  double step = 0;            ///< [s]
  double record_rate_hz = 0;  ///< [Hz]
  std::uint64_t seed = 0;
  Vec3 gravity = Vec3::Zero();  ///< [m/s²]
  std::string created;          ///< UTC, "2026-01-31T12:00:00Z"
};

/// The ground of a run as it was at the start.
struct RecordedGround {
  GridSpec grid;
  std::vector<double> heights;  ///< at the nodes of the grid [m]
  TriMesh rocks;                ///< all in one mesh; empty if there are none
};

/// Soft soil at an instant.
struct RecordedSoil {
  double time = 0;  ///< at which it was recorded [s]
  GridSpec grid;
  TiledGrid<double> change;           ///< of the ground's height at the grid's nodes [m]
  std::vector<SoilCellSample> cells;  ///< under bodies, which "/soil/names" lists
};

/// When which blocks of soft soil were recorded, in that order; the same block may come several times.
struct RecordedSoilHistory {
  GridSpec grid;
  std::vector<double> times;             ///< of the snapshots [s], rising
  std::vector<std::size_t> block_until;  ///< per snapshot: number of blocks up to and with it
  std::vector<std::int32_t> places;  ///< two per block: (a, b) holds the nodes (16 a ..., 16 b ...)
};

/// A run on disk, also one that is still being written, was killed or ran into a full disk: then
/// the rows of the flushes that were completed. Rows do not grow while a reader is open.
class RunReader {
 public:
  /// A run's folder or its run.h5. Throws Error(io) if there is none, Error(input) if it is damaged
  /// or something else.
  explicit RunReader(const std::filesystem::path& path);
  ~RunReader();
  RunReader(RunReader&&) noexcept;
  RunReader& operator=(RunReader&&) noexcept;

  const std::string& file() const;  ///< as it was opened
  /// False if the writer did not get to close the file, or has not yet.
  bool is_complete() const;
  std::size_t rows() const;  ///< number of samples
  const RunInfo& info() const;

  /// Paths of all quantities, e.g. "/bodies/position".
  const std::vector<std::string>& quantities() const;
  bool has(const std::string& quantity) const;
  /// Shape of a row: {} for a scalar, {names} or {names, components}.
  std::vector<std::size_t> row_shape(const std::string& quantity) const;
  /// One per number of a row.
  std::vector<Column> columns(const std::string& quantity) const;
  /// Rows [first, first + count), cut at the end. Throws Error(input) if there is no such quantity.
  Table read(const std::string& quantity, std::size_t first, std::size_t count) const;
  Table read(const std::string& quantity) const { return read(quantity, 0, rows()); }
  /// One column over all rows.
  std::vector<double> read_column(const std::string& quantity, std::size_t column) const;
  /// A list such as "/bodies/names"; empty if the run has none.
  std::vector<std::string> texts(const std::string& path) const;

  std::vector<RunEvent> events() const;
  std::vector<RunAlarm> alarms() const;
  std::string visuals() const;                   ///< JSON, see visuals_json()
  std::optional<RecordedGround> ground() const;  ///< nothing if the scene had no terrain

  /// When the soil was recorded [s], rising; empty if no body may press into soil.
  std::vector<double> soil_times() const;
  /// Cells under bodies at one of these times.
  std::vector<SoilCellSample> soil_cells(std::size_t snapshot) const;
  /// The soil as it was recorded last at or before `time` [s]; nothing if no body may press into
  /// soil. Throws Error(input) if there is no record as early as that.
  std::optional<RecordedSoil> soil_at(double time) const;
  /// Nothing if no body may press into soil.
  std::optional<RecordedSoilHistory> soil_history() const;
  /// Change of height [m] of the blocks [first, first + count) of soil_history(), 16 x 16 nodes each, rows along y.
  /// Throws Error(input) if there are fewer.
  std::vector<float> soil_blocks(std::size_t first, std::size_t count) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grouser::internal
