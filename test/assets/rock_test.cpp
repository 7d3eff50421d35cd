#include "assets/rock.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/parallel.h"
#include "core/rng.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_file.h"

namespace grouser::internal {
namespace {

TEST(Rock, RandomRocksAreClosedAndOutward) {
  CounterRng rng(1);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    const RockSpec spec{
        .dimensions = {rng.uniform(0.1, 3), rng.uniform(0.1, 3), rng.uniform(0.1, 3)},
        .shape_roughness = rng.uniform(0, 0.5),
        .surface_roughness = rng.uniform(0, 0.2),
        .divisions = 2 + static_cast<int>(rng.index(5)),
        .density = rng.uniform(1000, 4000),
        .seed = rng.bits()};
    const Rock rock = make_rock(spec);
    const MeshReport report = check_mesh(rock.mesh, {.self_intersections = i % 20 == 0});
    ASSERT_TRUE(report.watertight() && report.oriented());
    ASSERT_GT(report.volume, 0);
    ASSERT_EQ(report.degenerate_triangles, 0u);
    ASSERT_EQ(report.self_intersections, 0u);
    ASSERT_EQ(report.pieces, 1u);
    ASSERT_STREQ(physical_defect(rock.inertia), "");
  }
}

// By definition a rock has the second moments of the ellipsoid of its dimensions: at its mass m its
// moments of inertia are m (b² + c²) / 20 and so on, about its principal axes.
TEST(Rock, HasTheInertiaOfItsEllipsoid) {
  CounterRng rng(2);
  for (int i = 0; i < 100; ++i) {
    const Vec3 d(rng.uniform(0.1, 3), rng.uniform(0.1, 3), rng.uniform(0.1, 3));
    const Rock rock = make_rock({.dimensions = d, .shape_roughness = 0.4, .seed = rng.bits()});
    const Vec3 s = d.cwiseProduct(d);
    const Mat3 expected = Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal();
    const Mat3 found = rock.inertia.about_com / rock.inertia.mass * 20;
    EXPECT_NEAR((found - expected).norm() / expected.norm(), 0, 1e-13);  // measured 7e-15
    EXPECT_NEAR(solid_properties(rock.mesh).centroid.norm(), 0, 1e-14);  // measured 2e-15
    EXPECT_EQ(rock.inertia.mass, 2700 * rock.volume);
  }
}

// Without roughness: the ellipsoid, whose volume is π a b c / 6. Since the moments are right, the error of
// the volume is of fourth order in the edge length.
TEST(Rock, SmoothRockTendsToTheEllipsoid) {
  const Vec3 d(0.9, 0.6, 0.4);
  const double volume = std::numbers::pi / 6 * d.prod();
  double last = 0;
  for (const int divisions : {8, 16, 32}) {
    const Rock rock = make_rock(
        {.dimensions = d, .shape_roughness = 0, .surface_roughness = 0, .divisions = divisions});
    const double miss = std::abs(rock.volume / volume - 1);
    if (last > 0) {
      EXPECT_NEAR(last / miss, 16, 0.5);  // measured 0.13
    }
    last = miss;
    for (const Vec3& p : rock.mesh.vertices) {
      EXPECT_NEAR(2 * p.cwiseQuotient(d).norm(), 1,
                  0.3 / (divisions * divisions));  // measured 0.185
    }
  }
  EXPECT_LT(last, 1e-6);  // measured 2e-8
}

TEST(Rock, RoughnessIsAboutWhatIsAskedFor) {
  for (const double roughness : {0.05, 0.1}) {
    double shape = 0, fine = 0;
    constexpr int kRocks = 40;
    for (std::uint64_t seed = 1; seed <= kRocks; ++seed) {
      const auto rms = [&](double coarse, double surface) {
        const Rock rock = make_rock({.dimensions = Vec3::Ones(),
                                     .shape_roughness = coarse,
                                     .surface_roughness = surface,
                                     .divisions = 16,
                                     .seed = seed});
        double squares = 0;
        for (const Vec3& p : rock.mesh.vertices) squares += std::pow(2 * p.norm() - 1, 2);
        return std::sqrt(squares / static_cast<double>(rock.mesh.vertices.size()));
      };
      shape += rms(roughness, 0) / kRocks;
      fine += rms(0, roughness) / kRocks;
    }
    // The fit to the ellipsoid takes up the longest waves of the large lumps.
    EXPECT_NEAR(shape / roughness, 0.9, 0.1);  // measured 0.89
    EXPECT_NEAR(fine / roughness, 1, 0.1);     // measured 1.006
  }
}

TEST(Rock, SameBytesForAnyNumberOfThreadsAndOthersForOtherSeeds) {
  RockSpec spec{.divisions = 40};
  const std::string text = obj_text(make_rock(spec).mesh);
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    EXPECT_EQ(obj_text(make_rock(spec).mesh), text);
  }
  set_thread_count(0);
  spec.seed = 2;
  EXPECT_NE(obj_text(make_rock(spec).mesh), text);
}

TEST(Rock, ValidationNamesTheFields) {
  try {
    validate({.dimensions = {1, -1, 1}, .shape_roughness = 3}, "rock");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.issues().size(), 2u);
    EXPECT_THAT(error.what(), testing::HasSubstr("rock.dimensions[1]: out of range (got -1"));
    EXPECT_THAT(error.what(), testing::HasSubstr("rock.shape_roughness"));
  }
  EXPECT_THROW(validate({.dimensions = {1, 1, 0.001}}, ""), Error);
}

}  // namespace
}  // namespace grouser::internal
