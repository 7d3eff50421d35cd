#include "rigs/bevameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.h"
#include "geometry/primitives.h"
#include "rigs/led_body.h"
#include "rigs/rig_check.h"

namespace grouser::internal {
namespace {

constexpr int kSegments = 256;    // of round plates
constexpr double kMargin = 0.05;  // of soil around the plate, and of a plate above the soil [m]

/// Radius of the polygon with the area of the circle: its outline is right to 3e-5 then.
double polygon_radius(double radius) {
  constexpr double kStep = 2 * std::numbers::pi / kSegments;
  return radius * std::sqrt(kStep / std::sin(kStep));
}

/// A flat-bottomed body, its lower face at the origin's height.
LedBody press_of(const BevameterSpec& spec, const TriMesh& mesh, double reach) {
  return LedBody(mesh,
                 {.soil = spec.soil,
                  .spacing = spec.spacing,
                  .area = {Vec2::Constant(-reach - kMargin), Vec2::Constant(reach + kMargin)},
                  .offset = -spec.offset},
                 spec.scm);
}

/// With the face at depth z [m], turned by an angle [rad].
Pose at_depth(double z, double angle = 0) {
  return {.R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), .p = Vec3(0, 0, -z)};
}

/// With edges that need not be divided any more.
TriMesh mesh_of(const Plate& plate, const BevameterSpec& spec) {
  const double thickness = spec.depth + kMargin;
  const auto pieces = [&](double length) {
    return static_cast<int>(std::ceil(length / spec.spacing));
  };
  TriMesh mesh = plate.radius > 0 ? cylinder_mesh(polygon_radius(plate.radius), thickness,
                                                  {.segments = kSegments,
                                                   .rings = pieces(thickness),
                                                   .cap_rings = pieces(plate.radius)})
                                  : box_mesh(Vec3(plate.size.x(), plate.size.y(), thickness));
  for (Vec3& p : mesh.vertices) p.z() += thickness / 2;
  return mesh;
}

/// A tube: four circles of vertices, joined round.
TriMesh ring_mesh(double inner, double outer, double height) {
  const double r = polygon_radius(inner), R = polygon_radius(outer);
  const Vec2 section[] = {{r, 0}, {R, 0}, {R, height}, {r, height}};
  TriMesh mesh;
  for (int k = 0; k < kSegments; ++k) {
    const double angle = 2 * std::numbers::pi * k / kSegments;
    for (const Vec2& corner : section) {
      mesh.vertices.emplace_back(corner.x() * std::cos(angle), corner.x() * std::sin(angle),
                                 corner.y());
    }
  }
  for (int k = 0; k < kSegments; ++k) {
    const int here = 4 * k, next = 4 * ((k + 1) % kSegments);
    for (int c = 0; c < 4; ++c) {
      const int d = (c + 1) % 4;
      mesh.triangles.push_back({here + c, next + d, here + d});
      mesh.triangles.push_back({here + c, next + c, next + d});
    }
  }
  return mesh;
}

/// Depths to stop at: evenly down, with ways up and down again where cycles are asked for. The soil lets
/// go of a plate 1/unloading of its depth above the deepest point.
std::vector<double> schedule(const BevameterSpec& spec) {
  constexpr int kStops = 8;  // on each way
  std::vector<double> depths;
  int done = 0;
  for (int k = 1; k <= spec.points; ++k) {
    const double z = spec.depth * k / spec.points;
    depths.push_back(z);
    if (done >= spec.cycles || k * (spec.cycles + 1) < (done + 1) * spec.points) continue;
    ++done;
    const double lift = 1.2 * z / spec.scm.unloading;
    for (int i = 1; i <= kStops; ++i) depths.push_back(z - lift * i / kStops);
    for (int i = kStops - 1; i >= 1; --i) depths.push_back(z - lift * i / kStops);
  }
  return depths;
}

/// Depth at which the soil carries a load [N], by bisection.
double depth_under(LedBody& press, double load, double deepest) {
  double low = 0, high = deepest;
  for (int k = 0; k < 50; ++k) {
    const double middle = (low + high) / 2;
    (press.try_at(at_depth(middle)).wrench.force.z() < load ? low : high) = middle;
  }
  return high;
}

}  // namespace

double Plate::area() const {
  return radius > 0 ? std::numbers::pi * radius * radius : size.x() * size.y();
}

double Plate::width() const { return radius > 0 ? radius : size.minCoeff(); }

void validate(const BevameterSpec& spec) {
  IssueList issues;
  for (const Plate& plate : spec.plates) {
    if (plate.radius > 0 || plate.size.isZero()) {
      check_range(issues, "plates.radius", plate.radius, 1e-3, 10, "m");
    } else {
      check_range(issues, "plates.size", plate.size.minCoeff(), 1e-3, 10, "m");
      check_range(issues, "plates.size", plate.size.maxCoeff(), 1e-3, 10, "m");
    }
  }
  check_range(issues, "spacing", spec.spacing, 1e-4, 1, "m");
  check_range(issues, "depth", spec.depth, 1e-4, 0.4, "m");
  check_range(issues, "points", spec.points, 3, 1e5, "");
  check_range(issues, "cycles", spec.cycles, 0, 1000, "");
  check_range(issues, "ring_inner", spec.ring_inner, 1e-3, 10, "m");
  check_range(issues, "ring_outer", spec.ring_outer, spec.ring_inner + 1e-3, 10, "m");
  for (const double stress : spec.stresses) check_range(issues, "stresses", stress, 1, 1e8, "Pa");
  check_range(issues, "travel", spec.travel, 1e-4, 10, "m");
  check_range(issues, "shear_points", spec.shear_points, 3, 1e5, "");
  issues.throw_if_any();
}

PlateCurve press(const BevameterSpec& spec, const Plate& plate) {
  const double reach = plate.radius > 0 ? plate.radius : plate.size.maxCoeff() / 2;
  LedBody press = press_of(spec, mesh_of(plate, spec), reach);
  PlateCurve curve{.plate = plate, .test = {}};
  curve.test.trial = plate.radius > 0 ? fmt::format("disc r {:g} mm", 1e3 * plate.radius)
                                      : fmt::format("plate {:g} x {:g} mm", 1e3 * plate.size.x(),
                                                    1e3 * plate.size.y());
  curve.test.width = plate.width();
  curve.test.disc = plate.radius > 0;
  for (const double z : schedule(spec)) {
    const double force = press.creep(at_depth(z)).wrench.force.z();
    curve.test.points.push_back({.sinkage = z, .pressure = force / plate.area()});
  }
  return curve;
}

ShearTest shear(const BevameterSpec& spec, double normal_stress) {
  const double r = spec.ring_inner, R = spec.ring_outer;
  const double area = std::numbers::pi * (R * R - r * r);
  const double arm = 2 * std::numbers::pi / 3 * (R * R * R - r * r * r);
  const double deepest = R;
  LedBody press = press_of(spec, ring_mesh(r, R, R + kMargin), R);
  if (press.try_at(at_depth(deepest)).wrench.force.z() < normal_stress * area) {
    throw Error(
        ErrorKind::input,
        {.message = fmt::format("the soil does not carry this stress within {:g} m", deepest),
         .field = "stresses",
         .value = fmt::format("{:g}", normal_stress),
         .legal = "less [Pa]"});
  }
  // The face is level: turning it changes no vertical force, so that the depth stays.
  const double z = depth_under(press, normal_stress * area, deepest);
  press.creep(at_depth(z));
  ShearTest test{.trial = fmt::format("{:g} kPa", 1e-3 * normal_stress), .file = {}, .points = {}};
  for (int k = 1; k <= spec.shear_points; ++k) {
    const double travel = spec.travel * k / spec.shear_points;
    const Wrench wrench = press.creep(at_depth(z, travel / ((r + R) / 2))).wrench;
    test.points.push_back({.normal_stress = wrench.force.z() / area,
                           .displacement = travel,
                           .shear_stress = -wrench.torque.z() / arm});
  }
  return test;
}

BevameterTests run_bevameter(const BevameterSpec& spec) {
  validate(spec);
  BevameterTests tests;
  tests.plates.resize(spec.plates.size());
  tests.shear.resize(spec.stresses.size());
  parallel_for(spec.plates.size() + spec.stresses.size(), 1,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t k = begin; k < end; ++k) {
                   if (k < spec.plates.size()) {
                     tests.plates[k] = press(spec, spec.plates[k]);
                   } else {
                     tests.shear[k - spec.plates.size()] =
                         shear(spec, spec.stresses[k - spec.plates.size()]);
                   }
                 }
               });
  return tests;
}

std::vector<PlateTest> plate_tests(const BevameterTests& tests) {
  std::vector<PlateTest> plates;
  for (const PlateCurve& curve : tests.plates) {
    PlateTest& test = plates.emplace_back(curve.test);
    double deepest = 0;
    std::erase_if(test.points, [&](const PlatePoint& point) {
      if (point.sinkage <= deepest) return true;
      deepest = point.sinkage;
      return false;
    });
  }
  return plates;
}

}  // namespace grouser::internal
