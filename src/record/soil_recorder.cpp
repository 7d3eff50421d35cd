#include "record/soil_recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "record/run_format.h"

namespace grouser::internal {
namespace {

using run_format::kSoilBlockSide;
using run_format::kSoilBlockSize;
using run_format::kSoilCellFields;

static_assert(TiledGrid<double>::kSide % kSoilBlockSide == 0);

std::array<float, kSoilCellFields.size()> fields_of(const SoilCellSample& cell) {
  const auto f = [](double value) { return static_cast<float>(value); };
  return {f(cell.position.x()), f(cell.position.y()), f(cell.position.z()), f(cell.sinkage),
          f(cell.pressure),     f(cell.shear),        f(cell.normal)};
}

std::optional<SoilRecorder::BadNumber> bad_number(const std::vector<SoilCellSample>& cells) {
  for (const SoilCellSample& cell : cells) {
    const auto values = fields_of(cell);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (std::isfinite(values[k])) continue;
      return SoilRecorder::BadNumber{std::string("soil/cells ") + kSoilCellFields[k].label,
                                     values[k]};
    }
  }
  return std::nullopt;
}

}  // namespace

const ContactSystem* shaper_of_ground(const World& world) {
  for (const auto& system : world.contacts) {
    if (system->shapes_ground()) return system.get();
  }
  return nullptr;
}

SoilRecorder::SoilRecorder(const World& world)
    : world_(world), clock_{0, 1 / world.settings.soil_rate_hz} {
  const GridSpec& grid = world.ground->map.grid();
  written_ = TiledGrid<double>(grid.nx, grid.ny);
  until_ = {.type = H5T_NATIVE_INT64, .row_shape = {2}, .width = 2};
  blocks_ = {.type = H5T_NATIVE_INT32, .row_shape = {2}, .width = 2};
  change_ = {.type = H5T_NATIVE_FLOAT,
             .row_shape = {kSoilBlockSide, kSoilBlockSide},
             .width = kSoilBlockSize};
  cell_values_ = {.type = H5T_NATIVE_FLOAT,
                  .row_shape = {kSoilCellFields.size()},
                  .width = kSoilCellFields.size()};
}

template <class Work>
void SoilRecorder::for_each_dataset(const Work& work) {
  work(time_, run_format::kSoilTime);
  work(until_, run_format::kSoilUntil);
  work(blocks_, run_format::kSoilBlocks);
  work(change_, run_format::kSoilChange);
  work(cell_contact_, run_format::kSoilCellContact);
  work(cell_values_, run_format::kSoilCells);
}

void SoilRecorder::create(hid_t file) {
  std::vector<std::string> names;
  for (const ContactElementInfo& element : shaper_of_ground(world_)->elements()) {
    names.push_back(world_.model.bodies()[static_cast<std::size_t>(element.body)].name);
  }
  h5::write_texts(file, run_format::kSoilNames, names);
  for_each_dataset([file](auto& data, const char* path) { data.create(file, path); });

  const GridSpec& grid = world_.ground->map.grid();
  const hid_t change = change_.id.get();
  h5::set_attribute(change, "unit", std::string("m"));
  h5::set_attribute(change, "origin", std::span(grid.origin.data(), 2));
  h5::set_attribute(change, "spacing", grid.spacing);
  h5::set_attribute(change, "nx", std::int64_t{grid.nx});
  h5::set_attribute(change, "ny", std::int64_t{grid.ny});
  h5::set_attribute(time_.id.get(), "unit", std::string("s"));
  h5::set_attribute(time_.id.get(), "rate_hz", world_.settings.soil_rate_hz);
  std::vector<std::string> labels, units;
  for (const auto& [label, unit] : kSoilCellFields) {
    labels.emplace_back(label);
    units.emplace_back(unit);
  }
  h5::set_attribute(cell_values_.id.get(), "components", labels);
  h5::set_attribute(cell_values_.id.get(), "units", units);
  h5::set_attribute(cell_contact_.id.get(), "names", std::string(run_format::kSoilNames));

  committed_id_ = h5::create_counts(file, run_format::kSoilCommitted, 1);
}

void SoilRecorder::release() {
  for_each_dataset([](auto& data, const char*) { data.close(); });
  committed_id_.reset();
}

void SoilRecorder::open(hid_t file) {
  for_each_dataset([file](auto& data, const char* path) { data.open(file, path); });
  committed_id_ = h5::open_dataset(file, run_format::kSoilCommitted);
}

std::optional<SoilRecorder::BadNumber> SoilRecorder::add(const Sample& sample) {
  const TiledGrid<double>& change = sample.ground->changes();
  if (const std::optional<BadNumber> bad = bad_number(sample.soil_cells)) return bad;
  const bool is_first = snapshots_ == 0 && time_.waiting.empty();
  if (!is_first && !clock_.is_due(tick_, sample.time)) {
    last_ = Instant{sample.time, change, sample.soil_cells};
    return std::nullopt;
  }
  const std::optional<BadNumber> bad = take(sample.time, change, sample.soil_cells);
  if (bad) return bad;
  last_.reset();
  tick_ = clock_.first_tick_from(sample.time);
  if (clock_.is_due(tick_, sample.time)) ++tick_;
  return std::nullopt;
}

std::optional<SoilRecorder::BadNumber> SoilRecorder::finish() {
  if (!last_) return std::nullopt;
  const Instant last = *std::exchange(last_, std::nullopt);
  return take(last.time, last.change, last.cells);
}

std::optional<SoilRecorder::BadNumber> SoilRecorder::take(
    double time, const TiledGrid<double>& change, const std::vector<SoilCellSample>& cells) {
  if (const std::optional<BadNumber> bad = gather_blocks(change)) return bad;
  for (const SoilCellSample& cell : cells) {
    cell_contact_.waiting.push_back(cell.contact);
    const auto values = fields_of(cell);
    cell_values_.waiting.insert(cell_values_.waiting.end(), values.begin(), values.end());
  }
  time_.waiting.push_back(time);
  const auto rows = [](std::int64_t in_file, const auto& data) {
    return in_file + static_cast<std::int64_t>(data.waiting.size() / data.width);
  };
  until_.waiting.push_back(rows(block_rows_, blocks_));
  until_.waiting.push_back(rows(cell_rows_, cell_contact_));
  return std::nullopt;
}

std::optional<SoilRecorder::BadNumber> SoilRecorder::gather_blocks(
    const TiledGrid<double>& change) {
  const std::size_t block_count = blocks_.waiting.size(), value_count = change_.waiting.size();
  constexpr int kBlocks = TiledGrid<double>::kSide / kSoilBlockSide;  // along the side of a tile
  change.for_each_tile([&](int ti, int tj, const double* now) {
    const double* before = written_.tile_at(ti, tj);
    if (now == before) return;  // nobody wrote to it
    for (int b = 0; b < kBlocks * kBlocks; ++b) {
      const int bi = b % kBlocks, bj = b / kBlocks;
      const int first = kSoilBlockSide * (bi + TiledGrid<double>::kSide * bj);
      gather_block(kBlocks * ti + bi, kBlocks * tj + bj, now + first,
                   before ? before + first : nullptr);
    }
  });
  const auto bad =
      std::find_if_not(change_.waiting.begin() + static_cast<std::ptrdiff_t>(value_count),
                       change_.waiting.end(), [](float value) { return std::isfinite(value); });
  if (bad != change_.waiting.end()) {
    const BadNumber number{"soil/change", *bad};
    blocks_.waiting.resize(block_count);
    change_.waiting.resize(value_count);
    return number;
  }
  written_ = change;
  return std::nullopt;
}

// Compares as the file will hold it: what is too small for that is no change.
void SoilRecorder::gather_block(int bi, int bj, const double* now, const double* before) {
  std::array<float, kSoilBlockSize> values;
  bool same = true;
  for (std::size_t k = 0; k < kSoilBlockSize; ++k) {
    const std::size_t entry = k % kSoilBlockSide + TiledGrid<double>::kSide * (k / kSoilBlockSide);
    values[k] = static_cast<float>(now[entry]);
    same = same && values[k] == (before ? static_cast<float>(before[entry]) : 0.0F);
  }
  if (same) return;
  blocks_.waiting.push_back(bi);
  blocks_.waiting.push_back(bj);
  change_.waiting.insert(change_.waiting.end(), values.begin(), values.end());
}

std::size_t SoilRecorder::waiting_bytes() const {
  return change_.waiting.size() * sizeof(float) + cell_values_.waiting.size() * sizeof(float);
}

void SoilRecorder::append() {
  const auto rows = [](const auto& data) {
    return static_cast<std::int64_t>(data.waiting.size() / data.width);
  };
  const std::int64_t snapshots = rows(time_), blocks = rows(blocks_), cells = rows(cell_contact_);
  blocks_.append(static_cast<hsize_t>(block_rows_));
  change_.append(static_cast<hsize_t>(block_rows_));
  cell_contact_.append(static_cast<hsize_t>(cell_rows_));
  cell_values_.append(static_cast<hsize_t>(cell_rows_));
  time_.append(static_cast<hsize_t>(snapshots_));
  until_.append(static_cast<hsize_t>(snapshots_));
  snapshots_ += snapshots;
  block_rows_ += blocks;
  cell_rows_ += cells;
}

void SoilRecorder::commit() { h5::write_counts(committed_id_.get(), std::span(&snapshots_, 1)); }

}  // namespace grouser::internal
