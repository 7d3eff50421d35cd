#include "collision/clip.h"

#include <algorithm>
#include <cassert>

#include "collision/lanes.h"

namespace grouser::internal {
namespace {

ClipPoint between(const ClipPoint& p, const ClipPoint& q, double t) {
  const auto from = lanes_as<Double4>(p), to = lanes_as<Double4>(q);
  return lanes_as<ClipPoint>(from + t * (to - from));
}

/// Corners of what is left while it is cut, in two buffers that take turns. Two are a line, more are a
/// closed polygon.
struct Cut {
  int count = 0;
  int now = 0;
  std::array<std::array<ClipPoint, ClipRegion::kMost + 1>, 2> buffer;

  ClipPoint& point(int k) { return buffer[slot(now)][slot(k)]; }
  const ClipPoint& point(int k) const { return buffer[slot(now)][slot(k)]; }

  /// Keeps what lies where `signed_distance` (linear, of a point) is not negative. Which points stay is
  /// anybody's guess: all are written, and the next one over those that do not stay.
  template <class Distance>
  void keep(const Distance& signed_distance) {
    if (count == 0) return;
    const auto& from = buffer[slot(now)];
    auto& to = buffer[slot(1 - now)];
    const int edges = count > 2 ? count : count - 1;
    const double first = signed_distance(from[0]);
    double here = first;
    int n = 0;
    for (int k = 0; k < count; ++k) {
      const int next = k + 1 < count ? k + 1 : 0;
      const double there = next > 0 ? signed_distance(from[slot(next)]) : first;
      const bool is_in = here >= 0, is_next_in = there >= 0;
      to[slot(n)] = from[slot(k)];
      n += is_in ? 1 : 0;
      to[slot(n)] = between(from[slot(k)], from[slot(next)], here / (here - there));
      n += ((is_in != is_next_in) & (k < edges)) ? 1 : 0;
      here = there;
    }
    assert(n <= ClipRegion::kMost);
    count = n;
    now = 1 - now;
  }
};

/// Four edges of a polygon from number `first` on, side by side; of fewer, the others have no length.
struct Edges4 {
  Double4 u{}, v{}, du{}, dv{};

  Edges4(const Face& polygon, int first) {
    for (int lane = 0; lane < 4 && first + lane < polygon.count; ++lane) {
      const int k = first + lane, next = k + 1 < polygon.count ? k + 1 : 0;
      const Point3 &from = polygon.corner[slot(k)], &to = polygon.corner[slot(next)];
      u[lane] = from.x;
      v[lane] = from.y;
      du[lane] = polygon.turn * (to.x - from.x);
      dv[lane] = polygon.turn * (to.y - from.y);
    }
  }
};

void cut_by_edges(const Face& polygon, Cut& cut) {
  for (int first = 0; first < polygon.count; first += 4) {
    const Edges4 edges(polygon, first);
    Double4 least{};
    for (int k = 0; k < cut.count; ++k) {
      const ClipPoint& p = cut.point(k);
      const Double4 distance = edges.du * (p.v - edges.v) - edges.dv * (p.u - edges.u);
      least = least < distance ? least : distance;
    }
    if (least[0] >= 0 && least[1] >= 0 && least[2] >= 0 && least[3] >= 0) continue;
    for (int lane = 0; lane < 4; ++lane) {
      if (least[lane] >= 0) continue;
      const double u = edges.u[lane], v = edges.v[lane], du = edges.du[lane], dv = edges.dv[lane];
      cut.keep([=](const ClipPoint& p) { return du * (p.v - v) - dv * (p.u - u); });
    }
  }
}

/// Subject against a polygon. `sign` is +1 if the subject is A's face.
void clip_by_polygon(const Face& subject, const Face& polygon, double sign, Cut& cut) {
  cut.count = subject.count;
  for (int k = 0; k < subject.count; ++k) {
    const Point3& p = subject.corner[slot(k)];
    const double height = polygon.height(p);
    // Written at once, since it is read at once.
    cut.point(k) =
        lanes_as<ClipPoint>(Double4{p.x, p.y, sign * (height - p.z), 0.5 * (height + p.z)});
  }
  cut.keep([](const ClipPoint& p) { return p.depth; });
  cut_by_edges(polygon, cut);
}

/// Two lines on round surfaces: crossing, they meet in a point; along each other, on a stretch. In
/// between, on the stretch where they are no farther apart than half the width of a Hertz contact.
void clip_lines(const Face& A, const Face& B, double depth, Cut& cut) {
  const Point3 a = A.corner[1] - A.corner[0], b = B.corner[1] - B.corner[0];
  const double length2_a = a.x * a.x + a.y * a.y, length2_b = b.x * b.x + b.y * b.y;
  if (length2_a == 0 || length2_b == 0) return;
  // Along their bisector, and across it.
  const double scale_a = 1 / std::sqrt(length2_a), turn = a.x * b.x + a.y * b.y < 0 ? -1 : 1;
  const double scale_b = turn / std::sqrt(length2_b);
  const double sum_u = scale_a * a.x + scale_b * b.x, sum_v = scale_a * a.y + scale_b * b.y;
  const double scale = 1 / std::sqrt(sum_u * sum_u + sum_v * sum_v);
  const double along_u = scale * sum_u, along_v = scale * sum_v;
  // Both as functions of t, the way along: across, and in height.
  struct Line {
    double low, high, across_0, across_t, height_0, height_t;
  };
  const auto line = [&](const Point3& p, const Point3& d) {
    const double dt = along_u * d.x + along_v * d.y, t = along_u * p.x + along_v * p.y;
    const double per_t = 1 / dt, height_t = per_t * d.z;
    const double across_t = per_t * (along_u * d.y - along_v * d.x);
    return Line{std::min(t, t + dt),
                std::max(t, t + dt),
                along_u * p.y - along_v * p.x - across_t * t,
                across_t,
                p.z - height_t * t,
                height_t};
  };
  const Line la = line(A.corner[0], a), lb = line(B.corner[0], b);
  const double low = std::max(la.low, lb.low), high = std::min(la.high, lb.high);
  if (low > high) return;
  const auto at = [&](double t) {
    const double across = 0.5 * (la.across_0 + lb.across_0 + t * (la.across_t + lb.across_t));
    const double height_a = la.height_0 + t * la.height_t, height_b = lb.height_0 + t * lb.height_t;
    return ClipPoint{t * along_u - across * along_v, t * along_v + across * along_u,
                     height_b - height_a, 0.5 * (height_a + height_b)};
  };
  cut.point(0) = at(low);
  cut.point(1) = at(high);
  cut.count = 2;
  const double width = std::sqrt(depth / (A.curvature + B.curvature));
  const double gap_0 = la.across_0 - lb.across_0, gap_t = la.across_t - lb.across_t;
  const auto gap = [&](const ClipPoint& p) {
    return gap_0 + gap_t * (p.u * along_u + p.v * along_v);
  };
  cut.keep([&](const ClipPoint& p) { return p.depth; });
  cut.keep([&](const ClipPoint& p) { return width - gap(p); });
  cut.keep([&](const ClipPoint& p) { return width + gap(p); });
}

/// Points that have come up to the surface weigh nothing, and are left out.
void weigh(const Cut& cut, ClipRegion& region) {
  const int n = cut.count;
  const auto length = [&](int i, int j) {
    const ClipPoint &p = cut.point(i), &q = cut.point(j);
    return std::sqrt((p.u - q.u) * (p.u - q.u) + (p.v - q.v) * (p.v - q.v));
  };
  double before = n > 0 ? length(n - 1, 0) : 0;
  for (int k = 0; k < n; ++k) {
    const double after = length(k, k + 1 < n ? k + 1 : 0);
    const double weight = (before + after) * cut.point(k).depth;
    region.point[slot(region.count)] = cut.point(k);
    region.weight[slot(region.count)] = weight;
    region.count += weight > 0 ? 1 : 0;
    before = after;
  }
}

}  // namespace

void clip(const Face& A, const Face& B, double depth, ClipRegion& region) {
  region.count = 0;
  if (A.count < 2 || B.count < 2) return;
  Cut cut;
  if (B.count > 2) {
    clip_by_polygon(A, B, 1, cut);
  } else if (A.count > 2) {
    clip_by_polygon(B, A, -1, cut);
  } else {
    clip_lines(A, B, depth, cut);
  }
  weigh(cut, region);
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

}  // namespace grouser::internal
