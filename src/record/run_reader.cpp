#include "record/run_reader.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "geometry/child_process.h"
#include "record/alarm_recorder.h"
#include "record/digests.h"
#include "record/ground_record.h"
#include "record/hdf5_file.h"
#include "record/read_block.h"
#include "record/recorded_soil.h"
#include "record/run_directory.h"
#include "record/run_format.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

// Reading metadata while it is being written gives a wrong check sum; HDF5 then waits and tries
// again. Its own 100 attempts, each waiting twice as long, would never end on a damaged file.
constexpr int kReadAttempts = 20;  // about 1 ms

h5::Handle open_file(const std::string& path, unsigned flags) {
  const h5::Handle access = h5::access_properties();
  h5::checked(H5Pset_metadata_read_attempts(access.get(), kReadAttempts), "no file properties");
  return {H5Fopen(path.c_str(), flags, access.get()), H5Fclose,
          "it is not an HDF5 file, or damaged"};
}

bool has_run_format(hid_t file) {
  return h5::has_attribute(file, run_format::kFormatAttribute) &&
         h5::text_attribute(file, run_format::kFormatAttribute) == run_format::kFormatName;
}

void check_format(hid_t file) {
  using namespace run_format;
  if (!has_run_format(file)) throw h5::Failure("it is not a run of grouser");
  const std::int64_t version = h5::integer_attribute(file, kVersionAttribute);
  if (version != kVersion) {
    throw h5::Failure("it is of run format " + std::to_string(version) + ", this program reads " +
                      std::to_string(kVersion));
  }
}

RunInfo read_info(hid_t file) {
  const auto gravity = h5::numbers_attribute(file, "gravity");
  if (gravity.size() != 3) throw h5::Failure("gravity is bad");
  return {.grouser_version = h5::text_attribute(file, "grouser_version"),
          .scene_name = h5::text_attribute(file, "scene_name"),
          .scene_file = h5::text_attribute(file, "scene_file"),
          .scene_text = h5::read_text(file, run_format::kSceneText),
          .scene_hash = h5::text_attribute(file, "scene_hash"),
          .integrator = h5::text_attribute(file, "integrator"),
          .step = h5::number_attribute(file, "step"),
          .record_rate_hz = h5::number_attribute(file, "record_rate_hz"),
          .seed = h5::unsigned_attribute(file, "seed"),
          .gravity = Vec3(gravity[0], gravity[1], gravity[2]),
          .created = h5::text_attribute(file, "created")};
}

/// Numbers in a row of a dataset.
std::size_t row_width(hid_t dataset) {
  const std::vector<hsize_t> extents = h5::shape(dataset);
  return static_cast<std::size_t>(
      std::accumulate(extents.begin() + 1, extents.end(), hsize_t{1}, std::multiplies<>()));
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

struct RunReader::Impl {
  std::string path;
  h5::Handle file;
  bool is_complete = true;
  std::array<std::size_t, 2> committed = {0, 0};  // samples, events
  RunInfo info;
  std::vector<std::string> quantities;
  std::optional<SoilIndex> soil;

  explicit Impl(std::string file_path) : path(std::move(file_path)) {
    const h5::Session session;
    try {
      h5::read_from(path, [this] {
        const bool is_sound = is_sound_in_child();
        open(is_sound);
      });
    } catch (...) {
      file.reset();
      throw;
    }
  }

  ~Impl() {
    const h5::Session session;
    file.reset();
  }

  /// HDF5 1.10 may crash on damaged metadata: where a group cannot be read it frees what was never set. So a child
  /// process reads the file first, all of it. False if it met damage, which is then told when read again.
  bool is_sound_in_child() {
    constexpr ChildLimits kLimits{.memory_bytes = std::uint64_t{2} << 30, .seconds = 600};
    ChildProcess child(kLimits, [this](int pipe) {
      char sound = 1;
      try {
        open(false);
      } catch (const std::exception&) {
        sound = 0;
      }
      write_all(pipe, &sound, 1);
    });
    char sound = 0;
    if (!child.read(&sound, 1)) {
      throw h5::Failure("it is damaged: the HDF5 library " + child.what_happened());
    }
    return sound != 0;
  }

  // A file that its writer did not close only opens for a reader that bears with a writer.
  void open(bool is_sound) {
    try {
      file = open_file(path, H5F_ACC_RDONLY);
    } catch (const h5::Failure&) {
      file = open_file(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ);
      is_complete = false;
    }
    check_format(file.get());
    if (!is_sound) h5::check_digests(file.get());
    info = read_info(file.get());
    quantities = h5::read_texts(file.get(), run_format::kQuantities);
    read_committed();
  }

  void read_committed() {
    const int attempts = is_complete ? 1 : kReadAttempts;
    const auto counts = h5::read_counts(file.get(), run_format::kCommitted, 2, attempts);
    committed = {counts[0], counts[1]};
    for (const std::string& quantity : quantities) check_length(quantity, committed[0]);
    check_length(run_format::kEventTime, committed[1]);
    check_length(run_format::kEventIndex, committed[1]);
    soil = open_recorded_soil(file.get(), attempts);
  }

  void check_length(const std::string& dataset_path, std::size_t rows) const {
    const auto extents = h5::shape(h5::open_dataset(file.get(), dataset_path.c_str()).get());
    if (extents.empty() || extents.size() > 3 || extents[0] < rows) {
      throw h5::Failure("it is damaged: " + dataset_path + " is too short");
    }
  }

  // Calls work(dataset) for a quantity of the run.
  template <class Work>
  auto with(const std::string& quantity, const Work& work) const {
    const h5::Session session;
    if (std::find(quantities.begin(), quantities.end(), quantity) == quantities.end()) {
      throw Error(ErrorKind::input,
                  {.message = "the run has no such quantity", .file = path, .value = quantity});
    }
    return h5::read_from(
        path, [&] { return work(h5::open_dataset(file.get(), quantity.c_str()).get()); });
  }

  std::vector<std::string> listed(hid_t dataset, const char* attribute) const {
    if (!h5::has_attribute(dataset, attribute)) return {};
    return h5::read_texts(file.get(), h5::text_attribute(dataset, attribute).c_str());
  }

  std::vector<Column> columns(const std::string& quantity, hid_t dataset) const {
    std::vector<std::string> names = listed(dataset, "names"), components;
    const std::vector<std::string> units = listed(dataset, "units");
    if (h5::has_attribute(dataset, "components")) {
      components = h5::texts_attribute(dataset, "components");
    }
    if (names.empty() && components.empty()) components.push_back(last_part(quantity));
    if (names.empty()) names.emplace_back();
    if (components.empty()) components.emplace_back();
    if (!units.empty() && units.size() != names.size()) throw h5::Failure("it is damaged: units");
    const std::string unit = h5::text_attribute(dataset, "unit");
    std::vector<Column> result;
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (const std::string& component : components) {
        const char* point = names[i].empty() || component.empty() ? "" : ".";
        result.push_back({names[i] + point + component, units.empty() ? unit : units[i]});
      }
    }
    return result;
  }
};

bool is_run_file(const fs::path& file) {
  const h5::Session session;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  const auto is_run = [&](unsigned flags) {
    try {
      return has_run_format(open_file(file.string(), flags).get());
    } catch (const h5::Failure&) {
      return false;
    }
  };
  return is_run(H5F_ACC_RDONLY) || is_run(H5F_ACC_RDONLY | H5F_ACC_SWMR_READ);
}

RunReader::RunReader(const fs::path& path) {
  std::error_code error;
  const fs::path file = fs::is_directory(path, error) ? path / kRunFile : path;
  if (!fs::is_regular_file(file, error)) {
    throw Error(ErrorKind::io, {.message = "there is no run here", .file = file.string()});
  }
  impl_ = std::make_unique<Impl>(file.string());
}

RunReader::~RunReader() = default;
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;

const std::string& RunReader::file() const { return impl_->path; }
bool RunReader::is_complete() const { return impl_->is_complete; }
std::size_t RunReader::rows() const { return impl_->committed[0]; }
const RunInfo& RunReader::info() const { return impl_->info; }
const std::vector<std::string>& RunReader::quantities() const { return impl_->quantities; }

bool RunReader::has(const std::string& quantity) const {
  const auto& all = impl_->quantities;
  return std::find(all.begin(), all.end(), quantity) != all.end();
}

std::vector<std::size_t> RunReader::row_shape(const std::string& quantity) const {
  return impl_->with(quantity, [](hid_t dataset) {
    const auto extents = h5::shape(dataset);
    return std::vector<std::size_t>(extents.begin() + 1, extents.end());
  });
}

std::vector<Column> RunReader::columns(const std::string& quantity) const {
  return impl_->with(quantity, [&](hid_t dataset) { return impl_->columns(quantity, dataset); });
}

Table RunReader::read(const std::string& quantity, std::size_t first, std::size_t count) const {
  return impl_->with(quantity, [&](hid_t dataset) {
    first = std::min(first, rows());
    count = std::min(count, rows() - first);
    return Table{.rows = count,
                 .columns = row_width(dataset),
                 .values = h5::read_rows<double>(impl_->file.get(), quantity, H5T_NATIVE_DOUBLE,
                                                 first, count)};
  });
}

std::vector<double> RunReader::read_column(const std::string& quantity, std::size_t column) const {
  constexpr std::size_t kBlockNumbers = std::size_t{1} << 17;  // read at once: 1 MiB
  const std::size_t width = impl_->with(quantity, [&](hid_t dataset) {
    if (column >= row_width(dataset)) throw h5::Failure(quantity + " has no such column");
    return row_width(dataset);
  });
  // Whole rows, because only they have digests.
  const std::size_t block = std::max<std::size_t>(kBlockNumbers / width, 1);
  std::vector<double> values;
  for (std::size_t first = 0; first < rows(); first += block) {
    const Table table = read(quantity, first, block);
    for (std::size_t row = 0; row < table.rows; ++row) values.push_back(table(row, column));
  }
  return values;
}

std::vector<std::string> RunReader::texts(const std::string& path) const {
  const h5::Session session;
  return h5::read_from(impl_->path, [&]() -> std::vector<std::string> {
    if (!h5::exists(impl_->file.get(), path)) return {};
    return h5::read_texts(impl_->file.get(), path.c_str());
  });
}

std::vector<RunEvent> RunReader::events() const {
  const h5::Session session;
  return h5::read_from(impl_->path, [this] {
    const hid_t file = impl_->file.get();
    const std::size_t count = impl_->committed[1];
    const auto names = h5::read_texts(file, run_format::kEventNames);
    const auto times =
        h5::read_rows<double>(file, run_format::kEventTime, H5T_NATIVE_DOUBLE, 0, count);
    const auto indices =
        h5::read_rows<std::int32_t>(file, run_format::kEventIndex, H5T_NATIVE_INT32, 0, count);
    std::vector<RunEvent> events;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto index = static_cast<std::size_t>(indices[i]);
      if (index >= names.size()) throw h5::Failure("it is damaged: unknown event");
      events.push_back({times[i], indices[i], names[index]});
    }
    return events;
  });
}

std::vector<RunAlarm> RunReader::alarms() const {
  const h5::Session session;
  return h5::read_from(impl_->path, [this] {
    return read_alarms(impl_->file.get(), impl_->is_complete ? 1 : kReadAttempts);
  });
}

std::string RunReader::visuals() const {
  const h5::Session session;
  return h5::read_from(impl_->path,
                       [this] { return h5::read_text(impl_->file.get(), run_format::kVisuals); });
}

std::optional<RecordedGround> RunReader::ground() const {
  const h5::Session session;
  return h5::read_from(impl_->path, [this] { return read_recorded_ground(impl_->file.get()); });
}

std::vector<double> RunReader::soil_times() const {
  return impl_->soil ? impl_->soil->times : std::vector<double>();
}

std::vector<SoilCellSample> RunReader::soil_cells(std::size_t snapshot) const {
  if (snapshot >= soil_times().size()) {
    throw Error(ErrorKind::input, {.message = "the run has no such snapshot of the soil",
                                   .file = impl_->path,
                                   .value = std::to_string(snapshot)});
  }
  const h5::Session session;
  return h5::read_from(impl_->path,
                       [&] { return read_soil_cells(impl_->file.get(), *impl_->soil, snapshot); });
}

std::optional<RecordedSoil> RunReader::soil_at(double time) const {
  if (!impl_->soil) return std::nullopt;
  const std::optional<std::size_t> snapshot = impl_->soil->snapshot_at(time);
  if (!snapshot) {
    throw Error(ErrorKind::input, {.message = "the soil is not recorded as early as this",
                                   .file = impl_->path,
                                   .value = format_number(time) + " s"});
  }
  const h5::Session session;
  return h5::read_from(impl_->path, [&] {
    const hid_t file = impl_->file.get();
    return RecordedSoil{.time = impl_->soil->times[*snapshot],
                        .grid = impl_->soil->grid,
                        .change = read_soil_change(file, *impl_->soil, *snapshot),
                        .cells = read_soil_cells(file, *impl_->soil, *snapshot)};
  });
}

std::optional<RecordedSoilHistory> RunReader::soil_history() const {
  if (!impl_->soil) return std::nullopt;
  const h5::Session session;
  return h5::read_from(impl_->path, [&] {
    const SoilIndex& index = *impl_->soil;
    return RecordedSoilHistory{.grid = index.grid,
                               .times = index.times,
                               .block_until = index.block_until,
                               .places = read_soil_places(impl_->file.get(), index)};
  });
}

std::vector<float> RunReader::soil_blocks(std::size_t first, std::size_t count) const {
  if (!impl_->soil || count == 0) return {};
  const h5::Session session;
  return h5::read_from(impl_->path, [&] {
    return read_soil_blocks(impl_->file.get(), *impl_->soil, first, first + count);
  });
}

}  // namespace grouser::internal
