// Elevation models made of any bytes: an Error or a finite surface, nothing else. The first byte
// chooses the file's ending and whether it is read as a picture, the rest is the file.

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "terrain/dem_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grouser::internal::internal;
  constexpr std::array kEndings = {"tif", "asc", "cub", "img", "png", "jpg",
                                   "bmp", "hgt", "xml", "vic", "grd", "flt"};
  if (size < 1) return 0;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("grouser_dem_fuzz_" + std::to_string(getpid()) +
                                                "." + kEndings[data[0] / 2 % kEndings.size()]);
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data + 1), static_cast<std::streamsize>(size - 1));
  DemOptions options{.max_nodes = 4096};
  if (data[0] % 2) options.image = DemOptions::ImageScale{.pixel = 1, .black = 0, .white = 1};
  try {
    const Dem dem = read_dem(file, options);
    for (const double height : dem.field->values()) {
      if (!std::isfinite(height)) std::abort();
    }
  } catch (const Error&) {
  }
  std::filesystem::remove(file);
  return 0;
}
