#include "rigs/self_check.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/long_task.h"
#include "scene/load_scene.h"

namespace grouser::internal {
namespace {

struct Silent : Observer {};

struct CheckedRun {
  World world;
  RunReport report;
};

CheckedRun run_text(const std::string& text) {
  World world = load_scene_text(text, "test.yaml", {});
  Silent nobody;
  RunReport report =
      simulate(world, initial_state(world), {.end_time = world.settings.duration}, nobody);
  return {std::move(world), std::move(report)};
}

/// A slider that gravity accelerates along x by 1 m/s² for 1 s.
std::string slider(double step) {
  return "grouser: 1\ngravity: [1, 0, 0]\nduration: 1\nintegrator: {method: semi_implicit, step: " +
         std::to_string(step) +
         "}\nmodels:\n  - name: m\n    tree:\n      bodies:\n        - {name: sled, mass: 1, "
         "inertia: [1, 1, 1], joint: {type: prismatic, parent: world, axis: [1, 0, 0]}}\n";
}

/// A rover that drives over flat ground.
std::string flat_drive(double step, double spacing, const std::string& model) {
  return "grouser: 1\ngravity: mars\nduration: 3\nintegrator: {method: semi_implicit, step: " +
         std::to_string(step) + "}\nterrain: {surface: {size: [4, 3]}, soil: dry_sand, spacing: " +
         std::to_string(spacing) +
         "}\nmodels: [{name: r, rover: four_wheel, position: [-1, 0, 0.4], on_ground: true}]\n"
         "contacts: [{model: " +
         model +
         ", wheels: all}]\ncommands: [{wheels: all, ground_speed: {times: [0, 0.5, 1], values: [0, "
         "0, 0.2], interpolation: linear}}]\n";
}

RunReport report_with(double slip, double sinkage, double torque, double pull) {
  RunReport report;
  report.wheels = {{.name = "w",
                    .slip_mean = slip,
                    .way = 1,
                    .sinkage_max = sinkage,
                    .torque_rms = torque,
                    .normal_mean = 100,
                    .pull_mean = pull}};
  return report;
}

TEST(CompareRuns, ByScalesThatMakeSense) {
  const std::vector<WheelSize> wheels = {{"w", 0.2}};
  RunReport coarse = report_with(0.1, 0.02, 4, 5), fine = report_with(0.14, 0.025, 5, 2);
  coarse.distance = 1.9;
  fine.distance = 2;
  coarse.energy = 21;
  fine.energy = 20;
  const Changes worst = compare_runs(coarse, fine, wheels).worst;
  EXPECT_NEAR(worst[0], 0.04, 1e-15);      // slip: points
  EXPECT_NEAR(worst[1], 0.2, 1e-15);       // sinkage: 5 of 25 mm
  EXPECT_NEAR(worst[2], 0.2, 1e-15);       // torque: 1 of 5 N m
  EXPECT_NEAR(worst[3], 0.03, 1e-15);      // pull: 3 N of a load of 100 N
  EXPECT_NEAR(worst[4], 0.1 / 2, 1e-15);   // distance
  EXPECT_NEAR(worst[5], 1.0 / 20, 1e-15);  // energy
}

TEST(CompareRuns, FloorsKeepSmallNumbersFromCounting) {
  // Sinkage of 0.1 and 0.2 mm on a wheel of 0.2 m: 0.1 mm of the floor of 10 mm. Torque of 0 and 0.02 N m: of 1 % of
  // 100 N · 0.2 m. A parked rover that creeps 1 mm: of a radius.
  RunReport coarse = report_with(0, 1e-4, 0, 0), fine = report_with(0, 2e-4, 0.02, 0);
  coarse.distance = 1e-3;
  const Changes worst = compare_runs(coarse, fine, {{"w", 0.2}}).worst;
  EXPECT_NEAR(worst[1], 0.01, 1e-15);
  EXPECT_NEAR(worst[2], 0.1, 1e-15);
  EXPECT_NEAR(worst[4], 0.005, 1e-15);
  EXPECT_EQ(compare_runs(fine, fine, {{"w", 0.2}}).worst, Changes{});
}

TEST(CompareRuns, MeanAndWorstWheel) {
  RunReport coarse = report_with(0.1, 0, 0, 0), fine = report_with(0.2, 0, 0, 0);
  coarse.wheels.push_back(coarse.wheels[0]);
  fine.wheels.push_back(coarse.wheels[0]);
  const RunComparison change = compare_runs(coarse, fine, {{"a", 0.2}, {"b", 0.2}});
  EXPECT_NEAR(change.worst[0], 0.1, 1e-15);
  EXPECT_NEAR(change.mean[0], 0.05, 1e-15);
  EXPECT_EQ(change.wheels[1][0], 0);
}

// Symplectic Euler goes x = a T²/2 (1 + h/T), so halving h changes it by (h/2T) / (1 + h/2T) of the finer result.
TEST(SelfCheck, ErrorOfTheStepIsWhatTheoryGives) {
  for (const double step : {0.1, 0.01}) {
    const CheckedRun run = run_text(slider(step));
    const SelfCheck check = check_run(run.world, run.report, {});
    EXPECT_NEAR(check.both.change.worst[4], step / 2 / (1 + step / 2), 1e-9) << step;
    EXPECT_EQ(check.converged(), step < 0.05);
    EXPECT_EQ(check.spacing, std::nullopt);
    EXPECT_EQ(check.grid_alone, std::nullopt);
    EXPECT_EQ(check.duration, 1);
    EXPECT_EQ(advice_of(check), step < 0.05 ? "" : "halve the step to 0.05 s");
  }
}

TEST(SelfCheck, PartOfARun) {
  const CheckedRun run = run_text(slider(0.1));
  const SelfCheck check = check_run(run.world, run.report, {.duration = 0.5});
  EXPECT_NEAR(check.both.change.worst[4], 0.1 / (1 + 0.1), 1e-9);  // h/2T = 0.1
  EXPECT_THROW(check_run(run.world, run.report, {.duration = 2}), Error);
}

TEST(SelfCheck, FineRunOnSoilIsConverged) {
  const CheckedRun run = run_text(flat_drive(1e-3, 0.01, "terra"));
  const SelfCheck check = check_run(run.world, run.report, {});
  EXPECT_TRUE(check.converged()) << check_text(check);
  EXPECT_EQ(check.spacing, std::nullopt);  // its soil has no grid
  EXPECT_TRUE(check_json(check)["converged"].get<bool>());
  EXPECT_NE(check_text(check).find("converged within 3 %"), std::string::npos);
}

TEST(SelfCheck, CoarseGridIsToldFromCoarseStep) {
  const CheckedRun run = run_text(flat_drive(1e-3, 0.06, "scm"));
  const SelfCheck check = check_run(run.world, run.report, {});
  EXPECT_FALSE(check.converged()) << check_text(check);
  ASSERT_TRUE(check.grid_alone && check.step_alone);
  EXPECT_GT(largest(check.grid_alone->change.worst), largest(check.step_alone->change.worst));
  EXPECT_NE(advice_of(check).find("the grid to 30 mm"), std::string::npos) << check_text(check);
  const nlohmann::ordered_json json = check_json(check);
  EXPECT_FALSE(json["converged"].get<bool>());
  EXPECT_EQ(json["spacing_m"], 0.06);
  EXPECT_EQ(json["step_s"], 1e-3);
  EXPECT_EQ(json["duration_s"], 3);
  EXPECT_EQ(json["wheels"].size(), 4u);
  for (const char* name : {"slip", "sinkage", "torque", "distance"}) {
    EXPECT_TRUE(json["changes"][name].is_number()) << name;
  }
}

TEST(SelfCheck, ErrorsThatCancelAreNoAgreement) {
  FinerRun fine{.change = {}, .failure = {}}, coarse = fine;
  coarse.change.worst[1] = 0.2;
  SelfCheck check{.duration = 1,
                  .tolerance = 0.03,
                  .step_size = 0.1,
                  .spacing = 0.01,
                  .wheels = {{"w", 0.2}},
                  .both = fine};
  check.step_alone = fine;
  check.grid_alone = fine;
  EXPECT_TRUE(check.converged());
  check.grid_alone = coarse;
  EXPECT_FALSE(check.converged());
  EXPECT_NE(check_text(check).find("sinkage changes by 20 %; halve the grid to 5 mm"),
            std::string::npos)
      << check_text(check);
}

TEST(SelfCheck, SaysWhatTheVerdictDoesNotCover) {
  const CheckedRun sled = run_text(slider(0.01));
  const SelfCheck without_wheels = check_run(sled.world, sled.report, {});
  EXPECT_NE(without_wheels.limits.find("no wheels"), std::string::npos);
  EXPECT_TRUE(check_json(without_wheels)["changes"]["slip"].is_null());
  const CheckedRun drive = run_text(flat_drive(1e-3, 0.01, "terra"));
  EXPECT_EQ(check_run(drive.world, drive.report, {}).limits, "");
  // It stands for half a second.
  const SelfCheck standing = check_run(drive.world, drive.report, {.duration = 0.5});
  EXPECT_NE(standing.limits.find("how it stands"), std::string::npos) << standing.limits;
}

TEST(SelfCheck, DivergenceOfTheFinerRunIsNoAgreement) {
  FinerRun run{.change = {}, .failure = "diverges"};
  EXPECT_FALSE(run.agrees(0.03));
  SelfCheck check{.duration = 1, .tolerance = 0.03, .step_size = 0.1, .both = run};
  EXPECT_FALSE(check_json(check)["converged"].get<bool>());
  EXPECT_EQ(check_json(check)["failure"], "diverges");
  EXPECT_TRUE(check_json(check)["changes"].is_null());
}

TEST(SelfCheck, StopsWhenAsked) {
  const CheckedRun run = run_text(slider(0.1));
  request_cancel();
  EXPECT_THROW(check_run(run.world, run.report, {}), Cancelled);
  clear_cancel();
}

// Heights are functions of position, whatever the grid: noise, craters and rocks stay where they are.
TEST(FinerGround, IsTheSameGround) {
  const World world = load_scene_text(
      "grouser: 1\nmodels: [{name: r, rover: four_wheel, position: [0, 0, 1], on_ground: true}]\n"
      "terrain:\n  surface: {size: [6, 4], noise: {rms_deviation: 0.02}, craters: [{position: [1, "
      "1], diameter: 1}]}\n  spacing: 0.03\n  soil: dry_sand\n  rocks: {size: [2, 2], sizes: "
      "{min_diameter: 0.1, max_diameter: 0.3}}\n",
      "test.yaml", {});
  const World finer = with_finer_ground(world, 2);
  EXPECT_DOUBLE_EQ(finer.ground->map.grid().spacing, 0.015);
  for (double x = -2.9; x < 3; x += 0.137) {
    for (double y = -1.9; y < 2; y += 0.171) {
      EXPECT_EQ(finer.ground->map.height(x, y), world.ground->map.height(x, y));
    }
  }
  ASSERT_EQ(finer.ground->rocks.rocks.size(), world.ground->rocks.rocks.size());
  for (std::size_t r = 0; r < world.ground->rocks.rocks.size(); ++r) {
    EXPECT_EQ(finer.ground->rocks.rocks[r].pose.p, world.ground->rocks.rocks[r].pose.p);
  }
  EXPECT_EQ(finer.initial.q, world.initial.q);
}

}  // namespace
}  // namespace grouser::internal
