#include "collision/closed_forms_rims.h"

#include "collision/closed_forms_rim.h"

namespace grouser::internal {
namespace {

constexpr double kLongestStep = 0.5;  // [rad]
// Newton's method squares the error [rad]; less so where the least is nearly flat.
constexpr double kLastRimStep = 1e-5;
constexpr int kMostRimSteps = 24;
constexpr double kAtEnd = 0.01;        // [rad]
constexpr double kLeastSine2 = 1e-18;  // nearer to an axis, its rim has no direction

Double4 larger(const Double4& a, const Double4& b) { return a > b ? a : b; }
Points4 choose(const Bits4& is_first, const Points4& a, const Points4& b) {
  return {is_first != 0 ? a.x : b.x, is_first != 0 ? a.y : b.y, is_first != 0 ? a.z : b.z};
}

/// 1 / √(1 + excess), the excess being small.
Double4 scale_back(const Double4& excess) {
  return 1 + excess * (-0.5 + excess * (0.375 + excess * (-0.3125 + excess * 0.2734375)));
}

/// Of unit vectors that are not far from each other.
Points4 middle(const Points4& a, const Points4& b) {
  const Double4 x = 0.5 * (a.x + b.x), y = 0.5 * (a.y + b.y), z = 0.5 * (a.z + b.z);
  const Double4 scale = scale_back(x * x + y * y + z * z - 1);
  return {scale * x, scale * y, scale * z};
}

/// The overlap along n with its slope and bend in two directions across n: u, which is across z as well, and
/// v = n × u.
struct RimOverlap {
  Double4 value, along_b, least_sine2;
  Double4 ux, uy, vx, vy, vz;
  Double4 slope_u, slope_v;
  Double4 round_uu, round_uv, round_vv;  // of the rims; on the sphere, bends are less by the value

  RimOverlap(const RimPair& rims, const Points4& q, const Points4& n) {
    const auto [bx, by, bz] = rims.b;
    const Double4 least = Double4{} + kLeastSine2;
    along_b = bx * n.x + by * n.y + bz * n.z;
    const Double4 sine2_a = n.x * n.x + n.y * n.y, sine2_b = 1 - along_b * along_b;
    least_sine2 = sine2_a < sine2_b ? sine2_a : sine2_b;
    const Double4 inverse_a = 1 / square_roots(larger(sine2_a, least));
    const Double4 inverse_b = 1 / square_roots(larger(sine2_b, least));
    ux = -n.y * inverse_a;
    uy = n.x * inverse_a;
    vx = -n.z * uy;
    vy = n.z * ux;
    vz = n.x * uy - n.y * ux;
    const Double4 part_a = rims.radius_a * inverse_a, part_b = rims.radius_b * inverse_b;
    const Double4 gx = q.x + part_a * n.x + part_b * (n.x - along_b * bx);
    const Double4 gy = q.y + part_a * n.y + part_b * (n.y - along_b * by);
    const Double4 gz = q.z + part_b * (n.z - along_b * bz);
    value = gx * n.x + gy * n.y + gz * n.z;
    slope_u = gx * ux + gy * uy;
    slope_v = gx * vx + gy * vy + gz * vz;
    // B's rim is round along b × n, whose parts along u and v are -b · v and b · u.
    const Double4 other_u = -(bx * vx + by * vy + bz * vz), other_v = bx * ux + by * uy;
    const Double4 round_b = part_b * inverse_b * inverse_b;
    round_uu = part_a + round_b * other_u * other_u;
    round_uv = round_b * other_u * other_v;
    round_vv = round_b * other_v * other_v;
  }
};

struct Step {
  Double4 u, v;
  Bits4 is_newton;
  Bits4 is_whole;  // not shortened

  Double4 length2() const { return u * u + v * v; }
};

/// Where the overlap is not convex on the sphere, as if the sphere were flat.
Step step_down(const RimOverlap& at) {
  const Double4 none{};
  const Double4 uu = at.round_uu - at.value, vv = at.round_vv - at.value, uv = at.round_uv;
  const Double4 det = uu * vv - uv * uv;
  const Bits4 is_newton = lanes_as<Bits4>(det > none) & lanes_as<Bits4>(uu > none);
  const Double4 flat = at.round_uu * at.round_vv - uv * uv + 1e-6 * at.round_uu * at.round_uu;
  const Double4 by_det = -1 / (is_newton != 0 ? det : flat);
  const Double4 h_uu = is_newton != 0 ? uu : at.round_uu, h_vv = is_newton != 0 ? vv : at.round_vv;
  Step step = {by_det * (h_vv * at.slope_u - uv * at.slope_v),
               by_det * (h_uu * at.slope_v - uv * at.slope_u), is_newton, ~Bits4{}};
  // A parabola that falls as steeply as here and stays positive has its least no farther than this.
  const Double4 fall = -(at.slope_u * step.u + at.slope_v * step.v), most = 2 * at.value;
  const Double4 length2 = step.length2(), longest2 = none + kLongestStep * kLongestStep;
  const Bits4 is_steep = lanes_as<Bits4>(fall > most) & lanes_as<Bits4>(most > none);
  const Bits4 is_far = lanes_as<Bits4>(length2 > longest2), is_long = is_steep | is_far;
  if (any(is_long)) {
    const Double4 one = none + 1;
    const Double4 by_fall = is_steep != 0 ? most / fall : one;
    const Double4 by_length = is_far != 0 ? square_roots(longest2 / length2) : one;
    const Double4 scale = by_fall < by_length ? by_fall : by_length;
    step.u *= scale;
    step.v *= scale;
    step.is_whole = ~is_long;
  }
  return step;
}

}  // namespace

void descend_to_rims(const RimPair& rims, double limit, RimSearches& searches) {
  const Double4 none{};
  Points4& n = searches.n;
  Points4 before = n;
  Double4 least = none + 1e300;
  Bits4 is_going = searches.is_used;
  for (int k = 0; k < kMostRimSteps && any(is_going); ++k) {
    const RimOverlap at(rims, searches.q, n);
    const Step step = step_down(at);
    // It rose: back by half.
    const Bits4 is_worse = lanes_as<Bits4>(at.value > least);
    const Double4 length2 = step.length2();
    // Four times the fall that the slope promises would not be enough.
    const Double4 hope = at.value + 2 * (at.slope_u * step.u + at.slope_v * step.v);
    const Bits4 is_hopeless = step.is_newton & ~is_worse & lanes_as<Bits4>(hope > none + limit);
    // A start may lie on the border but for rounding.
    const Double4 border = none - 1e-9;
    const Bits4 is_inside = lanes_as<Bits4>(searches.end_a * n.z >= border) &
                            lanes_as<Bits4>(searches.end_b * at.along_b >= border);
    // Least along an axis, where there is a kink, is what has been tried already.
    const Bits4 is_at_end = is_worse & lanes_as<Bits4>(at.least_sine2 < none + kAtEnd * kAtEnd);
    const Bits4 is_lost = is_going & (is_hopeless | is_at_end | ~is_inside);
    searches.is_used &= ~is_lost;
    is_going &= ~is_lost;
    const Double4 scale = scale_back(n.x * n.x + n.y * n.y + n.z * n.z - 1 + length2);
    const Points4 next = {scale * (n.x + step.u * at.ux + step.v * at.vx),
                          scale * (n.y + step.u * at.uy + step.v * at.vy),
                          scale * (n.z + step.v * at.vz)};
    const Points4 moved = any(is_worse) ? choose(is_worse, middle(n, before), next) : next;
    before = choose(is_going & ~is_worse, n, before);
    least = (is_going & ~is_worse) != 0 ? at.value : least;
    n = choose(is_going, moved, n);
    // Short steps that were shortened lead to where the overlap vanishes, which need not be the least.
    is_going &= is_worse | ~step.is_newton | ~step.is_whole |
                lanes_as<Bits4>(length2 >= none + kLastRimStep * kLastRimStep);
  }
  searches.is_used &= ~is_going;  // no end in sight
}

void descend_on_sides(const SideEdges& f, double limit, Bits4 is_going, Double4& x, Double4& y) {
  const Double4 none{};
  Double4 low_x = none + 1, low_y = none, high_x = none, high_y = none + 1;
  for (int k = 0; k < kMostSteps && any(is_going); ++k) {
    const Double4 s = f.sine * x, st = -f.sine * y;
    const Double4 root2 = larger(1 - s * s, none + kLeastSine2), inverse = 1 / square_roots(root2);
    const Double4 round = f.radius * inverse, u = s * st, skew = u * inverse;
    const Double4 w = st * st - s * s + skew * skew;
    const Double4 along = f.q_x * x + f.q_y * y, across = f.q_y * x - f.q_x * y;
    const Double4 slope = across - round * u, bend = -along - round * w;
    const Double4 third = round * u * (4 - 3 * inverse * inverse * w) - across;
    const Bits4 is_low = lanes_as<Bits4>(slope < none), is_convex = lanes_as<Bits4>(bend > none);
    low_x = is_low != 0 ? x : low_x;
    low_y = is_low != 0 ? y : low_y;
    high_x = is_low != 0 ? high_x : x;
    high_y = is_low != 0 ? high_y : y;
    const Double4 above = along + round * root2 + f.constant - limit;
    is_going &= ~(is_convex & lanes_as<Bits4>(above * bend > 2 * slope * slope));
    const Double4 square = bend * bend, better = square - 0.5 * slope * third;
    const Double4 step = -slope * bend / (better > 0.25 * square ? better : square);
    const Double4 half = 0.5 * step, scale = 1 / (1 + half * half);
    const Double4 cosine = scale * (1 - half * half), sine = scale * step;
    Double4 new_x = cosine * x - sine * y, new_y = cosine * y + sine * x;
    const Bits4 is_inside = is_convex & lanes_as<Bits4>(low_x * new_y > low_y * new_x) &
                            lanes_as<Bits4>(new_x * high_y > new_y * high_x);
    Bits4 is_last = lanes_as<Bits4>(slope * slope < kLastStep * kLastStep * square);
    if (any(is_going & ~is_inside)) {
      const Double4 mid_x = low_x + high_x, mid_y = low_y + high_y;
      const Double4 back = 1 / square_roots(mid_x * mid_x + mid_y * mid_y);
      new_x = is_inside != 0 ? new_x : back * mid_x;
      new_y = is_inside != 0 ? new_y : back * mid_y;
      const Double4 moved2 = (new_x - x) * (new_x - x) + (new_y - y) * (new_y - y);
      const Bits4 is_halved = lanes_as<Bits4>(moved2 < none + kLastHalving * kLastHalving);
      is_last = (is_inside & is_last) | (~is_inside & is_halved);
    }
    x = is_going != 0 ? new_x : x;
    y = is_going != 0 ? new_y : y;
    is_going &= ~is_last;
  }
}

}  // namespace grouser::internal
