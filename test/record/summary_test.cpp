#include "record/summary.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/hash.h"
#include "record/run_directory.h"
#include "record_fixture.h"

namespace grouser::internal {
namespace {

using SummaryTest = RecordTest;

RunReport report_of(const World& world) {
  RunReport report;
  report.outcome = Outcome::stopped_by_event;
  report.state = world.initial;
  report.state.time = 12.5;
  report.start_time = 2.5;
  report.wall_time = 4;
  report.steps = 10000;
  report.evaluations = 40000;
  report.distance = 0.5;
  report.energy = 30;
  report.loop_residual_max = 1e-9;
  report.wheels = {{.name = "rover/wheel",
                    .slip_mean = 0.25,
                    .way = 0.6,
                    .contact_time = 10,
                    .sinkage_max = 0.02,
                    .torque_rms = 3,
                    .normal_mean = 200,
                    .pull_mean = 7,
                    .lateral_mean = -2,
                    .power_mean = 1.5},
                   {.name = "rover/lifted"}};
  report.events = {{.event = 1, .time = 12.5}};
  report.alarms = {{.kind = AlarmKind::stuck,
                    .body = "rover",
                    .time = 6,
                    .last_time = 9,
                    .duration = 2,
                    .message = "rover is stuck"}};
  report.warnings = {"sample rate is not a divisor of the step"};
  return report;
}

TEST_F(SummaryTest, HasTheKeysOfTheProgram) {
  const World world = small_world();
  const RunReport report = report_of(world);
  const auto json = summary_json(world, report, "runs/demo");
  EXPECT_EQ(json["scene"], "small");
  EXPECT_EQ(json["sim_time_s"], 10);
  EXPECT_EQ(json["wall_time_s"], 4);
  EXPECT_EQ(json["real_time_factor"], 2.5);
  EXPECT_EQ(json["steps"], 10000);
  EXPECT_EQ(json["state_hash"], hash_text(hash(report.state)));
  EXPECT_EQ(json["warnings"].size(), 1u);
  EXPECT_EQ(json["output"], "runs/demo");
  EXPECT_EQ(json["distance_m"], 0.5);
  EXPECT_EQ(json["energy_J"], 30);
  EXPECT_EQ(json["outcome"], to_string(Outcome::stopped_by_event));
  EXPECT_EQ(json["evaluations"], 40000);
  EXPECT_EQ(json["loop_residual_max"], 1e-9);
  EXPECT_EQ(json["events"][0]["name"], "landed");
  EXPECT_EQ(json["events"][0]["time_s"], 12.5);
  EXPECT_EQ(json["alarms"][0]["kind"], "stuck");
  EXPECT_EQ(json["alarms"][0]["body"], "rover");
  EXPECT_EQ(json["alarms"][0]["time_s"], 6);
  EXPECT_EQ(json["alarms"][0]["message"], "rover is stuck");
  EXPECT_EQ(json["alarms"][0]["last_time_s"], 9);
  EXPECT_EQ(json["alarms"][0]["duration_s"], 2);
  EXPECT_EQ(json["wheels"][0]["name"], "rover/wheel");
  EXPECT_EQ(json["wheels"][0]["slip_mean"], 0.25);
  EXPECT_EQ(json["wheels"][0]["sinkage_max_m"], 0.02);
  EXPECT_EQ(json["wheels"][0]["torque_rms_Nm"], 3);
  EXPECT_EQ(json["wheels"][0]["normal_mean_N"], 200);
  EXPECT_EQ(json["wheels"][0]["pull_mean_N"], 7);
  EXPECT_EQ(json["wheels"][0]["lateral_mean_N"], -2);
  EXPECT_EQ(json["wheels"][0]["power_mean_W"], 1.5);
}

TEST_F(SummaryTest, WhatThereIsNoneOfIsNull) {
  const World world = small_world();
  RunReport report = report_of(world);
  EXPECT_TRUE(summary_json(world, report, "x")["wheels"][1]["slip_mean"].is_null());
  report.wheels[0].way = 0;  // stands
  EXPECT_TRUE(summary_json(world, report, "x")["wheels"][0]["slip_mean"].is_null());
  report.wall_time = 0;
  report.energy = std::numeric_limits<double>::quiet_NaN();
  report.distance = std::numeric_limits<double>::infinity();
  const auto json = summary_json(world, report, "x");
  EXPECT_TRUE(json["real_time_factor"].is_null());
  EXPECT_TRUE(json["energy_J"].is_null());
  EXPECT_TRUE(json["distance_m"].is_null());
}

TEST_F(SummaryTest, TellsWhatBecameOfTheSoil) {
  const World world = small_world();
  RunReport report = report_of(world);
  EXPECT_TRUE(summary_json(world, report, "x")["soil"].is_null());
  report.contacts.soil = SoilReport{.displaced = 0.25, .volume_error = -1e-18};
  const auto json = summary_json(world, report, "x");
  EXPECT_EQ(json["soil"]["displaced_m3"], 0.25);
  EXPECT_EQ(json["soil"]["volume_error_m3"], -1e-18);
}

TEST_F(SummaryTest, IsOneLineAndAFile) {
  const World world = small_world();
  auto json = summary_json(world, report_of(world), "runs/\xff");  // a path that is not UTF-8
  const std::string line = to_line(json);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(line)["steps"], 10000);
  write_summary(folder_, json);
  const std::string text = text_of(folder_ / kSummaryFile);
  EXPECT_EQ(nlohmann::json::parse(text), nlohmann::json::parse(line));
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace grouser::internal
