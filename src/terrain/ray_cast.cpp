#include <cmath>
#include <cstdint>

#include "terrain/elevation_map.h"

namespace grouser::internal {
namespace {

struct Interval {
  double begin, end;
  bool empty() const { return !(begin <= end); }
};

// The part of the ray whose coordinate lies within [low, high].
Interval clipped(Interval part, double origin, double direction, double low, double high) {
  if (direction == 0) return origin >= low && origin <= high ? part : Interval{1, 0};
  const double a = (low - origin) / direction, b = (high - origin) / direction;
  return {std::max(part.begin, std::min(a, b)), std::min(part.end, std::max(a, b))};
}

// A finite piece of a ray over the map, and the height of its points over the ground.
struct Segment {
  const ElevationMap& map;
  Vec3 start, direction;

  Vec3 point(double s) const { return start + s * direction; }
  double clearance(double s) const {
    const Vec3 p = point(s);
    return p.z() - map.at(p.x(), p.y()).height;
  }
  // Whether the ground certainly stays above or below the part between two places.
  bool misses(double s0, double s1) const {
    const Vec3 a = point(s0), b = point(s1);
    const Vec3 low = a.cwiseMin(b), high = a.cwiseMax(b);
    const HeightRange range = map.range({low.head<2>(), high.head<2>()});
    return low.z() > range.max || high.z() < range.min;
  }
};

// The zero of the clearance between two places of different sign: the method of false position as
// bettered by Dowell & Jarratt (Illinois, BIT 11, 1971), with bisection whenever it is slow.
double meeting_point(const Segment& ray, double a, double fa, double b, double fb) {
  constexpr double kHeightTolerance = 1e-10;  // [m]
  constexpr int kMaxSteps = 200;              // bisection alone would need some 60
  for (int step = 0; step < kMaxSteps; ++step) {
    if (std::abs(fa) <= kHeightTolerance) return a;
    if (std::abs(fb) <= kHeightTolerance) return b;
    const bool bisect = step % 3 == 2;
    double middle = bisect ? 0.5 * (a + b) : a + (b - a) * (fa / (fa - fb));
    if (!(middle > a && middle < b)) middle = 0.5 * (a + b);
    if (!(middle > a && middle < b)) break;  // no number lies between
    const double f = ray.clearance(middle);
    if ((f > 0) == (fa > 0)) {
      a = middle, fa = f;
      if (!bisect) fb *= std::abs(fb) > 2 * kHeightTolerance ? 0.5 : 1;
    } else {
      b = middle, fb = f;
      if (!bisect) fa *= std::abs(fa) > 2 * kHeightTolerance ? 0.5 : 1;
    }
  }
  return std::abs(fa) < std::abs(fb) ? a : b;
}

// Halves the segment 0 ... length `depth` times where need be, in order from its start. Which
// halves are looked at does not depend on how tight the bounds are, so neither does the result.
std::optional<double> first_meeting(const Segment& ray, double length, int depth) {
  const auto place = [&](std::uint64_t k, int level) {
    return std::ldexp(static_cast<double>(k), -level) * length;
  };
  std::uint64_t k = 0;  // of the 2^level pieces
  int level = 0;
  while (k < std::uint64_t{1} << level) {
    const double s0 = place(k, level), s1 = place(k + 1, level);
    if (!ray.misses(s0, s1)) {
      if (level < depth) {
        k *= 2, ++level;
        continue;
      }
      const double f0 = ray.clearance(s0), f1 = ray.clearance(s1);
      if ((f0 >= 0 && f1 <= 0) || (f0 <= 0 && f1 >= 0)) return meeting_point(ray, s0, f0, s1, f1);
    }
    for (++k; level > 0 && k % 2 == 0; --level) k /= 2;
  }
  return std::nullopt;
}

}  // namespace

std::optional<RayHit> ElevationMap::ray_cast(const Vec3& origin, const Vec3& direction,
                                             double max_distance) const {
  const double norm = direction.norm();
  if (!origin.allFinite() || !std::isfinite(norm) || norm == 0) return std::nullopt;
  const Vec3 along = direction / norm;
  // Clipped by bounds that hold whatever the changes are, so that the pieces looked at, and with
  // them the last bits of the result, do not depend on what was changed and taken back.
  const HeightRange heights = base_->range(domain_);
  Interval part{0, max_distance};
  part = clipped(part, origin.x(), along.x(), domain_.lower.x(), domain_.upper.x());
  part = clipped(part, origin.y(), along.y(), domain_.lower.y(), domain_.upper.y());
  part = clipped(part, origin.z(), along.z(), heights.min - kMaxChange, heights.max + kMaxChange);
  if (part.empty()) return std::nullopt;

  const double length = part.end - part.begin;
  const double pieces = along.head<2>().norm() * length / (0.5 * grid_.spacing);
  const int depth = pieces > 1 ? static_cast<int>(std::ceil(std::log2(pieces))) : 0;
  const Segment ray{*this, origin + part.begin * along, along};
  const std::optional<double> s = first_meeting(ray, length, depth);
  if (!s) return std::nullopt;
  const Vec3 point = ray.point(*s);
  return RayHit{part.begin + *s, point, normal(point.x(), point.y())};
}

}  // namespace grouser::internal
