#include "record/recorded_soil.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "record/digests.h"
#include "record/hdf5_file.h"
#include "record/read_block.h"
#include "record/run_format.h"
#include "terrain/elevation_map.h"

namespace grouser::internal {
namespace {

using namespace run_format;

[[noreturn]] void fail(const char* path, const char* what) {
  throw h5::Failure(std::string("it is damaged: ") + path + " " + what);
}

// Rows [first, end) of a dataset, `row` being the shape of one.
template <class Number>
std::vector<Number> read_rows(hid_t file, const char* path, hid_t type,
                              const std::vector<hsize_t>& row, std::size_t first, std::size_t end) {
  const std::vector<hsize_t> extents = h5::shape(h5::open_dataset(file, path).get());
  if (extents.size() != row.size() + 1 ||
      !std::equal(row.begin(), row.end(), extents.begin() + 1)) {
    fail(path, "has an unexpected shape");
  }
  return h5::read_rows<Number>(file, path, type, first, end - first);
}

GridSpec read_grid(hid_t file) {
  constexpr std::size_t kMostPages = std::size_t{1} << 26;  // of 2048 x 2048 nodes
  const h5::Handle dataset = h5::open_dataset(file, kSoilChange);
  const std::vector<double> origin = h5::numbers_attribute(dataset.get(), "origin");
  const double spacing = h5::number_attribute(dataset.get(), "spacing");
  const std::int64_t nx = h5::integer_attribute(dataset.get(), "nx");
  const std::int64_t ny = h5::integer_attribute(dataset.get(), "ny");
  constexpr std::int64_t kMost = std::numeric_limits<int>::max() / 2;
  const bool has_size = nx >= 2 && ny >= 2 && nx <= kMost && ny <= kMost;
  if (origin.size() != 2 || !std::isfinite(origin[0]) || !std::isfinite(origin[1]) ||
      !std::isfinite(spacing) || !(spacing > 0) || !has_size ||
      TiledGrid<double>::page_count(static_cast<int>(nx), static_cast<int>(ny)) > kMostPages) {
    fail(kSoilChange, "has a grid that makes no sense");
  }
  return {.origin = Vec2(origin[0], origin[1]),
          .spacing = spacing,
          .nx = static_cast<int>(nx),
          .ny = static_cast<int>(ny)};
}

std::size_t row_count(hid_t file, const char* path) {
  const std::vector<hsize_t> extents = h5::shape(h5::open_dataset(file, path).get());
  if (extents.empty()) fail(path, "has an unexpected shape");
  return extents[0];
}

// Counts that never fall, of which the last is at most `rows`.
std::vector<std::size_t> column_of(const std::vector<std::int64_t>& until, std::size_t column,
                                   std::size_t rows) {
  std::vector<std::size_t> counts;
  std::int64_t before = 0;
  for (std::size_t k = column; k < until.size(); k += 2) {
    if (until[k] < before || until[k] > static_cast<std::int64_t>(rows)) {
      fail(kSoilUntil, "makes no sense");
    }
    before = until[k];
    counts.push_back(static_cast<std::size_t>(before));
  }
  return counts;
}

struct BlockVersion {
  std::size_t row = 0;
  std::int32_t bi = 0, bj = 0;
};

// Where the first `end` rows of blocks lie, all of them on the grid.
std::vector<std::int32_t> read_places(hid_t file, const GridSpec& grid, std::size_t end) {
  auto places = read_rows<std::int32_t>(file, kSoilBlocks, H5T_NATIVE_INT32, {2}, 0, end);
  for (std::size_t row = 0; row < end; ++row) {
    const std::int32_t bi = places[2 * row], bj = places[2 * row + 1];
    if (bi < 0 || bj < 0 || bi > (grid.nx - 1) / kSoilBlockSide ||
        bj > (grid.ny - 1) / kSoilBlockSide) {
      fail(kSoilBlocks, "leaves the grid");
    }
  }
  return places;
}

// The newest version of each block among the first `end` rows, in order of rows.
std::vector<BlockVersion> newest_blocks(hid_t file, const GridSpec& grid, std::size_t end) {
  const std::vector<std::int32_t> places = read_places(file, grid, end);
  std::unordered_map<std::uint64_t, BlockVersion> newest;
  for (std::size_t row = 0; row < end; ++row) {
    const std::int32_t bi = places[2 * row], bj = places[2 * row + 1];
    const std::uint64_t key = static_cast<std::uint64_t>(bj) << 32 | static_cast<std::uint32_t>(bi);
    newest[key] = {row, bi, bj};
  }
  std::vector<BlockVersion> blocks;
  for (const auto& [key, block] : newest) blocks.push_back(block);
  std::ranges::sort(blocks, {}, &BlockVersion::row);
  return blocks;
}

void put_block(const float* values, const BlockVersion& block, TiledGrid<double>& change) {
  constexpr int kBlocks = TiledGrid<double>::kSide / kSoilBlockSide;
  double* tile = change.writable_tile(block.bi / kBlocks, block.bj / kBlocks);
  for (int k = 0; k < static_cast<int>(kSoilBlockSize); ++k) {
    const double value = values[k];
    if (!(std::abs(value) <= ElevationMap::kMaxChange)) fail(kSoilChange, "makes no sense");
    const int i = kSoilBlockSide * block.bi + k % kSoilBlockSide;
    const int j = kSoilBlockSide * block.bj + k / kSoilBlockSide;
    tile[TiledGrid<double>::entry(i, j)] = value;
  }
}

}  // namespace

std::optional<std::size_t> SoilIndex::snapshot_at(double time) const {
  const double slack = 1e-9 * std::max(1.0, std::abs(time));  // of a time given in decimals
  const auto after = std::upper_bound(times.begin(), times.end(), time + slack);
  if (after == times.begin()) return std::nullopt;
  return static_cast<std::size_t>(after - times.begin()) - 1;
}

std::optional<SoilIndex> open_recorded_soil(hid_t file, int attempts) {
  if (!h5::exists(file, kSoilCommitted)) return std::nullopt;
  const std::size_t count = h5::read_counts(file, kSoilCommitted, 1, attempts).front();
  if (count > row_count(file, kSoilTime)) fail(kSoilTime, "is too short");
  SoilIndex index;
  index.grid = read_grid(file);
  index.times = read_rows<double>(file, kSoilTime, H5T_NATIVE_DOUBLE, {}, 0, count);
  if (!std::ranges::is_sorted(index.times, std::ranges::less_equal{})) {
    fail(kSoilTime, "does not rise");
  }
  if (count > row_count(file, kSoilUntil)) fail(kSoilUntil, "is too short");
  const auto until = read_rows<std::int64_t>(file, kSoilUntil, H5T_NATIVE_INT64, {2}, 0, count);
  index.block_until =
      column_of(until, 0, std::min(row_count(file, kSoilBlocks), row_count(file, kSoilChange)));
  index.cell_until =
      column_of(until, 1, std::min(row_count(file, kSoilCells), row_count(file, kSoilCellContact)));
  index.contacts = h5::read_texts(file, kSoilNames).size();
  return index;
}

TiledGrid<double> read_soil_change(hid_t file, const SoilIndex& index, std::size_t snapshot) {
  constexpr std::size_t kRowsAtOnce = 1024;  // 1 MiB
  TiledGrid<double> change(index.grid.nx, index.grid.ny);
  const auto blocks = newest_blocks(file, index.grid, index.block_until[snapshot]);
  for (std::size_t first = 0; first < blocks.size();) {
    const std::size_t row = blocks[first].row;
    std::size_t end = first;
    while (end < blocks.size() && blocks[end].row < row + kRowsAtOnce) ++end;
    const auto values =
        read_rows<float>(file, kSoilChange, H5T_NATIVE_FLOAT, {kSoilBlockSide, kSoilBlockSide}, row,
                         blocks[end - 1].row + 1);
    for (; first < end; ++first) {
      put_block(values.data() + (blocks[first].row - row) * kSoilBlockSize, blocks[first], change);
    }
  }
  return change;
}

std::vector<std::int32_t> read_soil_places(hid_t file, const SoilIndex& index) {
  return read_places(file, index.grid, index.block_until.empty() ? 0 : index.block_until.back());
}

std::vector<float> read_soil_blocks(hid_t file, const SoilIndex& index, std::size_t first,
                                    std::size_t end) {
  if (first > end || index.block_until.empty() || end > index.block_until.back()) {
    throw h5::Failure("the run has no such blocks of soil");
  }
  auto values = read_rows<float>(file, kSoilChange, H5T_NATIVE_FLOAT,
                                 {kSoilBlockSide, kSoilBlockSide}, first, end);
  for (const float value : values) {
    if (!(std::abs(value) <= ElevationMap::kMaxChange)) fail(kSoilChange, "makes no sense");
  }
  return values;
}

std::vector<SoilCellSample> read_soil_cells(hid_t file, const SoilIndex& index,
                                            std::size_t snapshot) {
  const std::size_t first = snapshot == 0 ? 0 : index.cell_until[snapshot - 1];
  const std::size_t end = index.cell_until[snapshot];
  constexpr std::size_t kFields = kSoilCellFields.size();
  const auto contacts =
      read_rows<std::int32_t>(file, kSoilCellContact, H5T_NATIVE_INT32, {}, first, end);
  const auto values = read_rows<float>(file, kSoilCells, H5T_NATIVE_FLOAT, {kFields}, first, end);
  std::vector<SoilCellSample> cells;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (contacts[k] < 0 || static_cast<std::size_t>(contacts[k]) >= index.contacts) {
      fail(kSoilCellContact, "has an unknown contact");
    }
    const float* v = values.data() + k * kFields;
    if (!std::all_of(v, v + kFields, [](float x) { return std::isfinite(x); })) {
      fail(kSoilCells, "is not finite");
    }
    cells.push_back({.contact = contacts[k],
                     .position = Vec3(v[0], v[1], v[2]),
                     .sinkage = v[3],
                     .pressure = v[4],
                     .shear = v[5],
                     .normal = v[6]});
  }
  return cells;
}

}  // namespace grouser::internal
