#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rigs/csv_table.h"

namespace grouser::internal {

struct PlatePoint {
  double sinkage = 0;   ///< z [m], positive down
  double pressure = 0;  ///< mean over the plate [Pa]
};

/// A plate pressed into the ground once.
struct PlateTest {
  std::string trial;  ///< as the file names it, or its number there
  double width = 0;   ///< b of Bekker's law [m]: radius of a disc, short side of a rectangle
  bool disc = true;   ///< for showing the size; the law knows b only
  std::string file;   ///< where it stands, for messages
  int line = 0;       ///< where it begins there
  std::vector<PlatePoint> points;  ///< in the order of the file
};

struct ShearPoint {
  double normal_stress = 0;  ///< p [Pa], > 0
  double displacement = 0;   ///< j [m]
  double shear_stress = 0;   ///< τ [Pa]
};

/// A shear head moved once.
struct ShearTest {
  std::string trial;
  std::string file;
  int line = 0;
  std::vector<ShearPoint> points;
};

struct SoilTestOptions {
  /// Columns that tell trials apart beside `trial`, e.g. the box or the day.
  std::vector<std::string> group;
};

/// Plate tests from a table with the columns plate_diameter or plate_width (with plate_length if
/// there are forces), sinkage, and force or pressure; each name ends in its unit, _m or _mm, _N,
/// _Pa or _kPa. Lines with the same `trial`, group and plate, which must be in one piece, make a
/// test; without a column `trial`, a change of group or plate begins the next one. If there are
/// both, pressures are taken and not forces. Columns of other names are ignored, which is logged.
/// Throws Error(input) naming line, column, value and what is legal for everything that is wrong.
std::vector<PlateTest> plate_tests(const CsvTable& table, const SoilTestOptions& options = {});

/// Shear tests, from normal_stress, displacement and shear_stress. Without a column `trial`, a
/// change of normal stress begins the next test.
std::vector<ShearTest> shear_tests(const CsvTable& table, const SoilTestOptions& options = {});

}  // namespace grouser::internal
