#include "contact/bbcc/clip.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace grouser {
namespace {

using Points = std::array<ClipPoint, ClipRegion::kMost>;

ClipPoint between(const ClipPoint& p, const ClipPoint& q, double t) {
  return {p.u + t * (q.u - p.u), p.v + t * (q.v - p.v), p.depth + t * (q.depth - p.depth),
          p.middle + t * (q.middle - p.middle)};
}

/// Keeps what lies where `signed_distance` (linear, of a point) is not negative. Two points are a line,
/// more are a closed polygon.
template <class Distance>
void keep(const Distance& signed_distance, ClipRegion& region) {
  const int count = region.count;
  std::array<double, ClipRegion::kMost> distance;
  double least = 0;
  for (int k = 0; k < count; ++k) {
    distance[slot(k)] = signed_distance(region.point[slot(k)]);
    least = std::min(least, distance[slot(k)]);
  }
  if (least >= 0) return;
  Points before;
  std::copy_n(region.point.begin(), count, before.begin());
  int n = 0;
  const bool is_closed = count > 2;
  for (int k = 0; k < count; ++k) {
    const int next = k + 1 < count ? k + 1 : 0;
    const double here = distance[slot(k)], there = distance[slot(next)];
    if (here >= 0) region.point[slot(n++)] = before[slot(k)];
    if ((here >= 0) != (there >= 0) && (is_closed || next > k)) {
      region.point[slot(n++)] = between(before[slot(k)], before[slot(next)], here / (here - there));
    }
  }
  assert(n <= ClipRegion::kMost);
  region.count = n;
}

/// Subject against a polygon. `sign` is +1 if the subject is A's face.
void clip_by_polygon(const Face& subject, const Face& polygon, double sign, ClipRegion& region) {
  region.count = subject.count;
  for (int k = 0; k < subject.count; ++k) {
    const Vec3& p = subject.corner[slot(k)];
    const double height = polygon.height(p);
    region.point[slot(k)] = {p.x(), p.y(), sign * (height - p.z()), 0.5 * (height + p.z())};
  }
  keep([](const ClipPoint& p) { return p.depth; }, region);
  for (int k = 0; k < polygon.count && region.count > 0; ++k) {
    const Vec3& from = polygon.corner[slot(k)];
    const Vec3& to = polygon.corner[slot(k + 1 < polygon.count ? k + 1 : 0)];
    const double du = polygon.turn * (to.x() - from.x()), dv = polygon.turn * (to.y() - from.y());
    keep([&](const ClipPoint& p) { return du * (p.v - from.y()) - dv * (p.u - from.x()); }, region);
  }
}

/// Two lines on round surfaces: crossing, they meet in a point; along each other, on a stretch. In
/// between, on the stretch where they are no farther apart than half the width of a Hertz contact.
void clip_lines(const Face& A, const Face& B, double depth, ClipRegion& region) {
  const Vec3 a = A.corner[1] - A.corner[0], b = B.corner[1] - B.corner[0];
  const double length_a = a.head<2>().norm(), length_b = b.head<2>().norm();
  if (length_a == 0 || length_b == 0) return;
  const double turn = a.head<2>().dot(b.head<2>()) < 0 ? -1 : 1;
  const Vec2 along = (a.head<2>() / length_a + turn * b.head<2>() / length_b).normalized();
  const Vec2 across(-along.y(), along.x());
  // Both as functions of t, the way along their bisector: across it, and in height.
  struct Line {
    double low, high, across_0, across_t, height_0, height_t;
  };
  const auto line = [&](const Vec3& p, const Vec3& d) {
    const double dt = along.dot(d.head<2>()), t = along.dot(p.head<2>());
    const double across_t = across.dot(d.head<2>()) / dt, height_t = d.z() / dt;
    return Line{std::min(t, t + dt),
                std::max(t, t + dt),
                across.dot(p.head<2>()) - across_t * t,
                across_t,
                p.z() - height_t * t,
                height_t};
  };
  const Line la = line(A.corner[0], a), lb = line(B.corner[0], b);
  const double low = std::max(la.low, lb.low), high = std::min(la.high, lb.high);
  if (low > high) return;
  const auto at = [&](double t) {
    const Vec2 p =
        t * along + 0.5 * (la.across_0 + lb.across_0 + t * (la.across_t + lb.across_t)) * across;
    const double height_a = la.height_0 + t * la.height_t, height_b = lb.height_0 + t * lb.height_t;
    return ClipPoint{p.x(), p.y(), height_b - height_a, 0.5 * (height_a + height_b)};
  };
  region.point[0] = at(low);
  region.point[1] = at(high);
  region.count = 2;
  const double width = std::sqrt(depth / (A.curvature + B.curvature));
  const double gap_0 = la.across_0 - lb.across_0, gap_t = la.across_t - lb.across_t;
  const auto gap = [&](const ClipPoint& p) {
    return gap_0 + gap_t * (p.u * along.x() + p.v * along.y());
  };
  keep([&](const ClipPoint& p) { return p.depth; }, region);
  keep([&](const ClipPoint& p) { return width - gap(p); }, region);
  keep([&](const ClipPoint& p) { return width + gap(p); }, region);
}

void weigh(ClipRegion& region) {
  const int n = region.count;
  const auto length = [&](int i, int j) {
    const ClipPoint& p = region.point[slot(i)];
    const ClipPoint& q = region.point[slot(j)];
    return std::sqrt((p.u - q.u) * (p.u - q.u) + (p.v - q.v) * (p.v - q.v));
  };
  double before = n > 0 ? length(n - 1, 0) : 0;
  for (int k = 0; k < n; ++k) {
    const double after = length(k, k + 1 < n ? k + 1 : 0);
    region.weight[slot(k)] = (before + after) * region.point[slot(k)].depth;
    before = after;
  }
}

}  // namespace

void clip(const Face& A, const Face& B, double depth, ClipRegion& region) {
  region.count = 0;
  if (A.count < 2 || B.count < 2) return;
  if (B.count > 2) {
    clip_by_polygon(A, B, 1, region);
  } else if (A.count > 2) {
    clip_by_polygon(B, A, -1, region);
  } else {
    clip_lines(A, B, depth, region);
  }
  weigh(region);
}

void reduce(int most, ClipRegion& region) {
  while (region.count > most) {
    const auto gap2 = [&](int k) {
      const ClipPoint& p = region.point[slot(k)];
      const ClipPoint& q = region.point[slot((k + 1) % region.count)];
      return (p.u - q.u) * (p.u - q.u) + (p.v - q.v) * (p.v - q.v);
    };
    int closest = 0;
    for (int k = 1; k < region.count; ++k) {
      if (gap2(k) < gap2(closest)) closest = k;
    }
    const int other = (closest + 1) % region.count;
    double& weight = region.weight[slot(closest)];
    const double sum = weight + region.weight[slot(other)];
    const double t = sum > 0 ? region.weight[slot(other)] / sum : 0.5;
    region.point[slot(closest)] =
        between(region.point[slot(closest)], region.point[slot(other)], t);
    weight = sum;
    for (int k = other; k + 1 < region.count; ++k) {
      region.point[slot(k)] = region.point[slot(k + 1)];
      region.weight[slot(k)] = region.weight[slot(k + 1)];
    }
    --region.count;
  }
}

}  // namespace grouser
