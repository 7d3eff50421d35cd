#include "contact/scm/cell_kernels.h"

#include <cmath>
#include <numbers>

#include "math/double4.h"
#include "math/lesser.h"
#include "math/power.h"

namespace grouser::internal::kernels {
namespace {

template <class T>
struct Triple {
  T x{}, y{}, z{};
};

Vec3 total(const Triple<Double4>& lanes, const Triple<double>& rest) {
  return {sum(lanes.x) + rest.x, sum(lanes.y) + rest.y, sum(lanes.z) + rest.z};
}

/// Of forces at arms, one or four at a time.
template <class T>
struct WrenchSum {
  Triple<T> torque, force;

  void add(const Triple<T>& r, const Triple<T>& f) {
    force = {force.x + f.x, force.y + f.y, force.z + f.z};
    torque = {torque.x + (r.y * f.z - r.z * f.y), torque.y + (r.z * f.x - r.x * f.z),
              torque.z + (r.x * f.y - r.y * f.x)};
  }
};

/// The two factors of bearing(): what Mohr's circle gives, and the exponent 2 Θ tan φ. On its own, as what is
/// written must not be seen to overlap.
void turn_stress(std::size_t count, const CellGeometry& geometry, const CellShear& cells,
                 double* __restrict part, double* __restrict turned) {
  const double *pressure = cells.pressure, *cohesion = cells.cohesion;
  const double *tan_friction = cells.tan_friction, *mobilised = cells.mobilised;
  const double *along_z = cells.along_z, *stretch = geometry.stretch;
  constexpr double kNothing = 1e-30;  // [Pa]: without stress there is no direction
  constexpr double kMost = 10;        // tan φ: beyond it next to nothing bears
  for (std::size_t k = 0; k < count; ++k) {
    const double p = pressure[k] + kNothing, m = mobilised[k];
    const double t = lesser((cohesion[k] + p * tan_friction[k]) / p, kMost);
    // Mohr's circle at its limit, touched at the angle δ with tan δ = m tan φ: 2ε = δ + asin(sin δ/sin φ).
    const double mt = m * t, secant = std::sqrt(1 + t * t);
    const double cos2 = (std::sqrt(greater(1 - m * m, 0.0)) - m * mt * secant) / (1 + mt * mt);
    const double cosine = std::sqrt(greater(0.5 + 0.5 * cos2, 0.0));
    const double lean = std::sqrt(greater(0.5 - 0.5 * cos2, 0.0));
    // Downward part of the direction of the largest stress: from the normal towards where the body slides.
    const double down = cosine / stretch[k] - lean * along_z[k] / (m + kNothing);
    // Θ = 2 atan(y/x); halved three times more, its tangent is small enough for a short series. x² + y² = 2.
    const double y = std::sqrt(greater(1 - down, 0.0)), x = std::sqrt(greater(1 + down, 0.0));
    double w = x + std::numbers::sqrt2;
    w += std::sqrt(w * w + y * y);
    w += std::sqrt(w * w + y * y);
    const double h = y / w, q = h * h;  // q < 0.0396: the first term left out is below 1e-14
    double sum = 1.0 / 17;
    sum = 1.0 / 15 - q * sum;
    sum = 1.0 / 13 - q * sum;
    sum = 1.0 / 11 - q * sum;
    sum = 1.0 / 9 - q * sum;
    sum = 1.0 / 7 - q * sum;
    sum = 1.0 / 5 - q * sum;
    sum = 1.0 / 3 - q * sum;
    turned[k] = 2 * t * 16 * (h - h * q * sum);
    part[k] = (secant + t * cos2) / (secant + t);
  }
}

}  // namespace

void damp(std::size_t count, const CellGeometry& cells, const Twist& V_WB, double damping,
          double* __restrict pressure) {
  const Vec3 v = V_WB.linear, w = V_WB.angular;
  const double vx = v.x(), vy = v.y(), vz = v.z(), wx = w.x(), wy = w.y(), wz = w.z();
  const double *x = cells.x, *y = cells.y, *z = cells.z;
  const double *sx = cells.slope_x, *sy = cells.slope_y, *stretch = cells.stretch;
  for (std::size_t k = 0; k < count; ++k) {
    const double ux = vx + wy * z[k] - wz * y[k];
    const double uy = vy + wz * x[k] - wx * z[k];
    const double uz = vz + wx * y[k] - wy * x[k];
    const double closing = (ux * sx[k] + uy * sy[k] - uz) / stretch[k];
    const double damped = pressure[k] + damping * closing;
    pressure[k] = damped > 0 ? damped : 0;
  }
}

void find_steps(std::size_t count, const CellGeometry& cells, const Pose& X_back,
                const Vec3& origin, const double* modulus, double* __restrict step_x,
                double* __restrict step_y, double* __restrict in_moduli) {
  // Of a point at arm r: (1 - R) r + d, d the way of the body's origin.
  const Mat3 A = Mat3::Identity() - X_back.R;
  const Vec3 d = origin - X_back * origin;
  const double axx = A(0, 0), axy = A(0, 1), axz = A(0, 2), dx = d.x();
  const double ayx = A(1, 0), ayy = A(1, 1), ayz = A(1, 2), dy = d.y();
  const double azx = A(2, 0), azy = A(2, 1), azz = A(2, 2), dz = d.z();
  const double *x = cells.x, *y = cells.y, *z = cells.z;
  const double *sx = cells.slope_x, *sy = cells.slope_y, *stretch = cells.stretch;
  for (std::size_t k = 0; k < count; ++k) {
    const double px = axx * x[k] + axy * y[k] + axz * z[k] + dx;
    const double py = ayx * x[k] + ayy * y[k] + ayz * z[k] + dy;
    const double pz = azx * x[k] + azy * y[k] + azz * z[k] + dz;
    const double normal = (px * sx[k] + py * sy[k] - pz) / (stretch[k] * stretch[k]);
    const double ux = px - normal * sx[k], uy = py - normal * sy[k];
    step_x[k] = ux;
    step_y[k] = uy;
    in_moduli[k] = std::sqrt(ux * ux + uy * uy) / modulus[k];
  }
}

void bend(std::size_t count, const CellSteps& steps, double* __restrict shear_x,
          double* __restrict shear_y, double* __restrict mobilised) {
  const double *x = steps.x, *y = steps.y, *s = steps.s, *slid = steps.slid;
  const double* modulus = steps.modulus;
  for (std::size_t k = 0; k < count; ++k) {
    const double left = 1 - slid[k], gained = s[k] > 0 ? slid[k] / s[k] : 1;
    const double zx = left * shear_x[k] + gained * x[k], zy = left * shear_y[k] + gained * y[k];
    shear_x[k] = zx;
    shear_y[k] = zy;
    mobilised[k] = lesser(1, std::sqrt(zx * zx + zy * zy) / modulus[k]);
  }
}

void lift(std::size_t count, const CellGeometry& cells, const double* jx, const double* jy,
          const double* part, double* __restrict x, double* __restrict y, double* __restrict z) {
  const double *sx = cells.slope_x, *sy = cells.slope_y;
  for (std::size_t k = 0; k < count; ++k) {
    const double jz = jx[k] * sx[k] + jy[k] * sy[k];
    const double length = std::sqrt(jx[k] * jx[k] + jy[k] * jy[k] + jz * jz);
    const double scale = length > 0 ? part[k] / length : 0;
    x[k] = scale * jx[k];
    y[k] = scale * jy[k];
    z[k] = scale * jz;
  }
}

void bearing(std::size_t count, const CellGeometry& geometry, const CellShear& cells,
             double* __restrict part, double* __restrict turned) {
  turn_stress(count, geometry, cells, part, turned);
  one_minus_exp(turned, count, turned);
  for (std::size_t k = 0; k < count; ++k) part[k] *= 1 - turned[k];
}

void deepest_alike(std::size_t count, const double* sinkage, const double* part,
                   const double* exponent, double unloading, double* __restrict power_of,
                   double* __restrict deepest) {
  // With w = 1 - d = z/z_m: 1 - κ d = i wⁿ. Newton's method: one step with the series of wⁿ to the third
  // order, from where the first leads, and one with the power itself; d <= 1/κ, and less than 1e-9 is
  // left.
  for (std::size_t k = 0; k < count; ++k) {
    const double i = part[k], n = exponent[k];
    const double first = unloading - i * n, second = 0.5 * i * n * (n - 1), third = (n - 2) / 3;
    const double d = (1 - i) / first;
    const double value = second * d * d * (1 - third * d);
    deepest[k] = 1 - d + value / (first + second * d * (2 - 3 * third * d));
  }
  power(deepest, exponent, count, power_of);
  for (std::size_t k = 0; k < count; ++k) {
    const double w = deepest[k], borne = part[k] * power_of[k];
    deepest[k] = w - (1 - unloading * (1 - w) - borne) / (unloading - exponent[k] * borne / w);
  }
  for (std::size_t k = 0; k < count; ++k) deepest[k] = sinkage[k] / deepest[k];
}

void forces(std::size_t count, const CellGeometry& cells, const CellStress& stress, bool paper,
            double* __restrict fx, double* __restrict fy, double* __restrict fz) {
  const double *area = stress.area, *pressure = stress.pressure;
  const double *cohesion = stress.cohesion, *tan_friction = stress.tan_friction;
  const double *ax = stress.along_x, *ay = stress.along_y, *az = stress.along_z;
  const double *sx = cells.slope_x, *sy = cells.slope_y, *stretch = cells.stretch;
  for (std::size_t k = 0; k < count; ++k) {
    const double strength = cohesion[k] + pressure[k] * tan_friction[k];
    const double across = paper ? strength : pressure[k];
    const double shear = strength * stretch[k];
    fx[k] = -area[k] * (across * sx[k] + shear * ax[k]);
    fy[k] = -area[k] * (across * sy[k] + shear * ay[k]);
    fz[k] = area[k] * (pressure[k] - shear * az[k]);
  }
}

Wrench sum_of(std::size_t count, const CellGeometry& cells, const double* fx, const double* fy,
              const double* fz) {
  WrenchSum<Double4> lanes;
  WrenchSum<double> rest;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    lanes.add({load4(&cells.x[k]), load4(&cells.y[k]), load4(&cells.z[k])},
              {load4(&fx[k]), load4(&fy[k]), load4(&fz[k])});
  }
  for (; k < count; ++k) rest.add({cells.x[k], cells.y[k], cells.z[k]}, {fx[k], fy[k], fz[k]});
  return {.torque = total(lanes.torque, rest.torque), .force = total(lanes.force, rest.force)};
}

Vec3 middle_of(std::size_t count, const double* weight, const double* x, const double* y,
               const double* z) {
  Triple<Double4> lanes;
  Triple<double> rest;
  Double4 lanes_weight{};
  double rest_weight = 0;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const Double4 w = load4(&weight[k]);
    lanes = {lanes.x + w * load4(&x[k]), lanes.y + w * load4(&y[k]), lanes.z + w * load4(&z[k])};
    lanes_weight += w;
  }
  for (; k < count; ++k) {
    rest = {rest.x + weight[k] * x[k], rest.y + weight[k] * y[k], rest.z + weight[k] * z[k]};
    rest_weight += weight[k];
  }
  return total(lanes, rest) / (sum(lanes_weight) + rest_weight);
}

void to_samples(std::size_t count, const SampleFrame& frame, double* __restrict x,
                double* __restrict y) {
  const double scale = frame.per_cell / frame.spacing, first = 0.5 * (frame.per_cell - 1);
  const double ox = frame.origin_x, oy = frame.origin_y;
  for (std::size_t n = 0; n < count; ++n) {
    x[n] = (x[n] - ox) * scale + first;
    y[n] = (y[n] - oy) * scale + first;
  }
}

void depths(std::size_t count, const SampleFrame& frame, const double* x, const double* y,
            const double* z, double* __restrict depth) {
  const double inverse = 1 / frame.per_cell, first = 0.5 * (frame.per_cell - 1);
  const double last_u = frame.nx - 1, last_v = frame.ny - 1;
  const std::int32_t nx = frame.nx, last_i = frame.nx - 2, last_j = frame.ny - 2;
  const double* heights = frame.heights;
  for (std::size_t n = 0; n < count; ++n) {
    const double u = (x[n] - first) * inverse, v = (y[n] - first) * inverse;
    const double uc = lesser(greater(u, 0), last_u), vc = lesser(greater(v, 0), last_v);
    const auto fi = static_cast<std::int32_t>(uc), fj = static_cast<std::int32_t>(vc);
    const std::int32_t i = fi < last_i ? fi : last_i, j = fj < last_j ? fj : last_j;
    const double a = uc - i, b = vc - j;
    const std::int32_t k = i + j * nx;
    const double low = (1 - a) * heights[k] + a * heights[k + 1];
    const double high = (1 - a) * heights[k + nx] + a * heights[k + nx + 1];
    depth[n] = (1 - b) * low + b * high - z[n];
  }
}

void set_up(std::size_t count, const FacetCorners& corners, std::int32_t sx, std::int32_t sy,
            FacetSetup* __restrict setup) {
  const std::int32_t *ia = corners.a, *ib = corners.b, *ic = corners.c, *id = corners.d;
  const double *x = corners.x, *y = corners.y, *z = corners.z;
  FacetSetup& s = *setup;
  const double end_x = sx, end_y = sy, last_x = sx - 1, last_y = sy - 1;
  for (std::size_t f = 0; f < count; ++f) {
    const std::int32_t a = ia[f], b = ib[f], c = ic[f], d = id[f];
    const double ax = x[a], ay = y[a], az = z[a];
    const double bx = x[b] - ax, by = y[b] - ay, bz = z[b] - az;  // from the first corner
    const double cx = x[c] - ax, cy = y[c] - ay, cz = z[c] - az;
    const double dx = x[d] - ax, dy = y[d] - ay, dz = z[d] - az;
    const double gx = dx - bx, gy = dy - by, gz = dz - bz;  // second diagonal; the first is c
    const double inverse = 1 / (cx * gy - cy * gx);
    s.x[f] = ax;
    s.y[f] = ay;
    s.z[f] = az;
    s.ex[0][f] = -by * inverse;
    s.ey[0][f] = bx * inverse;
    s.ex[1][f] = (by - cy) * inverse;
    s.ey[1][f] = (cx - bx) * inverse;
    s.e1[f] = (cy * bx - cx * by) * inverse;
    s.ex[2][f] = (cy - dy) * inverse;
    s.ey[2][f] = (dx - cx) * inverse;
    s.e2[f] = (dy * cx - dx * cy) * inverse;
    s.ex[3][f] = dy * inverse;
    s.ey[3][f] = -dx * inverse;
    s.zx[f] = (cz * gy - cy * gz) * inverse;
    s.zy[f] = (cx * gz - cz * gx) * inverse;
    const double x_low = ax + lesser(lesser(0, bx), lesser(cx, dx));
    const double x_high = ax + greater(greater(0, bx), greater(cx, dx));
    const double y_low = ay + lesser(lesser(0, by), lesser(cy, dy));
    const double y_high = ay + greater(greater(0, by), greater(cy, dy));
    s.i0[f] = static_cast<std::int32_t>(std::ceil(lesser(greater(x_low, 0), end_x)));
    s.j0[f] = static_cast<std::int32_t>(std::ceil(lesser(greater(y_low, 0), end_y)));
    s.i1[f] = static_cast<std::int32_t>(std::floor(greater(lesser(x_high, last_x), -1)));
    s.j1[f] = static_cast<std::int32_t>(std::floor(greater(lesser(y_high, last_y), -1)));
  }
}

}  // namespace grouser::internal::kernels
