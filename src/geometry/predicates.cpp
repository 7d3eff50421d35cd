#include "geometry/predicates.h"

#include <cmath>
#include <limits>

namespace grouser::internal {
namespace {

/// Unevaluated sum of two doubles, the second within rounding of the first: 106 bits.
struct Pair {
  double high, low;
};

Pair sum(double a, double b) {  // exact; Knuth
  const double high = a + b;
  const double part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}

Pair operator+(const Pair& a, const Pair& b) {
  const Pair high = sum(a.high, b.high), low = sum(a.low, b.low);
  const Pair first = sum(high.high, high.low + low.high);
  return sum(first.high, first.low + low.low);
}

Pair operator-(const Pair& a, const Pair& b) { return a + Pair{-b.high, -b.low}; }

Pair operator*(const Pair& a, const Pair& b) {
  const double high = a.high * b.high;
  const double low = std::fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high);
  return sum(high, low);
}

int sign(double x) { return (x > 0) - (x < 0); }

int sign(const Pair& value, double terms) {
  return std::abs(value.high) <= 0x1p-90 * terms ? 0 : sign(value.high);
}

// Rounding of a determinant, over the sum of the magnitudes of its terms: that of each term (3 or 7
// operations of ε/2 each), with room to spare.
constexpr double kFlatBound = 4 * std::numeric_limits<double>::epsilon();
constexpr double kSolidBound = 8 * std::numeric_limits<double>::epsilon();

}  // namespace

int orientation(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a, v = c - a;
  const double left = u.x() * v.y(), right = u.y() * v.x();
  const double terms = std::abs(left) + std::abs(right);
  if (std::abs(left - right) > kFlatBound * terms) return sign(left - right);

  const Pair ux = sum(b.x(), -a.x()), uy = sum(b.y(), -a.y());
  const Pair vx = sum(c.x(), -a.x()), vy = sum(c.y(), -a.y());
  return sign(ux * vy - uy * vx, terms);
}

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double value = u.cross(v).dot(w);
  const Vec3 U = u.cwiseAbs(), V = v.cwiseAbs(), W = w.cwiseAbs();
  const double terms = (U.y() * V.z() + U.z() * V.y()) * W.x() +
                       (U.z() * V.x() + U.x() * V.z()) * W.y() +
                       (U.x() * V.y() + U.y() * V.x()) * W.z();
  if (std::abs(value) > kSolidBound * terms) return sign(value);

  const auto difference = [](const Vec3& p, const Vec3& q, int k) { return sum(p[k], -q[k]); };
  const Pair ux = difference(b, a, 0), uy = difference(b, a, 1), uz = difference(b, a, 2);
  const Pair vx = difference(c, a, 0), vy = difference(c, a, 1), vz = difference(c, a, 2);
  const Pair wx = difference(d, a, 0), wy = difference(d, a, 1), wz = difference(d, a, 2);
  const Pair exact = (uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz;
  return sign(exact, terms);
}

}  // namespace grouser::internal
