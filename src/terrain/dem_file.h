#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "terrain/raster_field.h"

namespace grouser::internal {

enum class NoDataFill {
  refuse,   ///< an Error that says how many nodes have no data
  nearest,  ///< the nearest node with data
  smooth,   ///< harmonic: the membrane spanned by the border of the hole
};

struct DemOptions {
  /// In metres from the lower left node of the file, which is the centre of a pixel; moved to the
  /// nearest nodes. Must not reach beyond the file.
  std::optional<Rect> crop;
  double resample = 0;  ///< wanted spacing [m]; 0 = the file's own
  NoDataFill no_data = NoDataFill::smooth;
  Interpolation interpolation = Interpolation::bicubic;
  std::uint64_t max_nodes = 200'000'000;  ///< to be read, and after resampling
  /// For plain images (PNG, JPEG, BMP, any file without georeference), which do not know their
  /// scale: width of a pixel [m], and heights [m] of black and white. Must be given for those, and
  /// not for DEMs. Files of signed or floating-point numbers hold heights in metres: only the pixel
  /// is given.
  struct ImageScale {
    double pixel = 0;
    double black = 0, white = 0;
  };
  std::optional<ImageScale> image;
};

/// A digital elevation model, ready to stand on.
struct Dem {
  std::shared_ptr<const RasterField> field;  ///< origin at the lower left, x east, y north, metres
  std::string description;  ///< "GeoTIFF, 500 x 500 nodes, 0.094 m, heights 1.2 ... 3.4 m"
  std::string reference;    ///< coordinate system's name; empty if none
  Vec2 file_origin =
      Vec2::Zero();                ///< of the field's origin in the file's coordinates [m] or [deg]
  std::vector<std::string> notes;  ///< repairs: no-data filled, rectangular pixels resampled, ...
};

/// Reads GeoTIFF, Arc/Info ASCII grids, PDS and ISIS images, PNG ... through GDAL, at true scale:
/// geographic degrees become metres at the middle latitude on the stated ellipsoid, heights are
/// multiplied by the band's scale and unit. A pixel's centre becomes a node; pixels that are not
/// square are resampled to the finer of their sides. Heights beyond ±1e9 m count as no data. Throws
/// Error(io) if the file cannot be opened; Error(input) naming the file and what is wrong
/// otherwise. Only files on disk, of a fixed list of formats (gdal_file.cpp), are read.
Dem read_dem(const std::filesystem::path& file, const DemOptions& options = {});

}  // namespace grouser::internal
