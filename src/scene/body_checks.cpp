#include "scene/body_checks.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace grouser::internal {
namespace {

constexpr double kMaxGyrationRadius = 100;  // [m]
// The gyration radius of a body is at most about its half-extent. A moment in kg mm², or for a mass
// in grams, exceeds it 30-fold or more.
constexpr double kMaxGyrationPerExtent = 10;
// Millimetres taken for metres make a body a billion times too thin; the air of Mars has 0.02 kg/m³.
constexpr double kMinDensity = 1e-4;  // [kg/m³]
// Grams taken for kilograms; osmium has 2.3e4 kg/m³.
constexpr double kMaxDensity = 1e5;  // [kg/m³]

/// Largest half-extent [m] and volume [m³]; zero if unknown.
struct Size {
  double half_extent = 0;
  double volume = 0;
};

struct SizeOf {
  Size operator()(const BoxShape& s) const { return {s.size.maxCoeff() / 2, s.size.prod()}; }
  Size operator()(const SphereShape& s) const {
    return {s.radius, 4.0 / 3 * std::numbers::pi * s.radius * s.radius * s.radius};
  }
  Size operator()(const CylinderShape& s) const {
    return {std::max(s.radius, s.length / 2), std::numbers::pi * s.radius * s.radius * s.length};
  }
  Size operator()(const CapsuleShape& s) const {
    return {s.length / 2 + s.radius,
            std::numbers::pi * s.radius * s.radius * (s.length + 4.0 / 3 * s.radius)};
  }
  Size operator()(const MeshShape&) const { return {}; }
  Size operator()(const MadeShape&) const { return {}; }
};

/// Extent of all shapes as seen from the centre of mass, and their volume. Zero if any is unknown.
Size size_of(std::span<const VisualData> shapes, const Vec3& com) {
  Size total;
  for (const VisualData& visual : shapes) {
    const Size size = std::visit(SizeOf{}, visual.shape);
    if (size.volume <= 0) return {};
    total.half_extent =
        std::max(total.half_extent, size.half_extent + (visual.X_BS.p - com).norm());
    total.volume += size.volume;
  }
  return total;
}

}  // namespace

std::string moments_text(const RigidInertia& inertia) {
  if (!inertia.about_com.allFinite() || inertia.about_com.isZero(0)) return {};
  const Vec3 m = Eigen::SelfAdjointEigenSolver<Mat3>(inertia.about_com).eigenvalues();  // ascending
  std::string text = fmt::format("{:.4g}, {:.4g}, {:.4g} kg m²", m[0], m[1], m[2]);
  if (m[0] >= 0 && m[0] + m[1] < m[2]) {
    text += fmt::format(": {:.4g} + {:.4g} < {:.4g}", m[0], m[1], m[2]);
  }
  return text;
}

void check_inertia(const RigidInertia& inertia, std::span<const VisualData> shapes, bool solid,
                   const Place& place, IssueList& issues) {
  if (const char* defect = physical_defect(inertia); *defect != '\0') {
    issues.add(issue_at(place, defect, moments_text(inertia)));
    return;
  }
  if (inertia.mass <= 0) return;
  const double largest =
      Eigen::SelfAdjointEigenSolver<Mat3>(inertia.about_com).eigenvalues().maxCoeff();
  const double gyration = std::sqrt(std::max(0.0, largest) / inertia.mass);
  const Size size = size_of(shapes, inertia.com);
  const double density = size.volume > 0 ? inertia.mass / size.volume : 0;
  if (size.volume > 0 && density < kMinDensity) {
    issues.add(issue_at(place, "the shape is far too large for the mass; lengths are in metres",
                        fmt::format("{:.3g} kg/m³", density),
                        fmt::format(">= {:g} [kg/m³]", kMinDensity)));
  } else if (solid && density > kMaxDensity) {
    issues.add(issue_at(place, "the mass is far too large for the shape; masses are in kilograms",
                        fmt::format("{:.3g} kg/m³", density),
                        fmt::format("<= {:g} [kg/m³]", kMaxDensity)));
  } else if (gyration > kMaxGyrationRadius) {
    issues.add(issue_at(place, "the inertia is far too large for the mass; it is in kg m²",
                        fmt::format("radius of gyration {:.3g} m", gyration),
                        fmt::format("<= {:g} [m]", kMaxGyrationRadius)));
  } else if (size.volume > 0 && gyration > kMaxGyrationPerExtent * size.half_extent) {
    issues.add(issue_at(
        place,
        "the inertia is far too large for the mass and the shape; it is in kg m², not kg mm²",
        fmt::format("radius of gyration {:.3g} m", gyration),
        fmt::format("<= {:.3g} [m]", kMaxGyrationPerExtent * size.half_extent)));
  }
}

}  // namespace grouser::internal
