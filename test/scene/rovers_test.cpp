// The built-in rovers have the masses, sizes and freedoms that their sources state.
#include <gtest/gtest.h>

#include <map>

#include "multibody/kinematics.h"
#include "scene/builtin.h"
#include "support.h"

namespace grouser::internal {
namespace {

World load_rover(const std::string& name) {
  return load_text("grouser: 1\nmodels: [{name: r, rover: " + name + "}]\n");
}

/// Body origins in the frame of the first body, at zero joint positions.
std::map<std::string, Vec3> origins(const Model& model) {
  Kinematics kinematics(model);
  forward_kinematics(model, model.neutral_positions(), VecX::Zero(model.velocity_size()),
                     kinematics);
  std::map<std::string, Vec3> result;
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    result[model.bodies()[i].name] = kinematics.X_WB[i].p;
  }
  return result;
}

TEST(Rovers, AreListedWithDescriptions) {
  std::vector<std::string> names;
  for (const BuiltinEntry& entry : builtin_rovers()) {
    names.push_back(entry.name);
    EXPECT_FALSE(entry.description.empty()) << entry.name;
    EXPECT_EQ(entry.description.find('\n'), std::string::npos) << entry.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"exomars", "four_wheel", "mmx", "rocker_bogie"}));
}

TEST(Rovers, HaveTheMassesAndFreedomsOfTheirSources) {
  struct Facts {
    const char* name;
    double mass;
    int freedoms, loops;
    std::size_t wheels;
  };
  for (const Facts& facts : {Facts{"exomars", 64.6, 21, 0, 6}, Facts{"rocker_bogie", 899, 20, 1, 6},
                             Facts{"four_wheel", 73, 10, 0, 4}, Facts{"mmx", 25, 14, 0, 4}}) {
    const World world = load_rover(facts.name);
    EXPECT_NEAR(world.model.total_mass(), facts.mass, 1e-9) << facts.name;
    EXPECT_EQ(world.model.velocity_size(), facts.freedoms) << facts.name;
    EXPECT_EQ(world.model.loop_row_count(), facts.loops) << facts.name;
    ASSERT_EQ(world.rovers.size(), 1U);
    EXPECT_EQ(world.rovers[0].wheels.size(), facts.wheels) << facts.name;
    EXPECT_EQ(world.rovers[0].chassis, 0);
  }
}

// RT-448 gives the wheel centres directly, besides the chain of frames that the file holds.
TEST(Rovers, ExoMarsWheelCentres) {
  const auto at = origins(load_rover("exomars").model);
  const std::pair<const char*, double> rows[] = {
      {"rear", -0.6375}, {"centre", 0.0825}, {"front", 0.7225}};
  for (const auto& [row, x] : rows) {
    for (const double side : {1.0, -1.0}) {
      const std::string name = std::string("r/") + row + (side > 0 ? "_left" : "_right") + "_wheel";
      const Vec3 expected(x, side * 0.601203, -0.44975);
      EXPECT_LT((at.at(name) - expected).norm(), 2e-7) << name;  // the source rounds to 1e-7
    }
  }
}

TEST(Rovers, ExoMarsInertia) {
  const Model& model = load_rover("exomars").model;
  const Body& trunk = model.bodies()[static_cast<std::size_t>(model.find_body("r/trunk"))];
  EXPECT_EQ(trunk.inertia.mass, 50);
  // Box: m (y² + z²) / 12
  EXPECT_NEAR(trunk.inertia.about_com(0, 0), 50.0 / 12 * (0.896 * 0.896 + 0.5655 * 0.5655), 1e-12);
  const int wheel = model.find_body("r/front_left_wheel");
  const Mat3& I = model.bodies()[static_cast<std::size_t>(wheel)].inertia.about_com;
  EXPECT_EQ(I(0, 0), 4.2353e-4);
  EXPECT_EQ(I(1, 1), 8.3205e-4);
  EXPECT_EQ(I(2, 2), 4.2353e-4);
  EXPECT_NEAR(I(1, 1), 0.5 * 0.1 * 0.129 * 0.129, 1e-12);
}

// Statics by hand: all wheel loads of the rocker-bogie within a few percent of each other.
TEST(Rovers, RockerBogieSpreadsItsWeight) {
  const auto at = origins(load_rover("rocker_bogie").model);
  const double rocker = at.at("r/left_rocker").x(), bogie = at.at("r/left_bogie").x();
  const double front = at.at("r/front_left_wheel").x();
  const double centre = at.at("r/centre_left_wheel").x();
  const double rear = at.at("r/rear_left_wheel").x();
  const double on_front = (rocker - bogie) / (front - bogie);
  const double on_bogie = 1 - on_front;
  const double on_centre = on_bogie * (bogie - rear) / (centre - rear);
  EXPECT_NEAR(on_front, 1.0 / 3, 0.03);   // 0.317
  EXPECT_NEAR(on_centre, 1.0 / 3, 0.03);  // 0.341
  for (const char* side : {"left", "right"}) {
    for (const char* row : {"front", "centre", "rear"}) {
      EXPECT_NEAR(at.at(std::string("r/") + row + "_" + side + "_wheel").z(), -0.85, 1e-12);
    }
  }
}

TEST(Rovers, RollForwardAtPositiveDriveRate) {
  for (const BuiltinEntry& entry : builtin_rovers()) {
    const World world = load_rover(entry.name);
    for (const Wheel& wheel : world.rovers[0].wheels) {
      const int joint = world.model.joint_of_dof(wheel.drive_dof);
      EXPECT_EQ(joint, wheel.body);
      EXPECT_EQ(world.model.joints()[static_cast<std::size_t>(joint)].axis, Vec3::UnitY());
    }
  }
}

}  // namespace
}  // namespace grouser::internal
