#include "assets/wheel_section.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assets/portable_math.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

/// Radius of the arc of a convex tread.
double crown_radius(const WheelSpec& spec) {
  const double half = spec.width / 2;
  return (half * half + spec.crown_height * spec.crown_height) / (2 * spec.crown_height);
}

bool is_turned(const WheelSpec& spec) {
  return spec.grousers.count > 0 && spec.grousers.style != GrouserStyle::straight;
}

}  // namespace

int pieces(double length, double longest) {
  return std::max(1, static_cast<int>(std::ceil(length / longest - 1e-9)));
}

RadiusRange tread_radii(const WheelSpec& spec) {
  if (spec.profile == TreadProfile::flat) return {spec.radius, spec.radius};
  if (spec.profile == TreadProfile::convex) return {spec.radius - spec.crown_height, spec.radius};
  const auto [low, high] =
      std::ranges::minmax(spec.profile_points, {}, [](const Vec2& p) { return p.y(); });
  return {low.y() * spec.radius, high.y() * spec.radius};
}

WheelSection::WheelSection(const WheelSpec& spec) : spec_(spec) {
  if (is_turned(spec)) {
    const portable::SinCos angle = portable::sin_cos(kDegree * spec.grousers.angle_deg);
    shift_per_length_ = angle.sin / angle.cos / spec.radius;
  }
  constexpr double kCoarsest = std::numbers::pi / 4;
  // Faces between nodes this far apart dip below the tread by a sixteenth of the rim's thickness.
  const double within_rim = std::sqrt(spec.rim_thickness / (2 * spec.radius));
  largest_step_ = hollow() ? std::min(kCoarsest, within_rim) : kCoarsest;
}

double WheelSection::radius(double y) const {
  if (spec_.profile == TreadProfile::flat) return spec_.radius;
  if (spec_.profile == TreadProfile::convex) {
    const double arc = crown_radius(spec_);
    return spec_.radius - (arc - std::sqrt(std::max(0.0, arc * arc - y * y)));
  }
  const std::vector<Vec2>& points = spec_.profile_points;
  const double at = std::clamp(2 * y / spec_.width, -1.0, 1.0);
  std::size_t k = 1;
  while (k + 1 < points.size() && points[k].x() < at) ++k;
  const Vec2 &a = points[k - 1], &b = points[k];
  const double part = (at - a.x()) / (b.x() - a.x());
  return spec_.radius * (part == 1 ? b.y() : a.y() + part * (b.y() - a.y()));
}

double WheelSection::inner_radius(double y) const { return radius(y) - spec_.rim_thickness; }

double WheelSection::shift(double y) const {
  return shift_per_length_ * (spec_.grousers.style == GrouserStyle::chevron ? std::abs(y) : y);
}

double WheelSection::grouser_half_width() const {
  if (!is_turned(spec_)) return spec_.grousers.thickness / 2;
  return spec_.grousers.thickness / (2 * portable::sin_cos(kDegree * spec_.grousers.angle_deg).cos);
}

/// Largest angle by which a line of nodes across the width turns about the axle between two rows: the
/// turn of the grousers, and that of their edges and the spokes' where the radius changes.
double WheelSection::turn_between(double y0, double y1) const {
  const auto edge_turn = [](double half_width, double radius0, double radius1) {
    return std::abs(portable::asin(half_width / radius1) - portable::asin(half_width / radius0));
  };
  double turn = 0;
  if (spec_.grousers.count > 0) {
    turn =
        std::abs(shift(y1) - shift(y0)) + edge_turn(grouser_half_width(), radius(y0), radius(y1));
  }
  if (!spoked()) return turn;
  return std::max(turn, edge_turn(spec_.spokes.thickness / 2, inner_radius(y0), inner_radius(y1)));
}

/// How many rows of cells lie between two lines of the mesh.
int WheelSection::pieces_between(double y0, double y1) const {
  double step = spec_.edge_across;
  if (spec_.profile == TreadProfile::convex) step = std::min(step, crown_radius(spec_) / 4);
  if (shift_per_length_ != 0) {
    step = std::min(step, spec_.edge_around / (spec_.radius * std::abs(shift_per_length_)));
  }
  int n = pieces(y1 - y0, step);
  constexpr int kMost = 1 << 20;
  const double most_turn = std::min(largest_step_, 0.2);
  const auto line = [&](int i) { return (y0 * (n - i) + y1 * i) / n; };
  const auto is_fine = [&] {
    for (int i = 0; i < n; ++i) {
      if (turn_between(line(i), line(i + 1)) > most_turn) return false;
    }
    return true;
  };
  while (n < kMost && !is_fine()) n *= 2;
  return n;
}

std::vector<double> WheelSection::rows() const {
  std::vector<double> knots = {-spec_.width / 2, 0.0, spec_.width / 2};
  const auto add = [&](double y) {
    const double nearest = 1e-6 * spec_.width;  // closer lines would only make slivers
    if (std::ranges::none_of(knots, [&](double k) { return std::abs(k - y) < nearest; })) {
      knots.push_back(y);
    }
  };
  if (spoked()) {
    add(-spec_.spokes.width / 2);
    add(spec_.spokes.width / 2);
  }
  if (spec_.profile == TreadProfile::polyline) {
    for (const Vec2& point : spec_.profile_points) add(point.x() * spec_.width / 2);
  }
  std::ranges::sort(knots);

  std::vector<double> rows = {knots.front()};
  for (std::size_t k = 1; k < knots.size(); ++k) {
    const int n = pieces_between(knots[k - 1], knots[k]);
    for (int i = 1; i < n; ++i) rows.push_back((knots[k - 1] * (n - i) + knots[k] * i) / n);
    rows.push_back(knots[k]);
  }
  return rows;
}

}  // namespace grouser::internal
