// Bodies with ribs and hollows between them: the soil there goes with the body.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "geometry/primitives.h"
#include "soil_testing.h"

namespace grouser {
namespace {

TEST(GapBridge, JoinsWhatIsClose) {
  const PaddedGrid grid{12, 3};
  std::vector<double> values(grid.size(), 0), bridged;
  for (const int i : {1, 2, 6, 7}) values[grid.index(i, 1)] = 1;
  values[grid.index(2, 1)] = 0.6;  // the rim of a part
  GapBridge bridge;
  bridge.bridge(grid, values, 8, bridged);
  for (const int i : {1, 3, 4, 5, 6, 7}) EXPECT_EQ(bridged[grid.index(i, 1)], 1) << i;
  for (const int i : {0, 8, 9}) EXPECT_EQ(bridged[grid.index(i, 1)], 0) << i;  // nothing beyond
  for (int i = 0; i < grid.nx; ++i) EXPECT_EQ(bridged[grid.index(i, 0)], 0);
  bridge.bridge(grid, values, 2.5, bridged);  // twice that is the gap
  EXPECT_EQ(bridged, values);
}

TEST(GapBridge, WorksAlongColumnsAndChangesSteadily) {
  const PaddedGrid grid{1, 9};
  std::vector<double> values(grid.size(), 0), bridged, last;
  values[grid.index(0, 1)] = values[grid.index(0, 7)] = 1;
  GapBridge bridge;
  for (double reach = 1; reach < 13; reach += 0.01) {
    bridge.bridge(grid, values, reach, bridged);
    for (std::size_t c = 0; c < last.size(); ++c) {
      EXPECT_GE(bridged[c], last[c]);
      EXPECT_LT(bridged[c] - last[c], 0.05);
    }
    last = bridged;
  }
  EXPECT_EQ(bridged[grid.index(0, 4)], 1);
}

TEST(MeanSlopes, RibsCancelOut) {
  const PaddedGrid grid{20, 3};
  std::vector<double> heights(grid.size(), MeanSlopes::kNone), plate(grid.size(), 0);
  for (int i = 0; i < grid.nx; ++i) {
    for (int j = 0; j < grid.ny; ++j) heights[grid.index(i, j)] = 0.3 * i - 0.2 * j;
    for (int j = 0; j < grid.ny; ++j) plate[grid.index(i, j)] = 1;
  }
  MeanSlopes along_x, along_y;
  along_x.prepare(grid, heights, plate, 1);
  along_y.prepare(grid, heights, plate, static_cast<std::size_t>(grid.stride()));
  for (const int reach : {2, 5, 9}) {
    EXPECT_NEAR(along_x.rise(grid.index(10, 1), reach, 7), 0.3, 1e-14);
  }
  EXPECT_NEAR(along_x.rise(grid.index(3, 1), 9, 7), 0.3, 1e-14);  // three on each side
  EXPECT_EQ(along_x.rise(grid.index(1, 1), 9, 7), 7);             // only one
  EXPECT_EQ(along_y.rise(grid.index(10, 1), 9, 7), 7);
  heights[grid.index(10, 1)] -= 5;  // a rib
  along_x.prepare(grid, heights, plate, 1);
  // In the flank, where the two neighbours alone say 0.3 - 2.5.
  EXPECT_NEAR(along_x.rise(grid.index(9, 1), 5, 7), 0.3 - 5. / 30, 1e-14);
  EXPECT_NEAR(along_x.rise(grid.index(10, 1), 5, 7), 0.3, 1e-14);
  // Between ribs nothing touches: they are all there is to go by.
  for (int i = 0; i < grid.nx; ++i) {
    if (i % 4 != 1) heights[grid.index(i, 1)] = MeanSlopes::kNone;
  }
  along_x.prepare(grid, heights, plate, 1);
  EXPECT_NEAR(along_x.rise(grid.index(13, 1), 6, 7), 0.3, 1e-14);  // by the ribs at 9 and 17
  EXPECT_EQ(along_x.rise(grid.index(13, 1), 3, 7), 7);
}

/// A plate with ribs below, along y: as a profile, x and z.
TriMesh extruded(const std::vector<Vec2>& profile, double width, double top) {
  TriMesh mesh;
  for (const Vec2& p : profile) {
    for (const double y : {-0.5 * width, 0.5 * width}) {
      mesh.vertices.emplace_back(p.x(), y, p.y());
      mesh.vertices.emplace_back(p.x(), y, top);
    }
  }
  const auto quad = [&](std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  const auto last = static_cast<std::int32_t>(4 * (profile.size() - 1));
  for (std::int32_t k = 0; k < last; k += 4) {  // per point: low and high at -y, low and high at +y
    quad(k, k + 2, k + 6, k + 4);
    quad(k + 1, k + 5, k + 7, k + 3);
    quad(k, k + 4, k + 5, k + 1);
    quad(k + 2, k + 3, k + 7, k + 6);
  }
  quad(0, 1, 3, 2);
  quad(last, last + 2, last + 3, last + 1);
  return mesh;
}

constexpr double kRib = 0.008, kPitch = 0.03, kLength = 0.15, kWidth = 0.06;

/// Ribs 3 mm wide at the tip, or none.
TriMesh plate_with_ribs(bool ribs) {
  std::vector<Vec2> profile = {{-0.5 * kLength, 0}};
  for (double x = -0.5 * kLength + 0.5 * kPitch; ribs && x < 0.5 * kLength; x += kPitch) {
    for (const Vec2& p :
         {Vec2(-0.0018, 0), Vec2(-0.0015, -kRib), Vec2(0.0015, -kRib), Vec2(0.0018, 0)}) {
      profile.emplace_back(x + p.x(), p.y());
    }
  }
  profile.emplace_back(0.5 * kLength, 0);
  return extruded(profile, kWidth, 0.05);
}

TEST(Hollow, IsSeenInTheMesh) {
  constexpr double kEdge = 0.0075;
  EXPECT_TRUE(ScmBody(plate_with_ribs(true), kEdge).hollow());
  EXPECT_FALSE(ScmBody(plate_with_ribs(false), kEdge).hollow());
  EXPECT_FALSE(ScmBody(box_mesh(Vec3(0.1, 0.2, 0.3), 7), kEdge).hollow());
  EXPECT_TRUE(ScmBody(torus_mesh(0.1, 0.03, 40, 20), kEdge).hollow());
  for (TriMesh mesh : {sphere_mesh(0.1, 20), cylinder_mesh(0.125, 0.1)}) {
    EXPECT_FALSE(ScmBody(mesh, kEdge).hollow());
    for (Vec3& v : mesh.vertices) v = v.cast<float>().cast<double>();  // as STL files keep it
    EXPECT_FALSE(ScmBody(mesh, kEdge).hollow());
  }
}

/// Pressed down to a depth of its flat part, then shoved along x at that depth.
struct Shoved : Rig {
  ScmSoil& ground;

  Shoved(const TriMesh& mesh, double depth, double way, ScmSoil& soil)
      : Rig(mesh, soil, sand()), ground(soil) {
    start({Mat3::Identity(), Vec3(0, 0, 0.01)});
    for (int k = 1; k <= 100; ++k) go(k, 0, -depth * k / 100);
    for (int k = 1; k <= 400; ++k) go(k, way * k / 400, -depth);
  }
  void go(int k, double x, double z) {
    step({Mat3::Identity(), Vec3(x, 0.0007, z)}, 1e-3, ground);
    if (k % 10 == 5) update(0.01, ground);
  }
};

// Soil between ribs that slides along their tips is a mechanism of failure. So no plate meets more resistance
// than strength times area there, whatever its ribs, but for the walls around it. Measured 113 % of that where
// ribs are narrower than a cell, 80 % where they are wider; without a limit of what flanks take, 117 and 103 %.
TEST(Hollow, RibsDoNotBeatTheStrengthOfSoil) {
  const Soil soil = sand();
  for (const double spacing : {0.005, 0.0025}) {
    ScmSoil ground = flat_soil(spacing, 0.25);
    const Shoved ribbed(plate_with_ribs(true), 0.03, 0.06, ground);
    const ScmForce& force = ribbed.scratch.force;
    const double load = force.wrench.force.z();
    const double strength = soil.cohesion * force.area + load * std::tan(soil.friction_angle);
    const double shoved = -(force.wrench.force - force.wall).x();
    EXPECT_LE(shoved, (spacing > 0.003 ? 1.15 : 1) * strength) << spacing;
    EXPECT_GE(shoved, 0.75 * strength) << spacing;
  }
}

// Ribs that are closer together than they are deep leave furrows between which nothing bears; the plate is as
// wide as one without ribs all the same.
TEST(Hollow, PlateIsAsWideAsWithoutRibs) {
  for (const double spacing : {0.005, 0.0025}) {
    ScmSoil ground = flat_soil(spacing, 0.25), other = flat_soil(spacing, 0.25);
    const Shoved ribbed(plate_with_ribs(true), 0.03, 0.01, ground);
    const Shoved flat(plate_with_ribs(false), 0.03, 0.01, other);
    ASSERT_EQ(ribbed.scratch.footprint.patches.size(), 1);
    const double width = flat.scratch.footprint.patches[0].plate_width();
    EXPECT_NEAR(ribbed.scratch.footprint.patches[0].plate_width() / width, 1, 0.03) << spacing;
  }
}

// What is left of the plate as it is lifted is narrower and so stiffer: the load may rise a little at first.
TEST(Hollow, LetsGo) {
  ScmSoil ground = flat_soil(0.005, 0.25);
  Shoved ribbed(plate_with_ribs(true), 0.03, 0.02, ground);
  const double load = ribbed.scratch.force.wrench.force.z();
  double now = load;
  for (int k = 1; k <= 400; ++k) {
    ribbed.go(k, 0.02, -0.03 + 1e-5 * k);
    now = ribbed.scratch.force.wrench.force.z();
    EXPECT_GE(now, 0) << k;
    EXPECT_LE(now, 1.2 * load) << k;
  }
  EXPECT_LT(now, 0.05 * load);
}

}  // namespace
}  // namespace grouser
