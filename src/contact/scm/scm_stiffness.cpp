#include "contact/scm/scm_stiffness.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {
namespace {

/// Σ Bᵀ K B of points with arm r, B = (-[r]×, 1), gathered by its three blocks.
struct PointSum {
  Mat3 linear = Mat3::Zero(), mixed = Mat3::Zero(), angular = Mat3::Zero();

  /// K = along · n nᵀ + across · (1 - n nᵀ).
  void add(const Vec3& arm, const Vec3& normal, double along, double across) {
    const Mat3 K = across * Mat3::Identity() + (along - across) * normal * normal.transpose();
    const Mat3 R = skew(arm);
    const Mat3 RK = R * K;
    linear += K;
    mixed += RK;
    angular -= RK * R;
  }

  Mat6 matrix() const {
    Mat6 sum;
    sum << angular, mixed, mixed.transpose(), linear;
    return sum;
  }
};

/// Beyond it the soil slides: as after 5 K straight on.
constexpr double kMostMobilised = 0.993;

}  // namespace

ScmStiffness scm_stiffness(const ScmOptions& options, const ScmScratch& scratch) {
  const ScmScratch::Cells& c = scratch.cells;
  const ContactCells& cells = scratch.footprint.cells;
  const CellLoads& loads = scratch.force.loads;
  const bool janosi = options.shear == ScmOptions::Shear::janosi;
  PointSum stiffness, damping;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Vec3 arm(c.x[k], c.y[k], c.z[k]);
    const Vec3 normal = Vec3(cells.slope_x[k], cells.slope_y[k], -1) / c.stretch[k];
    const double area = c.area[k] * c.stretch[k], pressure = std::max(0.0, loads.pressure[k]);
    const double steepness = std::max(c.exponent[k], options.unloading);
    // Of Bekker's curve at this depth, even where the soil gives way below it. What damping adds to the pressure
    // is no part of that curve: over a yield near zero it would be a stiffness without bound.
    const double curve = c.yields[k] > 0 ? c.undamped[k] / c.yields[k] : 0;
    const double along = loads.sinkage[k] > 0 ? steepness * curve / loads.sinkage[k] : 0;
    const double strength = c.cohesion[k] + pressure * c.tan_friction[k];
    if (janosi) {
      const double m = std::min(c.mobilised[k], kMostMobilised);
      const double secant = m > 1e-9 ? m / -std::log1p(-m) : 1;  // way slid: -K ln(1 - m)
      stiffness.add(arm, normal, area * c.stretch[k] * along,
                    area * strength * secant / c.modulus[k]);
    } else {
      stiffness.add(arm, normal, area * c.stretch[k] * along, 0);
      damping.add(arm, normal, 0, area * strength / options.coulomb_speed);
    }
    if (options.damping > 0) damping.add(arm, normal, area * options.damping, 0);
  }
  return {.stiffness = stiffness.matrix(), .damping = damping.matrix()};
}

}  // namespace grouser::internal
