// What bodies do to soft soil, written and read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "core/error.h"
#include "record/run_directory.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "record_fixture.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using SoilRecorderTest = RecordTest;

TEST_F(SoilRecorderTest, GroundAndCellsReadBackAsTheyWereAtEachTime) {
  const World world = soil_world(4, 0.01);
  DugSoil soil(world);
  RunWriter writer(world, folder_);
  std::vector<TiledGrid<double>> expected;
  for (int k = 0; k < 40; ++k) {
    // Along a way over many blocks and tiles, and once more where it was dug before; powers of two
    // are the same in single precision.
    soil.dig(10 * k, 5 * k, -0.125 / (1 + k % 4));
    soil.dig(10 * (k / 2), 5 * (k / 2), 0.0625);
    soil.dig(400, 400, k % 2 == 0 ? 0.5 : 0);  // the corner of the map comes and goes
    if (k % 4 == 2) soil.dig(10 * k, 5 * k, -0.375);
    expected.push_back(soil.state.soil.map.changes());
    writer.on_sample(soil.sample(0.5 * k));
  }
  writer.close();
  const RunReader run(folder_);
  ASSERT_EQ(run.soil_times().size(), 40u);
  for (std::size_t k = 0; k < 40; ++k) {
    const double time = 0.5 * static_cast<double>(k);
    const auto recorded = run.soil_at(time + 0.3);
    ASSERT_TRUE(recorded);
    EXPECT_EQ(recorded->time, time);
    for (int j = 0; j <= 400; j += 5) {
      for (int i = 0; i <= 400; i += 10) {
        const auto stored = static_cast<float>(expected[k].get(i, j));
        ASSERT_EQ(recorded->change.get(i, j), stored) << k << ' ' << i << ' ' << j;
      }
    }
    ASSERT_EQ(recorded->cells.size(), 3u);
    EXPECT_EQ(recorded->cells[0].contact, 1);
    EXPECT_EQ(recorded->cells[1].contact, 0);
    EXPECT_EQ(recorded->cells[2].position, Vec3(4 * time + 2, 4 * time + 2.25, 4 * time + 2.5));
    EXPECT_EQ(recorded->cells[2].sinkage, 4 * time + 3);
    EXPECT_EQ(recorded->cells[2].pressure, 4 * time + 4);
    EXPECT_EQ(recorded->cells[2].shear, 4 * time + 5);
    EXPECT_EQ(recorded->cells[2].normal, 4 * time + 6);
    EXPECT_EQ(run.soil_cells(k).size(), 3u);
  }
  const GridSpec grid = run.soil_at(0)->grid;
  EXPECT_EQ(grid.origin, Vec2(-2, -2));
  EXPECT_EQ(grid.spacing, 0.01);
  EXPECT_EQ(grid.nx, 401);
  EXPECT_EQ(grid.ny, 401);
  EXPECT_THAT(run.texts("/soil/names"), ElementsAre("rover/wheel", "rover/arm"));
}

TEST_F(SoilRecorderTest, TakenAtItsOwnRateAndAtTheEnd) {
  World world = soil_world(2, 0.01);
  world.settings.soil_rate_hz = 4;
  DugSoil soil(world);
  RunWriter writer(world, folder_);
  for (int row = 0; row <= 45; ++row) {
    soil.dig(row, 0, -1);
    writer.on_sample(soil.sample(0.02 * row));
  }
  EXPECT_EQ(RunReader(folder_).soil_times().size(), 0u);  // waits like the samples
  writer.flush();
  EXPECT_EQ(RunReader(folder_).soil_times().size(), 4u);
  writer.close();
  const RunReader run(folder_);
  // Due at 0.25 s, which lies between two samples: with the next one.
  EXPECT_THAT(run.soil_times(), ElementsAre(0, 0.02 * 13, 0.5, 0.02 * 38, 0.02 * 45));
  EXPECT_EQ(run.soil_at(0.5)->change.get(25, 0), -1);
  EXPECT_EQ(run.soil_at(0.5)->change.get(26, 0), 0);
  EXPECT_EQ(run.soil_at(100)->change.get(45, 0), -1);
}

TEST_F(SoilRecorderTest, AResumedRunHoldsWhatWasDugBefore) {
  const World world = soil_world(2, 0.01);
  DugSoil soil(world);
  for (int i = 0; i < 200; ++i) soil.dig(i, i / 2, -0.25);
  RunWriter writer(world, folder_);
  writer.on_sample(soil.sample(7.3));
  soil.dig(0, 0, -0.5);
  writer.on_sample(soil.sample(7.5));
  writer.close();
  const RunReader run(folder_);
  EXPECT_THAT(run.soil_times(), ElementsAre(7.3, 7.5));
  EXPECT_EQ(run.soil_at(7.4)->change.get(0, 0), -0.25);
  EXPECT_EQ(run.soil_at(7.5)->change.get(0, 0), -0.5);
  for (int i = 1; i < 200; ++i) EXPECT_EQ(run.soil_at(7.5)->change.get(i, i / 2), -0.25);
  EXPECT_THROW(run.soil_at(7), Error);
}

TEST_F(SoilRecorderTest, WithoutSoilThereIsNone) {
  const World world = small_world();
  RunWriter writer(world, folder_);
  writer.on_sample(test_sample(world, 0));
  writer.close();
  const RunReader run(folder_);
  EXPECT_FALSE(run.soil_at(0));
  EXPECT_TRUE(run.soil_times().empty());
  EXPECT_THROW(run.soil_cells(0), Error);
}

// Size of the run file after `snapshots` in each of which `blocks` blocks were changed.
std::uintmax_t size_after(const World& world, const fs::path& folder, int snapshots, int blocks) {
  DugSoil soil(world);
  RunWriter writer(world, folder);
  for (int k = 0; k < snapshots; ++k) {
    for (int b = 0; b < blocks; ++b) soil.dig(16 * (100 + 10 * b + k), 16 * 5000, -0.01 * (k + 1));
    Sample sample = soil.sample(0.5 * k);
    sample.soil_cells.clear();
    writer.on_sample(sample);
  }
  writer.close();
  return fs::file_size(folder / kRunFile);
}

// A square kilometre at 5 mm: 4e10 nodes.
TEST_F(SoilRecorderTest, BytesFollowWhatChanged) {
  const World world = soil_world(1000, 0.005);
  const auto none = size_after(world, folder_ / "none", 64, 0);
  const auto some = size_after(world, folder_ / "some", 64, 4);
  const auto many = size_after(world, folder_ / "many", 64, 40);
  const auto more = static_cast<double>(some - none), much = static_cast<double>(many - none);
  // 64 x 4 and 64 x 40 blocks of 16 x 16 numbers of 4 bytes with their digests, 8 bytes for the place of each and 8 for
  // its digest, and what chunks leave empty.
  constexpr double kBlock = 1024 + 8 + 8 + 8;
  EXPECT_LT(more, 1.06 * 64 * 4 * kBlock);
  EXPECT_LT(much, 1.02 * 64 * 40 * kBlock);
  EXPECT_GT(much, 64 * 40 * 1024);
  const RunReader run(folder_ / "many");
  EXPECT_EQ(run.soil_at(1e9)->change.get(16 * (100 + 63), 16 * 5000), static_cast<float>(-0.64));
}

TEST_F(SoilRecorderTest, NumbersThatAreNotFiniteAreRefused) {
  const World world = soil_world(2, 0.01);
  const DugSoil soil(world);
  RunWriter writer(world, folder_);
  writer.on_sample(soil.sample(0));
  Sample bad = soil.sample(0.5);
  bad.soil_cells[1].pressure = std::numeric_limits<double>::quiet_NaN();
  try {
    writer.on_sample(bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_THAT(error.what(), HasSubstr("soil/cells pressure is not finite at t = 0.5 s"));
  }
  writer.on_sample(soil.sample(0.5));
  writer.close();
  EXPECT_EQ(RunReader(folder_).rows(), 2u);
  EXPECT_THAT(RunReader(folder_).soil_times(), ElementsAre(0, 0.5));
}

template <class Number>
std::string bytes_of(std::initializer_list<Number> numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), std::data(numbers), bytes.size());
  return bytes;
}

TEST_F(SoilRecorderTest, DamageIsReported) {
  const World world = soil_world(40, 0.01);
  DugSoil soil(world);
  soil.dig(16 * 123, 16 * 77, -0.3712);
  RunWriter writer(world, folder_);
  writer.on_sample(soil.sample(0.171875));
  writer.on_sample(soil.sample(10));
  writer.close();
  const fs::path path = folder_ / kRunFile;
  const std::string good = text_of(path);
  const auto complaint = [&](const std::string& from, const std::string& to) -> std::string {
    std::string bad = good;
    EXPECT_NE(bad.find(from), std::string::npos);
    for (std::size_t at = 0; (at = bad.find(from, at)) != std::string::npos; at += from.size()) {
      bad.replace(at, to.size(), to);
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bad;
    try {
      RunReader(path).soil_at(100);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto mismatch = [](const char* path) {
    return HasSubstr(std::string("of /soil/") + path + " does not match its digest");
  };
  EXPECT_THAT(complaint(bytes_of({123, 77}), bytes_of({123, 251})), mismatch("blocks"));
  EXPECT_THAT(complaint(bytes_of({123, 77}), bytes_of({-1})), mismatch("blocks"));
  EXPECT_THAT(complaint(bytes_of({-0.3712F}), bytes_of({nan})), mismatch("change"));
  EXPECT_THAT(complaint(bytes_of({40.0F, 40.25F}), bytes_of({nan})), mismatch("cells"));
  EXPECT_THAT(complaint(bytes_of({1, 0, 0, 1, 0, 0}), bytes_of({1, 0, 0, 2})),
              mismatch("cell_contact"));
  EXPECT_THAT(complaint(bytes_of({0.171875, 10.0}), bytes_of({10.5})), mismatch("time"));
  using I = std::int64_t;
  EXPECT_THAT(complaint(bytes_of<I>({1, 3, 1, 6}), bytes_of<I>({1, 3, 1, 7})), mismatch("until"));
  EXPECT_THAT(complaint(bytes_of<I>({1, 3, 1, 6}), bytes_of<I>({1, 3, 1, 2})), mismatch("until"));
}

}  // namespace
}  // namespace grouser::internal
