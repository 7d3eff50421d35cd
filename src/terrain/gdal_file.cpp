#include "terrain/gdal_file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <limits>
#include <mutex>
#include <string_view>
#include <system_error>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <fmt/format.h>
#include <gdal.h>
#include <gdal_frmts.h>
#include <ogr_srs_api.h>

#include "core/disk.h"
#include "core/error.h"
#include "core/long_task.h"

namespace grouser::internal {
namespace {

// Formats whose heights are binary or checked by us, and that name no other file but their own
// data.
constexpr const char* kDrivers[] = {"GTiff", "AAIGrid", "PDS",   "PDS4", "ISIS3", "ISIS2",
                                    "VICAR", "PNG",     "JPEG",  "BMP",  "EHdr",  "SRTMHGT",
                                    "ENVI",  "GSBG",    "GS7BG", nullptr};

void register_drivers() {
  static std::once_flag once;
  std::call_once(once, [] {
    GDALRegister_GTiff();
    GDALRegister_AAIGrid();
    GDALRegister_PDS();
    GDALRegister_PDS4();
    GDALRegister_ISIS3();
    GDALRegister_ISIS2();
    GDALRegister_VICAR();
    GDALRegister_PNG();
    GDALRegister_JPEG();
    GDALRegister_BMP();
    GDALRegister_EHdr();
    GDALRegister_SRTMHGT();
    GDALRegister_ENVI();
    GDALRegister_GSBG();
    GDALRegister_GS7BG();
    OSRSetPROJEnableNetwork(FALSE);
  });
}

// While it lives, messages of GDAL in this thread come here instead of to standard error, and no
// statistics are kept in files beside the one that is read.
class QuietGdal {
 public:
  QuietGdal() {
    CPLPushErrorHandlerEx(&QuietGdal::receive, this);
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "NO");
  }
  ~QuietGdal() {
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", nullptr);
    CPLPopErrorHandler();
  }
  QuietGdal(const QuietGdal&) = delete;
  QuietGdal& operator=(const QuietGdal&) = delete;

  const std::vector<std::string>& messages() const { return messages_; }
  std::string first() const { return messages_.empty() ? "no reason given" : messages_.front(); }

 private:
  static void receive(CPLErr severity, CPLErrorNum, const char* text) {
    auto* self = static_cast<QuietGdal*>(CPLGetErrorHandlerUserData());
    constexpr std::size_t kMaxMessages = 8, kMaxLength = 300;
    if (severity < CE_Warning || self->messages_.size() >= kMaxMessages) return;
    std::string message = std::string(text).substr(0, kMaxLength);
    if (std::find(self->messages_.begin(), self->messages_.end(), message) ==
        self->messages_.end()) {
      self->messages_.push_back(std::move(message));
    }
  }

  std::vector<std::string> messages_;
};

[[noreturn]] void fail(ErrorKind kind, const std::string& file, std::string message) {
  throw Error(kind, Issue{.message = std::move(message), .file = file});
}

// A name that GDAL takes as nothing but the path of a file on disk.
std::string plain_path(const std::filesystem::path& file) {
  const std::string shown = file.string();
  if (shown.starts_with("/vsi") || shown.find("://") != std::string::npos) {
    fail(ErrorKind::io, shown, "only files on disk are read");
  }
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) fail(ErrorKind::io, shown, "there is no such file");
  if (!std::filesystem::is_regular_file(status)) {
    fail(ErrorKind::io, shown, "is not a file (a folder, a device or a pipe)");
  }
  if (!std::ifstream(file, std::ios::binary)) {
    fail(ErrorKind::io, shown, fmt::format("cannot be read ({})", errno_text(errno)));
  }
  const std::string absolute = std::filesystem::absolute(file, error).lexically_normal().string();
  if (error || absolute.starts_with("/vsi"))
    fail(ErrorKind::io, shown, "only files on disk are read");
  return absolute;
}

std::string text_or_empty(const char* text) { return text ? text : ""; }

void describe_reference(GDALDatasetH dataset, RasterInfo& info) {
  OGRSpatialReferenceH reference = GDALGetSpatialRef(dataset);
  if (!reference) return;
  info.reference_name = text_or_empty(OSRGetName(reference));
  OGRErr failed = OGRERR_NONE;
  info.semi_major = OSRGetSemiMajor(reference, &failed);
  if (failed != OGRERR_NONE) info.semi_major = 0;
  const double inverse_flattening = OSRGetInvFlattening(reference, &failed);
  const double flattening =
      failed == OGRERR_NONE && inverse_flattening != 0 ? 1 / inverse_flattening : 0;
  info.eccentricity_squared = flattening * (2 - flattening);
  if (OSRIsGeographic(reference)) {
    info.reference = RasterInfo::Reference::geographic;
    info.unit = OSRGetAngularUnits(reference, nullptr);
  } else if (OSRIsProjected(reference) || OSRIsLocal(reference)) {
    info.reference = RasterInfo::Reference::projected;
    info.unit = OSRGetLinearUnits(reference, nullptr);
  } else {
    info.reference = RasterInfo::Reference::other;
  }
  if (OSRIsVertical(reference) || OSRIsCompound(reference)) {
    info.vertical_unit = OSRGetTargetLinearUnits(reference, "VERT_CS", nullptr);
  }
}

double largest_value(GDALDataType type) {
  switch (type) {
    case GDT_Byte:
      return std::numeric_limits<std::uint8_t>::max();
    case GDT_UInt16:
      return std::numeric_limits<std::uint16_t>::max();
    case GDT_UInt32:
      return std::numeric_limits<std::uint32_t>::max();
    default:
      return 0;
  }
}

void describe_band(GDALRasterBandH band, RasterInfo& info) {
  const GDALDataType type = GDALGetRasterDataType(band);
  info.is_complex = GDALDataTypeIsComplex(type) != 0;
  info.has_palette = GDALGetRasterColorTable(band) != nullptr;
  info.white = largest_value(type);
  int known = 0;
  const double scale = GDALGetRasterScale(band, &known);
  if (known) info.scale = scale;
  const double offset = GDALGetRasterOffset(band, &known);
  if (known) info.offset = offset;
  info.value_unit = text_or_empty(GDALGetRasterUnitType(band));
}

}  // namespace

GdalFile::GdalFile(const std::filesystem::path& file) : shown_(file.string()) {
  const std::string path = plain_path(file);
  register_drivers();
  QuietGdal quiet;
  dataset_ = GDALOpenEx(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                        kDrivers, nullptr, nullptr);
  if (!dataset_) {
    std::error_code error;
    const bool empty = std::filesystem::file_size(file, error) == 0;
    fail(ErrorKind::input, shown_,
         empty ? "the file is empty"
               : fmt::format("is no elevation model of a known format (GDAL: {})", quiet.first()));
  }
  const GDALDriverH driver = GDALGetDatasetDriver(dataset_);
  driver_ = text_or_empty(GDALGetDriverShortName(driver));
  info_.format = text_or_empty(GDALGetDriverLongName(driver));
  info_.nx = GDALGetRasterXSize(dataset_);
  info_.ny = GDALGetRasterYSize(dataset_);
  info_.bands = GDALGetRasterCount(dataset_);
  info_.is_picture = driver_ == "PNG" || driver_ == "JPEG" || driver_ == "BMP";
  info_.has_transform = GDALGetGeoTransform(dataset_, info_.transform.data()) == CE_None;
  describe_reference(dataset_, info_);
  if (info_.bands > 0) describe_band(GDALGetRasterBand(dataset_, 1), info_);
  warnings_ = quiet.messages();
}

GdalFile::~GdalFile() {
  const QuietGdal quiet;
  if (dataset_) GDALClose(dataset_);
}

std::vector<double> GdalFile::read(const PixelWindow& window) {
  QuietGdal quiet;
  const GDALRasterBandH band = GDALGetRasterBand(dataset_, 1);
  const bool masked = !(GDALGetMaskFlags(band) & GMF_ALL_VALID);
  const GDALRasterBandH mask = masked ? GDALGetMaskBand(band) : nullptr;
  const std::size_t nx = static_cast<std::size_t>(window.nx);
  const int chunk = std::clamp(65'536 / window.nx, 1, window.ny);
  std::vector<double> values;
  std::vector<double> rows(nx * static_cast<std::size_t>(chunk));
  std::vector<std::uint8_t> valid(masked ? rows.size() : 0);
  LongTask task("reading heights", static_cast<std::size_t>(window.ny));
  for (int row = 0; row < window.ny; row += chunk) {
    const int count = std::min(chunk, window.ny - row);
    task.advance(static_cast<std::size_t>(count));
    const auto get = [&](GDALRasterBandH from, void* to, GDALDataType type) {
      if (GDALRasterIO(from, GF_Read, window.column, window.row + row, window.nx, count, to,
                       window.nx, count, type, 0, 0) != CE_None) {
        fail(ErrorKind::input, shown_,
             fmt::format("cannot be read from row {} on (GDAL: {})", window.row + row,
                         quiet.first()));
      }
    };
    get(band, rows.data(), GDT_Float64);
    const std::size_t size = nx * static_cast<std::size_t>(count);
    if (masked) {
      get(mask, valid.data(), GDT_Byte);
      for (std::size_t k = 0; k < size; ++k) {
        if (valid[k] == 0) rows[k] = std::numeric_limits<double>::quiet_NaN();
      }
    }
    values.insert(values.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(size));
  }
  warnings_.insert(warnings_.end(), quiet.messages().begin(), quiet.messages().end());
  return values;
}

}  // namespace grouser::internal
