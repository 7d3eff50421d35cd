#include "contact/scm/trapped_soil.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"

namespace grouser::internal {
namespace {

constexpr double kRadius = 0.125, kWidth = 0.1, kHeight = 0.008, kThickness = 0.003;

/// Outline of a wheel seen along its axle, z over x: a rim with blades.
std::vector<Vec2> outline(int count, double height) {
  constexpr int kArc = 8;  // points of the rim between two blades
  std::vector<Vec2> points;
  for (int g = 0; g < count; ++g) {
    const double middle = 2 * std::numbers::pi * g / count, half = 0.5 * kThickness;
    const Vec2 out(std::cos(middle), std::sin(middle)), across(-out.y(), out.x());
    const double foot = std::sqrt(kRadius * kRadius - half * half), tip = kRadius + height;
    points.push_back(foot * out - half * across);
    points.push_back(tip * out - half * across);
    points.push_back(tip * out + half * across);
    points.push_back(foot * out + half * across);
    const double from = middle + std::asin(half / kRadius),
                 to = middle + 2 * std::numbers::pi / count - std::asin(half / kRadius);
    for (int k = 1; k < kArc; ++k) {
      const double angle = from + (to - from) * k / kArc;
      points.push_back(kRadius * Vec2(std::cos(angle), std::sin(angle)));
    }
  }
  return points;
}

/// Closed, solid down to `inner` times the outline.
TriMesh wheel(const std::vector<Vec2>& points, double inner = 0.1) {
  TriMesh mesh;
  const auto n = static_cast<std::int32_t>(points.size());
  for (const double scale : {1.0, inner}) {
    for (const double y : {-0.5 * kWidth, 0.5 * kWidth}) {
      for (const Vec2& p : points) mesh.vertices.emplace_back(scale * p.x(), y, scale * p.y());
    }
  }
  const auto quad = [&](std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (std::int32_t k = 0; k < n; ++k) {  // rows: outside at -y and +y, inside at -y and +y
    const std::int32_t l = (k + 1) % n;
    quad(k, n + k, n + l, l);
    quad(2 * n + k, 2 * n + l, 3 * n + l, 3 * n + k);
    quad(k, l, 2 * n + l, 2 * n + k);
    quad(n + k, 3 * n + k, 3 * n + l, n + l);
  }
  return mesh;
}

TriMesh with_grousers(int count, double height = kHeight, double inner = 0.1) {
  return wheel(outline(count, height), inner);
}

double volume_of(const TriMesh& mesh) { return solid_properties(mesh).volume; }

// Straight from tip to tip, as the rim stays within: each tip is two corners, kThickness apart.
TEST(TrappedSoil, FillsWhatIsBetweenGrousers) {
  for (const int count : {12, 24}) {
    ASSERT_TRUE(check_mesh(with_grousers(count)).watertight());
    const double tip = kRadius + kHeight, corner = std::hypot(tip, 0.5 * kThickness);
    const double half_tip = std::asin(0.5 * kThickness / corner);
    const double half_gap = std::numbers::pi / count - half_tip;
    const double area =
        count * 0.5 * corner * corner * (std::sin(2 * half_tip) + std::sin(2 * half_gap));
    const TriMesh filled = with_trapped_soil(with_grousers(count));
    EXPECT_NEAR(volume_of(filled) / (area * kWidth), 1, 1e-12) << count;
  }
}

TEST(TrappedSoil, FillsAlsoIfTheRimIsOpenAtItsSides) {
  const double solid = volume_of(with_trapped_soil(with_grousers(24)));
  const double open = volume_of(with_trapped_soil(with_grousers(24, kHeight, 0.9)));
  EXPECT_NEAR(open / solid, 1, 1e-12);
}

// Few and far apart: wedges to the rim, no more. From a tip straight lines touch the rim at acos(r/R).
TEST(TrappedSoil, LeavesTheRimBareBetweenGrousersFarApart) {
  const double tip = kRadius + kHeight, to_rim = std::acos(kRadius / tip);
  const double wedge = kRadius * kRadius * (std::tan(to_rim) - to_rim);  // before and behind a tip
  const double smooth = std::numbers::pi * kRadius * kRadius;
  const double filled = volume_of(with_trapped_soil(with_grousers(4))) / kWidth;
  // Blades have a thickness, the rim is a polygon of 44 corners.
  EXPECT_NEAR(filled / (smooth + 4 * (wedge + kThickness * kHeight)), 1, 5e-3);
}

TEST(TrappedSoil, LeavesOtherWheelsAsTheyAre) {
  std::vector<Vec2> circle;
  for (int k = 0; k < 100; ++k) {
    circle.push_back(kRadius * Vec2(std::cos(2 * std::numbers::pi * k / 100),
                                    std::sin(2 * std::numbers::pi * k / 100)));
  }
  const TriMesh smooth = wheel(circle);
  EXPECT_EQ(with_trapped_soil(smooth).vertices, smooth.vertices);
  const TriMesh legs = with_grousers(6, kRadius);  // deeper than a quarter of the radius
  EXPECT_EQ(with_trapped_soil(legs).vertices, legs.vertices);
}

// A hull would hide what is wrong with it.
TEST(TrappedSoil, LeavesAMeshThatIsNotClosed) {
  TriMesh open = with_grousers(24);
  open.triangles.pop_back();
  EXPECT_EQ(with_trapped_soil(open).triangles, open.triangles);
}

TEST(TrappedSoil, IsNotOfThePapersLaws) {
  const TriMesh wheel = with_grousers(24);
  EXPECT_EQ(wheel_in_soil(wheel, {.horizontal = ScmOptions::Horizontal::paper}).vertices,
            wheel.vertices);
  EXPECT_EQ(wheel_in_soil(wheel, {}).vertices, with_trapped_soil(wheel).vertices);
}

}  // namespace
}  // namespace grouser::internal
