#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "math/spatial.h"

/// Loops over plain arrays that the compiler turns into vector code: no branches, and what is written
/// (the restricted pointers) overlaps nothing else.
namespace grouser::internal::kernels {

/// Where cells are, seen from the body's origin, and how the body's surface stands there.
struct CellGeometry {
  const double *x, *y, *z;          ///< arms from the body's origin [m]
  const double *slope_x, *slope_y;  ///< of the surface [-]
  const double* stretch;            ///< its area over that seen from above [-]
};

/// pressure += damping · speed of penetration, not below 0.
void damp(std::size_t count, const CellGeometry& cells, const Twist& V_WB, double damping,
          double* __restrict pressure);

/// The way that the surface made over the soil since a pose, seen from above [m], and its length over the shear
/// modulus. X_back leads from the present pose to that one, in W.
void find_steps(std::size_t count, const CellGeometry& cells, const Pose& X_back,
                const Vec3& origin, const double* modulus, double* __restrict step_x,
                double* __restrict step_y, double* __restrict in_moduli);

/// What sliding makes of the shear: ShearLaw::bent(). `slid` is 1 - e^-s, s the step over the modulus.
struct CellSteps {
  const double *x, *y;     ///< [m]
  const double *s, *slid;  ///< [-]
  const double* modulus;   ///< [m]
};
void bend(std::size_t count, const CellSteps& steps, double* __restrict shear_x,
          double* __restrict shear_y, double* __restrict mobilised);

/// Unit vectors in the surface over the plane vectors j, times `part`.
void lift(std::size_t count, const CellGeometry& cells, const double* jx, const double* jy,
          const double* part, double* __restrict x, double* __restrict y, double* __restrict z);

/// Stress between body and soil.
struct CellShear {
  const double* pressure;  ///< that Bekker's law gives [Pa]
  const double *cohesion, *tan_friction, *mobilised;
  const double* along_z;  ///< of the mobilised part, as a vector in the surface, what points up
};

/// Part of Bekker's pressure that soil bears under a slanted face, or while it is sheared [-], 0 ... 1:
///     e^(-2 Θ tan φ) (1 + sin φ cos 2ε) / (1 + sin φ).
/// Θ is the angle of the largest principal stress to the vertical, ε that to the face's normal. Prandtl's and
/// Sokolovskii's solution for weightless soil at its limit: from the free ground, where the largest stress is
/// level, to the face the mean stress grows by e^(2 tan φ) per radian that the directions turn. Bekker's level
/// plates, Θ = ε = 0, give 1; an upright wall without friction ShearLaw::passive_part(). Cohesion counts as the
/// friction that gives the same strength at this pressure.
/// Sokolovskii, Statics of Granular Media (1965).
/// `turned` is work space.
void bearing(std::size_t count, const CellGeometry& geometry, const CellShear& cells,
             double* __restrict part, double* __restrict turned);

/// Sinkage [m] that soil must have been pressed to so that now, let up to `sinkage`, it bears just `part` of
/// Bekker's pressure there. For 0 <= part <= 1 and unloading > max(1, exponent).
void deepest_alike(std::size_t count, const double* sinkage, const double* part,
                   const double* exponent, double unloading, double* __restrict power_of,
                   double* __restrict deepest);

struct CellStress {
  const double *area, *pressure, *cohesion, *tan_friction;
  const double *along_x, *along_y, *along_z;  ///< mobilised part of the strength, in the surface
};

/// Forces on the body; `paper`: horizontal pressure as in the papers.
void forces(std::size_t count, const CellGeometry& cells, const CellStress& stress, bool paper,
            double* __restrict fx, double* __restrict fy, double* __restrict fz);

/// Sum of forces, with their torque about the body's origin. The order is fixed, the same on all machines.
Wrench sum_of(std::size_t count, const CellGeometry& cells, const double* fx, const double* fy,
              const double* fz);

/// Weighted mean of places, in a fixed order.
Vec3 middle_of(std::size_t count, const double* weight, const double* x, const double* y,
               const double* z);

/// A window's heights and how to get from metres to samples.
struct SampleFrame {
  const double* heights;
  std::int32_t nx = 0, ny = 0;
  double origin_x = 0, origin_y = 0, spacing = 1, per_cell = 1;
};

/// Positions from metres to samples.
void to_samples(std::size_t count, const SampleFrame& frame, double* __restrict x,
                double* __restrict y);

/// Depths of points, in samples, below the window's heights: bilinear, the border's beyond it.
void depths(std::size_t count, const SampleFrame& frame, const double* x, const double* y,
            const double* z, double* __restrict depth);

/// Facets by the indices of their corners.
struct FacetCorners {
  const std::int32_t *a, *b, *c, *d;
  const double *x, *y, *z;  ///< of the points they index
};

/// What is needed to sample facets, the samples being the points with whole coordinates. A point at (dx, dy)
/// from the first corner is on the inner side of side k if e_k + ex_k dx + ey_k dy >= 0; e_0 and e_3
/// are 0.
struct FacetSetup {
  static constexpr std::size_t kMost = 64;
  using Numbers = std::array<double, kMost>;
  using Counts = std::array<std::int32_t, kMost>;

  Numbers x, y, z;  ///< of the first corner
  std::array<Numbers, 4> ex, ey;
  Numbers e1, e2;
  Numbers zx, zy;         ///< slopes
  Counts i0, i1, j0, j1;  ///< samples within the facet's box, cut to 0 ... sx - 1 and sy - 1
};

/// For count <= FacetSetup::kMost facets. One without area gets numbers that are not finite.
void set_up(std::size_t count, const FacetCorners& corners, std::int32_t sx, std::int32_t sy,
            FacetSetup* __restrict setup);

}  // namespace grouser::internal::kernels
