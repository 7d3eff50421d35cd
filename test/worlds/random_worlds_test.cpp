// Worlds that nobody tuned: none may end in numbers that are not finite.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "random_scene.h"
#include "scene/load_scene.h"
#include "scene/scene_values.h"
#include "sim/simulate.h"
#include "support/sanitized.h"

namespace grouser::internal {
namespace {

constexpr double kDuration = 1.5;  // [s]

/// What went wrong, or nothing.
std::string fault_of(std::uint64_t seed) {
  const Map scene = random_scene(seed);
  const auto told = [&](const std::string& what) {
    return "seed " + std::to_string(seed) + ": " + what + "\n" + to_yaml_text(scene);
  };
  try {
    const World world = load_scene_values(scene, "random", ".");
    Observer nobody;
    const RunReport report = simulate(world, initial_state(world), {.end_time = kDuration}, nobody);
    const bool arrived =
        report.outcome == Outcome::completed || report.outcome == Outcome::completed_with_alarms;
    if (!arrived) return told(to_string(report.outcome));
    if (!report.state.q.allFinite() || !report.state.v.allFinite()) return told("not finite");
    // From the height at which they are set down, on slopes of up to 10 degrees, no rover gets as fast as this.
    if (report.state.v.head<6>().cwiseAbs().maxCoeff() > 5) return told("thrown about");
    if (report.contacts.soil && std::abs(report.contacts.soil->volume_error) > 1e-12)
      return told("soil was lost");
    for (const WheelStatistics& wheel : report.wheels) {
      for (const double value :
           {wheel.slip_mean, wheel.sinkage_max, wheel.torque_rms, wheel.normal_mean}) {
        if (!std::isfinite(value)) return told("wheel " + wheel.name + " not finite");
      }
    }
  } catch (const Error& error) {
    return told(error.what());
  }
  return {};
}

void expect_sound(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string fault = fault_of(seed);
    EXPECT_TRUE(fault.empty()) << fault;
  }
}

// A few at a time, which processes can share.
class DrawnWorlds : public testing::TestWithParam<std::uint64_t> {};
class LongDrawnWorlds : public DrawnWorlds {};

TEST_P(DrawnWorlds, NoneBreaks) { expect_sound(GetParam(), 2); }
INSTANTIATE_TEST_SUITE_P(From, DrawnWorlds,
                         testing::Range<std::uint64_t>(0, unless_sanitized(30, 6), 2),
                         testing::PrintToStringParamName());

TEST_P(LongDrawnWorlds, NoneBreaks) { expect_sound(GetParam(), 10); }
INSTANTIATE_TEST_SUITE_P(From, LongDrawnWorlds, testing::Range<std::uint64_t>(1000, 1300, 10),
                         testing::PrintToStringParamName());

// Light, stiff and sheared at once: here the implicit step was handed a stiffness of 1e21 N/m, the soil's damping over
// a bearing strength of next to nothing.
TEST(RandomWorlds, RockerBogieOnRoughSand) {
  const World world = load_scene_text(R"(grouser: 1
gravity: mars
integrator: {method: moreau_jean, step: 0.002}
terrain:
  surface: {size: [16, 8], noise: {hurst: 0.8, rms_deviation: 0.05}}
  spacing: 0.02
  soil: dry_sand
contacts: [{model: scm, wheels: all}]
models: [{name: rover, rover: rocker_bogie, on_ground: true, position: [-4.5, 0, 1.1]}]
commands: [{path: {waypoints: [[-1, 0.5], [3, 0]], speed: 0.25, start_time: 1}}]
)",
                                      "rocker_bogie", ".");
  Observer nobody;
  EXPECT_EQ(simulate(world, initial_state(world), {.end_time = 1.2}, nobody).outcome,
            Outcome::completed);
}

}  // namespace
}  // namespace grouser::internal
