#include "record/run_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "core/version.h"
#include "record/checkpoint.h"
#include "record/run_directory.h"
#include "record/run_reader.h"
#include "record_fixture.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using RunWriterTest = RecordTest;

constexpr int kAll = 3000;  // rows: several chunks of every dataset

void write_rows(RunWriter& writer, const World& world, int first, int end) {
  for (int row = first; row < end; ++row) writer.on_sample(test_sample(world, row));
}

TEST_F(RunWriterTest, EverythingReadsBackBitForBit) {
  const World world = small_world();
  {
    RunWriter writer(world, folder_ / "a" / "run");
    write_rows(writer, world, 0, kAll);
    writer.close();
  }
  const RunReader run(folder_ / "a" / "run");
  EXPECT_TRUE(run.is_complete());
  ASSERT_EQ(run.rows(), kAll);
  const Table time = run.read("/time"), q = run.read("/joints/position"),
              v = run.read("/joints/velocity"), p = run.read("/bodies/position"),
              w = run.read("/bodies/angular_velocity"), lin = run.read("/bodies/velocity"),
              slip = run.read("/wheels/slip"), normal = run.read("/wheels/normal"),
              effort = run.read("/actuators/effort"), loop = run.read("/forces/loop"),
              residual = run.read("/loop_residual"), kinetic = run.read("/energy/kinetic");
  for (int row = 0; row < kAll; ++row) {
    const Sample sample = test_sample(world, row);
    const auto r = static_cast<std::size_t>(row);
    EXPECT_EQ(time(r, 0), sample.time);
    for (int i = 0; i < sample.q.size(); ++i) {
      EXPECT_EQ(q(r, static_cast<std::size_t>(i)), sample.q[i]);
    }
    for (int i = 0; i < sample.v.size(); ++i) {
      EXPECT_EQ(v(r, static_cast<std::size_t>(i)), sample.v[i]);
    }
    for (std::size_t i = 0; i < 15; ++i) {
      const auto axis = static_cast<int>(i % 3);
      EXPECT_EQ(p(r, i), sample.X_WB[i / 3].p[axis]);
      EXPECT_EQ(w(r, i), sample.V_WB[i / 3].angular[axis]);
      EXPECT_EQ(lin(r, i), sample.V_WB[i / 3].linear[axis]);
    }
    EXPECT_EQ(slip(r, 0), sample.wheels[0].slip);
    EXPECT_EQ(normal(r, 0), sample.wheels[0].normal);
    EXPECT_EQ(effort(r, 1), sample.actuator_effort[1]);
    EXPECT_EQ(loop(r, 0), sample.loop_force[0]);
    EXPECT_EQ(residual(r, 0), sample.loop_residual);
    EXPECT_EQ(kinetic(r, 0), sample.kinetic_energy);
  }
  const Table quaternion = run.read("/bodies/quaternion", 100, 1);
  EXPECT_NEAR(quaternion(0, 0), std::cos(0.5), 1e-15);  // (w, x, y, z)
  EXPECT_NEAR(quaternion(0, 3), std::sin(0.5), 1e-15);
}

TEST_F(RunWriterTest, ColumnsHaveLabelsAndUnits) {
  const World world = small_world();
  RunWriter(world, folder_).close();
  const RunReader run(folder_);
  const auto label = [&run](const char* quantity, std::size_t column) {
    const Column c = run.columns(quantity).at(column);
    return c.label + " [" + c.unit + "]";
  };
  EXPECT_EQ(label("/time", 0), "time [s]");
  EXPECT_EQ(label("/bodies/position", 0), "rover/trunk.x [m]");
  EXPECT_EQ(label("/bodies/quaternion", 7), "rover/arm.qz [1]");
  EXPECT_EQ(label("/joints/position", 0), "rover/base.qw [1]");
  EXPECT_EQ(label("/joints/position", 4), "rover/base.x [m]");
  EXPECT_EQ(label("/joints/position", 8), "rover/rail.q [m]");
  EXPECT_EQ(label("/joints/velocity", 6), "rover/shoulder.v [rad/s]");
  EXPECT_EQ(label("/joints/velocity", 8), "rover/neck.wx [rad/s]");
  EXPECT_EQ(label("/actuators/effort", 0), "rover/drive.effort [N m]");
  EXPECT_EQ(label("/actuators/effort", 1), "rover/push.effort [N]");
  EXPECT_EQ(label("/forces/spring", 0), "rover/spring.force [N]");
  EXPECT_EQ(label("/forces/tether", 0), "rope.tension [N]");
  EXPECT_EQ(label("/forces/loop", 0), "gear.force [N m]");
  EXPECT_EQ(label("/wheels/sinkage", 0), "rover/wheel.sinkage [m]");
  EXPECT_EQ(label("/energy/kinetic", 0), "kinetic [J]");
  for (const std::string& quantity : run.quantities()) {
    const auto shape = run.row_shape(quantity);
    std::size_t width = 1;
    for (const std::size_t extent : shape) width *= extent;
    EXPECT_EQ(run.columns(quantity).size(), width) << quantity;
    for (const Column& column : run.columns(quantity)) EXPECT_FALSE(column.unit.empty());
  }
  EXPECT_THAT(run.texts("/joints/types"),
              ElementsAre("free", "revolute", "prismatic", "spherical", "revolute"));
}

TEST_F(RunWriterTest, TellsWhereTheRunCameFrom) {
  const World world = small_world();
  RunWriter(world, folder_).close();
  const RunReader run(folder_);
  EXPECT_EQ(run.info().scene_name, "small");
  EXPECT_EQ(run.info().scene_file, "scenes/small.yaml");
  EXPECT_EQ(run.info().scene_text, world.scene_text);
  EXPECT_EQ(run.info().scene_hash.size(), 16u);
  EXPECT_EQ(run.info().grouser_version, version());
  EXPECT_EQ(run.info().seed, 18446744073709551615u);
  EXPECT_EQ(run.info().gravity, Vec3(0, 0, -3.71));
  EXPECT_EQ(run.info().integrator, to_string(world.settings.integrator.method));
  EXPECT_EQ(run.info().step, 1e-3);
  EXPECT_EQ(run.info().created.size(), 20u);
  const auto visuals = nlohmann::json::parse(run.visuals());
  ASSERT_EQ(visuals.size(), 2u);
  EXPECT_EQ(visuals[0]["shape"]["type"], "box");
  EXPECT_EQ(visuals[0]["shape"]["size"][1], 2);
  EXPECT_EQ(visuals[0]["quaternion"][0], 1);
  EXPECT_EQ(visuals[1]["shape"]["file"], "wheel.obj");
}

TEST_F(RunWriterTest, PartsCanBeReadAlone) {
  const World world = small_world();
  RunWriter writer(world, folder_);
  write_rows(writer, world, 0, kAll);
  writer.close();
  const RunReader run(folder_);
  const Table part = run.read("/bodies/position", kAll - 2, 10);
  ASSERT_EQ(part.rows, 2u);
  EXPECT_EQ(part(1, 1), 0.125 * (kAll - 1));
  EXPECT_EQ(run.read("/time", kAll + 5, 10).rows, 0u);
  const auto y_of_slider = run.read_column("/bodies/position", 3 * 2 + 1);
  ASSERT_EQ(y_of_slider.size(), kAll);
  EXPECT_EQ(y_of_slider[1234], 0.125 * 1234);
  EXPECT_THROW(run.read_column("/bodies/position", 15), Error);
  EXPECT_THROW(run.read("/bodies/colour"), Error);
  EXPECT_FALSE(run.has("/bodies/names"));
}

TEST_F(RunWriterTest, EventsAreKept) {
  const World world = small_world();
  RunWriter writer(world, folder_);
  writer.on_event({.event = 1, .time = 0.25});
  writer.on_sample(test_sample(world, 0));
  writer.flush();
  writer.on_event({.event = 0, .time = 0.5});
  writer.close();
  const auto events = RunReader(folder_).events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].name, "landed");
  EXPECT_EQ(events[0].time, 0.25);
  EXPECT_EQ(events[1].name, "stretched");
  EXPECT_EQ(events[1].index, 0);
}

TEST_F(RunWriterTest, AlarmsAreKept) {
  const World world = small_world();
  RunWriter writer(world, folder_);
  writer.on_sample(test_sample(world, 0));
  writer.on_alarm({.kind = AlarmKind::stuck, .body = "rover", .time = 0.25, .message = "größer"});
  writer.flush();
  EXPECT_EQ(RunReader(folder_).alarms().size(), 1U);
  // Cut before the character that would be cut through.
  writer.on_alarm({.kind = AlarmKind::off_map,
                   .body = "rover/wheel",
                   .time = 0.5,
                   .message = std::string(351, 'x') + "°"});
  writer.close();
  const auto alarms = RunReader(folder_).alarms();
  ASSERT_EQ(alarms.size(), 2U);
  EXPECT_EQ(alarms[0].kind, "stuck");
  EXPECT_EQ(alarms[0].body, "rover");
  EXPECT_EQ(alarms[0].time, 0.25);
  EXPECT_EQ(alarms[0].message, "größer");
  EXPECT_EQ(alarms[1].kind, "off_map");
  EXPECT_EQ(alarms[1].message, std::string(351, 'x'));
}

TEST_F(RunWriterTest, AWorldOfNothingButABodyIsRecorded) {
  ModelSpec spec;
  spec.bodies = {{.name = "stone",
                  .inertia = {.mass = 1, .about_com = Mat3::Identity()},
                  .joint = {.name = "base", .type = JointType::free}}};
  World world{.name = "stone", .model = Model(spec)};
  RunWriter writer(world, folder_);
  writer.on_sample(test_sample(world, 1));
  writer.close();
  const RunReader run(folder_);
  EXPECT_EQ(run.rows(), 1u);
  EXPECT_FALSE(run.has("/wheels/slip"));
  EXPECT_FALSE(run.has("/forces/loop"));
  EXPECT_TRUE(run.events().empty());
}

TEST_F(RunWriterTest, NumbersThatAreNotFiniteAreRefused) {
  const World world = small_world();
  RunWriter writer(world, folder_);
  write_rows(writer, world, 0, 3);
  Sample bad = test_sample(world, 3);
  bad.X_WB[2].p.y() = std::numeric_limits<double>::quiet_NaN();
  try {
    writer.on_sample(bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_THAT(error.what(), HasSubstr("bodies/position of rover/slider"));
    EXPECT_THAT(error.what(), HasSubstr("0.06 s"));
  }
  bad = test_sample(world, 3);
  bad.loop_residual = std::numeric_limits<double>::infinity();  // the last quantity of a row
  EXPECT_THROW(writer.on_sample(bad), Error);
  EXPECT_THROW(writer.on_event({.event = 0, .time = std::nan("")}), Error);
  writer.on_sample(test_sample(world, 3));
  writer.close();
  const RunReader run(folder_);
  ASSERT_EQ(run.rows(), 4u);
  for (const std::string& quantity : run.quantities()) {
    for (const double value : run.read(quantity).values) EXPECT_TRUE(std::isfinite(value));
  }
  EXPECT_EQ(run.read("/bodies/position")(3, 1), 0.375);
}

TEST_F(RunWriterTest, ARunInProgressCanBeRead) {
  const World world = small_world();
  RunWriter writer(world, folder_);
  EXPECT_EQ(RunReader(folder_).rows(), 0u);
  for (int part = 0; part < 5; ++part) {
    write_rows(writer, world, 100 * part, 100 * part + 100);
    writer.flush();
    const RunReader run(folder_);
    EXPECT_FALSE(run.is_complete());
    ASSERT_EQ(run.rows(), static_cast<std::size_t>(100 * part + 100));
    EXPECT_EQ(run.read("/time")(run.rows() - 1, 0), 0.02 * (100 * part + 99));
  }
  writer.close();
  EXPECT_TRUE(RunReader(folder_).is_complete());
}

TEST_F(RunWriterTest, SamplesDoNotWaitLongerThanTheInterval) {
  const World world = small_world();
  RunWriter writer(world, folder_, {.flush_interval = 0.02});
  writer.on_sample(test_sample(world, 0));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  writer.on_step(0, 1);
  EXPECT_EQ(RunReader(folder_).rows(), 1u);
}

TEST_F(RunWriterTest, ManySamplesDoNotWaitAtAll) {
  const World world = small_world();
  RunWriter writer(world, folder_, {.flush_interval = 1e9, .buffer_bytes = 100000});
  write_rows(writer, world, 0, kAll);
  EXPECT_GT(RunReader(folder_).rows(), static_cast<std::size_t>(kAll / 2));
}

TEST_F(RunWriterTest, CheckpointsGoToTheFolder) {
  const World world = small_world();
  RunWriter writer(world, folder_);
  writer.on_sample(test_sample(world, 0));
  State state = world.initial;
  state.time = 0.5;
  state.memory = {1, 2};
  writer.on_checkpoint(state);
  EXPECT_EQ(load_checkpoint(folder_ / kCheckpointFile, world), state);
  EXPECT_EQ(RunReader(folder_).rows(), 1u);  // the record reaches as far as the checkpoint
}

TEST_F(RunWriterTest, AnEarlierRunIsReplaced) {
  const World world = small_world();
  RunWriter(world, folder_).close();
  std::ofstream(folder_ / kSummaryFile) << "{}";
  std::ofstream(folder_ / "notes.txt") << "mine";
  RunWriter writer(world, folder_);
  write_rows(writer, world, 0, 7);
  writer.close();
  EXPECT_EQ(RunReader(folder_).rows(), 7u);
  EXPECT_FALSE(fs::exists(folder_ / kSummaryFile));
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
}

void expect_refused(const World& world, const fs::path& folder, const char* reason) {
  try {
    RunWriter writer(world, folder);
    FAIL() << folder;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), HasSubstr(folder.string()));
    EXPECT_THAT(error.what(), HasSubstr(reason));
  }
}

TEST_F(RunWriterTest, FoldersOfOthersAreRefused) {
  const World world = small_world();
  std::ofstream(folder_ / "thesis.tex") << "years of work";
  expect_refused(world, folder_, "holds no run");
  std::ofstream(folder_ / "run.h5") << "not HDF5";
  expect_refused(world, folder_, "not a run file");
  EXPECT_EQ(text_of(folder_ / "run.h5"), "not HDF5");
  expect_refused(world, folder_ / "thesis.tex", "cannot make the folder");
  expect_refused(world, "/proc/no/such", "cannot make the folder");
}

TEST_F(RunWriterTest, TwoRunsDoNotShareAFolder) {
  const World world = small_world();
  RunWriter first(world, folder_);
  expect_refused(world, folder_, "another run is being written");
  first.close();
}

TEST_F(RunWriterTest, ReaderSaysWhatIsWrong) {
  try {
    RunReader run(folder_ / "nothing");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), HasSubstr("nothing"));
  }
  std::ofstream(folder_ / "run.h5") << "not HDF5";
  try {
    RunReader run(folder_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("run.h5"));
  }
}

TEST_F(RunWriterTest, DamageIsReportedWithoutHangingOrCrashing) {
  const World world = small_world();
  RunWriter writer(world, folder_);
  write_rows(writer, world, 0, 50);
  writer.close();
  const fs::path path = folder_ / kRunFile;
  const std::string good = text_of(path);
  const auto opens = [&path](const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    try {
      const RunReader run(path);
      for (const std::string& quantity : run.quantities()) run.read(quantity);
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr("cannot be read"));
      return false;
    }
  };
  for (std::size_t size = 0; size < good.size(); size += good.size() / 23) {
    EXPECT_FALSE(opens(good.substr(0, size))) << size;
  }
  int noticed = 0;
  for (std::size_t place = 0; place < 20000; place += 101) {  // where HDF5 keeps its own data
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 16);
    if (!opens(bad)) ++noticed;
  }
  EXPECT_GT(noticed, 50);
}

TEST_F(RunWriterTest, NothingMayFollowTheClose) {
  const World world = small_world();
  RunWriter writer(world, folder_);
  writer.close();
  writer.close();
  EXPECT_THROW(writer.on_sample(test_sample(world, 0)), Error);
  EXPECT_THROW(writer.flush(), Error);
}

}  // namespace
}  // namespace grouser::internal
