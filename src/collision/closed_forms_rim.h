#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/difference.h"

/// What the closed forms of boxes and cylinders share: witness points, and contacts of a cylinder's rim with a
/// straight edge, seen along the edge: the rim is half an ellipse there.
namespace grouser::internal {

/// The least of several overlaps, each along its own direction.
struct LeastOverlap {
  /// What determines the witness points: the only point of A, that of B, or a line of each.
  enum class Meets { point_of_a, point_of_b, lines };

  double depth;   // [m]
  Point3 normal;  // unit
  Meets meets;
  Point3 line_a, line_b;  // unit, if lines meet
};

/// Where the line p + s u comes nearest to the line q + t v.
inline Point3 nearest_on_line(const Point3& p, const Point3& u, const Point3& q, const Point3& v) {
  const double uv = dot(u, v), sine2 = 1 - uv * uv;
  return sine2 > 0 ? p + dot(q - p, u - uv * v) / sine2 * u : p;
}

/// The two points that the overlap has from each other, one on each solid.
template <class A, class B>
Penetration witness(const A& a, const B& b, const Pose& X_AB, const LeastOverlap& least) {
  using Meets = LeastOverlap::Meets;
  const Point3 normal = least.normal, shift = least.depth * normal;
  const auto on_b = [&] {
    return product(X_AB.R, farthest(b, transposed_product(X_AB.R, normal))) + X_AB.p;
  };
  if (least.meets == Meets::point_of_b) {
    const Point3 p = on_b();
    return {normal, least.depth, p - shift, p};
  }
  Point3 p = farthest(a, -normal);
  if (least.meets == Meets::lines) p = nearest_on_line(p, least.line_a, on_b(), least.line_b);
  return {normal, least.depth, p, p + shift};
}

/// As Point3, in a plane.
struct Point2 {
  double x, y;
};
inline Point2 operator+(const Point2& a, const Point2& b) { return {a.x + b.x, a.y + b.y}; }
inline Point2 operator*(double s, const Point2& a) { return {s * a.x, s * a.y}; }
inline double dot(const Point2& a, const Point2& b) { return a.x * b.x + a.y * b.y; }

/// Overlap along n = (x, y), x² + y² = 1, x and y >= 0: f = Q · n + r √(1 - (A · n)²) + constant.
struct RimEdge {
  Point2 Q;
  Point2 A;  // the cylinder's axis in this plane
  double radius;
  double constant = 0;

  double operator()(const Point2& n) const {
    const double along = dot(A, n);
    return dot(Q, n) + radius * std::sqrt(std::max(0.0, 1 - along * along)) + constant;
  }
  /// The gradient of f, made homogeneous: f = w · n, and w · t is the slope along t across n.
  Point2 gradient(const Point2& n) const {
    const double along = dot(A, n);
    const double across2 = 1 - along * along;
    const Point2 flat = Q + constant * n;
    if (across2 < 1e-18) return flat;
    return flat + radius / std::sqrt(across2) * (n + -along * A);
  }
};

// Halley's method cubes the error: once Newton's step, by angle, would be as small as this one, the next would be
// 1e-11 or so.
inline constexpr double kLastStep = 2e-4;
inline constexpr double kLastHalving = 3e-5;  // [rad]
inline constexpr int kMostSteps = 40;
// What is found by iteration must be better by more than this part to replace what is known exactly.
inline constexpr double kBetter = 1 - 1e-10;

/// Where f may fall below `limit` between two directions, low and high: f lies nowhere below its tangents,
/// and these cross, if they do in between, at the direction returned. False if they cross above the limit.
inline bool may_dip(const Point2& w_low, const Point2& w_high, double limit, Point2& at) {
  const double dx = w_high.x - w_low.x, dy = w_high.y - w_low.y;
  const double length2 = dx * dx + dy * dy;
  const double area = w_low.x * w_high.y - w_low.y * w_high.x;
  if ((area > 0 && area * area >= limit * limit * length2) || dy < 0 || dx > 0) return false;
  if (length2 > 0) {
    const double scale = 1 / std::sqrt(length2);
    at = {scale * dy, -scale * dx};
  } else {  // one corner all the way
    at = {std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2};
  }
  return true;
}

/// Moves n to a least f between `low` and `high` (anticlockwise from it), or to one of these if it falls
/// all the way there; gives up once f has no prospect of falling below `limit`. Halley's method; halves
/// what is left where that fails.
inline void descend(const RimEdge& f, Point2 low, Point2 high, double limit, Point2& n) {
  const double ax = f.A.x, ay = f.A.y, qx = f.Q.x, qy = f.Q.y;
  double x = n.x, y = n.y;
  for (int k = 0; k < kMostSteps; ++k) {
    // With s = A · n and its derivative st: derivatives of √(1 - s²).
    const double s = ax * x + ay * y, st = ay * x - ax * y;
    const double root2 = std::max(1 - s * s, 1e-18), inverse = 1 / std::sqrt(root2);
    const double round = f.radius * inverse, u = s * st, skew = u * inverse;
    const double w = st * st - s * s + skew * skew;
    const double along = qx * x + qy * y, across = qy * x - qx * y;
    const double slope = across - round * u, bend = -along - round * w;
    const double third = round * u * (4 - 3 * inverse * inverse * w) - across;
    (slope < 0 ? low : high) = {x, y};
    bool is_inside = false;
    double to_x = 0, to_y = 0;
    if (bend > 0) {
      // Four times the fall that a parabola promises would not be enough.
      if ((along + round * root2 + f.constant - limit) * bend > 2 * slope * slope) break;
      const double square = bend * bend, better = square - 0.5 * slope * third;
      const double step = -slope * bend / (better > 0.25 * square ? better : square);
      // Turned by twice the angle whose tangent is half the step.
      const double half = 0.5 * step, scale = 1 / (1 + half * half);
      const double cosine = scale * (1 - half * half), sine = scale * step;
      to_x = cosine * x - sine * y;
      to_y = cosine * y + sine * x;
      is_inside = low.x * to_y > low.y * to_x && to_x * high.y > to_y * high.x;
    }
    if (is_inside) {
      x = to_x;
      y = to_y;
      if (slope * slope < kLastStep * kLastStep * bend * bend) break;
    } else {
      const Point2 from = {x, y};
      const double next_x = low.x + high.x, next_y = low.y + high.y;
      const double scale = 1 / std::sqrt(next_x * next_x + next_y * next_y);
      x = scale * next_x;
      y = scale * next_y;
      const double moved2 = (x - from.x) * (x - from.x) + (y - from.y) * (y - from.y);
      if (moved2 < kLastHalving * kLastHalving) break;
    }
  }
  n = {x, y};
}

}  // namespace grouser::internal
