#include <cassert>
#include <cmath>
#include <numbers>

#include "terrain/elevation_map.h"

namespace grouser::internal {
namespace {

// Four rings at the nodes of Gauss & Legendre in the squared radius, over which the area of a disc
// is even, with eight points each. Such sums are exact for polynomials up to the seventh order.
constexpr int kRings = 4, kSpokes = 8, kSamples = kRings * kSpokes;

struct DiscPattern {
  double x[kSamples], y[kSamples];  // within the unit disc
  double weight[kSamples];          // adds up to 1
};

DiscPattern make_pattern() {
  // Abscissae and weights of order four on (-1, 1): Abramowitz & Stegun (1964), table 25.4.
  constexpr double kNode[kRings] = {-0.861136311594052575, -0.339981043584856265,
                                    0.339981043584856265, 0.861136311594052575};
  constexpr double kWeight[kRings] = {0.347854845137453857, 0.652145154862546143,
                                      0.652145154862546143, 0.347854845137453857};
  DiscPattern pattern;
  for (int ring = 0; ring < kRings; ++ring) {
    const double radius = std::sqrt(0.5 * (1 + kNode[ring]));
    for (int spoke = 0; spoke < kSpokes; ++spoke) {
      // Every other ring is turned by half a step, so that no direction is left out.
      const double angle = 2 * std::numbers::pi / kSpokes * (spoke + 0.5 * (ring % 2));
      const int k = ring * kSpokes + spoke;
      pattern.x[k] = radius * std::cos(angle);
      pattern.y[k] = radius * std::sin(angle);
      pattern.weight[k] = 0.5 * kWeight[ring] / kSpokes;
    }
  }
  return pattern;
}

}  // namespace

// By the symmetry of the pattern 1, x and y are orthogonal, and the mean of x² and y² is 1/4.
GroundPlane ElevationMap::plane_under(const Vec2& centre, double radius) const {
  assert(radius > 0);
  static const DiscPattern pattern = make_pattern();
  double height[kSamples];
  double mean = 0, slope_x = 0, slope_y = 0;
  for (int k = 0; k < kSamples; ++k) {
    height[k] = at(centre.x() + radius * pattern.x[k], centre.y() + radius * pattern.y[k]).height;
    mean += pattern.weight[k] * height[k];
  }
  for (int k = 0; k < kSamples; ++k) {
    const double weighted = 4 * pattern.weight[k] * (height[k] - mean);
    slope_x += weighted * pattern.x[k];
    slope_y += weighted * pattern.y[k];
  }
  double squares = 0;
  for (int k = 0; k < kSamples; ++k) {
    const double rest = height[k] - mean - slope_x * pattern.x[k] - slope_y * pattern.y[k];
    squares += pattern.weight[k] * rest * rest;
  }
  const Vec3 normal = Vec3(-slope_x / radius, -slope_y / radius, 1).normalized();
  return {mean, normal, std::sqrt(squares)};
}

}  // namespace grouser::internal
