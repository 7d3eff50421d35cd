// A wheel that lies beside its body's origin touches, slips and steers where it lies.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene/load_scene.h"
#include "sim/rover_plan.h"
#include "sim/simulation.h"
#include "support.h"

namespace grouser::internal {
namespace {

/// A cart of four wheels 0.3 m to each side. With `offset` the joints lie that much nearer to the middle and
/// the wheels stick out of their bodies by it: the same cart, described in another way.
std::string cart_scene(const std::string& contact, double offset) {
  std::string bodies =
      "        - {name: base, mass: 10, shape: {box: [0.5, 0.3, 0.1], position: [0, 0, 0.1]}}\n";
  std::string wheels, actuators;
  for (const double x : {0.25, -0.25}) {
    for (const int side : {1, -1}) {
      const std::string name =
          fmt::format("{}_{}", x > 0 ? "front" : "rear", side > 0 ? "left" : "right");
      bodies += fmt::format(
          "        - {{name: {0}, mass: 1, shape: {{cylinder: {{radius: 0.1, length: 0.08}}, "
          "rpy_deg: [90, 0, 0],"
          " position: [0, {1}, 0]}},\n           joint: {{name: {0}_drive, type: revolute, parent: "
          "base,"
          " position: [{2}, {3}, 0], axis: [0, 1, 0]}}}}\n",
          name, side * offset, x, side * (0.3 - offset));
      actuators += fmt::format(
          "        - {{joint: {}_drive, type: velocity, kd: 20, max_effort: 20}}\n", name);
      wheels += fmt::format(
          "        - {{body: {0}, drive: {0}_drive, radius: 0.1, width: 0.08, position: [0, {1}, "
          "0]}}\n",
          name, side * offset);
    }
  }
  return "grouser: 1\nduration: 1\nintegrator: {method: moreau_jean, step: 0.001}\nterrain:\n"
         "  surface: {size: [4, 2], noise: {rms_deviation: 0.005}}\n  spacing: 0.01\n  soil: "
         "dry_sand\nmodels:\n"
         "  - name: cart\n    position: [0, 0, 0.099]\n    on_ground: true\n    tree:\n      "
         "bodies:\n" +
         bodies + "      actuators:\n" + actuators + "      chassis: base\n      wheels:\n" +
         wheels + "contacts:\n" + contact + "commands:\n  - {wheels: all, ground_speed: 0.2}\n";
}

constexpr double kSame = 1e-6;  // [m]

Sample drive(const std::string& contact, double offset) {
  const World world = load_text(cart_scene(contact, offset));
  Simulation simulation(world);
  simulation.run_to(0.5);
  Sample sample = simulation.sample();
  sample.ground = nullptr;
  sample.contact_details = {};
  return sample;
}

TEST(WheelPosition, OffsetsOnlyDescribeTheSameWheel) {
  const std::pair<const char*, const char*> contacts[] = {
      {"scm", "  - {model: scm, wheels: all}\n"},
      {"terra", "  - {model: terra, wheels: all}\n"},
      {"bbcc", "  - {model: bbcc, wheels: all, group: cart}\n  - {model: bbcc, terrain: true}\n"},
      {"pcm", "  - {model: pcm, wheels: all, group: cart}\n  - {model: pcm, terrain: true}\n"},
      {"plane", "  - {model: plane, wheels: all}\n"},
  };
  for (const auto& [name, contact] : contacts) {
    const Sample plain = drive(contact, 0), beside = drive(contact, 0.06);
    EXPECT_LT((plain.X_WB[0].p - beside.X_WB[0].p).norm(), kSame) << name;
    EXPECT_GT(plain.X_WB[0].p.x(), 0.03) << name;
    double load = 0;
    for (std::size_t w = 0; w < 4; ++w) {
      EXPECT_NEAR(plain.wheels[w].normal, beside.wheels[w].normal, 1e-2) << name;
      EXPECT_NEAR(plain.wheels[w].slip, beside.wheels[w].slip, 1e-4) << name;
      load += beside.wheels[w].normal;
    }
    EXPECT_NEAR(load, 14 * 9.80665, 15) << name;
  }
}

TEST(WheelPosition, CountsForTheTrack) {
  const World world = load_text(cart_scene("  - {model: terra, wheels: all}\n", 0.06));
  const RoverPlan plan = plan_rover(world, world.rovers[0]);
  EXPECT_NEAR(plan.wheels[0].y, 0.3, 1e-15);
  EXPECT_NEAR(plan.wheels[1].y, -0.3, 1e-15);
}

TEST(WheelPosition, MustLieOnTheAxle) {
  std::string scene = cart_scene("  - {model: terra, wheels: all}\n", 0.06);
  const std::string right = "position: [0, 0.06, 0]}\n";
  const std::size_t at = scene.rfind(right);
  scene.replace(at, right.size(), "position: [0.03, 0.06, 0]}\n");
  const auto issues = issues_of(scene);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_THAT(issues[0].message, testing::HasSubstr("on the axis of its drive"));
  EXPECT_EQ(issues[0].value, "0.03 m beside it");
}

}  // namespace
}  // namespace grouser::internal
