#include "terrain/dem_file.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/temporary_folder.h"
#include "terrain/dem_samples.h"

namespace grouser::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;

const std::vector<TiffSample::Key> kUtm33 = {{1024, 1}, {1025, 1}, {3072, 32633}};

class DemFileTest : public TemporaryFolderTest {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  Dem read(const std::string& name, const std::string& bytes,
           const DemOptions& options = {}) const {
    return read_dem(write(name, bytes), options);
  }
  // The file's first row is the northern one: 3 columns, 2 rows.
  const TiffSample small_{.nx = 3,
                          .ny = 2,
                          .values = {1, 2, 3, 4, 5, 6},
                          .pixel_scale = {0.5, 0.5},
                          .west = 1000,
                          .north = 2000,
                          .keys = kUtm33};
};

std::vector<double> values_of(const Dem& dem) {
  return {dem.field->values().begin(), dem.field->values().end()};
}

TEST_F(DemFileTest, GeoTiffRowsRunNorthAndNodesAreTheCentresOfPixels) {
  const Dem dem = read("a.tif", tiff_bytes(small_));
  EXPECT_EQ(values_of(dem), (std::vector<double>{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(dem.field->grid().spacing, 0.5);
  EXPECT_EQ(dem.field->grid().origin, Vec2(0, 0));
  EXPECT_EQ(dem.file_origin, Vec2(1000.25, 1999.25));
  EXPECT_EQ(dem.reference, "WGS 84 / UTM zone 33N");
  EXPECT_EQ(dem.description, "GeoTIFF, 3 x 2 nodes, 0.5 m, heights 1 ... 6 m");
  EXPECT_TRUE(dem.notes.empty());
  EXPECT_EQ(dem.field->at(0.5, 0.5).height, 2);
}

TEST_F(DemFileTest, SouthUpIsTurnedRight) {
  TiffSample sample = small_;
  sample.pixel_scale.clear();
  // x = 1000 + column / 2, y = 1999 + row / 2
  sample.matrix = {0.5, 0, 0, 1000, 0, 0.5, 0, 1999, 0, 0, 0, 0, 0, 0, 0, 1};
  const Dem dem = read("a.tif", tiff_bytes(sample));
  EXPECT_EQ(values_of(dem), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(dem.file_origin, Vec2(1000.25, 1999.25));
}

TEST_F(DemFileTest, FeetBecomeMetres) {
  TiffSample sample = small_;
  sample.keys = {{1024, 1}, {1025, 1}, {3072, 2263}};  // New York Long Island, US survey feet
  sample.metadata =
      "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">2</Item>"
      "<Item name=\"OFFSET\" sample=\"0\" role=\"offset\">10</Item>"
      "<Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">ft</Item></GDALMetadata>";
  const Dem dem = read("a.tif", tiff_bytes(sample));
  EXPECT_DOUBLE_EQ(dem.field->grid().spacing, 0.5 * 1200 / 3937);
  EXPECT_DOUBLE_EQ(dem.field->values()[0], (2 * 4 + 10) * 0.3048);
  EXPECT_DOUBLE_EQ(dem.file_origin.x(), 1000.25 * 1200 / 3937);
}

// Tables of the length of a degree on WGS 84 give 55 800 m of longitude and 111 412 m of latitude
// at 60° north.
TEST_F(DemFileTest, DegreesBecomeMetresOnTheEarth) {
  TiffSample sample = small_;
  sample.keys = {{1024, 2}, {1025, 1}, {2048, 4326}};
  sample.pixel_scale = {0.001, 0.001};
  sample.west = 25, sample.north = 60.001;
  const Dem dem = read("a.tif", tiff_bytes(sample));
  EXPECT_NEAR(dem.field->grid().spacing, 55.800, 0.001);  // the finer side; measured 2e-6
  // Two rows of 111.41 m become three nodes of the finer spacing, the third one at 111.6 m being
  // too far.
  EXPECT_EQ(dem.field->grid().nx, 3);
  EXPECT_EQ(dem.field->grid().ny, 2);
  EXPECT_NEAR(dem.file_origin.x(), 25.0005, 1e-12);  // measured 0
  EXPECT_NEAR(dem.file_origin.y(), 59.9995, 1e-12);  // measured 0
  EXPECT_THAT(dem.notes, Contains(HasSubstr("middle latitude of 60 deg")));
  EXPECT_THAT(dem.notes, Contains(HasSubstr("x 111.41")));
}

TEST_F(DemFileTest, DegreesBecomeMetresOnTheMoon) {
  TiffSample sample = small_;
  sample.keys = {{1024, 2}, {1025, 1}, {2048, 32767}, {2050, 32767}, {2054, 9102}, {2056, 32767}};
  sample.radii = {1737400, 1737400};
  sample.pixel_scale = {0.01, 0.01};
  sample.west = 0, sample.north = 0.01;
  const Dem dem = read("a.tif", tiff_bytes(sample));
  EXPECT_NEAR(dem.field->grid().spacing, 1737400 * 0.01 * std::numbers::pi / 180, 1e-9);  // 0
}

TEST_F(DemFileTest, RectangularPixelsAreResampledToTheFinerSide) {
  TiffSample sample{.nx = 5, .ny = 4, .pixel_scale = {0.5, 1}, .keys = kUtm33};
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 5; ++c) sample.values.push_back(2 * (0.5 * c) - 3 * (3.0 - r));  // 2x - 3y
  }
  const Dem dem = read("a.tif", tiff_bytes(sample));
  const GridSpec& grid = dem.field->grid();
  EXPECT_EQ(grid.spacing, 0.5);
  ASSERT_EQ(grid.nx, 5);
  ASSERT_EQ(grid.ny, 7);
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      EXPECT_NEAR(dem.field->values()[grid.index(i, j)], Vec2(2, -3).dot(grid.node(i, j)),
                  1e-13);  // measured 0
    }
  }
  EXPECT_THAT(dem.notes, Contains(HasSubstr("resampled to squares")));
}

TEST_F(DemFileTest, CropTakesTheNearestNodes) {
  const std::vector<double> values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // 4 x 3
  const std::string bytes = ascii_grid(4, 3, 10, values);
  const Dem dem = read("a.asc", bytes, {.crop = Rect{{9, 12}, {31, 19}}});
  EXPECT_EQ(values_of(dem), (std::vector<double>{5, 6, 7, 1, 2, 3}));
  EXPECT_EQ(dem.file_origin, Vec2(115, 215));
  for (const Rect& crop : {Rect{{-6, 0}, {10, 10}}, Rect{{0, 0}, {10, 26}}, Rect{{11, 0}, {14, 10}},
                           Rect{{10, 0}, {0, 10}}, Rect{{0, 0}, {NAN, 10}}}) {
    try {
      read("a.asc", bytes, {.crop = crop});
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.issues()[0].field, "crop");
      EXPECT_THAT(error.what(), HasSubstr("a.asc"));
    }
  }
}

TEST_F(DemFileTest, AsciiGridIsTakenInMetresWithANote) {
  const Dem dem = read("a.asc", ascii_grid(3, 2, 2, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values_of(dem), (std::vector<double>{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(dem.field->grid().spacing, 2);
  EXPECT_EQ(dem.file_origin, Vec2(101, 201));
  EXPECT_THAT(dem.notes, Contains(HasSubstr("no coordinate system")));
}

TEST_F(DemFileTest, PngNeedsItsScale) {
  const DemOptions::ImageScale scale{.pixel = 0.2, .black = -1, .white = 4};
  const Dem dem8 = read("a.png", png_bytes(3, 2, 8, {0, 51, 255, 102, 0, 0}), {.image = scale});
  EXPECT_EQ(dem8.field->grid().spacing, 0.2);
  EXPECT_DOUBLE_EQ(dem8.field->values()[0], 1);
  EXPECT_DOUBLE_EQ(dem8.field->values()[4], 0);
  EXPECT_DOUBLE_EQ(dem8.field->values()[5], 4);
  const Dem dem16 = read("b.png", png_bytes(2, 2, 16, {0, 65535, 13107, 0}), {.image = scale});
  EXPECT_DOUBLE_EQ(dem16.field->values()[0], 0);
  EXPECT_DOUBLE_EQ(dem16.field->values()[3], 4);
}

TEST_F(DemFileTest, FloatTiffWithoutGeoreferenceHoldsMetres) {
  TiffSample sample = small_;
  sample.pixel_scale.clear();
  sample.keys.clear();
  const Dem dem = read("a.tif", tiff_bytes(sample), {.image = DemOptions::ImageScale{.pixel = 3}});
  EXPECT_EQ(dem.field->grid().spacing, 3);
  EXPECT_EQ(dem.field->values()[0], 4);
}

TEST_F(DemFileTest, IsisCubeOfTheMoon) {
  const float null = -3.4028227e38F;  // ISIS's special pixel
  const Dem dem =
      read("a.cub", isis_cube(3, 2, 10, {1, 2, 3, 4, null, 6}), {.no_data = NoDataFill::nearest});
  EXPECT_EQ(dem.field->grid().spacing, 10);
  EXPECT_EQ(dem.field->values()[0], 4);
  EXPECT_EQ(dem.field->values()[5], 3);
  EXPECT_THAT(dem.field->values()[1], testing::AnyOf(4, 6, 2));
  EXPECT_THAT(dem.reference, HasSubstr("Moon"));
  EXPECT_EQ(dem.file_origin, Vec2(1005, 1985));
}

TEST_F(DemFileTest, PdsImageOfMarsIsScaled) {
  const Dem dem = read("a.img", pds_image(16, 4, 100, std::vector<int>(64, 30)));
  EXPECT_EQ(dem.field->grid().nx, 16);
  EXPECT_EQ(dem.field->grid().ny, 4);
  EXPECT_DOUBLE_EQ(dem.field->grid().spacing, 100);
  EXPECT_DOUBLE_EQ(dem.field->values()[7], 0.5 * 30 + 100);
}

// Without a map projection a label knows the heights but not the width of a pixel.
TEST_F(DemFileTest, Pds4LabelWithItsDataBeside) {
  std::string data;
  for (const float height : {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}) {
    data.append(reinterpret_cast<const char*>(&height), sizeof height);
  }
  write("a.img", data);
  const std::string label = R"(<?xml version="1.0" encoding="UTF-8"?>
<Product_Observational xmlns="http://pds.nasa.gov/pds4/pds/v1">
  <File_Area_Observational>
    <File><file_name>a.img</file_name></File>
    <Array_2D_Image>
      <offset unit="byte">0</offset>
      <axes>2</axes>
      <axis_index_order>Last Index Fastest</axis_index_order>
      <Element_Array>
        <data_type>IEEE754LSBSingle</data_type>
        <scaling_factor>2</scaling_factor>
        <value_offset>10</value_offset>
      </Element_Array>
      <Axis_Array><axis_name>Line</axis_name><elements>2</elements>
        <sequence_number>1</sequence_number></Axis_Array>
      <Axis_Array><axis_name>Sample</axis_name><elements>3</elements>
        <sequence_number>2</sequence_number></Axis_Array>
    </Array_2D_Image>
  </File_Area_Observational>
</Product_Observational>
)";
  const Dem dem = read("a.xml", label, {.image = DemOptions::ImageScale{.pixel = 4}});
  EXPECT_EQ(dem.field->grid().spacing, 4);
  EXPECT_EQ(values_of(dem), (std::vector<double>{18, 20, 22, 12, 14, 16}));
}

TEST_F(DemFileTest, SecondBandIsLeftWithANote) {
  TiffSample sample = small_;
  sample.bands = 2;
  sample.values = {1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60};
  const Dem dem = read("a.tif", tiff_bytes(sample));
  EXPECT_EQ(values_of(dem), (std::vector<double>{4, 5, 6, 1, 2, 3}));
  EXPECT_THAT(dem.notes, Contains(HasSubstr("first of 2 bands")));
}

TEST_F(DemFileTest, HolesAreFilledAsAsked) {
  TiffSample sample = small_;
  sample.nx = sample.ny = 3;
  sample.values = {1, 2, 3, 2, -9999, 4, 3, 4, NAN};
  sample.no_data = "-9999";
  const std::string bytes = tiff_bytes(sample);
  const Dem smooth = read("a.tif", bytes);
  EXPECT_NEAR(smooth.field->values()[4], 3, 1e-11);  // mean of 2, 2, 4, 4; measured 0
  EXPECT_NEAR(smooth.field->values()[2], 4, 1e-11);  // measured 0
  EXPECT_THAT(smooth.notes, Contains(HasSubstr("2 of 9 nodes had no data")));
  const Dem nearest = read("a.tif", bytes, {.no_data = NoDataFill::nearest});
  EXPECT_EQ(nearest.field->values()[2], 4);
  try {
    read("a.tif", bytes, {.no_data = NoDataFill::refuse});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("2 of 9"));
  }
}

TEST_F(DemFileTest, TransparentPixelsHaveNoData) {
  TiffSample sample = small_;
  sample.bands = 2;
  sample.alpha = true;
  sample.bits = 16, sample.sample_format = 1;
  sample.values = {7, 65535, 7, 65535, 7, 65535, 7, 65535, 99, 0, 7, 65535};
  const Dem dem = read("a.tif", tiff_bytes(sample));
  EXPECT_EQ(values_of(dem), std::vector<double>(6, 7));
  EXPECT_THAT(dem.notes, Contains(HasSubstr("1 of 6 nodes had no data")));
}

TEST_F(DemFileTest, UndeclaredNoDataIsNoticed) {
  TiffSample sample = small_;
  sample.values[4] = -3.4e38;
  const Dem dem = read("a.tif", tiff_bytes(sample));
  EXPECT_THAT(dem.notes, Contains(HasSubstr("1 heights beyond 1e9 m")));
  EXPECT_GT(dem.field->values()[1], 1);
}

TEST_F(DemFileTest, ResamplingKeepsAPlane) {
  std::vector<double> values;
  for (int r = 0; r < 40; ++r) {
    for (int c = 0; c < 50; ++c) values.push_back(0.5 * c - 0.25 * (39 - r));
  }
  const std::string bytes = ascii_grid(50, 40, 1, values);
  for (const double spacing : {0.4, 1.7, 6.0}) {
    const Dem dem = read("a.asc", bytes, {.resample = spacing});
    const GridSpec& grid = dem.field->grid();
    EXPECT_EQ(grid.spacing, spacing);
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i < grid.nx; ++i) {
        EXPECT_NEAR(dem.field->values()[grid.index(i, j)], Vec2(0.5, -0.25).dot(grid.node(i, j)),
                    1e-12);  // measured 6e-14
      }
    }
  }
}

TEST_F(DemFileTest, NothingIsWrittenBesideTheFile) {
  read("a.tif", tiff_bytes(small_));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    files += entry.is_regular_file();
  }
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace grouser::internal
