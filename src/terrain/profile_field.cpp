#include "terrain/profile_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"
#include "terrain/height_pyramid.h"
#include "terrain/interpolation.h"

namespace grouser::internal {
namespace {

void check(const ProfileOptions& options) {
  IssueList issues;
  const std::vector<Vec2>& points = options.points;
  if (points.empty()) {
    issues.add({.message = "a profile has no points", .field = "points", .legal = ">= 1"});
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    const bool finite = points[k].allFinite();
    if (finite && (k == 0 || !(points[k].x() <= points[k - 1].x()))) continue;
    issues.add({.message = finite ? "does not lie beyond the point before it" : "is not finite",
                .field = fmt::format("points[{}]", k),
                .value = fmt::format("{}, {}", points[k].x(), points[k].y()),
                .legal = "(s, z) finite, s strictly rising [m]"});
  }
  if (!std::isfinite(options.direction)) {
    issues.add({.message = "is not finite",
                .field = "direction",
                .value = format_number(options.direction),
                .legal = "finite [rad]"});
  }
  if (!(options.domain.size().array() >= 0).all()) {
    issues.add({.message = "the upper corner lies below the lower one", .field = "domain"});
  }
  issues.throw_if_any();
}

// Slopes at the points that leave every piece monotone: zero at a turn, and at the ends, beyond
// which the profile is level; else the harmonic mean of the neighbours' chords, weighted by their
// lengths.
std::vector<double> monotone_slopes(const std::vector<Vec2>& points) {
  std::vector<double> slopes(points.size(), 0.0);
  for (std::size_t k = 1; k + 1 < points.size(); ++k) {
    const Vec2 before = points[k] - points[k - 1], after = points[k + 1] - points[k];
    const double m0 = before.y() / before.x(), m1 = after.y() / after.x();
    if (!(m0 * m1 > 0)) continue;
    const double w0 = before.x() + 2 * after.x(), w1 = 2 * before.x() + after.x();
    slopes[k] = (w0 + w1) / (w0 / m1 + w1 / m0);
  }
  return slopes;
}

}  // namespace

ProfileField::ProfileField(ProfileOptions options) : options_(std::move(options)) {
  check(options_);
  // Exact along the axes, where sine and cosine leave 1e-16 of a slope across.
  const double quarter_turns = options_.direction / (0.5 * std::numbers::pi);
  axis_ = {std::cos(options_.direction), std::sin(options_.direction)};
  if (quarter_turns == std::round(quarter_turns)) axis_ = axis_.array().round();
  if (options_.smooth) slopes_ = monotone_slopes(options_.points);
}

ProfileField::Point ProfileField::profile(double s) const {
  const std::vector<Vec2>& points = options_.points;
  if (std::isnan(s)) return {NAN, NAN};
  if (s < points.front().x()) return {points.front().y(), 0};
  if (s >= points.back().x()) return {points.back().y(), 0};
  const auto next = std::upper_bound(points.begin(), points.end(), s,
                                     [](double value, const Vec2& p) { return value < p.x(); });
  const std::size_t k = static_cast<std::size_t>(next - points.begin()) - 1;
  const double length = points[k + 1].x() - points[k].x(), rise = points[k + 1].y() - points[k].y();
  const double t = (s - points[k].x()) / length;
  if (!options_.smooth) return {points[k].y() + t * rise, rise / length};
  // Hermite's cubic, written as what it adds to the lower point.
  const double m0 = slopes_[k] * length, m1 = slopes_[k + 1] * length, r = 1 - t;
  return {points[k].y() + t * (rise * t * (3 - 2 * t) + r * (r * m0 - t * m1)),
          (6 * t * r * rise + r * (1 - 3 * t) * m0 + t * (3 * t - 2) * m1) / length};
}

SurfacePoint ProfileField::at(double x, double y) const {
  const Rect& domain = options_.domain;
  const double s = axis_.x() * std::clamp(x, domain.lower.x(), domain.upper.x()) +
                   axis_.y() * std::clamp(y, domain.lower.y(), domain.upper.y());
  const Point point = profile(s);
  return {point.z, continued_gradient(domain, x, y, point.slope * axis_)};
}

HeightRange ProfileField::range(const Rect& rect) const {
  const Vec2 a = options_.domain.clamped(rect.lower), b = options_.domain.clamped(rect.upper);
  const std::vector<Vec2>& points = options_.points;
  double s0 = std::min(axis_.x() * a.x(), axis_.x() * b.x()) +
              std::min(axis_.y() * a.y(), axis_.y() * b.y());
  double s1 = std::max(axis_.x() * a.x(), axis_.x() * b.x()) +
              std::max(axis_.y() * a.y(), axis_.y() * b.y());
  if (std::isnan(s0) || std::isnan(s1)) {  // zero times infinity
    s0 = points.front().x(), s1 = points.back().x();
  }
  const auto at = [&](double s) { return HeightRange{profile(s).z, profile(s).z}; };
  HeightRange range = joined(at(s0), at(s1));
  const auto before = [](const Vec2& p, double s) { return p.x() < s; };
  for (auto point = std::lower_bound(points.begin(), points.end(), s0, before);
       point != points.end() && point->x() <= s1; ++point) {
    range = joined(range, {point->y(), point->y()});
  }
  return with_rounding(range);
}

}  // namespace grouser::internal
