// Wheels by the fast models in scenes: forces in runs, state, records, mistakes in files.
#include <gtest/gtest.h>

#include <filesystem>

#include "contact/wheel/wheel_system.h"
#include "core/error.h"
#include "core/parallel.h"
#include "lab/scene_parts.h"
#include "record/checkpoint.h"
#include "rigs/model_comparison.h"
#include "sim/simulate.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

/// Ground whose far half is of another soil.
Map sand_with_drift(const char* soil = "dry_sand", const char* drift = "lunar_nominal") {
  const List polygon{List{0.3, -3}, List{3, -3}, List{3, 3}, List{0.3, 3}};
  return {{"surface",
           Map{{"size", List{8, 6}}, {"noise", Map{{"hurst", 0.8}, {"rms_deviation", 0.005}}}}},
          {"spacing", 0.05},
          {"soil", soil},
          {"zones", List{Map{{"name", "drift"}, {"polygon", polygon}, {"soil", drift}}}}};
}

World world_of(List contacts, Map integrator, Map terrain = sand_with_drift()) {
  const Map scene{{"gravity", "mars"},
                  {"integrator", std::move(integrator)},
                  {"terrain", std::move(terrain)},
                  {"contacts", std::move(contacts)},
                  {"models", List{rover_above_ground("exomars", {0, 0, 0.57})}},
                  {"commands", List{drive_by_table({0, 0.5, 1}, {0, 0, 0.08})}}};
  return load_scene_values(scene, "test", ".");
}

World world_with(const char* model, Map integrator = fixed_step("semi_implicit", 0.002)) {
  return world_of({all_wheels_by(model)}, std::move(integrator));
}

class EveryModelInScene : public TemporaryFolderTest,
                          public testing::WithParamInterface<const char*> {};
class WheelContactFile : public TemporaryFolderTest {};
INSTANTIATE_TEST_SUITE_P(Wheel, EveryModelInScene, testing::ValuesIn(kWheelModelNames),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EveryModelInScene, DrivesTheRoverAndIsRecorded) {
  const World world = world_with(GetParam());
  ASSERT_EQ(find_contacts<WheelSystem>(world)->contacts().size(), 6u);
  Observer nobody;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 6}, nobody);
  double load = 0;
  for (const WheelStatistics& wheel : report.wheels) {
    load += wheel.normal_mean;
    EXPECT_GT(wheel.sinkage_max, 1e-3) << wheel.name;
    EXPECT_LT(wheel.sinkage_max, 0.12) << wheel.name;
    EXPECT_GT(wheel.contact_time, 4) << wheel.name;
  }
  // The weight; the rover is set down from some millimetres and rocks.
  EXPECT_NEAR(load, world.model.total_mass() * 3.72076, 8);
  EXPECT_GT(report.distance, 0.05);
}

// What wheels remember is part of the state: a run in parts is the run, to the bit.
TEST_P(EveryModelInScene, GoesOnFromACheckpointToTheBit) {
  Map loose = fixed_step("esdirk", 0.01);
  loose.push_back({"relative_tolerance", 1e-5});
  for (const Map& integrator :
       {fixed_step("semi_implicit", 0.002), fixed_step("rk4", 0.002), loose}) {
    const World world = world_with(GetParam(), integrator);
    Observer nobody;
    const RunReport whole = simulate(world, initial_state(world), {.end_time = 1.2}, nobody);
    const RunReport half = simulate(world, initial_state(world), {.end_time = 0.7}, nobody);
    const std::filesystem::path file = folder_ / "half.h5";
    save_checkpoint(file, world, half.resumable);
    const State loaded = load_checkpoint(file, world);
    EXPECT_TRUE(loaded == half.resumable);
    const RunReport rest = simulate(world, loaded, {.end_time = 1.2}, nobody);
    EXPECT_TRUE(rest.state == whole.state) << to_yaml_text(integrator);
    EXPECT_EQ(hash(rest.state), hash(whole.state));
  }
}

TEST_F(WheelContactFile, BelongsToItsModel) {
  const World terra = world_with("terra"), bwr = world_with("bwr");
  save_checkpoint(folder_ / "a.h5", terra, initial_state(terra));
  EXPECT_THROW(load_checkpoint(folder_ / "a.h5", bwr), Error);
}

// Half the wheels by one model, half by another, one by none.
TEST(WheelContact, ModelsMix) {
  const Map front{{"model", "terra"},
                  {"wheels", List{"front_left", "front_right"}},
                  {"dig", 0.1},
                  {"press", Map{{"delay", 0.02}}}};
  const Map rear{{"model", "bwr"}, {"wheels", List{"rear_left", "rear_right"}}, {"rear", 0.2}};
  const Map centre{{"model", "scm"}, {"wheels", List{"centre_left", "centre_right"}}};
  const World world = world_of({front, rear, centre}, fixed_step("semi_implicit", 0.001));
  const std::vector<WheelContact>& contacts = find_contacts<WheelSystem>(world)->contacts();
  ASSERT_EQ(contacts.size(), 4u);
  EXPECT_EQ(std::get<TerraModel>(contacts[0].model).dig, 0.1);
  EXPECT_EQ(std::get<TerraModel>(contacts[0].model).press.delay, 0.02);
  EXPECT_EQ(std::get<BwrModel>(contacts[2].model).stress.rear, 0.2);
  Observer nobody;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 1}, nobody);
  for (const WheelStatistics& wheel : report.wheels) EXPECT_GT(wheel.normal_mean, 5) << wheel.name;
}

// A wheel stands deeper where the zone's soil is softer.
TEST(WheelContact, TakesTheSoilOfTheZone) {
  const World world = world_with("bekker");
  const std::vector<WheelContact>& contacts = find_contacts<WheelSystem>(world)->contacts();
  ASSERT_EQ(contacts.front().soils.size(), 2u);
  EXPECT_NE(contacts.front().soils[0].stiffness, contacts.front().soils[1].stiffness);
  const World without = world_of({all_wheels_by("bekker")}, fixed_step("semi_implicit", 0.002),
                                 sand_with_drift("dry_sand", "dry_sand"));
  Observer nobody;
  const auto report = [&](const World& w) {
    return simulate(w, initial_state(w), {.end_time = 1}, nobody);
  };
  const RunReport with_zone = report(world), even = report(without);
  // In order: rear, centre, front; the front wheels stand in the drift.
  EXPECT_GT(with_zone.wheels[4].sinkage_max, 1.1 * even.wheels[4].sinkage_max);
  EXPECT_NEAR(with_zone.wheels[0].sinkage_max, even.wheels[0].sinkage_max, 3e-3);
}

TEST(WheelContact, WarnsOfSoilsMeasuredWithOtherWheels) {
  const World world = world_of({all_wheels_by("terra")}, fixed_step("rk4", 0.002),
                               sand_with_drift("lunar_ishigami"));
  Observer nobody;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 0.01}, nobody);
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_NE(report.warnings.front().find("lunar_ishigami"), std::string::npos)
      << report.warnings.front();
}

TEST(ModelComparison, RunsModelsSideBySide) {
  WheelRigSpec spec;
  spec.distance = 0.4;
  spec.speed = 0.1;
  const auto runs = run_wheel_models(spec, models_named({"terra", "bwr"}), {{.slip = 0.3}});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].model, "terra");
  for (const ModelPasses& run : runs) {
    EXPECT_NEAR(run.passes.front().load.mean, 100, 2);  // it still sinks: measured 0.8
    EXPECT_FALSE(run.passes.front().rut_depth);
  }
  const std::string csv = wheel_models_csv(runs);
  EXPECT_TRUE(csv.starts_with("model,asked_slip,"));
  EXPECT_NE(csv.find("\nbwr,0.3,"), std::string::npos);
  EXPECT_EQ(wheel_models_figure(runs).panels.size(), 4u);
  EXPECT_THROW(models_named({"tera"}), Error);
  EXPECT_EQ(models_named({"all"}).size(), 6u);
  spec.model = TerraModel{};
  spec.passes = 2;
  EXPECT_THROW(run_wheel(spec, {.slip = 0.3}), Error);
}

// On the level a wheel that pulls nothing needs little slip; the steeper, the more.
TEST(SlopeRig, SlipGrowsWithTheSlope) {
  SlopeSpec spec;
  spec.model = BwrModel{};
  spec.distance = 1;
  const double level = run_slope(spec, 0).slip, steep = run_slope(spec, 12).slip;
  EXPECT_GT(level, 0);
  EXPECT_LT(level, 0.1);
  EXPECT_GT(steep, level + 0.1);
  spec.rover.clear();
  spec.mass = 18;
  const SlopeRun wheel = run_slope(spec, 12);
  EXPECT_TRUE(wheel.climbs);
  EXPECT_NEAR(wheel.slip, steep, 0.06);  // a quarter of the rover's mass; measured 0.02
  EXPECT_FALSE(run_slope(spec, 40).climbs);
}

}  // namespace
}  // namespace grouser::internal
