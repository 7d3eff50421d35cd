#include "assets/crater_profile.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

#include "assets/craters.h"

namespace grouser::internal {
namespace {

// The published pieces over the diameter (Fassett & Thomson, J. Geophys. Res. Planets 119 (2014)): inside
// up to 0.98, level rim of 0.0368 to 1.02, outside to 1.5. They do not join: the inside begins as a cone,
// the rim is 2e-5 below the inside and 0.0042 above the outside, and at 1.5 there is a kink.
// Differs: cubics with the same heights and slopes take over around the centre, the crest and the end.
ProfilePoint inside(double x) {
  return {-0.22881 + x * (0.22753 + x * (0.08312 - x * 0.03950)),
          0.22753 + x * (2 * 0.08312 - x * 3 * 0.03950)};
}
ProfilePoint outside(double x) {
  return {0.18825 + x * (-0.18705 + x * (0.01845 + x * 0.01506)),
          -0.18705 + x * (2 * 0.01845 + x * 3 * 0.01506)};
}
constexpr double kTip = 0.05, kInsideEnd = 0.96, kCrest = 1, kOutsideBegin = 1.04;
constexpr double kOutsideEnd = 1.4, kEnd = 1.5;
constexpr double kCrestHeight = 0.0368;

/// Cubic with given ends over a step of length h, at the part t of it.
ProfilePoint hermite(const ProfilePoint& a, const ProfilePoint& b, double h, double t) {
  const double rise = b.height - a.height;
  const double p = a.slope * h - rise, q = -b.slope * h + rise, s = 1 - t;
  return {s * a.height + t * b.height + t * s * (s * p + t * q),
          (rise + (s - t) * (s * p + t * q) + t * s * (q - p)) / h};
}

ProfilePoint fresh(double x) {
  const auto between = [&](double x0, const ProfilePoint& a, double x1, const ProfilePoint& b) {
    return hermite(a, b, x1 - x0, (x - x0) / (x1 - x0));
  };
  const ProfilePoint crest{kCrestHeight, 0};
  if (x < kTip) {  // a parabola instead of the cone
    const ProfilePoint edge = inside(kTip);
    const double curvature = edge.slope / kTip;
    return {edge.height + curvature * (x * x - kTip * kTip) / 2, curvature * x};
  }
  if (x <= kInsideEnd) return inside(x);
  if (x < kCrest) return between(kInsideEnd, inside(kInsideEnd), kCrest, crest);
  if (x < kOutsideBegin) return between(kCrest, crest, kOutsideBegin, outside(kOutsideBegin));
  if (x <= kOutsideEnd) return outside(x);
  if (x < kEnd) return between(kOutsideEnd, outside(kOutsideEnd), kEnd, {0, 0});
  return {0, 0};
}

// All joints of the fresh profile are nodes, and its pieces are cubics: the table holds it exactly.
constexpr double kStep = 0.01;
constexpr int kNodes = 801;  // to x = 8
constexpr int kLevels = 19;  // degradations 0, 0.05 ... 0.9
constexpr double kLevelStep = kMaxDegradation / (kLevels - 1);

using Heights = std::vector<double>;

double depth_of(const Heights& h) { return *std::max_element(h.begin(), h.end()) - h.front(); }

/// One step of ∂h/∂K = h'' + h'/x by the Crank-Nicolson rule on the nodes, zero at the end. At the
/// centre the right-hand side is 2 h''.
Heights diffused(const Heights& h, double dK) {
  const std::size_t n = h.size() - 1;
  const double r = dK / (2 * kStep * kStep);
  Heights upper(n), right(n);
  double above = 0, known = 0;  // of the row before, after elimination
  for (std::size_t i = 0; i < n; ++i) {
    const double half = i == 0 ? 0 : 0.5 / static_cast<double>(i);
    const double to_left = i == 0 ? 0 : 1 - half, to_right = i == 0 ? 4 : 1 + half;
    const double middle = to_left + to_right;
    const double left_height = i == 0 ? 0 : h[i - 1];
    const double rhs = h[i] + r * (to_left * left_height - middle * h[i] + to_right * h[i + 1]);
    const double pivot = 1 + r * middle - (-r * to_left) * above;
    upper[i] = -r * to_right / pivot;
    right[i] = (rhs + r * to_left * known) / pivot;
    above = upper[i];
    known = right[i];
  }
  Heights next(h.size(), 0.0);
  for (std::size_t i = n; i-- > 0;) next[i] = right[i] - upper[i] * next[i + 1];
  return next;
}

/// Brings the faint outer slope to zero, smoothly, between where it is below 1e-4 of the fresh depth and
/// a quarter beyond. Returns where it ends.
double taper(Heights& h) {
  constexpr double kFaint = 1e-4;
  std::size_t last = h.size() - 1;
  while (last > 0 && std::abs(h[last]) < kFaint) --last;
  const double begin = kStep * static_cast<double>(last),
               end = std::min(1.25 * begin, kStep * (kNodes - 3));
  for (std::size_t i = last; i < h.size(); ++i) {
    const double t = std::clamp((kStep * static_cast<double>(i) - begin) / (end - begin), 0.0, 1.0);
    h[i] *= (1 - t) * (1 - t) * (1 + 2 * t);
  }
  return end;
}

struct Level {
  std::vector<ProfilePoint> nodes;
  double reach = kEnd;
};

Level level_of(Heights h) {
  Level level;
  // The slopes below look two nodes ahead.
  level.reach = kStep * (std::ceil(taper(h) / kStep) + 2);
  const auto at = [&](int i) {
    const int k = std::abs(i);
    return k < kNodes ? h[static_cast<std::size_t>(k)] : 0.0;
  };
  for (int i = 0; i < kNodes; ++i) {
    const double slope = (8 * (at(i + 1) - at(i - 1)) - (at(i + 2) - at(i - 2))) / (12 * kStep);
    level.nodes.push_back({at(i), slope});
  }
  return level;
}

std::array<Level, kLevels> make_levels() {
  std::array<Level, kLevels> levels;
  const double scale = 1 / (kCrestHeight - fresh(0).height);
  Heights h;
  for (int i = 0; i < kNodes; ++i) {
    const ProfilePoint p = fresh(kStep * i);
    levels[0].nodes.push_back({scale * p.height, scale * p.slope});
    h.push_back(scale * p.height);
  }
  double K = 0;
  int level = 1;
  constexpr int kMostSteps = 5000;
  for (int step = 0; step < kMostSteps && level < kLevels; ++step) {
    const double dK = 1e-5 + 0.01 * K;
    const Heights next = diffused(h, dK);
    for (; level < kLevels; ++level) {
      const double wanted = 1 - kLevelStep * level, before = depth_of(h), after = depth_of(next);
      if (after > wanted) break;
      Heights mixed(h.size());
      const double part = (before - wanted) / (before - after);
      for (std::size_t i = 0; i < h.size(); ++i) mixed[i] = h[i] + part * (next[i] - h[i]);
      levels[static_cast<std::size_t>(level)] = level_of(std::move(mixed));
    }
    h = next;
    K += dK;
  }
  assert(level == kLevels);
  return levels;
}

const std::array<Level, kLevels>& levels() {
  static const std::array<Level, kLevels> table = make_levels();
  return table;
}

/// The two levels around a degradation.
struct Between {
  const Level& a;
  const Level& b;
  double part;

  ProfilePoint node(std::size_t i) const {
    const ProfilePoint &p = a.nodes[i], &q = b.nodes[i];
    return {p.height + part * (q.height - p.height), p.slope + part * (q.slope - p.slope)};
  }
};

Between levels_around(double degradation) {
  const double place = std::clamp(degradation / kLevelStep, 0.0, static_cast<double>(kLevels - 1));
  const std::size_t i = std::min(static_cast<std::size_t>(place), std::size_t{kLevels - 2});
  return {levels()[i], levels()[i + 1], place - static_cast<double>(i)};
}

}  // namespace

double crater_reach(double degradation) {
  const Between around = levels_around(degradation);
  return around.part == 0 ? around.a.reach : std::max(around.a.reach, around.b.reach);
}

ProfilePoint crater_profile(double x, double degradation) {
  const double place = x / kStep;
  if (!(place < kNodes - 1)) return {0, 0};
  const Between around = levels_around(degradation);
  const std::size_t i = static_cast<std::size_t>(place);
  return hermite(around.node(i), around.node(i + 1), kStep, place - static_cast<double>(i));
}

// A cubic lies within its Bézier points: the ends, and a third of a step along the slopes there.
HeightRange crater_profile_range(double x_min, double x_max, double degradation) {
  const Between around = levels_around(degradation);
  const auto node_before = [](double x) {
    return static_cast<std::size_t>(std::clamp(x / kStep, 0.0, static_cast<double>(kNodes - 2)));
  };
  HeightRange bounds{.min = INFINITY, .max = -INFINITY};
  const std::size_t end = node_before(x_max);
  for (std::size_t i = node_before(x_min); i <= end; ++i) {
    const ProfilePoint a = around.node(i), b = around.node(i + 1);
    for (const double h :
         {a.height, a.height + a.slope * kStep / 3, b.height - b.slope * kStep / 3, b.height}) {
      bounds.min = std::min(bounds.min, h);
      bounds.max = std::max(bounds.max, h);
    }
  }
  return bounds;
}

}  // namespace grouser::internal
