#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// Elevation models written by hand, byte by byte, so that the tests do not read what GDAL wrote.
namespace grouser::internal {

/// An uncompressed little-endian TIFF in one strip, with the tags of GeoTIFF and GDAL that are
/// given.
struct TiffSample {
  int nx = 0, ny = 0;
  int bands = 1;
  int bits = 32;
  int sample_format = 3;            ///< 1 unsigned, 2 signed, 3 floating, 6 complex floating
  int photometric = 1;              ///< 1 grey, 3 palette
  std::vector<double> values;       ///< in the file's order, north first
  std::vector<double> pixel_scale;  ///< x, y; none: no georeference
  double west = 0, north = 0;       ///< outer corner of the first pixel
  std::vector<double> matrix;       ///< 16 entries of a ModelTransformation instead of the above
  struct Key {
    int id, value;
  };
  std::vector<Key> keys;      ///< short GeoKeys, ids rising
  std::vector<double> radii;  ///< semi-major, semi-minor of a geographic system of its own [m]
  std::string no_data;
  bool alpha = false;    ///< the last band says where there is data
  std::string metadata;  ///< XML of GDAL: scale, offset, unit
};
std::string tiff_bytes(const TiffSample& sample);

/// Grey PNG of 8 or 16 bits, stored without compression.
std::string png_bytes(int nx, int ny, int bits, const std::vector<int>& values);

/// Arc/Info ASCII grid.
std::string ascii_grid(int nx, int ny, double cell, const std::vector<double>& values,
                       const std::string& more_header = "");

/// Label and pixels of an ISIS cube of floats on an equirectangular map of the Moon.
std::string isis_cube(int nx, int ny, double pixel, const std::vector<double>& values);

/// PDS3 label with attached 16-bit pixels, scaled, on a map of Mars.
std::string pds_image(int nx, int ny, double pixel, const std::vector<int>& values,
                      int label_records = 64);

}  // namespace grouser::internal
