#include "geometry/raster.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/primitives.h"
#include "random_mesh.h"

namespace grouser::internal {
namespace {

TEST(Raster, PlaneOfATriangleIsReproduced) {
  const auto plane = [](double x, double y) { return 0.3 + 0.2 * x - 0.7 * y; };
  LowerEnvelope envelope;
  envelope.reset({.origin = {-1, -1}, .spacing = 0.1, .nx = 31, .ny = 31});
  const Vec2 a(0, 0), b(1.5, 0.2), c(0.3, 1.7);
  rasterise({Vec3(a.x(), a.y(), plane(a.x(), a.y())), Vec3(b.x(), b.y(), plane(b.x(), b.y())),
             Vec3(c.x(), c.y(), plane(c.x(), c.y()))},
            7, envelope);
  int covered = 0;
  for (int j = 0; j < 31; ++j) {
    for (int i = 0; i < 31; ++i) {
      const std::size_t n = envelope.grid.index(i, j);
      if (envelope.triangle[n] < 0) {
        EXPECT_EQ(envelope.height[n], LowerEnvelope::kNone);
        continue;
      }
      ++covered;
      EXPECT_EQ(envelope.triangle[n], 7);
      const Vec2 p = envelope.grid.node(i, j);
      EXPECT_NEAR(envelope.height[n], plane(p.x(), p.y()), 1e-14);  // measured 2e-16
    }
  }
  EXPECT_NEAR(covered * 0.01, 0.5 * (1.5 * 1.7 - 0.2 * 0.3), 0.15);  // area, to a cell's border
}

TEST(Raster, SphereGivesItsLowerHalf) {
  LowerEnvelope envelope;
  envelope.reset({.origin = {-1, -1}, .spacing = 0.05, .nx = 41, .ny = 41});
  rasterise(sphere_mesh(0.8, 60), envelope);
  for (int j = 0; j < 41; ++j) {
    for (int i = 0; i < 41; ++i) {
      const double r = envelope.grid.node(i, j).norm();
      const double height = envelope.height[envelope.grid.index(i, j)];
      if (r < 0.75) {
        EXPECT_NEAR(height, -std::sqrt(0.64 - r * r), 1e-3);  // measured 1.6e-4: chords
      } else if (r > 0.8) {
        EXPECT_EQ(height, LowerEnvelope::kNone);
      }
    }
  }
}

// A box whose edges run exactly through nodes: no node within may be left out, whatever the rounding.
TEST(Raster, SharedEdgesLeaveNoGap) {
  CounterRng rng(1);
  for (int trial = 0; trial < 100; ++trial) {
    LowerEnvelope envelope;
    const double spacing = rng.uniform(0.01, 0.3);
    envelope.reset({.origin = {-2, -2},
                    .spacing = spacing,
                    .nx = static_cast<int>(4 / spacing),
                    .ny = static_cast<int>(4 / spacing)});
    const double angle = trial % 2 == 0 ? 0 : rng.uniform(0, 3);
    const Pose X{Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), Vec3::Zero()};
    rasterise(transformed(X, box_mesh(Vec3(2, 2, 1), 1 + trial % 7)), envelope);
    for (int j = 0; j < envelope.grid.ny; ++j) {
      for (int i = 0; i < envelope.grid.nx; ++i) {
        const Vec2 p = envelope.grid.node(i, j);
        const Vec3 in_box = X.inverse() * Vec3(p.x(), p.y(), 0);
        if (in_box.head<2>().cwiseAbs().maxCoeff() > 1 - 1e-9) continue;
        EXPECT_NEAR(envelope.height[envelope.grid.index(i, j)], -0.5, 1e-14);
      }
    }
  }
}

TEST(Raster, SteepTriangleStaysWithinItsCorners) {
  LowerEnvelope envelope;
  envelope.reset({.spacing = 0.1, .nx = 11, .ny = 11});
  rasterise({Vec3(0.5, 0, 0), Vec3(0.5 + 1e-13, 1, 0), Vec3(0.5, 1, 1)}, 0, envelope);
  for (const double height : envelope.height) {
    if (height == LowerEnvelope::kNone) continue;
    EXPECT_GE(height, 0);
    EXPECT_LE(height, 1);
  }
}

TEST(Raster, ReachesBeyondTheGridWithoutHarm) {
  LowerEnvelope envelope;
  envelope.reset({.origin = {0, 0}, .spacing = 1, .nx = 3, .ny = 3});
  rasterise({Vec3(-1e6, -1e6, 2), Vec3(3e6, -1e6, 2), Vec3(-1e6, 3e6, 2)}, 0, envelope);
  for (const double height : envelope.height) EXPECT_NEAR(height, 2, 1e-12);
  envelope.reset({.origin = {0, 0}, .spacing = 1, .nx = 3, .ny = 3});
  rasterise({Vec3(10, 10, 2), Vec3(20, 10, 2), Vec3(10, 20, 2)}, 0, envelope);
  for (const double height : envelope.height) EXPECT_EQ(height, LowerEnvelope::kNone);
}

}  // namespace
}  // namespace grouser::internal
