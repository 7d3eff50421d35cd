#include "lab/bench/assets_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "assets/noise.h"
#include "assets/rock_field.h"
#include "assets/surface.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "geometry/bvh.h"
#include "terrain/elevation_map.h"

namespace grouser::internal {
namespace {

/// Shortest of five [s]: these are single long calls, of which only the undisturbed one tells.
template <class Work>
double best_seconds(Work&& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  return best;
}

/// Uses one thread as long as it lives.
class OneThread {
 public:
  OneThread() : before_(thread_count()) { set_thread_count(1); }
  ~OneThread() { set_thread_count(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

SurfaceSpec rough_surface() {
  SurfaceSpec spec;
  spec.size = Vec2(50, 50);
  spec.noise = NoiseSpec{};
  spec.noise->octaves = 8;
  return spec;
}

GridSpec million_nodes() {
  return {.origin = Vec2(-24.975, -24.975), .spacing = 0.05, .nx = 1000, .ny = 1000};
}

double query_seconds(const ElevationMap& map) {
  constexpr int kQueries = 1'000'000;
  CounterRng rng(1);
  std::vector<Vec2> points;
  for (int i = 0; i < kQueries; ++i) {
    const double x = rng.uniform(-24, 24);
    points.emplace_back(x, rng.uniform(-24, 24));
  }
  double sum = 0;
  const double seconds = best_seconds([&] {
    for (const Vec2& point : points) {
      const SurfacePoint at = map.at(point.x(), point.y());
      sum += at.height + at.normal().z();
    }
  });
  if (!std::isfinite(sum)) throw Error(ErrorKind::diverged, {.message = "a height is not finite"});
  return seconds;
}

}  // namespace

std::vector<BenchRow> assets_bench() {
  const OneThread one_thread;
  const auto surface = make_surface(rough_surface());
  const GridSpec grid = million_nodes();
  std::vector<double> heights(grid.size());
  const double surface_s = best_seconds([&] { surface->heights(grid, heights); });

  const TriMesh mesh = surface_mesh(*surface, grid);
  const double bvh_s = best_seconds([&] { const Bvh bvh(mesh); });

  const ElevationMap map(std::make_shared<RasterField>(grid, heights, Interpolation::bicubic));
  RockFieldSpec rocks;
  // As many square metres as give a hundred thousand rocks.
  rocks.size = Vec2::Constant(std::sqrt(1e5 / expected_count(rocks.sizes)));
  const double rocks_s = best_seconds([&] { make_rock_field(rocks); });

  return {
      {"surface_1e6_nodes_s", surface_s, "s"},
      {"bvh_build_Mtri_per_s", 1e-6 * static_cast<double>(mesh.triangles.size()) / bvh_s, "Mtri/s"},
      {"height_normal_1e6_s", query_seconds(map), "s"},
      {"rocks_1e5_s", rocks_s, "s"}};
}

}  // namespace grouser::internal
