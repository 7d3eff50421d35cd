#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "terrain/soil.h"

namespace grouser::internal {
namespace {

// Marks of figures that the source does not give.
constexpr unsigned kNothing = 0;
constexpr unsigned kK = 1;  // shear_modulus
constexpr unsigned kDensity = 2;
constexpr unsigned kBekker = 4;  // sinkage_exponent, cohesive_modulus, frictional_modulus

// One soil as it stands in the literature: angles in degrees, K in millimetres.
struct Row {
  const char* name;
  const char* description;
  double n, k_c, k_phi;  // [-], [N/m^(n+1)], [N/m^(n+2)]
  double c, phi_deg;     // [Pa], [deg]
  double K_mm, density;  // [mm], [kg/m³]
  unsigned estimated;
  const char* validity;
  double least_width = 0, greatest_width = 0;  // of plates (a disc's radius) or wheels [m]
};

struct Source {
  const char* text;
  std::vector<Row> rows;
};

const std::vector<Source>& sources() {
  static const std::vector<Source> all = {
      {"Krenn & Hirzinger, SCM (2008, 2009), after Scharringhausen, DLR internal report (2008)",
       {
           {"dlr_a", "Mars soil simulant DLR-A", 0.63, 2370, 60300, 188, 24.8, 15, 1600,
            kK | kDensity, "bevameter plates of 75 to 150 mm radius", 0.075, 0.15},
           {"dlr_d", "Mars soil simulant DLR-D (MSS-D) of the ExoMars rover tests", 1.8, -6.675e5,
            1.92e8, 13, 13.4, 15, 1600, kK | kDensity, "ExoMars drawbar tests, slip above 40 %"},
       }},
      {"Richter et al., DLR, on the traverses of the Mars Exploration Rovers",
       {
           {"dlr_mechanical", "DLR's mechanical Mars soil simulant", 0.8, 5790, 180000, 300, 17.8,
            10, 1600, kK | kDensity, "the source states no range"},
       }},
      {"Ishigami, Miwa, Nagatani & Yoshida, J. Field Robotics 24 (2007)",
       {
           {"lunar_ishigami", "lunar regolith simulant of single-wheel tests", 1.0, 1370, 8.14e5,
            800, 37.2, 18.5, 1600, kNothing,
            "wheel of 90 mm radius and 100 mm width; K 14 to 23 mm", 0.1, 0.1},
       }},
      {"Heiken, Vaniman & French, Lunar Sourcebook (1991), as used by Richter et al.",
       {
           {"lunar_nominal", "nominal lunar soil", 1.0, 1400, 8.2e5, 170, 35, 17.8, 1600, kDensity,
            "the source states no range"},
       }},
      {"NASA Glenn simulants as fitted for SCM by Hu et al. (2024), arXiv 2405.11001",
       {
           {"grc_1", "lunar simulant GRC-1, sands", 1.27, -2.02e5, 2.99e6, 1587, 21, 18.4, 1710,
            kNothing, "density 1660 to 1760 kg/m³; wheels of 0.2 m width", 0.2, 0.2},
           {"grc_3", "lunar simulant GRC-3, sands and silt", 1.29, -1.55e5, 3.66e6, 2044, 25, 11.4,
            1733, kNothing, "density 1627 to 1839 kg/m³; wheels of 0.2 m width", 0.2, 0.2},
       }},
      {"assumed for the MMX rover: cohesion and friction only, the rest is that of lunar_nominal",
       {
           {"phobos", "surface of Phobos, not yet measured", 1.0, 1400, 8.2e5, 375, 40, 17.8, 1600,
            kK | kDensity | kBekker, "an assumption: cohesion 50 to 700 Pa, friction 30 to 50 deg"},
       }},
      {"Wong, Theory of Ground Vehicles, 4th ed. (2008), table of terrain values",
       {
           {"dry_sand", "dry sand (Land Locomotion Laboratory)", 1.1, 990, 1'528'430, 1040, 28,
            17.5, 1600, kDensity, "dry; K 10 to 25 mm"},
           {"sandy_loam_lll_15", "sandy loam (Land Locomotion Laboratory)", 0.7, 5270, 1'515'040,
            1720, 29, 20, 1600, kK | kDensity, "15 % moisture"},
           {"sandy_loam_lll_22", "sandy loam (Land Locomotion Laboratory)", 0.2, 2560, 43'120, 1380,
            38, 20, 1600, kK | kDensity, "22 % moisture"},
           {"sandy_loam_michigan_11", "sandy loam (Michigan)", 0.9, 52'530, 1'127'970, 4830, 20, 20,
            1600, kK | kDensity, "11 % moisture"},
           {"sandy_loam_michigan_23", "sandy loam (Michigan)", 0.4, 11'420, 808'960, 9650, 35, 20,
            1600, kK | kDensity, "23 % moisture"},
           {"sandy_loam_hanamoto_26", "sandy loam (Hanamoto)", 0.3, 2790, 141'110, 13'790, 22, 20,
            1600, kK | kDensity, "26 % moisture"},
           {"sandy_loam_hanamoto_32", "sandy loam (Hanamoto)", 0.5, 770, 51'910, 5170, 11, 20, 1600,
            kK | kDensity, "32 % moisture"},
           {"clayey_soil_38", "clayey soil (Thailand)", 0.5, 13'190, 692'150, 4140, 13, 20, 1600,
            kK | kDensity, "38 % moisture"},
           {"clayey_soil_55", "clayey soil (Thailand)", 0.7, 16'030, 1'262'530, 2070, 10, 20, 1600,
            kK | kDensity, "55 % moisture"},
           {"heavy_clay_25", "heavy clay (Waterways Experiment Station)", 0.13, 12'700, 1'555'950,
            68'950, 34, 6, 1600, kK | kDensity, "25 % moisture"},
           {"heavy_clay_40", "heavy clay (Waterways Experiment Station)", 0.11, 1840, 103'270,
            20'690, 6, 30, 1600, kK | kDensity, "40 % moisture"},
           {"lean_clay_22", "lean clay (Waterways Experiment Station)", 0.2, 16'430, 1'724'690,
            68'950, 20, 6, 1600, kK | kDensity, "22 % moisture"},
           {"lean_clay_32", "lean clay (Waterways Experiment Station)", 0.15, 1520, 119'610, 13'790,
            11, 30, 1600, kK | kDensity, "32 % moisture"},
           {"lete_sand", "LETE sand", 0.79, 102'000, 5'301'000, 1300, 31.1, 12, 1600, kDensity,
            "moisture not stated"},
           {"upland_sandy_loam", "upland sandy loam", 1.10, 74'600, 2'080'000, 3300, 33.7, 20, 1600,
            kK | kDensity, "51 % moisture"},
           {"rubicon_sandy_loam", "Rubicon sandy loam", 0.66, 6900, 752'000, 3700, 29.8, 20, 1600,
            kK | kDensity, "43 % moisture"},
           {"north_gower_clayey_loam", "North Gower clayey loam", 0.73, 41'600, 2'471'000, 6100,
            26.6, 20, 1600, kK | kDensity, "46 % moisture"},
           {"grenville_loam", "Grenville loam", 1.01, 60, 5'880'000, 3100, 29.8, 20, 1600,
            kK | kDensity, "24 % moisture"},
           {"snow_us", "snow (United States)", 1.6, 4370, 196'720, 1030, 19.7, 30, 300,
            kK | kDensity, "density not stated"},
           {"snow_harrison", "snow (United States, Harrison)", 1.6, 2490, 245'900, 620, 23.2, 30,
            300, kK | kDensity, "density not stated"},
           {"snow_sweden", "snow (Sweden)", 1.44, 10'550, 66'080, 6000, 20.7, 30, 300,
            kK | kDensity, "density not stated"},
       }},
  };
  return all;
}

Soil make_soil(const Row& row, const char* source) {
  Soil soil{.name = row.name,
            .description = row.description,
            .source = source,
            .validity = row.validity,
            .least_width = row.least_width,
            .greatest_width = row.greatest_width,
            .sinkage_exponent = row.n,
            .cohesive_modulus = row.k_c,
            .frictional_modulus = row.k_phi,
            .cohesion = row.c,
            .friction_angle = row.phi_deg * std::numbers::pi / 180,
            .shear_modulus = row.K_mm / 1000,
            .density = row.density,
            .repose_angle = row.phi_deg * std::numbers::pi / 180};
  if (row.estimated & kBekker) {
    soil.estimated = {"sinkage_exponent", "cohesive_modulus", "frictional_modulus"};
  }
  if (row.estimated & kK) soil.estimated.push_back("shear_modulus");
  if (row.estimated & kDensity) soil.estimated.push_back("density");
  soil.estimated.push_back("repose_angle");  // no source gives it
  if (const double width = smallest_plate_width(soil); width > 0) {
    soil.validity += fmt::format("; no pressure under plates of {:.3g} mm and less", 1000 * width);
  }
  return soil;
}

}  // namespace

const std::vector<Soil>& soil_presets() {
  static const std::vector<Soil> soils = [] {
    std::vector<Soil> list;
    for (const Source& source : sources()) {
      for (const Row& row : source.rows) list.push_back(make_soil(row, source.text));
    }
    std::sort(list.begin(), list.end(),
              [](const Soil& a, const Soil& b) { return a.name < b.name; });
    return list;
  }();
  return soils;
}

}  // namespace grouser::internal
