#include "record/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "core/disk.h"
#include "core/error.h"
#include "core/long_task.h"
#include "record/run_reader.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockNumbers = std::size_t{1} << 17;  // read at once: 1 MiB
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

struct CsvFile {
  const char* name;
  std::vector<std::string> quantities;  // those that the run lacks are left out
};

const std::array<CsvFile, 10>& csv_files() {
  static const std::array<CsvFile, 10> files = {{
      {"bodies.csv",
       {"/bodies/position", "/bodies/quaternion", "/bodies/velocity", "/bodies/angular_velocity"}},
      {"joints.csv", {"/joints/position", "/joints/velocity"}},
      {"actuators.csv", {"/actuators/effort", "/actuators/power"}},
      {"forces.csv", {"/forces/spring", "/forces/tether", "/forces/loop"}},
      {"rovers.csv", {"/rovers/attitude", "/rovers/path_deviation"}},
      {"wheels.csv",
       {"/wheels/rate", "/wheels/steer", "/wheels/torque", "/wheels/slip", "/wheels/sinkage",
        "/wheels/normal", "/wheels/pull", "/wheels/lateral", "/wheels/slip_angle",
        "/wheels/power"}},
      {"contacts.csv",
       {"/contacts/in_contact", "/contacts/force", "/contacts/torque", "/contacts/power",
        "/contacts/depth", "/contacts/point"}},
      {"mission.csv", {"/mission/activity", "/mission/parked"}},
      {"power.csv",
       {"/power/charge", "/power/solar", "/power/motors", "/power/heaters", "/power/loads",
        "/power/payload"}},
      {"energy.csv", {"/energy/kinetic", "/energy/potential", "/loop_residual"}},
  }};
  return files;
}

// Gathers text and hands it on in large pieces.
class CsvWriter {
 public:
  explicit CsvWriter(const fs::path& path) : file_(path) {}

  void field(std::string_view text) {
    separate();
    if (text.find_first_of(",\"\n\r") == std::string_view::npos) {
      buffer_ += text;
      return;
    }
    buffer_ += '"';
    for (const char c : text) buffer_.append(c == '"' ? 2 : 1, c);
    buffer_ += '"';
  }

  void field(double number) { number_field(number); }
  /// A number that is stored in single precision, with no more digits than it has.
  void single(double number) { number_field(static_cast<float>(number)); }

  void end_line() {
    buffer_ += '\n';
    is_first_ = true;
    if (buffer_.size() >= kBufferBytes) write_out();
  }

  void commit() {
    write_out();
    file_.commit();
  }

 private:
  template <class Number>
  void number_field(Number number) {
    separate();
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
    buffer_.append(digits.begin(), end);
  }

  void separate() {
    if (!is_first_) buffer_ += ',';
    is_first_ = false;
  }

  void write_out() {
    file_.write(buffer_);
    buffer_.clear();
  }

  AtomicFile file_;
  std::string buffer_;
  bool is_first_ = true;
};

// "label [unit]"; a dimensionless quantity has no unit to show.
std::string header(const Column& column) {
  return column.unit == "1" ? column.label : column.label + " [" + column.unit + "]";
}

void write_table(const RunReader& run, const std::vector<std::string>& quantities,
                 const fs::path& path) {
  CsvWriter out(path);
  std::size_t width = 0;
  for (const std::string& quantity : quantities) {
    for (const Column& column : run.columns(quantity)) {
      out.field(header(column));
      ++width;
    }
  }
  out.end_line();
  const std::size_t block =
      std::max<std::size_t>(kBlockNumbers / std::max<std::size_t>(width, 1), 1);
  LongTask task("writing tables", run.rows());
  for (std::size_t first = 0; first < run.rows(); first += block) {
    task.advance(block);
    std::vector<Table> tables;
    for (const std::string& quantity : quantities) {
      tables.push_back(run.read(quantity, first, block));
    }
    for (std::size_t row = 0; row < tables.front().rows; ++row) {
      for (const Table& table : tables) {
        for (std::size_t i = 0; i < table.columns; ++i) out.field(table(row, i));
      }
      out.end_line();
    }
  }
  out.commit();
}

void write_events(const RunReader& run, const fs::path& path) {
  CsvWriter out(path);
  out.field("time [s]");
  out.field("event");
  out.end_line();
  for (const RunEvent& event : run.events()) {
    out.field(event.time);
    out.field(event.name);
    out.end_line();
  }
  out.commit();
}

// A row per cell, so that there are many or no rows of the same time.
void write_soil_cells(const RunReader& run, const fs::path& path) {
  const std::vector<std::string> names = run.texts("/soil/names");
  const std::vector<double> times = run.soil_times();
  CsvWriter out(path);
  for (const char* title : {"time [s]", "body", "x [m]", "y [m]", "z [m]", "sinkage [m]",
                            "pressure [Pa]", "shear [Pa]", "normal [N]"}) {
    out.field(title);
  }
  out.end_line();
  LongTask task("writing cells of soil", times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    task.advance();
    for (const SoilCellSample& cell : run.soil_cells(k)) {
      out.field(times[k]);
      out.field(names[static_cast<std::size_t>(cell.contact)]);
      for (const double value : {cell.position.x(), cell.position.y(), cell.position.z(),
                                 cell.sinkage, cell.pressure, cell.shear, cell.normal}) {
        out.single(value);
      }
      out.end_line();
    }
  }
  out.commit();
}

void write_alarms(const RunReader& run, const fs::path& path) {
  CsvWriter out(path);
  for (const char* label : {"time [s]", "kind", "body", "message"}) out.field(label);
  out.end_line();
  for (const RunAlarm& alarm : run.alarms()) {
    out.field(alarm.time);
    out.field(alarm.kind);
    out.field(alarm.body);
    out.field(alarm.message);
    out.end_line();
  }
  out.commit();
}

}  // namespace

std::vector<fs::path> export_csv(const fs::path& run_path, const fs::path& out_folder) {
  const RunReader run(run_path);
  std::error_code error;
  fs::create_directories(out_folder, error);
  if (error) {
    throw Error(ErrorKind::io, {.message = "cannot make the folder: " + error.message(),
                                .file = out_folder.string()});
  }
  std::vector<fs::path> written;
  for (const CsvFile& file : csv_files()) {
    std::vector<std::string> quantities = {"/time"};
    std::copy_if(file.quantities.begin(), file.quantities.end(), std::back_inserter(quantities),
                 [&run](const std::string& quantity) { return run.has(quantity); });
    if (quantities.size() == 1) continue;
    written.push_back(out_folder / file.name);
    write_table(run, quantities, written.back());
  }
  if (!run.soil_times().empty()) {
    written.push_back(out_folder / "soil_cells.csv");
    write_soil_cells(run, written.back());
  }
  written.push_back(out_folder / "events.csv");
  write_events(run, written.back());
  written.push_back(out_folder / "alarms.csv");
  write_alarms(run, written.back());
  return written;
}

}  // namespace grouser::internal
