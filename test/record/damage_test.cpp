// Whatever happens to the bytes of a run or a checkpoint: it is noticed, or it did not matter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <string>

#include "core/error.h"
#include "core/hash.h"
#include "core/rng.h"
#include "record/checkpoint.h"
#include "record/run_directory.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "record_fixture.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using DamageTest = RecordTest;

void add_numbers(Hasher& hasher, const std::vector<double>& numbers) {
  hasher.u64(numbers.size());
  for (const double number : numbers) hasher.f64(number);
}

void add_vector(Hasher& hasher, const Vec3& v) { add_numbers(hasher, {v.x(), v.y(), v.z()}); }

void add_info(Hasher& hasher, const RunReader& run) {
  const RunInfo& info = run.info();
  for (const std::string* text :
       {&info.grouser_version, &info.scene_name, &info.scene_file, &info.scene_text,
        &info.scene_hash, &info.integrator, &info.created}) {
    hasher.text(*text);
  }
  add_numbers(hasher, {info.step, info.record_rate_hz});
  hasher.u64(info.seed);
  add_vector(hasher, info.gravity);
  hasher.u64(run.is_complete() ? 1 : 0);
}

void add_soil(Hasher& hasher, const RunReader& run) {
  for (const double time : run.soil_times()) {
    const auto soil = run.soil_at(time);
    add_numbers(hasher, {soil->time, soil->grid.spacing});
    soil->change.for_each_tile([&](int i, int j, const double* tile) {
      add_numbers(hasher, std::vector<double>(tile, tile + TiledGrid<double>::kTileSize));
      add_numbers(hasher, {static_cast<double>(i), static_cast<double>(j)});
    });
    for (const SoilCellSample& cell : soil->cells) {
      add_vector(hasher, cell.position);
      add_numbers(hasher, {static_cast<double>(cell.contact), cell.sinkage, cell.pressure,
                           cell.shear, cell.normal});
    }
  }
}

/// Of everything that can be read from a run.
std::uint64_t content_of(const fs::path& path) {
  const RunReader run(path);
  Hasher hasher;
  add_info(hasher, run);
  for (const std::string& quantity : run.quantities()) {
    hasher.text(quantity);
    add_numbers(hasher, run.read(quantity).values);
    for (const Column& column : run.columns(quantity)) {
      hasher.text(column.label);
      hasher.text(column.unit);
    }
  }
  for (const RunEvent& event : run.events()) {
    hasher.text(event.name);
    hasher.f64(event.time);
  }
  hasher.text(run.visuals());
  if (const auto ground = run.ground()) {
    add_numbers(hasher, ground->heights);
    for (const Vec3& vertex : ground->rocks.vertices) add_vector(hasher, vertex);
  }
  add_soil(hasher, run);
  return hasher.digest();
}

void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// A run with soil, rocks and events; `closed`, or as a kill leaves it.
std::string run_bytes(const fs::path& folder, bool closed) {
  World world = soil_world(4, 0.01);
  world.settings.soil_rate_hz = 1e5;
  auto ground = std::make_shared<Ground>(*world.ground);
  ground->rocks =
      make_rock_field({.size = {2, 2}, .sizes = {.min_diameter = 0.3, .max_diameter = 0.5}});
  world.ground = ground;
  DugSoil soil(world);
  RunWriter writer(world, folder, {.flush_interval = 1e9});
  for (int row = 0; row < 12; ++row) {
    soil.dig(3 * row, row, -0.01 * (row + 1));
    writer.on_sample(soil.sample(0.125 * row));
    writer.on_event({.event = 1, .time = 0.125 * row});
    if (row % 5 == 4) writer.flush();
  }
  writer.flush();
  if (closed) writer.close();
  return text_of(folder / kRunFile);
}

/// True if the reader noticed; else the content must be what it was.
bool is_noticed(const fs::path& path, std::uint64_t content, const std::string& what) {
  try {
    EXPECT_EQ(content_of(path), content) << what;
    return false;
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::input || error.kind() == ErrorKind::io) << what;
    EXPECT_THAT(error.what(), HasSubstr(path.string())) << what;
    return true;
  }
}

/// Flips bits of random bytes, of which most are not 0: those hardly ever matter.
template <class Try>
void flip_bytes(const std::string& good, int count, CounterRng& rng, const Try& try_it) {
  for (int k = 0; k < count; ++k) {
    std::size_t place = rng.index(good.size());
    while (k % 8 != 0 && good[place] == 0) place = rng.index(good.size());
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ static_cast<char>(1 + rng.index(255)));
    try_it(bad, "byte " + std::to_string(place));
  }
}

TEST_F(DamageTest, FlippedBytesOfARunAreNoticedOrDoNotMatter) {
  for (const bool closed : {true, false}) {
    const fs::path folder = folder_ / (closed ? "closed" : "killed"), path = folder_ / "bad.h5";
    const std::string good = run_bytes(folder, closed);
    put(path, good);
    const std::uint64_t content = content_of(path);
    CounterRng rng(7, closed ? 1 : 2);
    int noticed = 0;
    flip_bytes(good, 200, rng, [&](const std::string& bad, const std::string& what) {
      put(path, bad);
      noticed += is_noticed(path, content, what) ? 1 : 0;
    });
    EXPECT_GT(noticed, 100);
  }
}

TEST_F(DamageTest, RunsCutShortAreNoticed) {
  const std::string good = run_bytes(folder_ / "run", true);
  const fs::path path = folder_ / "bad.h5";
  CounterRng rng(7, 3);
  for (int k = 0; k < 60; ++k) {
    put(path, good.substr(0, rng.index(good.size())));
    EXPECT_TRUE(is_noticed(path, 0, std::to_string(k)));
  }
}

// Each single number that a row or a table holds.
TEST_F(DamageTest, NumbersOfSamplesAreGuarded) {
  const std::string good = run_bytes(folder_ / "run", true);
  const fs::path path = folder_ / "bad.h5";
  const auto complaint = [&](const auto number) -> std::string {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    const std::size_t place = good.find(bytes);
    EXPECT_NE(place, std::string::npos);
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 1);  // the last digit
    put(path, bad);
    try {
      content_of(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  const double last_time = 0.125 * 11;
  EXPECT_THAT(complaint(last_time), HasSubstr("/time does not match its digest"));
  EXPECT_THAT(complaint(108.0), HasSubstr("of /joints/position does not match its digest"));
  EXPECT_THAT(complaint(static_cast<float>(-0.01 * 12)),
              HasSubstr("of /soil/change does not match"));
  EXPECT_THAT(complaint(std::array<std::int64_t, 2>{12, 12}),
              HasSubstr("/committed does not match"));
}

TEST_F(DamageTest, EveryChangeOfACheckpointIsNoticed) {
  const World world = soil_world(4, 0.01);
  State state = world.initial;
  state.memory = {1, 2};
  ScmState soil = DugSoil(world).state;
  soil.bodies.resize(2);
  state.contacts = {ContactMemory(std::move(soil))};
  const fs::path path = folder_ / "checkpoint.h5";
  save_checkpoint(path, world, state);
  const std::string good = text_of(path);
  const auto expect_noticed = [&](const std::string& bad, const std::string& what) {
    put(path, bad);
    for (const bool scene : {true, false}) {
      try {
        scene ? (void)read_checkpoint_scene(path) : (void)load_checkpoint(path, world);
        ADD_FAILURE() << what;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input) << what;
        EXPECT_THAT(error.what(), HasSubstr(path.string())) << what;
      }
    }
  };
  CounterRng rng(7, 4);
  flip_bytes(good, 200, rng, expect_noticed);
  for (int k = 0; k < 60; ++k) expect_noticed(good.substr(0, rng.index(good.size())), "cut short");
}

}  // namespace
}  // namespace grouser::internal
