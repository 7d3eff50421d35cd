#include "contact/wheel/bwr_integral.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/power.h"
#include "math/sin_cos.h"

namespace grouser::internal {
namespace {

constexpr std::array<double, 5> kFivePoints = {-0.9061798459386640, -0.5384693101056831, 0,
                                               0.5384693101056831, 0.9061798459386640};
constexpr std::array<double, 5> kFiveWeights = {0.2369268850561891, 0.4786286704993665,
                                                0.5688888888888889, 0.4786286704993665,
                                                0.2369268850561891};
constexpr std::array<double, 8> kEightPoints = {
    -0.9602898564975363, -0.7966664774136267, -0.5255324099163290, -0.1834346424956498,
    0.1834346424956498,  0.5255324099163290,  0.7966664774136267,  0.9602898564975363};
constexpr std::array<double, 8> kEightWeights = {
    0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.3626837833783620,
    0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

/// A rule on (-1, 1), moved to (0, 1) and repeated on equal parts of it.
template <std::size_t N, std::size_t Parts>
struct Repeated {
  std::array<double, N * Parts> points, weights;

  constexpr Repeated(const std::array<double, N>& x, const std::array<double, N>& w) {
    for (std::size_t part = 0; part < Parts; ++part) {
      for (std::size_t k = 0; k < N; ++k) {
        points[part * N + k] = (2.0 * static_cast<double>(part) + 1 + x[k]) / (2.0 * Parts);
        weights[part * N + k] = w[k] / (2.0 * Parts);
      }
    }
  }
};

constexpr Repeated<5, 8> kFine(kFivePoints, kFiveWeights);
constexpr Repeated<8, 1> kFast(kEightPoints, kEightWeights);

constexpr std::size_t kMaxArcs = 2 * kMaxBwrPoints;
using Numbers = std::array<double, kMaxArcs>;

/// Arcs of the contact: behind the peak, then ahead of it, where stresses have a kink.
struct Arcs {
  std::size_t count = 0;
  Numbers theta, dtheta, sine, cosine;
  Numbers depth;  ///< at which plates have the pressure of the arc [m]
};

void lay_arcs(double radius, const BwrAngles& angles, const BwrRule& rule, Arcs& arcs) {
  const std::size_t n = rule.points.size();
  arcs.count = 2 * n;
  Numbers mirrored, mirrored_sine, mirrored_cosine;
  for (std::size_t k = 0; k < n; ++k) {
    // θ = end + (peak - end) u²: at an end the pressure begins as a power of the way, which u makes smooth.
    const double u = rule.points[k], way = u * u, step = 2 * u * rule.weights[k];
    arcs.theta[k] = angles.exit + (angles.peak - angles.exit) * way;
    arcs.dtheta[k] = step * (angles.peak - angles.exit);
    arcs.theta[n + k] = angles.entry + (angles.peak - angles.entry) * way;
    arcs.dtheta[n + k] = step * (angles.entry - angles.peak);
    mirrored[k] = angles.entry - way * (angles.entry - angles.peak);
  }
  sin_cos(arcs.theta.data(), arcs.count, arcs.sine.data(), arcs.cosine.data());
  sin_cos(mirrored.data(), n, mirrored_sine.data(), mirrored_cosine.data());
  const double cos_entry = std::cos(angles.entry);
  for (std::size_t k = 0; k < n; ++k) {
    arcs.depth[k] = radius * std::max(0.0, mirrored_cosine[k] - cos_entry);
    arcs.depth[n + k] = radius * std::max(0.0, arcs.cosine[n + k] - cos_entry);
  }
}

}  // namespace

BwrRule fine_bwr_rule() { return {kFine.points, kFine.weights}; }
BwrRule fast_bwr_rule() { return {kFast.points, kFast.weights}; }

BwrAngles bwr_angles(const WheelForm& wheel, const BwrOptions& options, double sinkage,
                     double slip) {
  BwrAngles angles;
  angles.entry = std::acos(1 - sinkage / wheel.radius);
  angles.exit = -std::acos(1 - options.rear * sinkage / wheel.radius);
  angles.peak = (options.peak + options.peak_per_slip * slip) * angles.entry;
  return angles;
}

WheelReaction bwr_integral(const WheelForm& wheel, const WheelSoil& soil, const BwrOptions& options,
                           const BwrContact& contact, const BwrRule& rule) {
  const double r = wheel.radius, r_shear = wheel.shear_radius(), b = wheel.width;
  const BwrAngles angles = bwr_angles(wheel, options, contact.sinkage, contact.slip);
  Arcs arcs;
  lay_arcs(r, angles, rule, arcs);
  const std::size_t n = arcs.count;
  const double sin_entry = std::sin(angles.entry), cos_entry = std::cos(angles.entry);
  Numbers exponent, pressure, way_x, way_y, length, moduli, mobilised, across;
  for (std::size_t k = 0; k < n; ++k) {
    const double turned = angles.entry - arcs.theta[k];
    exponent[k] = soil.exponent;
    way_x[k] = r_shear / r * contact.rim * turned - contact.travel * (sin_entry - arcs.sine[k]);
    way_y[k] = contact.side * turned;
    length[k] = std::sqrt(way_x[k] * way_x[k] + way_y[k] * way_y[k]);
    moduli[k] = length[k] / soil.shear_modulus;
  }
  power(arcs.depth.data(), exponent.data(), n, pressure.data());
  one_minus_exp(moduli.data(), n, mobilised.data());
  WheelReaction sum{.sinkage = contact.sinkage};
  for (std::size_t k = 0; k < n; ++k) {
    const double sigma = contact.pressed * soil.stiffness * pressure[k];
    const double tau =
        (soil.cohesion + sigma * soil.tan_friction) * mobilised[k] / std::max(length[k], 1e-300);
    const double area = b * arcs.dtheta[k], tau_x = tau * way_x[k];
    sum.pull += area * (r_shear * tau_x * arcs.cosine[k] - r * sigma * arcs.sine[k]);
    sum.normal += area * (r_shear * tau_x * arcs.sine[k] + r * sigma * arcs.cosine[k]);
    sum.torque += area * r_shear * r_shear * tau_x;
    sum.lateral += area * r_shear * tau * way_y[k];
  }
  if (contact.side == 0) return sum;
  for (std::size_t k = 0; k < n; ++k) moduli[k] = std::abs(way_y[k]) / soil.shear_modulus;
  one_minus_exp(moduli.data(), n, across.data());
  for (std::size_t k = 0; k < n; ++k) {
    const double side = r * std::max(0.0, arcs.cosine[k] - cos_entry);  // depth of the side face
    const double resistance = soil.side_cohesion * side + soil.side_weight * side * side;
    sum.lateral += std::copysign(across[k], way_y[k]) * resistance * (r - side * arcs.cosine[k]) *
                   arcs.dtheta[k];
  }
  return sum;
}

}  // namespace grouser::internal
