#include "assets/wheel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "assets/wheel_rim.h"
#include "core/rng.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"

namespace grouser::internal {
namespace {

double axle_distance(const Vec3& p) { return std::hypot(p.x(), p.z()); }

/// A coarse smooth cylinder, to be changed by the tests.
WheelSpec plain_wheel() {
  WheelSpec spec;
  spec.grousers.count = 0;
  spec.spokes.count = 0;
  spec.rim_thickness = 0;
  return spec;
}

WheelSpec random_rim(CounterRng& rng) {
  WheelSpec spec;
  spec.radius = rng.uniform(0.05, 0.5);
  spec.width = spec.radius * rng.uniform(0.2, 2);
  spec.profile = static_cast<TreadProfile>(rng.index(3));
  spec.crown_height = std::min(spec.width / 2, spec.radius / 2) * rng.uniform(0.05, 1);
  const double middle = rng.uniform(-0.8, 0.8);
  spec.profile_points = {{-1, rng.uniform(0.7, 1)}, {middle, 1}, {1, rng.uniform(0.7, 1)}};
  spec.rim_thickness = rng.index(3) == 0 ? 0 : spec.radius * rng.uniform(0.01, 0.3);
  spec.grousers.count = static_cast<int>(rng.index(20));
  spec.grousers.height = spec.radius * rng.uniform(0.01, 0.2);
  const double pitch = 2 * std::numbers::pi * spec.radius / (spec.grousers.count + 1);
  spec.grousers.thickness = 0.4 * std::min(pitch, spec.radius / 2) * rng.uniform(0.05, 0.6);
  spec.grousers.style = static_cast<GrouserStyle>(rng.index(3));
  spec.grousers.angle_deg = rng.uniform(-50, 50);
  spec.spokes.count = static_cast<int>(rng.index(8));
  spec.spokes.hub_radius = spec.radius * rng.uniform(0.1, 0.2);
  spec.spokes.thickness = spec.spokes.hub_radius * rng.uniform(0.1, 0.6);
  spec.spokes.hub_width = spec.width * rng.uniform(0.3, 1.2);
  spec.spokes.width = std::min(spec.width, spec.spokes.hub_width) * rng.uniform(0.2, 0.97);
  spec.edge_around = spec.radius * rng.uniform(0.05, 0.5);
  spec.edge_across = spec.width * rng.uniform(0.1, 1);
  return spec;
}

WheelSpec random_rimless(CounterRng& rng) {
  WheelSpec spec;
  spec.kind = WheelKind::rimless;
  spec.radius = rng.uniform(0.05, 0.5);
  spec.width = spec.radius * rng.uniform(0.2, 1);
  spec.legs.count = 1 + static_cast<int>(rng.index(5));
  spec.legs.hub_radius = spec.radius * rng.uniform(0.15, 0.25);
  spec.legs.thickness = spec.legs.hub_radius * rng.uniform(0.1, 0.8);
  spec.legs.arc_radius = spec.radius * rng.uniform(0.15, 0.3);
  spec.legs.arc_deg = rng.uniform(-80, 80);
  spec.legs.foot_length = spec.radius * rng.uniform(0, 0.2);
  spec.edge_around = spec.radius * rng.uniform(0.05, 0.3);
  spec.edge_across = spec.width * rng.uniform(0.2, 1);
  return spec;
}

void expect_solid(const TriMesh& mesh, bool self_intersections) {
  const MeshReport report = check_mesh(mesh, {.self_intersections = self_intersections});
  EXPECT_TRUE(report.watertight()) << report.open_edges << " " << report.crowded_edges;
  EXPECT_TRUE(report.oriented()) << report.flipped_edges;
  EXPECT_GT(report.volume, 0);
  EXPECT_EQ(report.degenerate_triangles, 0u);
  EXPECT_EQ(report.duplicate_vertices, 0u);
  EXPECT_EQ(report.unused_vertices, 0u);
  EXPECT_EQ(report.pieces, 1u);
  EXPECT_EQ(report.self_intersections, 0u);
}

double largest_radius(const TriMesh& mesh) {
  double radius = 0;
  for (const Vec3& p : mesh.vertices) radius = std::max(radius, axle_distance(p));
  return radius;
}

TEST(Wheel, RandomRimsAreClosedOutwardAndOfTheRightSize) {
  CounterRng rng(1);
  for (int i = 0; i < 700; ++i) {
    SCOPED_TRACE(i);
    const WheelSpec spec = random_rim(rng);
    const TriMesh mesh = make_wheel(spec);
    expect_solid(mesh, i % 14 == 0);
    const double height = spec.grousers.count > 0 ? spec.grousers.height : 0;
    // Measured residual 2.2e-16 at a radius of 0.5.
    EXPECT_NEAR(largest_radius(mesh), spec.radius + height, 2e-15 * spec.radius);
    if (HasFailure()) break;
  }
}

TEST(Wheel, RandomRimlessWheelsAreClosedOutwardAndOfTheRightSize) {
  CounterRng rng(2);
  int made = 0;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const WheelSpec spec = random_rimless(rng);
    try {
      const TriMesh mesh = make_wheel(spec);
      expect_solid(mesh, i % 6 == 0);
      EXPECT_NEAR(largest_radius(mesh), spec.radius, 2e-15 * spec.radius);  // measured 1.1e-16
      ++made;
    } catch (const Error& error) {  // legs that run into each other
      EXPECT_EQ(error.kind(), ErrorKind::input);
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(made, 200);
}

// A prism on a regular polygon of n corners has the volume n/2 sin(2π/n) r² w.
TEST(Wheel, SmoothDiscIsAPrismThatTendsToTheCylinder) {
  WheelSpec spec = plain_wheel();
  double last = 1;
  for (const int n : {20, 40, 80, 160}) {
    spec.edge_around = 2 * std::numbers::pi * spec.radius / n;
    const double volume = solid_properties(make_wheel(spec)).volume;
    const double area = n / 2.0 * std::sin(2 * std::numbers::pi / n) * spec.radius * spec.radius;
    EXPECT_NEAR(volume / (area * spec.width), 1, 1e-12);  // measured 4e-14
    const double miss = 1 - volume / (std::numbers::pi * spec.radius * spec.radius * spec.width);
    if (n > 20) {
      EXPECT_NEAR(last / miss, 4, 0.05);  // second order; measured 0.015
    }
    last = miss;
  }
}

TEST(Wheel, OpenRimTendsToTheAnnulus) {
  WheelSpec spec = plain_wheel();
  spec.rim_thickness = 0.02;
  spec.edge_around = 0.002;
  const SolidProperties solid = solid_properties(make_wheel(spec));
  const double inner = spec.radius - spec.rim_thickness;
  const double sum = spec.radius * spec.radius + inner * inner;
  const double volume = std::numbers::pi * (spec.radius * spec.radius - inner * inner) * spec.width;
  EXPECT_NEAR(solid.volume / volume, 1, 2e-4);                     // measured 4e-8: errors cancel
  EXPECT_NEAR(solid.centroid.norm(), 0, 1e-15);                    // measured 8e-17
  EXPECT_NEAR(solid.inertia(1, 1) / (volume * sum / 2), 1, 2e-4);  // measured 5e-5
}

// Spokes and hub, measured against hand-made boxes and a cylinder: the spokes' ends are curved, so the
// comparison is as good as the mesh is fine.
TEST(Wheel, SpokesAndHubAddTheirVolume) {
  WheelSpec spec = plain_wheel();
  spec.rim_thickness = 0.02;
  spec.edge_around = 0.001;
  const double open = solid_properties(make_wheel(spec)).volume;
  spec.spokes = {
      .count = 5, .thickness = 0.01, .width = 0.03, .hub_radius = 0.03, .hub_width = 0.05};
  const double spoked = solid_properties(make_wheel(spec)).volume;
  const auto cap = [](double r, double half) {  // area under the arc of radius r over |s| < half
    return half * std::sqrt(r * r - half * half) + r * r * std::asin(half / r);
  };
  const double spoke = (cap(0.109, 0.005) - cap(0.03, 0.005)) * 0.03;
  const double expected = 5 * spoke + std::numbers::pi * 0.03 * 0.03 * 0.05;
  EXPECT_NEAR((spoked - open) / expected, 1, 5e-4);  // measured 9e-5
}

// Each grouser is a bar of parallel walls; its section between two concentric arcs is known.
TEST(Wheel, GrousersAddTheirVolume) {
  WheelSpec spec = plain_wheel();
  spec.edge_around = 0.0005;
  const double smooth = solid_properties(make_wheel(spec)).volume;
  spec.grousers = {.count = 18, .height = 0.012, .thickness = 0.005};
  const double rough = solid_properties(make_wheel(spec)).volume;
  const auto cap = [](double r, double half) {
    return half * std::sqrt(r * r - half * half) + r * r * std::asin(half / r);
  };
  const double bar = (cap(spec.radius + 0.012, 0.0025) - cap(spec.radius, 0.0025)) * spec.width;
  EXPECT_NEAR((rough - smooth) / (18 * bar), 1, 1e-4);  // measured 3.5e-6
}

/// The vertices at the outermost radius for their y: the tips of grousers.
std::vector<Vec3> tips(const TriMesh& mesh, double radius) {
  std::vector<Vec3> found;
  for (const Vec3& p : mesh.vertices) {
    if (axle_distance(p) > radius * (1 - 1e-12)) found.push_back(p);
  }
  return found;
}

// Seen along its own run at the wheel's radius, a slanted bar is `thickness` wide: the two edges of a tip
// are thickness / cos(angle) apart around the axle, and its centre moves by tan(angle) with y.
TEST(Wheel, SlantedGrousersFollowTheirAngle) {
  WheelSpec spec = plain_wheel();
  spec.grousers = {.count = 1,
                   .height = 0.01,
                   .thickness = 0.004,
                   .style = GrouserStyle::slanted,
                   .angle_deg = 20};
  spec.edge_around = 0.01;
  const double angle = 20 * std::numbers::pi / 180;
  for (const Vec3& p : tips(make_wheel(spec), spec.radius + 0.01)) {
    const double centre = p.y() * std::tan(angle) / spec.radius;
    const double beside = p.x() * std::cos(centre) - p.z() * std::sin(centre);
    EXPECT_NEAR(std::abs(beside), 0.002 / std::cos(angle), 1e-15);  // measured 6e-18
  }
}

using VertexKey = std::tuple<double, double, double>;
using TriangleKey = std::multiset<VertexKey>;

std::multiset<TriangleKey> triangle_keys(const TriMesh& mesh, double y_factor) {
  std::multiset<TriangleKey> keys;
  for (const Triangle& triangle : mesh.triangles) {
    TriangleKey key;
    for (const std::int32_t v : triangle) {
      const Vec3& p = mesh.vertices[static_cast<std::size_t>(v)];
      key.insert({p.x(), y_factor * p.y() + 0.0, p.z()});
    }
    keys.insert(std::move(key));
  }
  return keys;
}

TEST(Wheel, ChevronIsItsOwnMirrorImageBitForBit) {
  WheelSpec spec = plain_wheel();
  spec.rim_thickness = 0.01;
  spec.profile = TreadProfile::convex;
  spec.grousers.count = 11;
  spec.grousers.style = GrouserStyle::chevron;
  const TriMesh mesh = make_wheel(spec);
  EXPECT_EQ(triangle_keys(mesh, 1), triangle_keys(mesh, -1));
  spec.grousers.style = GrouserStyle::slanted;
  const TriMesh slanted = make_wheel(spec);
  EXPECT_NE(triangle_keys(slanted, 1), triangle_keys(slanted, -1));
}

TEST(Wheel, OppositeSlantIsTheMirrorImage) {
  WheelSpec spec = plain_wheel();
  spec.grousers.count = 7;
  spec.grousers.style = GrouserStyle::slanted;
  spec.grousers.angle_deg = 25;
  const TriMesh left = make_wheel(spec);
  spec.grousers.angle_deg = -25;
  EXPECT_EQ(triangle_keys(left, 1), triangle_keys(make_wheel(spec), -1));
}

TEST(Wheel, WithoutAnAngleAllStylesAreStraight) {
  WheelSpec spec;
  spec.grousers.angle_deg = 0;
  const TriMesh straight = make_wheel(spec);
  for (const GrouserStyle style : {GrouserStyle::slanted, GrouserStyle::chevron}) {
    spec.grousers.style = style;
    const TriMesh other = make_wheel(spec);
    EXPECT_EQ(straight.vertices, other.vertices);
    EXPECT_EQ(straight.triangles, other.triangles);
  }
}

// Forward rolling turns the top (z) towards x: the trailing foot lies on the other side.
TEST(Wheel, FeetTrailWhenRollingForward) {
  WheelSpec spec{.kind = WheelKind::rimless};
  spec.legs.count = 1;
  const auto centroid = [&] { return solid_properties(make_wheel(spec)).centroid; };
  EXPECT_LT(centroid().x(), -0.005);
  EXPECT_GT(centroid().z(), 0.02);
  spec.legs.arc_deg = -60;
  EXPECT_GT(centroid().x(), 0.005);
}

TEST(Wheel, ProfilesKeepToTheirSection) {
  WheelSpec spec = plain_wheel();
  spec.profile = TreadProfile::convex;
  spec.crown_height = 0.02;
  const double arc = (0.05 * 0.05 + 0.02 * 0.02) / 0.04;  // through the middle and both edges
  for (const Vec3& p : make_wheel(spec).vertices) {
    if (axle_distance(p) == 0) continue;  // the middles of the sides
    const double height = axle_distance(p) - (spec.radius - arc);
    EXPECT_NEAR(std::hypot(height, p.y()), arc, 1e-15);  // measured 4e-17
  }
  spec.profile = TreadProfile::polyline;
  spec.profile_points = {{-1, 0.8}, {0.5, 1}, {1, 0.9}};
  bool has_kink = false;
  for (const Vec3& p : make_wheel(spec).vertices) {
    if (axle_distance(p) == 0) continue;
    const double y = p.y() / 0.05;
    const double ratio = y < 0.5 ? 0.8 + 0.2 * (y + 1) / 1.5 : 1 - 0.1 * (y - 0.5) / 0.5;
    EXPECT_NEAR(axle_distance(p), spec.radius * ratio, 1e-15);  // measured 6e-17
    has_kink = has_kink || y == 0.5;
  }
  EXPECT_TRUE(has_kink);
}

bool is_legal(const WheelSpec& spec) {
  try {
    validate(spec);
    return true;
  } catch (const Error&) {
    return false;
  }
}

double log_uniform(CounterRng& rng, double low, double high) {
  return std::exp(rng.uniform(std::log(low), std::log(high)));
}

/// Anything, however odd: paper-thin rims, grousers higher than the wheel, steep profiles, huge edges.
WheelSpec extreme_wheel(CounterRng& rng) {
  WheelSpec spec;
  spec.kind = rng.index(4) == 0 ? WheelKind::rimless : WheelKind::rim;
  const double r = spec.radius = log_uniform(rng, 0.01, 3);
  spec.width = r * log_uniform(rng, 0.02, 10);
  spec.profile = static_cast<TreadProfile>(rng.index(3));
  spec.crown_height = std::min(spec.width / 2, 0.95 * r) * log_uniform(rng, 1e-4, 1);
  const int points = 2 + static_cast<int>(rng.index(6));
  for (int k = 0; k < points; ++k) {
    const double shift = k == 0 || k == points - 1 ? 0 : rng.uniform(-0.49, 0.49);
    spec.profile_points.emplace_back(2 * (k + shift) / (points - 1) - 1, rng.uniform(0.02, 1));
  }
  spec.profile_points[rng.index(spec.profile_points.size())].y() = 1;
  spec.rim_thickness = rng.index(4) == 0 ? 0 : r * log_uniform(rng, 1e-4, 0.9);
  spec.grousers = {.count = static_cast<int>(rng.index(60)),
                   .height = r * log_uniform(rng, 1e-4, 2),
                   .thickness = r * log_uniform(rng, 1e-4, 1),
                   .style = static_cast<GrouserStyle>(rng.index(3)),
                   .angle_deg = rng.uniform(-60, 60)};
  spec.spokes = {.count = static_cast<int>(rng.index(12)),
                 .thickness = r * log_uniform(rng, 1e-3, 1),
                 .width = spec.width * log_uniform(rng, 0.01, 1),
                 .hub_radius = r * log_uniform(rng, 0.01, 1),
                 .hub_width = spec.width * log_uniform(rng, 0.01, 3)};
  spec.legs = {.count = 1 + static_cast<int>(rng.index(8)),
               .thickness = r * log_uniform(rng, 0.005, 0.5),
               .arc_radius = r * log_uniform(rng, 0.01, 3),
               .arc_deg = rng.uniform(-170, 170),
               .foot_length = r * rng.uniform(0, 1),
               .hub_radius = r * log_uniform(rng, 0.02, 0.8)};
  spec.edge_around = r * log_uniform(rng, 0.02, 3);
  spec.edge_across = spec.width * log_uniform(rng, 0.02, 3);
  return spec;
}

// What validate() lets pass is built as promised. About a minute and a half.
TEST(LongWheel, ExtremeWheelsAreSolidOrRefused) {
  CounterRng rng(5);
  int made = 0;
  for (int i = 0; i < 20000 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const WheelSpec spec = extreme_wheel(rng);
    if (!is_legal(spec) || triangle_estimate(spec) > 40000) continue;
    const TriMesh mesh = make_wheel(spec);
    expect_solid(mesh, true);
    EXPECT_LE(static_cast<double>(mesh.triangles.size()), triangle_estimate(spec));
    const bool bars = spec.kind == WheelKind::rim && spec.grousers.count > 0;
    const double radius = spec.radius + (bars ? spec.grousers.height : 0);
    EXPECT_NEAR(largest_radius(mesh), radius, 2e-15 * radius);  // measured 4e-16 of it
    ++made;
  }
  EXPECT_GT(made, 4000);
}

}  // namespace
}  // namespace grouser::internal
