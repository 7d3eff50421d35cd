#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace grouser::internal {

/// What GDAL says of a raster file, in plain terms.
struct RasterInfo {
  std::string format;  ///< "GeoTIFF"
  int nx = 0, ny = 0;  ///< pixels along a row, rows
  int bands = 0;
  bool is_picture = false;  ///< a format made for pictures: PNG, JPEG, BMP

  bool has_transform = false;
  /// File coordinates of pixel (column c, row r): (t0 + t1 c + t2 r, t3 + t4 c + t5 r), of its
  /// corner.
  std::array<double, 6> transform = {};
  enum class Reference { none, projected, geographic, other } reference = Reference::none;
  std::string reference_name;
  double unit = 1;        ///< of the file coordinates: metres if projected, radians if geographic
  double semi_major = 0;  ///< of the ellipsoid [m]
  double eccentricity_squared = 0;
  double vertical_unit = 0;  ///< of the reference's heights [m]; 0 if it has none

  bool is_complex = false;
  bool has_palette = false;
  double white = 0;              ///< largest value of an unsigned integer type; 0 for other types
  double scale = 1, offset = 0;  ///< value = scale × stored + offset
  std::string value_unit;        ///< of the values; empty if not stated
};

/// Pixels [column, column + nx) x [row, row + ny) of a file.
struct PixelWindow {
  int column = 0, row = 0, nx = 0, ny = 0;
};

/// A raster file open for reading. Only the formats that dem_file.h names are known, so that no
/// file can send GDAL elsewhere, neither to other files nor to the network, and nothing is printed.
class GdalFile {
 public:
  /// Throws Error(io) if there is no such file to read, Error(input) if it is no raster.
  explicit GdalFile(const std::filesystem::path& file);
  ~GdalFile();
  GdalFile(const GdalFile&) = delete;
  GdalFile& operator=(const GdalFile&) = delete;

  const RasterInfo& info() const { return info_; }
  /// The driver's short name: "AAIGrid".
  const std::string& driver() const { return driver_; }

  /// Stored values of the first band in the file's order, not a number where it says there is no
  /// data. Memory grows with what was really read. Throws Error(input) where the file ends early.
  std::vector<double> read(const PixelWindow& window);

  /// What GDAL warned of so far, each text once.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::string shown_;  // the path as the user gave it
  std::string driver_;
  void* dataset_ = nullptr;
  RasterInfo info_;
  std::vector<std::string> warnings_;
};

}  // namespace grouser::internal
