#include <cmath>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/rng.h"
#include "support/temporary_folder.h"
#include "terrain/dem_file.h"
#include "terrain/dem_samples.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

const std::vector<double> kSix = {1, 2, 3, 4, 5, 6};
const DemOptions::ImageScale kScale{.pixel = 1, .black = 0, .white = 1};

TiffSample good_tiff() {
  return {.nx = 16,
          .ny = 16,
          .values = std::vector<double>(256, 1.5),
          .pixel_scale = {0.5, 0.5},
          .keys = {{1024, 1}, {1025, 1}, {3072, 32633}}};
}

std::string tiff_with(const std::function<void(TiffSample&)>& change) {
  TiffSample sample = good_tiff();
  change(sample);
  return tiff_bytes(sample);
}

std::string cut(const std::string& bytes, double part) {
  return bytes.substr(0, static_cast<std::size_t>(part * static_cast<double>(bytes.size())));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

struct BadFile {
  const char* name;
  std::string bytes;
  const char* complaint;  // part of the message
  DemOptions options = {};
};

std::vector<BadFile> bad_files() {
  const std::string tiff = tiff_bytes(good_tiff());
  const std::string asc = ascii_grid(3, 2, 2, kSix);
  const std::string cube = isis_cube(8, 8, 10, std::vector<double>(64, 2));
  const std::string pds = pds_image(16, 4, 100, std::vector<int>(64, 30));
  const std::string png = png_bytes(16, 16, 8, std::vector<int>(256, 7));
  return {
      {"empty.tif", "", "the file is empty"},
      {"empty.asc", "", "the file is empty"},
      {"words.tif", "this is no picture at all", "no elevation model"},
      {"magic.tif", "XX" + tiff.substr(2), "no elevation model"},
      {"virtual.tif",
       "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Byte\" "
       "band=\"1\">"
       "<SimpleSource><SourceFilename>/etc/passwd</SourceFilename></SimpleSource></VRTRasterBand>"
       "</VRTDataset>",
       "no elevation model"},
      {"head.tif", tiff.substr(0, 6), "head.tif"},
      {"no_directory.tif", cut(tiff, 0.5), "no_directory.tif"},
      {"half_directory.tif", tiff.substr(0, 8 + 1024 + 60), "half_directory.tif"},
      {"no_pixels.tif", tiff_with([](TiffSample& s) { s.values.resize(3); }), "no_pixels.tif"},
      {"giant.tif", tiff_with([](TiffSample& s) { s.nx = s.ny = 1'000'000'000; }), "giant.tif"},
      {"negative.tif", tiff_with([](TiffSample& s) { s.nx = -5; }), "negative.tif"},
      {"zero.tif", tiff_with([](TiffSample& s) { s.ny = 0; }), "zero.tif"},
      {"row.tif", tiff_with([](TiffSample& s) { s.ny = 1; }), "too small for a surface"},
      {"nan.tif", tiff_with([](TiffSample& s) { s.values.assign(256, NAN); }), "no node has data"},
      {"hole.tif", tiff_with([](TiffSample& s) { s.no_data = "1.5"; }), "no node has data"},
      {"inf.tif", tiff_with([](TiffSample& s) { s.values.assign(256, INFINITY); }),
       "no node has data"},
      {"turned.tif", tiff_with([](TiffSample& s) {
         s.pixel_scale.clear();
         s.matrix = {0.4, 0.3, 0, 0, 0.3, -0.4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
       }),
       "turned against its coordinates"},
      {"no_size.tif", tiff_with([](TiffSample& s) {
         s.pixel_scale.clear();
         s.matrix = {0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
       }),
       "no_size.tif"},
      {"nan_size.tif", tiff_with([](TiffSample& s) {
         s.pixel_scale = {NAN, 1};
       }),
       "nan_size.tif"},
      {"complex.tif", tiff_with([](TiffSample& s) { s.sample_format = 6; }), "complex numbers"},
      {"palette.tif",
       tiff_with([](TiffSample& s) { s.bits = 8, s.sample_format = 1, s.photometric = 3; }),
       "colours of a palette"},
      {"unit.tif", tiff_with([](TiffSample& s) {
         s.metadata =
             "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">furlong</Item>"
             "</GDALMetadata>";
       }),
       "no unit of height"},
      {"scale.tif", tiff_with([](TiffSample& s) {
         s.metadata =
             "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">0</Item>"
             "</GDALMetadata>";
       }),
       "band scale"},
      {"pole.tif", tiff_with([](TiffSample& s) {
         s.keys = {{1024, 2}, {1025, 1}, {2048, 4326}};
         s.north = 500;
       }),
       "cannot be turned into metres"},
      {"image.tif", tiff_with([](TiffSample& s) { s.pixel_scale.clear(); }),
       "image: must be given"},
      {"scaled.tif", tiff, "must not be given", {.image = kScale}},
      {"many.tif", tiff, "too many nodes", {.max_nodes = 255}},
      {"fine.tif", tiff, "too many nodes", {.resample = 1e-4}},
      {"coarse.tif", tiff, "less than two nodes", {.resample = 100}},
      {"resample.tif", tiff, "resample: cannot be this", {.resample = -1}},
      {"missing_row.asc", asc.substr(0, asc.size() - 8), "number of heights"},
      {"left_over.asc", asc + "7 8 9\n", "number of heights"},
      {"word.asc", replaced(asc, "5 ", "five "), "word.asc:7: a height is not a number"},
      {"comma.asc", replaced(asc, "5 ", "5,5 "), "a height is not a number"},
      {"negative.asc", replaced(asc, "ncols 3", "ncols -3"), "negative.asc"},
      {"zero.asc", replaced(asc, "nrows 2", "nrows 0"), "zero.asc"},
      {"giant.asc", replaced(asc, "nrows 2", "nrows 1000000000"), "giant.asc"},
      {"large.asc",
       replaced(asc, "nrows 2", "nrows 9000000"),
       "too many nodes",
       {.max_nodes = 1'000'000}},
      {"giants.asc",
       replaced(replaced(asc, "nrows 2", "nrows 1000000000"), "ncols 3", "ncols 1000000000"),
       "giants.asc"},
      {"overflow.asc", replaced(asc, "nrows 2", "nrows 99999999999999999999"), "overflow.asc"},
      {"cell.asc", replaced(asc, "cellsize 2", "cellsize 0"), "cell.asc"},
      {"cell_word.asc", replaced(asc, "cellsize 2", "cellsize wide"), "cell_word.asc"},
      {"cell_nan.asc", replaced(asc, "cellsize 2", "cellsize nan"), "cell_nan.asc"},
      {"no_cell.asc", replaced(asc, "cellsize 2\n", ""), "no_cell.asc"},
      {"inf.asc", ascii_grid(3, 2, 2, std::vector<double>(6, INFINITY)), "inf.asc"},
      {"hole.asc", ascii_grid(3, 2, 2, std::vector<double>(6, -9), "nodata_value -9\n"),
       "no node has data"},
      {"header.asc", asc.substr(0, 20), "header.asc"},
      {"half.cub", cut(cube, 0.9), "half.cub"},
      {"label.cub", cut(cube, 0.3), "label.cub"},
      {"offset.cub", replaced(cube, "StartByte = 2049", "StartByte = 9999999"), "offset.cub"},
      {"samples.cub", replaced(cube, "Samples = 8", "Samples = -8"), "samples.cub"},
      {"many.cub", replaced(cube, "Lines = 8", "Lines = 8000000"), "many.cub"},
      {"type.cub", replaced(cube, "Type = Real", "Type = Unreal"), "type.cub"},
      {"pixels.img", cut(pds, 0.98), "pixels.img"},
      {"offset.img", replaced(pds, "^IMAGE = 65", "^IMAGE = 99999"), "offset.img"},
      {"lines.img", replaced(pds, "LINES = 4", "LINES = 4444444"), "lines.img"},
      {"bits.img", replaced(pds, "SAMPLE_BITS = 16", "SAMPLE_BITS = 7"), "bits.img"},
      {"map.img", replaced(pds, "MAP_SCALE = 0.1", "MAP_SCALE = 0.0"), "map.img"},
      {"plain.png", png, "image: must be given"},
      {"flat.png", png, "same height", {.image = DemOptions::ImageScale{.pixel = 1}}},
      {"size.png",
       png,
       "image.pixel",
       {.image = DemOptions::ImageScale{.pixel = -1, .black = 0, .white = 1}}},
      {"half.png", cut(png, 0.5), "half.png", {.image = kScale}},
      {"head.png", png.substr(0, 20), "head.png", {.image = kScale}},
  };
}

class DemCorruptTest : public TemporaryFolderTest {};

TEST_F(DemCorruptTest, EveryBadFileIsNamedAndExplained) {
  testing::internal::CaptureStderr();
  for (const BadFile& bad : bad_files()) {
    SCOPED_TRACE(bad.name);
    const std::filesystem::path path = folder_ / bad.name;
    std::ofstream(path, std::ios::binary) << bad.bytes;
    try {
      const Dem dem = read_dem(path, bad.options);
      ADD_FAILURE() << dem.description << " " << testing::PrintToString(dem.notes);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr(bad.name));
      EXPECT_THAT(error.what(), HasSubstr(bad.complaint));
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(DemCorruptTest, WhatIsNoFileOnDiskIsNotOpened) {
  for (const std::filesystem::path& path :
       {folder_ / "missing.tif", folder_, std::filesystem::path("/vsicurl/http://localhost/a.tif"),
        std::filesystem::path("/vsimem/a.tif"), std::filesystem::path("http://localhost/a.tif"),
        std::filesystem::path("/dev/zero"), std::filesystem::path("")}) {
    try {
      read_dem(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io) << path;
      EXPECT_THAT(error.what(), HasSubstr(path.string()));
    }
  }
}

// Bytes changed, cut out and doubled at random places of good files: an Error or a finite surface.
TEST_F(DemCorruptTest, MutatedFilesNeverCrash) {
  const std::vector<std::pair<std::string, std::string>> seeds = {
      {"a.tif", tiff_bytes(good_tiff())},
      {"a.asc", ascii_grid(3, 2, 2, kSix)},
      {"a.cub", isis_cube(8, 8, 10, std::vector<double>(64, 2))},
      {"a.img", pds_image(16, 4, 100, std::vector<int>(64, 30))},
      {"a.png", png_bytes(16, 16, 8, std::vector<int>(256, 7))}};
  CounterRng rng(1);
  int read = 0, refused = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto& [name, original] = seeds[static_cast<std::size_t>(round) % seeds.size()];
    std::string bytes = original;
    for (std::uint64_t edit = rng.index(4) + 1; edit > 0; --edit) {
      const std::size_t at = rng.index(bytes.size()), count = rng.index(9) + 1;
      const std::uint64_t kind = rng.index(4);
      if (kind == 0) bytes.erase(at, count);
      if (kind == 1) bytes.insert(at, bytes.substr(at, count));
      if (kind >= 2) bytes[at] = static_cast<char>(rng.index(256));
    }
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    DemOptions options{.max_nodes = 10'000};
    if (name == "a.png") options.image = kScale;
    try {
      const Dem dem = read_dem(path, options);
      for (const double height : dem.field->values()) ASSERT_TRUE(std::isfinite(height));
      ++read;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(name));
      ++refused;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace grouser::internal
