#pragma once

#include <hdf5.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "record/run_reader.h"

/// Internal to record: reads what SoilRecorder wrote. All throw h5::Failure if it makes no sense.
namespace grouser::internal {

/// What of the soil is where in the file.
struct SoilIndex {
  GridSpec grid;
  std::vector<double> times;             ///< of the snapshots [s], rising
  std::vector<std::size_t> block_until;  ///< per snapshot: rows of blocks up to it
  std::vector<std::size_t> cell_until;   ///< per snapshot: rows of cells up to it
  std::size_t contacts = 0;

  /// The last one at or before `time`; nothing if there is none.
  std::optional<std::size_t> snapshot_at(double time) const;
};

/// Nothing if the run has no soft soil. `attempts` as in h5::read_counts().
std::optional<SoilIndex> open_recorded_soil(hid_t file, int attempts);

/// Change of height up to a snapshot [m].
TiledGrid<double> read_soil_change(hid_t file, const SoilIndex& index, std::size_t snapshot);

/// Places of all blocks, two numbers each, in the order in which they were recorded.
std::vector<std::int32_t> read_soil_places(hid_t file, const SoilIndex& index);

/// Change of height of blocks [first, end) [m]; as many as the index has at most.
std::vector<float> read_soil_blocks(hid_t file, const SoilIndex& index, std::size_t first,
                                    std::size_t end);

std::vector<SoilCellSample> read_soil_cells(hid_t file, const SoilIndex& index,
                                            std::size_t snapshot);

}  // namespace grouser::internal
