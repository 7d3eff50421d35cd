#include "record/run_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <optional>
#include <utility>

#include "core/disk.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/version.h"
#include "record/alarm_recorder.h"
#include "record/checkpoint.h"
#include "record/digests.h"
#include "record/ground_record.h"
#include "record/growing_dataset.h"
#include "record/guarded_driver.h"
#include "record/hdf5_file.h"
#include "record/run_directory.h"
#include "record/run_format.h"
#include "record/run_layout.h"
#include "record/soil_recorder.h"
#include "record/visuals_json.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using WallClock = std::chrono::steady_clock;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

// HDF5's own data keep within pages of the operating system. A kill can end a write between two
// pages; a block across them, half new and half old, would not be readable.
h5::Handle creation_properties() {
  constexpr hsize_t kPage = 4096;  // bytes
  h5::Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "no file properties");
  h5::checked(H5Pset_file_space_strategy(properties.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1),
              "no file properties");
  h5::checked(H5Pset_file_space_page_size(properties.get(), kPage), "no file properties");
  return properties;
}

void write_info(hid_t file, const World& world) {
  using namespace run_format;
  const RunSettings& settings = world.settings;
  h5::set_attribute(file, kFormatAttribute, std::string(kFormatName));
  h5::set_attribute(file, kVersionAttribute, kVersion);
  h5::set_attribute(file, "grouser_version", std::string(version()));
  h5::set_attribute(file, "grouser_source", std::string(git_describe()));
  h5::set_attribute(file, "created", utc_now());
  h5::set_attribute(file, "scene_name", world.name);
  h5::set_attribute(file, "scene_file", world.scene_file);
  Hasher hasher;
  hasher.text(world.scene_text);
  h5::set_attribute(file, "scene_hash", hash_text(hasher.digest()));
  h5::set_attribute(file, "seed", settings.seed);
  h5::set_attribute(file, "gravity", std::span(world.model.gravity().data(), 3));
  h5::set_attribute(file, "integrator", std::string(to_string(settings.integrator.method)));
  h5::set_attribute(file, "step", settings.integrator.step);
  h5::set_attribute(file, "record_rate_hz", settings.record_rate_hz);
  h5::write_text(file, kSceneText, world.scene_text);
  h5::write_text(
      file, kVisuals,
      visuals_json(world).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  if (world.ground != nullptr) write_ground(file, *world.ground);
}

void describe(hid_t dataset, const RecordedSeries& series) {
  if (series.units_path.empty()) {
    h5::set_attribute(dataset, "unit", series.unit);
  } else {
    h5::set_attribute(dataset, "unit", std::string("see units"));
    h5::set_attribute(dataset, "units", series.units_path);
  }
  if (!series.names_path.empty()) h5::set_attribute(dataset, "names", series.names_path);
  if (!series.components.empty()) h5::set_attribute(dataset, "components", series.components);
}

}  // namespace

class RunWriter::Impl {
 public:
  Impl(const World& world, fs::path folder, RunWriterOptions options)
      : world_(world),
        folder_(std::move(folder)),
        options_(options),
        layout_(run_layout(world)),
        path_((folder_.path() / kRunFile).string()) {
    const h5::Session session;
    if (shaper_of_ground(world) != nullptr) soil_.emplace(world);
    const std::string tmp_path = path_ + ".tmp";
    try {
      written("cannot create", [&] { create(tmp_path); });
      fs::rename(tmp_path, path_);
    } catch (const fs::filesystem_error& problem) {
      release();
      throw Error(ErrorKind::io,
                  {.message = "cannot rename: " + problem.code().message(), .file = path_});
    } catch (...) {
      release();
      std::error_code ignored;
      fs::remove(tmp_path, ignored);
      throw;
    }
    last_flush_ = WallClock::now();
  }

  ~Impl() {
    const h5::Session session;
    release();
  }

  void add(const Sample& sample) {
    throw_if_unusable();
    for (std::size_t i = 0; i < series_.size(); ++i) {
      h5::GrowingDataset<double>& data = series_[i];
      row_.resize(data.width);
      layout_.series[i].extract(sample, row_.data());
      const auto bad =
          std::find_if_not(row_.begin(), row_.end(), [](double x) { return std::isfinite(x); });
      if (bad != row_.end()) {
        drop_unfinished_row();
        const auto index = static_cast<std::size_t>(bad - row_.begin());
        throw_not_finite(label(layout_.series[i], index), *bad, sample.time);
      }
      data.waiting.insert(data.waiting.end(), row_.begin(), row_.end());
    }
    add_soil(sample);
    ++rows_;
    ++waiting_rows_;
    const bool much_soil = soil_ && soil_->waiting_bytes() >= options_.buffer_bytes;
    if (waiting_rows_ >= most_waiting_rows_ || much_soil) flush();
    flush_if_due();
  }

  void add(const EventRecord& event) {
    throw_if_unusable();
    if (!std::isfinite(event.time)) throw_not_finite("events/time", event.time, event.time);
    event_time_.waiting.push_back(event.time);
    event_index_.waiting.push_back(event.event);
    flush_if_due();
  }

  void add(const Alarm& alarm) {
    throw_if_unusable();
    alarms_.add(alarm);
    flush_if_due();
  }

  void save(const State& state) {
    if (!options_.write_checkpoints) return;
    flush();
    save_checkpoint(folder_.path() / kCheckpointFile, world_, state);
  }

  void flush_if_due() {
    if (waiting_rows_ == 0 && event_time_.waiting.empty() && !alarms_.is_waiting()) return;
    const std::chrono::duration<double> since = WallClock::now() - last_flush_;
    if (since.count() >= options_.flush_interval) flush();
  }

  void flush() {
    throw_if_unusable();
    const h5::Session session;
    const auto events = static_cast<std::int64_t>(event_time_.waiting.size());
    written("cannot write", [&] {
      for (auto& data : series_) data.append(static_cast<hsize_t>(committed_[0]));
      event_time_.append(static_cast<hsize_t>(committed_[1]));
      event_index_.append(static_cast<hsize_t>(committed_[1]));
      alarms_.append();
      if (soil_) soil_->append();
      h5::checked(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "cannot flush");
      if (soil_ && disk_.error == 0) soil_->commit();
      if (disk_.error == 0) alarms_.commit();
      if (disk_.error == 0) commit({committed_[0] + waiting_rows_, committed_[1] + events});
    });
    committed_ = {committed_[0] + waiting_rows_, committed_[1] + events};
    waiting_rows_ = 0;
    last_flush_ = WallClock::now();
  }

  void close() {
    if (failed_ || file_.get() < 0) return;
    const auto bad = soil_ ? soil_->finish() : std::nullopt;
    if (bad)
      log(LogLevel::error,
          path_ + ": the soil at the end is not recorded: " + bad->name + " is not finite");
    flush();
    const h5::Session session;
    written("cannot finish", [this] { release(); });
  }

  std::size_t rows() const { return rows_; }
  const fs::path& folder() const { return folder_.path(); }

 private:
  void create(const std::string& path) {
    const h5::Handle access = h5::access_properties();
    h5::set_guarded_driver(access.get(), disk_);
    const h5::Handle creation = creation_properties();
    file_ = h5::Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
                       H5Fclose, "cannot create");
    write_info(file_.get(), world_);
    for (const TextList& list : layout_.lists) {
      h5::write_texts(file_.get(), list.path.c_str(), list.texts);
    }
    create_series();
    create_events();
    alarms_.create(file_.get());
    if (soil_) soil_->create(file_.get());
    create_committed();
    h5::add_digests(file_.get());
    start_streaming();
  }

  void create_series() {
    std::vector<std::string> paths;
    std::size_t row_bytes = 0;
    for (const RecordedSeries& series : layout_.series) {
      h5::GrowingDataset<double> data{.type = H5T_NATIVE_DOUBLE,
                                      .row_shape = {series.shape.begin(), series.shape.end()},
                                      .width = series.width()};
      data.create(file_.get(), series.path);
      describe(data.id.get(), series);
      series_.push_back(std::move(data));
      paths.push_back(series.path);
      row_bytes += series.width() * sizeof(double);
    }
    h5::write_texts(file_.get(), run_format::kQuantities, paths);
    most_waiting_rows_ =
        static_cast<std::int64_t>(std::max<std::size_t>(options_.buffer_bytes / row_bytes, 1));
  }

  void create_events() {
    std::vector<std::string> names;
    for (const EventSpec& event : world_.events) names.push_back(event.name);
    h5::write_texts(file_.get(), run_format::kEventNames, names);
    event_time_.create(file_.get(), run_format::kEventTime);
    h5::set_attribute(event_time_.id.get(), "unit", std::string("s"));
    event_index_.create(file_.get(), run_format::kEventIndex);
    h5::set_attribute(event_index_.id.get(), "names", std::string(run_format::kEventNames));
  }

  void create_committed() {
    committed_id_ = h5::create_counts(file_.get(), run_format::kCommitted, committed_.size());
  }

  // From here on, whatever part of the writes has reached the file, it is readable. HDF5 wants
  // the datasets closed for the change.
  void start_streaming() {
    for (auto& data : series_) data.close();
    event_time_.close();
    event_index_.close();
    committed_id_.reset();
    alarms_.release();
    if (soil_) soil_->release();
    h5::checked(H5Fstart_swmr_write(file_.get()), "cannot start to stream");
    for (std::size_t i = 0; i < series_.size(); ++i) {
      series_[i].open(file_.get(), layout_.series[i].path);
    }
    event_time_.open(file_.get(), run_format::kEventTime);
    event_index_.open(file_.get(), run_format::kEventIndex);
    committed_id_ = h5::open_dataset(file_.get(), run_format::kCommitted);
    alarms_.open(file_.get());
    if (soil_) soil_->open(file_.get());
  }

  // Last of a flush: the rows it counts are in the file already.
  void commit(std::array<std::int64_t, 2> counts) { h5::write_counts(committed_id_.get(), counts); }

  void release() {
    series_.clear();
    event_time_.close();
    event_index_.close();
    committed_id_.reset();
    alarms_.release();
    if (soil_) soil_->release();
    file_.reset();
  }

  // Runs work that writes to the file. A failure ends the writer; what the disk says is then the
  // cause of whatever HDF5 says.
  template <class Work>
  void written(const char* what, const Work& work) {
    std::string problem;
    try {
      work();
    } catch (const h5::Failure& failure) {
      problem = failure.what();
    }
    if (disk_.error != 0) problem = errno_text(disk_.error);
    if (problem.empty()) return;
    failed_ = true;
    release();
    const std::string kept =
        committed_[0] == 0 ? "" : fmt::format("; the first {} samples are kept", committed_[0]);
    throw Error(ErrorKind::io,
                {.message = std::string(what) + ": " + problem + kept, .file = path_});
  }

  void throw_if_unusable() const {
    if (failed_ || file_.get() < 0) {
      const char* why = failed_ ? "writing has failed before" : "the run is closed already";
      throw Error(ErrorKind::io, {.message = why, .file = path_});
    }
  }

  void add_soil(const Sample& sample) {
    if (!soil_ || !sample.ground) return;
    const std::optional<SoilRecorder::BadNumber> bad = soil_->add(sample);
    if (!bad) return;
    drop_unfinished_row();
    throw_not_finite(bad->name, bad->value, sample.time);
  }

  void drop_unfinished_row() {
    for (auto& data : series_) {
      data.waiting.resize(static_cast<std::size_t>(waiting_rows_) * data.width);
    }
  }

  [[noreturn]] void throw_not_finite(const std::string& what, double value, double time) const {
    throw Error(
        ErrorKind::diverged,
        {.message = fmt::format("{} is not finite at t = {} s and is not recorded", what, time),
         .file = path_,
         .value = fmt::format("{}", value)});
  }

  // The number at `index` of a row, for people.
  std::string label(const RecordedSeries& series, std::size_t index) const {
    if (series.shape.empty()) return series.path.substr(1);
    if (series.shape.size() == 2) index /= series.shape[1];
    const auto list = std::find_if(layout_.lists.begin(), layout_.lists.end(),
                                   [&](const TextList& l) { return l.path == series.names_path; });
    return series.path.substr(1) + " of " + list->texts[index];
  }

  const World& world_;
  RunDirectory folder_;
  RunWriterOptions options_;
  RunLayout layout_;
  std::string path_;

  h5::DiskStatus disk_;  // outlives the file
  h5::Handle file_;
  std::vector<h5::GrowingDataset<double>> series_;  // as in the layout
  h5::GrowingDataset<double> event_time_{.type = H5T_NATIVE_DOUBLE};
  h5::GrowingDataset<std::int32_t> event_index_{.type = H5T_NATIVE_INT32};
  AlarmRecorder alarms_;
  std::optional<SoilRecorder> soil_;  // if bodies press into soil
  h5::Handle committed_id_;

  std::array<std::int64_t, 2> committed_ = {0, 0};  // samples and events
  std::int64_t waiting_rows_ = 0;
  std::int64_t most_waiting_rows_ = 1;
  std::size_t rows_ = 0;
  std::vector<double> row_;
  WallClock::time_point last_flush_;
  bool failed_ = false;
};

RunWriter::RunWriter(const World& world, fs::path folder, RunWriterOptions options)
    : impl_(std::make_unique<Impl>(world, std::move(folder), options)) {}

RunWriter::~RunWriter() {
  try {
    impl_->close();
  } catch (const std::exception& problem) {
    log(LogLevel::error, problem.what());
  }
}

void RunWriter::on_sample(const Sample& sample) { impl_->add(sample); }
void RunWriter::on_event(const EventRecord& event) { impl_->add(event); }
void RunWriter::on_alarm(const Alarm& alarm) { impl_->add(alarm); }
void RunWriter::on_checkpoint(const State& state) { impl_->save(state); }
void RunWriter::on_step(double, long) { impl_->flush_if_due(); }
void RunWriter::flush() { impl_->flush(); }
void RunWriter::close() { impl_->close(); }
std::size_t RunWriter::rows() const { return impl_->rows(); }
const fs::path& RunWriter::folder() const { return impl_->folder(); }

}  // namespace grouser::internal
