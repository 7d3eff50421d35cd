#include "assets/wheel.h"

#include <algorithm>
#include <numbers>

#include "assets/asset_id.h"
#include "assets/field_check.h"
#include "assets/portable_math.h"
#include "assets/wheel_rim.h"
#include "assets/wheel_section.h"
#include "core/text.h"

namespace grouser::internal {
namespace {

std::string at_most(double value) { return "<= " + format_number(value) + " [m]"; }

void check_polyline(const WheelSpec& spec, const std::string& place, IssueList& issues) {
  const std::vector<Vec2>& points = spec.profile_points;
  const auto add = [&](double value, const char* message, const char* legal) {
    add_issue(issues, place, "profile_points", value, message, legal);
  };
  if (points.size() < 2) {
    add(static_cast<double>(points.size()), "a polyline needs points", ">= 2 points");
    return;
  }
  if (points.front().x() != -1) add(points.front().x(), "must begin at the edge", "-1");
  if (points.back().x() != 1) add(points.back().x(), "must end at the edge", "1");
  double largest = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (k > 0 && !(points[k].x() - points[k - 1].x() >= 1e-4)) {
      add(points[k].x(), "y must rise from point to point", "by 1e-4 or more");
    }
    if (!(points[k].y() >= 0.01)) add(points[k].y(), "radius out of range", "0.01 ... 1");
    largest = std::max(largest, points[k].y());
  }
  if (largest != 1) add(largest, "the largest radius must be the wheel's", "1");
}

/// Largest width, around the axle, of each of `count` bars that stand side by side on a circle.
double room_for_bars(double radius, int count) {
  constexpr double kTight = 0.95;  // part of the circle that bars may take
  const double half_angle = std::min(kTight * std::numbers::pi / count, std::numbers::pi / 4);
  return 2 * radius * portable::sin_cos(half_angle).sin;
}

void check_grousers(const WheelSpec& spec, const std::string& place, IssueList& issues) {
  if (spec.grousers.count == 0) return;
  const double stretch =
      2 * WheelSection(spec).grouser_half_width() / spec.grousers.thickness;  // of a slanted bar
  const double room = room_for_bars(tread_radii(spec).min, spec.grousers.count) / stretch;
  if (spec.grousers.thickness <= room) return;
  add_issue(issues, place, "grousers.thickness", spec.grousers.thickness,
            "the grousers do not fit round the tread", at_most(room));
}

void check_spokes(const WheelSpec& spec, double inner_radius, const std::string& place,
                  IssueList& issues) {
  const SpokeSpec& spokes = spec.spokes;
  const auto limit = [&](const char* field, double value, double most, const char* message) {
    if (value > most) add_issue(issues, place, field, value, message, at_most(most));
  };
  constexpr double kPart = 0.98;
  limit("spokes.width", spokes.width, kPart * spec.width, "wider than the wheel allows");
  limit("spokes.width", spokes.width, kPart * spokes.hub_width, "wider than the hub allows");
  limit("spokes.hub_radius", spokes.hub_radius, 0.95 * inner_radius, "the hub reaches the rim");
  limit("spokes.thickness", spokes.thickness, room_for_bars(spokes.hub_radius, spokes.count),
        "the spokes do not fit round the hub");
}

void check_rim(const WheelSpec& spec, const std::string& place, IssueList& issues) {
  const RadiusRange radii = tread_radii(spec);
  check_grousers(spec, place, issues);
  if (spec.rim_thickness <= 0) return;
  const double thickest = 0.95 * radii.min, thinnest = 1e-4 * spec.radius;
  if (spec.rim_thickness > thickest || spec.rim_thickness < thinnest) {
    add_issue(issues, place, "rim_thickness", spec.rim_thickness, "does not fit the radius",
              "0, or " + format_number(thinnest) + " ... " + format_number(thickest) + " [m]");
  } else if (spec.spokes.count > 0) {
    check_spokes(spec, radii.min - spec.rim_thickness, place, issues);
  }
}

}  // namespace

void check_fit(const WheelSpec& spec, const std::string& place, IssueList& issues) {
  if (spec.kind == WheelKind::rimless) {
    check_legs(spec, place, issues);
  } else {
    const double steepest = std::min(spec.width / 2, 0.95 * spec.radius);
    if (spec.profile == TreadProfile::convex && spec.crown_height > steepest) {
      add_issue(issues, place, "crown_height", spec.crown_height,
                "more than the width and radius allow", at_most(steepest));
    }
    if (spec.profile == TreadProfile::polyline) check_polyline(spec, place, issues);
    if (issues.empty()) check_rim(spec, place, issues);
  }
  constexpr double kMostTriangles = 1e7;
  if (issues.empty() && triangle_estimate(spec) > kMostTriangles) {
    add_issue(issues, place, "edge_around", spec.edge_around,
              "the mesh would have too many triangles",
              "longer edges around or across, for at most 10 million triangles");
  }
}

void validate(const WheelSpec& spec, const std::string& place) { validate_fields(spec, place); }

std::uint64_t asset_id(const WheelSpec& spec) { return text_hash(canonical_text(spec)); }

TriMesh make_wheel(const WheelSpec& spec) {
  validate(spec);
  return spec.kind == WheelKind::rimless ? rimless_wheel(spec) : rim_wheel(spec);
}

}  // namespace grouser::internal
