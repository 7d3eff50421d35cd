#include "record/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "record_fixture.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using CsvTest = RecordTest;

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  for (const char* at = line.data(); at <= line.data() + line.size();) {
    double value = 0;
    const auto [end, error] = std::from_chars(at, line.data() + line.size(), value);
    EXPECT_EQ(error, std::errc());
    numbers.push_back(value);
    at = end + 1;
  }
  return numbers;
}

TEST_F(CsvTest, TablesHaveNamesUnitsAndAllBits) {
  const World world = small_world();
  const int rows = 20000;  // several blocks
  RunWriter writer(world, folder_ / "run");
  for (int row = 0; row < rows; ++row) writer.on_sample(test_sample(world, row));
  writer.on_event({.event = 0, .time = 0.1});
  writer.close();
  const auto files = export_csv(folder_ / "run", folder_ / "tables" / "csv");
  std::vector<std::string> names;
  for (const fs::path& file : files) names.push_back(file.filename().string());
  EXPECT_THAT(names,
              ElementsAre("bodies.csv", "joints.csv", "actuators.csv", "forces.csv", "rovers.csv",
                          "wheels.csv", "energy.csv", "events.csv", "alarms.csv"));
  const RunReader run(folder_ / "run");
  const auto bodies = lines_of(files[0]);
  ASSERT_EQ(bodies.size(), static_cast<std::size_t>(rows) + 1);
  EXPECT_TRUE(bodies[0].starts_with("time [s],rover/trunk.x [m],rover/trunk.y [m],"));
  EXPECT_THAT(bodies[0], HasSubstr(",rover/trunk.qw,"));
  const Table quaternion = run.read("/bodies/quaternion");
  for (const std::size_t row : {0, 1, 7777, 19999}) {
    const auto numbers = numbers_of(bodies[row + 1]);
    ASSERT_EQ(numbers.size(), 1u + 5 * 13);
    EXPECT_EQ(numbers[0], 0.02 * static_cast<double>(row));
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(numbers[1 + 15 + i], quaternion(row, i));
  }
  EXPECT_EQ(lines_of(files[3])[0],
            "time [s],rover/spring.force [N],rope.tension [N],gear.force [N m]");
  EXPECT_EQ(lines_of(files[6])[0], "time [s],kinetic [J],potential [J],loop_residual [m or rad]");
  EXPECT_EQ(lines_of(files[6])[2], "0.02,6.125,7.125,8.125");
  EXPECT_THAT(lines_of(files[7]), ElementsAre("time [s],event", "0.1,stretched"));
}

TEST_F(CsvTest, CellsOfSoilHaveARowEach) {
  const World world = soil_world(2, 0.01);
  const DugSoil soil(world);
  RunWriter writer(world, folder_ / "run");
  Sample sample = soil.sample(0);
  sample.soil_cells.clear();  // in the air
  writer.on_sample(sample);
  sample = soil.sample(0.5);
  sample.soil_cells[2].shear = 0.1;  // not exact in single precision
  writer.on_sample(sample);
  writer.close();
  export_csv(folder_ / "run", folder_ / "csv");
  EXPECT_THAT(lines_of(folder_ / "csv" / "soil_cells.csv"),
              ElementsAre("time [s],body,x [m],y [m],z [m],sinkage [m],pressure [Pa],shear [Pa],"
                          "normal [N]",
                          "0.5,rover/arm,2,2.25,2.5,3,4,5,6", "0.5,rover/wheel,3,3.25,3.5,4,5,6,7",
                          "0.5,rover/wheel,4,4.25,4.5,5,6,0.1,8"));
  // The arm presses into the soil as well; wheels are recorded unless more is asked for.
  const auto contacts = lines_of(folder_ / "csv" / "contacts.csv");
  EXPECT_THAT(contacts[0],
              testing::StartsWith("time [s],rover/wheel:scm.in_contact,rover/wheel:scm.fx [N],"));
  EXPECT_EQ(contacts[2], "0.5,1,0,1,2,3,4,5,6,7,8,9,10");
}

TEST_F(CsvTest, LacksWhatTheWorldHasNoneOf) {
  ModelSpec spec;
  spec.bodies = {{.name = "a \"big\", stone",
                  .inertia = {.mass = 1, .about_com = Mat3::Identity()},
                  .joint = {.name = "base", .type = JointType::free}}};
  const World world{.name = "stone", .model = Model(spec)};
  RunWriter(world, folder_).close();
  const auto files = export_csv(folder_, folder_);
  EXPECT_EQ(files.size(), 4u);  // bodies, joints, energy, events
  const auto bodies = lines_of(files[0]);
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_TRUE(bodies[0].starts_with("time [s],\"a \"\"big\"\", stone.x [m]\","));
}

TEST_F(CsvTest, FailuresNameTheFileAndLeaveNothing) {
  const World world = small_world();
  RunWriter(world, folder_ / "run").close();
  std::ofstream(folder_ / "occupied") << "file";
  EXPECT_THROW(export_csv(folder_ / "run", folder_ / "occupied"), Error);
  fs::create_directories(folder_ / "out" / "bodies.csv");  // in the way
  try {
    export_csv(folder_ / "run", folder_ / "out");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), HasSubstr("bodies.csv"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "out" / "bodies.csv.tmp"));
  EXPECT_THROW(export_csv(folder_ / "nothing", folder_), Error);
}

}  // namespace
}  // namespace grouser::internal
