#pragma once

#include <string>
#include <vector>

#include "contact/scm/options.h"
#include "math/spatial.h"
#include "rigs/soil_tests.h"
#include "terrain/soil.h"

/// A bevameter in soft soil: plates are pressed in, and a ring is turned under load. It moves so slowly
/// that only the soil's strength counts; no soil is laid down around it. docs/rigs.md.
namespace grouser::internal {

/// A flat plate, either kind.
struct Plate {
  double radius = 0;         ///< of a disc [m]; 0: a rectangle
  Vec2 size = Vec2::Zero();  ///< of a rectangle: along x and y [m]

  double area() const;  ///< [m²]
  /// b of Bekker's law [m]: the radius of a disc, the short side of a rectangle.
  double width() const;
};

struct BevameterSpec {
  Soil soil = find_soil("dlr_a");
  std::vector<Plate> plates = {{.radius = 0.075}, {.radius = 0.15}};
  double spacing = 0.005;      ///< of the soil's grid [m], 1e-4 ... 1
  Vec2 offset = Vec2::Zero();  ///< of the plate's middle from a node of the grid [m]
  double depth = 0.06;         ///< that plates are pressed to [m], > 0
  int points = 60;             ///< of each first loading, 3 ... 100000
  int cycles = 0;              ///< of unloading and loading again on the way, 0 ... 1000

  double ring_inner = 0.10;  ///< radii of the shear ring [m], 0 < inner < outer
  double ring_outer = 0.125;
  std::vector<double> stresses = {5e3, 10e3, 20e3};  ///< normal stresses of shear tests [Pa], > 0
  double travel = 0.06;                              ///< of the ring at its mean radius [m], > 0
  int shear_points = 100;                            ///< of a shear test, 3 ... 100000
  ScmOptions scm;
};

/// Throws Error(input) naming every field out of range.
void validate(const BevameterSpec& spec);

/// A plate pressed in.
struct PlateCurve {
  Plate plate;
  PlateTest test;  ///< pressures are force over area()
};

/// The soil's force on the plate over its sinkage, point by point down to the depth.
PlateCurve press(const BevameterSpec& spec, const Plate& plate);

/// A ring under a constant normal stress [Pa], turned. Shear stress is the torque over that of an even
/// stress, 2π/3 (R³ - r³); displacement that of the mean radius. Throws Error(input) if the soil does not
/// carry that stress at any depth up to the ring's outer radius.
ShearTest shear(const BevameterSpec& spec, double normal_stress);

struct BevameterTests {
  std::vector<PlateCurve> plates;
  std::vector<ShearTest> shear;
};

/// All plates and all stresses.
BevameterTests run_bevameter(const BevameterSpec& spec);

/// The plates' tests alone, as identify_plates() takes them: first loadings, without unloading and reloading.
std::vector<PlateTest> plate_tests(const BevameterTests& tests);

}  // namespace grouser::internal
