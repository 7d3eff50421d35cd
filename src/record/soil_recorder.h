#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "record/growing_dataset.h"
#include "sim/sample.h"
#include "sim/world.h"

/// Internal to record: includes HDF5.
namespace grouser::internal {

/// The contact system whose bodies change the shape of the ground; or nothing.
const ContactSystem* shaper_of_ground(const World& world);

/// Writes what bodies do to soft soil: the blocks of the ground that changed since they were last
/// written, and the cells under the bodies; see docs/run-format.md. Work and bytes follow what
/// changed, not the size of the map. Everything waits in memory until append().
class SoilRecorder {
 public:
  /// Bodies of the world change its ground. It outlives this.
  explicit SoilRecorder(const World& world);

  /// Makes the datasets in a new file.
  void create(hid_t file);
  /// Closes the datasets.
  void release();
  /// Opens them again.
  void open(hid_t file);

  struct BadNumber {
    std::string name;
    double value = 0;
  };
  /// Takes a sample if one is due, else only remembers it for finish(). Returns a number that is
  /// not finite if it meets one; then the sample was not taken.
  std::optional<BadNumber> add(const Sample& sample);
  /// Takes the last sample if it was not due: what the soil was like at the end is always there.
  std::optional<BadNumber> finish();

  std::size_t waiting_bytes() const;
  /// Writes what waits.
  void append();
  /// Declares what was appended to be completely in the file.
  void commit();

 private:
  struct Instant {
    double time = 0;
    TiledGrid<double> change;
    std::vector<SoilCellSample> cells;
  };

  std::optional<BadNumber> take(double time, const TiledGrid<double>& change,
                                const std::vector<SoilCellSample>& cells);
  std::optional<BadNumber> gather_blocks(const TiledGrid<double>& change);
  void gather_block(int bi, int bj, const double* now, const double* before);
  template <class Work>
  void for_each_dataset(const Work& work);

  const World& world_;
  Clock clock_;
  double tick_ = 0;
  TiledGrid<double> written_;    // the ground as the file has it
  std::optional<Instant> last_;  // newest sample, if it was not due

  h5::GrowingDataset<double> time_{.type = H5T_NATIVE_DOUBLE};
  h5::GrowingDataset<std::int64_t> until_;
  h5::GrowingDataset<std::int32_t> blocks_;
  h5::GrowingDataset<float> change_;
  h5::GrowingDataset<std::int32_t> cell_contact_{.type = H5T_NATIVE_INT32};
  h5::GrowingDataset<float> cell_values_;
  h5::Handle committed_id_;
  std::int64_t snapshots_ = 0, block_rows_ = 0, cell_rows_ = 0;  // in the file
};

}  // namespace grouser::internal
