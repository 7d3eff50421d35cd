#include "lab/bench/bench.h"

#include <algorithm>
#include <chrono>

#include "lab/bench/assets_bench.h"
#include "lab/bench/bbcc_bench.h"
#include "lab/bench/multibody_bench.h"
#include "lab/bench/nonsmooth_bench.h"
#include "lab/bench/pcm_bench.h"
#include "lab/bench/scm_bench.h"
#include "lab/bench/wheel_bench.h"

namespace grouser::internal {
namespace {

double seconds_for(const std::function<void()>& work, long calls) {
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < calls; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

const std::vector<Bench>& benches() {
  static const std::vector<Bench> all = {
      {"multibody", "rover dynamics on one core, random states", multibody_bench},
      {"scm", "soft soil: a slipping wheel and a rover, beside 1.4 ... 42 ms a step elsewhere",
       scm_bench},
      {"wheel", "the fast wheel models: one force, and a rover by them on one core", wheel_bench},
      {"bbcc", "contact of convex shapes, beside libccd and Bullet where they are installed",
       bbcc_bench},
      {"nonsmooth", "contact problems with friction, beside Siconos where it is installed",
       nonsmooth_bench, nonsmooth_bench_on},
      {"pcm", "contact of meshes, beside Simbody where it is installed", pcm_bench},
      {"assets", "generators, BVH and terrain queries on one core", assets_bench},
  };
  return all;
}

nlohmann::ordered_json bench_json(const Bench& bench, const std::vector<BenchRow>& rows) {
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  for (const BenchRow& row : rows) {
    table.push_back({{"name", row.name}, {"value", row.value}, {"unit", row.unit}});
  }
  return {{"id", bench.id}, {"rows", std::move(table)}};
}

double time_us(const std::function<void()>& work) {
  constexpr double kBatchSeconds = 0.02;
  constexpr std::size_t kBatches = 25;
  long calls = 1;
  while (seconds_for(work, calls) < kBatchSeconds) calls *= 2;
  std::vector<double> times(kBatches);
  for (double& t : times) t = seconds_for(work, calls) / static_cast<double>(calls);
  std::nth_element(times.begin(), times.begin() + kBatches / 2, times.end());
  return 1e6 * times[kBatches / 2];
}

}  // namespace grouser::internal
