#include "collision/collider.h"

#include <cmath>
#include <numbers>
#include <type_traits>

#include <fmt/format.h>

#include "core/text.h"
#include "geometry/convex_hull.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// Collects findings about numbers under one place.
struct Checker {
  const std::string& place;
  IssueList& issues;

  std::string at(const std::string& field) const {
    return place.empty() ? field : place + "." + field;
  }
  void positive(const std::string& field, double value) const {
    if (value > 0 && std::isfinite(value)) return;
    issues.add({.message = "a contact shape cannot have this size",
                .field = at(field),
                .value = format_number(value),
                .legal = "> 0 and finite [m]"});
  }
  void pose(const std::string& field, const Pose& X) const {
    constexpr double kOrthogonal = 1e-9;  // rotations made from rounded numbers are well below
    const bool rigid = X.R.allFinite() && X.p.allFinite() &&
                       (X.R * X.R.transpose() - Mat3::Identity()).norm() < kOrthogonal &&
                       X.R.determinant() > 0;
    if (rigid) return;
    issues.add({.message = "a frame is not finite or turns by what is no rotation",
                .field = at(field),
                .legal = "a rotation and a finite place"});
  }
};

void check_shape(const Convex& shape, const Checker& check) {
  const auto round = [&](double radius, double length) {
    check.positive("radius", radius);
    check.positive("length", length);
  };
  std::visit(Overloaded{[&](const SphereShape& s) { check.positive("radius", s.radius); },
                        [&](const BoxShape& s) {
                          for (int axis = 0; axis < 3; ++axis) {
                            check.positive(fmt::format("size[{}]", axis), s.size[axis]);
                          }
                        },
                        [&](const CylinderShape& s) { round(s.radius, s.length); },
                        [&](const CapsuleShape& s) { round(s.radius, s.length); },
                        [&](const std::shared_ptr<const HullSolid>& hull) {
                          if (hull && hull->mesh().vertices.size() >= 4) return;
                          check.issues.add({.message = "a contact shape has no hull",
                                            .field = check.at("hull"),
                                            .legal = "a solid of four or more vertices"});
                        }},
             shape);
}

void check_group(int group, const Checker& check) {
  if (group >= Collider::kNoGroup) return;
  check.issues.add({.message = "there is no such collision group",
                    .field = check.at("group"),
                    .value = std::to_string(group),
                    .legal = ">= 0, or -1 for none"});
}

}  // namespace

std::vector<ContactPart> wheel_parts(const WheelContactSpec& spec) {
  IssueList issues;
  const std::string place = "wheel";
  const Checker check{place, issues};
  check.positive("radius", spec.radius);
  check.positive("width", spec.width);
  constexpr int kMost = 1000;
  if (spec.grousers < 0 || spec.grousers > kMost) {
    issues.add({.message = "a wheel cannot have so many grousers",
                .field = check.at("grousers"),
                .value = std::to_string(spec.grousers),
                .legal = fmt::format("0 ... {}", kMost)});
  }
  if (spec.grousers > 0) {
    check.positive("grouser_height", spec.grouser_height);
    check.positive("grouser_thickness", spec.grouser_thickness);
    if (spec.grouser_thickness >= 2 * spec.radius) {
      issues.add({.message = "a grouser is thicker than the wheel",
                  .field = check.at("grouser_thickness"),
                  .value = format_number(spec.grouser_thickness),
                  .legal = fmt::format("< {} [m]", format_number(2 * spec.radius))});
    }
  }
  issues.throw_if_any();

  constexpr double kRightAngle = std::numbers::pi / 2;
  std::vector<ContactPart> parts = {{.shape = CylinderShape{spec.radius, spec.width},
                                     .X_EC = {.R = rotation_about(Vec3::UnitX(), -kRightAngle)}}};
  // The foot's corners, half a thickness off the middle, must lie on the rim or inside.
  const double half = 0.5 * spec.grouser_thickness;
  const double foot = std::sqrt(spec.radius * spec.radius - half * half);
  const double tip = spec.radius + spec.grouser_height;
  for (int g = 0; g < spec.grousers; ++g) {
    const Mat3 R = rotation_about(Vec3::UnitY(), 4 * kRightAngle * g / spec.grousers);
    parts.push_back({.shape = BoxShape{Vec3(spec.grouser_thickness, spec.width, tip - foot)},
                     .X_EC = {.R = R, .p = R * Vec3(0, 0, 0.5 * (tip + foot))}});
  }
  return parts;
}

ContactPart hull_part(std::span<const Vec3> points, const Pose& X_EC) {
  return {.shape = std::make_shared<const HullSolid>(convex_hull(points)), .X_EC = X_EC};
}

void check(const Collider& collider, const std::string& place, IssueList& issues) {
  const Checker own{place, issues};
  if (collider.parts.empty()) {
    issues.add({.message = "a contact element has no shape",
                .field = own.at("parts"),
                .legal = "one part or more"});
  }
  if (collider.body < Collider::kFixed) {
    issues.add({.message = "there is no such body",
                .field = own.at("body"),
                .value = std::to_string(collider.body),
                .legal = ">= 0, or -1 for the world"});
  }
  own.pose("X_BE", collider.X_BE);
  check_group(collider.group, own);
  for (std::size_t i = 0; i < collider.parts.size(); ++i) {
    const std::string name = own.at(fmt::format("parts[{}]", i));
    const Checker part{name, issues};
    check_shape(collider.parts[i].shape, part);
    part.pose("X_EC", collider.parts[i].X_EC);
  }
}

void check(const GroundCollider& ground, const std::string& place, IssueList& issues) {
  const Checker own{place, issues};
  if (!ground.map) {
    issues.add({.message = "a terrain has no elevation map", .field = own.at("map")});
  }
  check_group(ground.group, own);
}

Aabb local_bounds(const Collider& collider) {
  Aabb box;
  for (const ContactPart& part : collider.parts) box.add(bounds(part.shape, part.X_EC));
  return box;
}

}  // namespace grouser::internal
