#include "contact/bbcc/closed_forms_rims.h"

#include "contact/bbcc/closed_forms_rim.h"

namespace grouser {
namespace {

constexpr double kParallel = 1e-9;
// By how much a search starts off a direction at which the overlap has a kink [rad].
constexpr double kPush = 0.002;
constexpr double kLongestStep = 0.3;  // [rad]
constexpr int kMostRimSteps = 12;

Double4 smaller(const Double4& a, const Double4& b) { return a < b ? a : b; }
bool any(const Bits4& lanes) { return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0; }

/// The overlap along n, its gradient made homogeneous, and what they are made of.
struct Overlap {
  Double4 along_a, along_b;      // cosines
  Double4 inverse_a, inverse_b;  // 1 / sines; 0 if parallel
  Points4 gradient;
  Double4 value;

  Overlap(const RimPair& rims, const Points4& n) {
    const Points4 a = all4(rims.a), b = all4(rims.b);
    along_a = dot(a, n);
    along_b = dot(b, n);
    inverse_a = inverse_sine(along_a);
    inverse_b = inverse_sine(along_b);
    gradient = all4(rims.q) + rims.radius_a * inverse_a * (n - along_a * a) +
               rims.radius_b * inverse_b * (n - along_b * b);
    value = dot(gradient, n);
  }

  static Double4 inverse_sine(const Double4& cosine) {
    const Double4 square = 1 - cosine * cosine, none{};
    return square > none + kParallel * kParallel ? 1 / square_roots(square) : none;
  }
};

/// A step in the directions u and v across n.
struct Step {
  Double4 u, v;

  Double4 length2() const { return u * u + v * v; }
};

/// Down the slope where the overlap is not convex.
Step newton_step(const Double4& slope_u, const Double4& slope_v, const Double4& h_uu,
                 const Double4& h_uv, const Double4& h_vv, double radii) {
  const Double4 det = h_uu * h_vv - h_uv * h_uv, none{};
  const Bits4 is_convex = lanes_as<Bits4>(det > none) & lanes_as<Bits4>(h_uu > none);
  const Double4 by_det = -1 / det;
  Step step = {is_convex != 0 ? by_det * (h_vv * slope_u - h_uv * slope_v) : -slope_u / radii,
               is_convex != 0 ? by_det * (h_uu * slope_v - h_uv * slope_u) : -slope_v / radii};
  const Double4 length2 = step.length2();
  const Double4 scale = length2 > none + kLongestStep * kLongestStep
                            ? kLongestStep / square_roots(length2)
                            : none + 1;
  return {scale * step.u, scale * step.v};
}

}  // namespace

RimStarts rim_starts(const RimPair& rims, const Point3& side_a, const Point3& side_b) {
  const Point3 &a = rims.a, &b = rims.b;
  const Points4 n = {{side_a.x, side_b.x, a.x, b.x},
                     {side_a.y, side_b.y, a.y, b.y},
                     {side_a.z, side_b.z, a.z, b.z}};
  const Points4 end = {{a.x, b.x, a.x, b.x}, {a.y, b.y, a.y, b.y}, {a.z, b.z, a.z, b.z}};
  const Bits4 is_side = {~0ULL, ~0ULL, 0, 0};
  const Double4 radius = {0, 0, rims.radius_a, rims.radius_b}, none{};
  const Overlap overlap(rims, n);
  // Off a side, it falls towards an end if the gradient says so; off an end, if the other's nearest point lies
  // beyond its rim.
  const Points4 outside = overlap.gradient - overlap.value * n;
  const Double4 distance = square_roots(dot(outside, outside));
  const Double4 room = (distance - radius) / (rims.radius_a + rims.radius_b);
  const Double4 push = smaller(room, none + kPush) / distance;
  const Points4 off_side = (none + kPush) * end, off_end = (none - push) * outside;
  const auto choose = [&](const Double4& side, const Double4& other) {
    return is_side != 0 ? side : other;
  };
  const Points4 off = {choose(off_side.x, off_end.x), choose(off_side.y, off_end.y),
                       choose(off_side.z, off_end.z)};
  const Double4 fall = choose(none - dot(overlap.gradient, end), room);
  const Points4 moved = n + off;
  return {1 / square_roots(dot(moved, moved)) * moved, lanes_as<Bits4>(fall > none)};
}

void descend_to_rims(const RimPair& rims, double limit, RimStarts& starts) {
  const Double4 none{};
  Bits4 is_going = starts.is_used;
  Points4& n = starts.n;
  for (int k = 0; k < kMostRimSteps && any(is_going); ++k) {
    const Overlap at(rims, n);
    const Points4 slope = at.gradient - at.value * n;
    // The rims are round along a × n and b × n, the first of which is u.
    const Points4 u = at.inverse_a * cross(all4(rims.a), n), v = cross(n, u);
    const Points4 other = cross(all4(rims.b), n);
    const Double4 other_u = dot(other, u), other_v = dot(other, v);
    const Double4 round = rims.radius_b * at.inverse_b * at.inverse_b * at.inverse_b;
    const Double4 slope_u = dot(slope, u), slope_v = dot(slope, v);
    const Step step = newton_step(
        slope_u, slope_v, rims.radius_a * at.inverse_a + round * other_u * other_u - at.value,
        round * other_u * other_v, round * other_v * other_v - at.value,
        rims.radius_a + rims.radius_b);
    // Twice the fall that the slope promises would not be enough.
    const Double4 hope = at.value + 2 * (slope_u * step.u + slope_v * step.v);
    const Bits4 is_well =
        lanes_as<Bits4>(hope <= none + limit) & lanes_as<Bits4>(at.along_a >= none) &
        lanes_as<Bits4>(at.along_b >= none) & lanes_as<Bits4>(at.inverse_a > none) &
        lanes_as<Bits4>(at.inverse_b > none);
    starts.is_used &= is_well | ~is_going;
    is_going &= is_well;
    const Double4 length2 = step.length2(), scale = 1 / square_roots(1 + length2);
    const Points4 next = scale * (n + step.u * u + step.v * v);
    n = {is_going != 0 ? next.x : n.x, is_going != 0 ? next.y : n.y, is_going != 0 ? next.z : n.z};
    is_going &= lanes_as<Bits4>(length2 >= none + kLastStep * kLastStep);
  }
  starts.is_used &= ~is_going;  // no end in sight
}

}  // namespace grouser
