#include "assets/rock_field.h"

#include <chrono>
#include <cmath>
#include <ctime>
#include <numbers>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/long_task.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_file.h"
#include "support/temporary_folder.h"
#include "terrain/flat_field.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;
using RockFilesTest = TemporaryFolderTest;

/// Smallest distance between the circles of two rocks, by comparing all pairs.
double smallest_gap(const RockField& field) {
  double smallest = INFINITY;
  for (std::size_t i = 0; i < field.rocks.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const PlacedRock &a = field.rocks[i], &b = field.rocks[j];
      const double distance = (a.pose.p - b.pose.p).head<2>().norm();
      smallest = std::min(smallest, distance - a.radius - b.radius);
    }
  }
  return smallest;
}

TEST(RockField, RocksDoNotOverlapAndKeepTheirGap) {
  RockFieldSpec spec{.size = {20, 15}, .sizes = {.k = 0.15, .min_diameter = 0.1}};
  for (const double gap : {0.0, 0.05}) {
    for (const double spread : {0.0, 0.6}) {
      spec.gap = gap;
      spec.shapes.axis_spread = spread;
      const RockField field = make_rock_field(spec);
      EXPECT_GT(field.rocks.size(), 500u);
      EXPECT_GE(smallest_gap(field), gap - 1e-12);  // measured 1e-4 above it
    }
  }
}

// No vertex leaves the circle of its rock, so circles apart means rocks apart.
TEST(RockField, CirclesHoldTheirRocks) {
  const RockField field = make_rock_field({.size = {8, 8}, .attitude = RockAttitude::random});
  for (const PlacedRock& rock : field.rocks) {
    double farthest = 0;
    for (const Vec3& p : rock_mesh(field, rock).vertices) {
      farthest = std::max(farthest, (rock.pose.R * p).head<2>().norm());
    }
    EXPECT_LE(farthest, rock.radius * (1 + 1e-12));
  }
}

struct LawCase {
  RockSizeSpec sizes;
  double side;
};

class RockLaws : public testing::TestWithParam<LawCase> {};

// Counts of 20 fields together against the law: each within four standard deviations of a Poisson
// count (one of 15 000 lies outside).
TEST_P(RockLaws, NumbersFollowTheLaw) {
  RockFieldSpec spec{.size = Vec2::Constant(GetParam().side), .sizes = GetParam().sizes};
  spec.shapes.count = 2;
  std::vector<double> diameters;
  double asked = 0;
  for (spec.seed = 1; spec.seed <= 20; ++spec.seed) {
    const RockField field = make_rock_field(spec);
    EXPECT_EQ(field.report.refused, 0u);
    EXPECT_EQ(field.report.placed, field.rocks.size());
    asked += static_cast<double>(field.report.asked);
    for (const PlacedRock& rock : field.rocks) {
      diameters.push_back(rock.diameter);
      EXPECT_GE(rock.diameter, spec.sizes.min_diameter);
      EXPECT_LE(rock.diameter, spec.sizes.max_diameter);
      EXPECT_LE(std::abs(rock.pose.p.x()), spec.size.x() / 2);
      EXPECT_LE(std::abs(rock.pose.p.y()), spec.size.y() / 2);
    }
  }
  EXPECT_EQ(asked, static_cast<double>(diameters.size()));
  for (const double factor : {1.0, 1.3, 2.0, 3.0, 5.0}) {
    const double d = factor * spec.sizes.min_diameter;
    const double expected = 20 * spec.size.prod() *
                            (expected_count_above(spec.sizes, d) -
                             expected_count_above(spec.sizes, spec.sizes.max_diameter));
    const auto count = std::ranges::count_if(diameters, [&](double x) { return x > d; });
    EXPECT_NEAR(static_cast<double>(count), expected, 4 * std::sqrt(expected)) << factor;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, RockLaws,
    testing::Values(LawCase{{.k = 0.05, .min_diameter = 0.1}, 12},
                    LawCase{{.k = 0.1, .min_diameter = 0.2}, 20},
                    LawCase{{.site = RockSite::insight, .min_diameter = 0.05}, 10},
                    LawCase{{.site = RockSite::lunar, .min_diameter = 0.1, .max_diameter = 5},
                            50}));

TEST(RockField, AFullGroundIsReported) {
  const RockFieldSpec spec{.size = {5, 5}, .sizes = {.k = 0.9, .min_diameter = 0.05}};
  const RockField field = make_rock_field(spec);
  EXPECT_GT(field.report.refused, 0u);
  EXPECT_EQ(field.report.asked, field.report.placed + field.report.refused);
  EXPECT_GE(smallest_gap(field), -1e-12);
}

TEST(RockField, MassAndInertiaAreThoseOfTheMesh) {
  const RockField field = make_rock_field({.size = {6, 6}});
  ASSERT_FALSE(field.rocks.empty());
  for (const PlacedRock& rock : field.rocks) {
    const RigidInertia inertia = solid_properties(rock_mesh(field, rock)).at_density(2700);
    EXPECT_NEAR(rock.mass / inertia.mass, 1, 1e-13);  // measured 2e-15
    EXPECT_NEAR((rock.inertia - inertia.about_com).norm() / inertia.about_com.norm(), 0,
                1e-12);  // measured 2.5e-15
    const Vec3 size = bounds(rock_mesh(field, rock)).size();
    EXPECT_NEAR((size.x() + size.y()) / 2, rock.diameter, 0.35 * rock.diameter);
  }
}

// On a slope the tangent plane cuts each rock at its buried part, measured along the normal.
TEST(RockField, RocksSitInTheGround) {
  const FlatField slope({.height = 3, .gradient = {0.3, -0.2}});
  const Vec3 n = slope.at(0, 0).normal();
  for (const RockAttitude attitude : {RockAttitude::lying, RockAttitude::random}) {
    for (const double buried : {0.0, 0.4}) {
      const RockField field =
          make_rock_field({.size = {6, 6}, .buried = buried, .attitude = attitude}, slope);
      for (const PlacedRock& rock : field.rocks) {
        double low = INFINITY, high = -INFINITY;
        for (const Vec3& p : rock_mesh(field, rock).vertices) {
          const double above = n.dot(rock.pose * p - Vec3(0, 0, 3));
          low = std::min(low, above);
          high = std::max(high, above);
        }
        EXPECT_NEAR(-low / (high - low), buried, 1e-12);  // measured 7e-15
      }
    }
  }
}

TEST(RockField, AttitudesAreAsAskedFor) {
  RockFieldSpec spec{.size = {25, 25}, .tilt_deg = 0};
  const FlatField slope({.gradient = {0.5, 0.1}});
  for (const PlacedRock& rock : make_rock_field(spec, slope).rocks) {
    EXPECT_NEAR(rock.pose.R.col(2).dot(slope.at(0, 0).normal()), 1, 1e-14);  // measured 1e-16
    EXPECT_NEAR(rock.pose.R.determinant(), 1, 1e-14);                        // measured 8e-16
  }
  spec.tilt_deg = 20;
  double largest = 0;
  for (const PlacedRock& rock : make_rock_field(spec).rocks) {
    largest = std::max(largest, std::acos(rock.pose.R(2, 2)) * 180 / std::numbers::pi);
  }
  EXPECT_LE(largest, 20);
  EXPECT_GT(largest, 19);
  // Evenly over all attitudes: each axis has a mean of zero, and a mean square of a third upward.
  spec.attitude = RockAttitude::random;
  const RockField field = make_rock_field(spec);
  Vec3 mean = Vec3::Zero(), squares = Vec3::Zero();
  const double n = static_cast<double>(field.rocks.size());
  for (const PlacedRock& rock : field.rocks) {
    mean += rock.pose.R.row(2).transpose() / n;
    squares += rock.pose.R.row(2).transpose().cwiseAbs2() / n;
  }
  EXPECT_LT(mean.cwiseAbs().maxCoeff(), 4 * std::sqrt(1 / (3 * n)));
  EXPECT_LT((squares - Vec3::Constant(1.0 / 3)).cwiseAbs().maxCoeff(), 4 * 0.3 / std::sqrt(n));
}

TEST(RockField, MergedMeshIsOnePiecePerRock) {
  const RockField field = make_rock_field({.size = {5, 5}, .gap = 0.01});
  const MeshReport report = check_mesh(merged_mesh(field), {.self_intersections = false});
  EXPECT_TRUE(report.watertight() && report.oriented());
  EXPECT_EQ(report.pieces, field.rocks.size());
  double volume = 0;
  for (const PlacedRock& rock : field.rocks) volume += rock.mass / 2700;
  EXPECT_NEAR(report.volume / volume, 1, 1e-12);  // measured 6e-15
}

TEST(RockField, SmallRocksLieLooseOnTheGround) {
  const RockField field = make_rock_field({.size = {4, 4}, .buried = 0.3, .loose_below = 0.2});
  std::size_t loose = 0;
  for (const PlacedRock& rock : field.rocks) {
    EXPECT_EQ(rock.loose, rock.diameter < 0.2);
    const TriMesh mesh = transformed(rock.pose, rock_mesh(field, rock));
    const Aabb box = bounds(mesh);
    EXPECT_NEAR(box.lower.z(), rock.loose ? 0 : -0.3 * box.size().z(), 1e-12);
    loose += rock.loose;
  }
  EXPECT_GT(loose, 3u);
  EXPECT_LT(loose, field.rocks.size());
}

TEST(RockField, SameBytesForAnyNumberOfThreads) {
  const RockFieldSpec spec{.size = {6, 6}};
  const std::string text = obj_text(merged_mesh(make_rock_field(spec)));
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    EXPECT_EQ(obj_text(merged_mesh(make_rock_field(spec))), text);
  }
  set_thread_count(0);
}

TEST_F(RockFilesTest, OneFilePerRockAndAList) {
  const RockField field = make_rock_field({.size = {4, 4}});
  ASSERT_GT(field.rocks.size(), 3u);
  write_rock_files(folder_ / "rocks", field);
  const MeshFile file = read_mesh(folder_ / "rocks" / "rock_00002.obj");
  EXPECT_EQ(file.mesh.vertices, rock_mesh(field, field.rocks[2]).vertices);
  const std::string list = text_of(folder_ / "rocks" / "rocks.json");
  EXPECT_THAT(list, HasSubstr("\"file\": \"rock_00002.obj\""));
  EXPECT_THAT(list, HasSubstr("\"attitude_wxyz\": ["));
  EXPECT_THAT(list, HasSubstr(fmt::format("\"mass\": {}", field.rocks[2].mass)));
}

TEST(RockField, ValidationFindsWhatDoesNotFit) {
  const auto complaint = [](const RockFieldSpec& spec) -> std::string {
    try {
      validate(spec, "rocks");
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(complaint({}), "");
  EXPECT_THAT(complaint({.sizes = {.min_diameter = 3}}),
              HasSubstr("rocks.sizes.min_diameter: not below the largest diameter"));
  EXPECT_THAT(complaint({.size = {1e4, 1e4}}), HasSubstr("too many rocks are expected"));
  EXPECT_THAT(complaint({.sizes = {.k = -1}, .buried = 2}),
              testing::AllOf(HasSubstr("rocks.sizes.k"), HasSubstr("rocks.buried")));
}

/// Processor time for rocks on the given area, in one mesh [s].
double seconds_for(double area, std::size_t& rocks) {
  const double side = std::sqrt(area);
  const std::clock_t begin = std::clock();
  const RockField field =
      make_rock_field({.size = {side, side}, .sizes = {.k = 0.15, .min_diameter = 0.1}});
  rocks = field.rocks.size();
  EXPECT_GT(merged_mesh(field).triangles.size(), rocks);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(RockField, TimeGrowsWithTheArea) {
  std::size_t few = 0, many = 0;
  const double small = seconds_for(500, few), large = seconds_for(4000, many);
  EXPECT_GT(few, 1000u);
  EXPECT_NEAR(static_cast<double>(many), 8.0 * static_cast<double>(few),
              0.1 * static_cast<double>(many));
  EXPECT_LT(large, 24 * small);  // linear: 8; with the square: 64
}

TEST(RockField, LargeFieldIsGivenUpWithinASecond) {
  struct Restore {
    ~Restore() { clear_cancel(); }
  } restore;
  std::chrono::steady_clock::time_point asked;
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    asked = std::chrono::steady_clock::now();
    request_cancel();
  });
  // Four million rocks would take a minute.
  const RockFieldSpec spec{.size = {1000, 1000}, .sizes = {.k = 0.1, .min_diameter = 0.08}};
  EXPECT_THROW(make_rock_field(spec), Cancelled);
  user.join();
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(1));
}

TEST_F(RockFilesTest, NothingRemainsOfAFieldThatWasGivenUp) {
  struct Restore {
    ~Restore() { clear_cancel(); }
  } restore;
  const RockField field =
      make_rock_field({.size = {10, 10}, .sizes = {.k = 0.1, .min_diameter = 0.1}});
  ASSERT_GT(field.rocks.size(), 50u);
  std::thread user([&] {
    while (!std::filesystem::exists(folder_ / "rocks" / "rock_00003.obj"))
      std::this_thread::yield();
    request_cancel();
  });
  EXPECT_THROW(write_rock_files(folder_ / "rocks", field), Cancelled);
  user.join();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "rocks"));
}

}  // namespace
}  // namespace grouser::internal
