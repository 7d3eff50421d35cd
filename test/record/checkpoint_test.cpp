#include "record/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/log.h"
#include "record_fixture.h"
#include "sim/host_contacts.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using CheckpointTest = RecordTest;

State odd_state(const World& world) {
  State state = world.initial;
  state.time = 0.1 + 0.2;
  state.q[3] = -0.0;
  state.q[5] = std::numeric_limits<double>::denorm_min();
  state.v[2] = std::nextafter(1.0, 2.0);
  state.memory = {1e-300, -0.0};
  return state;
}

std::string message_of(const fs::path& path, const World& world, ErrorKind kind) {
  try {
    load_checkpoint(path, world);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
    return error.what();
  }
  ADD_FAILURE() << "was taken";
  return "";
}

TEST_F(CheckpointTest, KeepsEveryBit) {
  const World world = small_world();
  const State state = odd_state(world);
  save_checkpoint(folder_ / "c.h5", world, state);
  const State loaded = load_checkpoint(folder_ / "c.h5", world);
  EXPECT_EQ(loaded, state);
  EXPECT_EQ(hash(loaded), hash(state));
  EXPECT_TRUE(std::signbit(loaded.q[3]));
}

TEST_F(CheckpointTest, KeepsContactsOfAHost) {
  World world = small_world();
  const World without = world;
  add_host_contacts(world);
  State state = odd_state(world);
  state.contacts = initial_state(world).contacts;
  const std::vector<Pose> X_WB(static_cast<std::size_t>(world.model.body_count()));
  const HostContact contacts[] = {{.point = Vec3(0.1, -0.0, 1. / 3), .gap = -1e-4, .friction = 0.4},
                                  {.body_a = 1, .body_b = 0, .normal = Vec3::UnitX()}};
  set_host_contacts(world, contacts, X_WB, state);
  save_checkpoint(folder_ / "c.h5", world, state);
  const State loaded = load_checkpoint(folder_ / "c.h5", world);
  EXPECT_EQ(loaded, state);
  EXPECT_EQ(hash(loaded), hash(state));
  EXPECT_EQ(host_contact_forces(world, loaded).size(), 2u);
  EXPECT_THAT(message_of(folder_ / "c.h5", without, ErrorKind::input), HasSubstr("host"));
}

TEST_F(CheckpointTest, KeepsWhatASimulationWasTold) {
  const World world = small_world();
  State state = odd_state(world);
  state.inputs.set(TargetInput{.actuator = 1, .quantity = TargetQuantity::effort, .value = 0.1});
  state.inputs.set(TargetInput{.actuator = 0, .quantity = TargetQuantity::velocity, .value = -3});
  state.inputs.set(
      WrenchInput{.body = 4, .wrench = {.torque = Vec3(1, 2, 3), .force = Vec3(0.1, 0, -7)}});
  state.inputs.ticks = {17, 4};
  save_checkpoint(folder_ / "c.h5", world, state);
  const State loaded = load_checkpoint(folder_ / "c.h5", world);
  EXPECT_EQ(loaded, state);
  EXPECT_EQ(hash(loaded), hash(state));
  EXPECT_NE(hash(loaded), hash(odd_state(world)));
}

TEST_F(CheckpointTest, KeepsWhatWatchersSaw) {
  const World world = small_world();
  State state = odd_state(world);
  state.watch = {.ticks = 7,
                 .looked = 0.3,
                 .numbers = {0.1, 0, 1.5},
                 .rung = {{.kind = 5,
                           .subject = 0,
                           .time = 0.1,
                           .last_time = 0.3,
                           .duration = 0.2,
                           .value = 0.25,
                           .detail = -0.0}}};
  save_checkpoint(folder_ / "c.h5", world, state);
  EXPECT_EQ(load_checkpoint(folder_ / "c.h5", world).watch, state.watch);
}

TEST_F(CheckpointTest, RefusesInputsOfOtherActuators) {
  const World world = small_world();
  State state = odd_state(world);
  state.inputs.set(TargetInput{.actuator = 2, .quantity = TargetQuantity::effort, .value = 0.1});
  save_checkpoint(folder_ / "c.h5", world, state);
  EXPECT_THAT(message_of(folder_ / "c.h5", world, ErrorKind::input),
              HasSubstr("its inputs are damaged"));
}

TEST_F(CheckpointTest, KeepsTheScene) {
  const World world = small_world();
  save_checkpoint(folder_ / "c.h5", world, odd_state(world));
  const CheckpointScene scene = read_checkpoint_scene(folder_ / "c.h5");
  EXPECT_EQ(scene.name, world.name);
  EXPECT_EQ(scene.file, world.scene_file);
  EXPECT_EQ(scene.text, world.scene_text);
  EXPECT_EQ(scene.time, 0.1 + 0.2);
}

TEST_F(CheckpointTest, ReplacesAnEarlierOneAndLeavesNothingElse) {
  const World world = small_world();
  State state = odd_state(world);
  save_checkpoint(folder_ / "c.h5", world, state);
  state.time = 7;
  save_checkpoint(folder_ / "c.h5", world, state);
  EXPECT_EQ(load_checkpoint(folder_ / "c.h5", world).time, 7);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

World with_body(const std::string& name, JointType type) {
  World world = small_world();
  ModelSpec spec;
  for (const std::string body : {"trunk", "arm", "slider", "head"}) {
    spec.bodies.push_back({.name = "rover/" + body,
                           .inertia = {.mass = 1, .about_com = Mat3::Identity()},
                           .parent = static_cast<int>(spec.bodies.size()) - 1,
                           .joint = {.name = "j" + body, .type = JointType::revolute}});
  }
  spec.bodies.push_back({.name = name,
                         .inertia = {.mass = 1, .about_com = Mat3::Identity()},
                         .parent = 3,
                         .joint = {.name = "last", .type = type}});
  world.model = Model(spec);
  world.initial = {.q = world.model.neutral_positions(),
                   .v = VecX::Zero(world.model.velocity_size())};
  world.rovers.clear();
  return world;
}

TEST_F(CheckpointTest, AnotherWorldIsRefusedByName) {
  const World world = with_body("camera", JointType::revolute);
  State state = world.initial;
  state.memory = {0, 0};
  save_checkpoint(folder_ / "c.h5", world, state);
  EXPECT_EQ(load_checkpoint(folder_ / "c.h5", world), state);

  const auto renamed = with_body("mast", JointType::revolute);
  std::string message = message_of(folder_ / "c.h5", renamed, ErrorKind::input);
  EXPECT_THAT(message, HasSubstr("body camera"));
  EXPECT_THAT(message, HasSubstr("body mast"));

  message =
      message_of(folder_ / "c.h5", with_body("camera", JointType::spherical), ErrorKind::input);
  EXPECT_THAT(message, HasSubstr("revolute joint last"));
  EXPECT_THAT(message, HasSubstr("spherical joint last"));
  EXPECT_THAT(message, HasSubstr("number of positions"));

  State other_memory = state;
  other_memory.memory.push_back(0);
  save_checkpoint(folder_ / "c.h5", world, other_memory);
  EXPECT_THAT(message_of(folder_ / "c.h5", world, ErrorKind::input), HasSubstr("memory slots"));
}

TEST_F(CheckpointTest, AChangedSceneOfTheSameLayoutIsTakenWithAWarning) {
  World world = small_world();
  const State state = odd_state(world);
  save_checkpoint(folder_ / "c.h5", world, state);
  world.scene_text += "duration: 100\n";
  std::string warning;
  set_log_sink([&warning](LogLevel, std::string_view text) { warning = text; });
  EXPECT_EQ(load_checkpoint(folder_ / "c.h5", world), state);
  set_log_sink({});
  EXPECT_THAT(warning, HasSubstr("the scene has changed"));
}

TEST_F(CheckpointTest, DamageIsNoticed) {
  const World world = small_world();
  const fs::path path = folder_ / "c.h5";
  save_checkpoint(path, world, odd_state(world));
  const std::string good = text_of(path);
  const auto put = [&path](const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  };
  const std::size_t stride = good.size() / 97;
  for (std::size_t size = 0; size < good.size(); size += stride) {  // cut short
    put(good.substr(0, size));
    message_of(path, world, ErrorKind::input);
  }
  for (std::size_t place = 0; place < good.size(); place += stride) {  // one bit flipped
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 1);
    put(bad);
    message_of(path, world, ErrorKind::input);
  }
  put(good);
  EXPECT_EQ(load_checkpoint(path, world), odd_state(world));
}

TEST_F(CheckpointTest, MissingFilesAndFoldersAreNamed) {
  const World world = small_world();
  EXPECT_THAT(message_of(folder_ / "none.h5", world, ErrorKind::io),
              HasSubstr("No such file or directory"));
  try {
    save_checkpoint(folder_ / "no" / "c.h5", world, odd_state(world));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), HasSubstr("No such file or directory"));
  }
}

TEST_F(CheckpointTest, AFullDiskLeavesTheEarlierOne) {
  const World world = small_world();
  const fs::path path = folder_ / "c.h5";
  const State first = odd_state(world);
  save_checkpoint(path, world, first);
  const pid_t child = fork();
  if (child == 0) {  // under a limit on file sizes, which without care ends the program by signal
    const rlimit limit{.rlim_cur = 1000, .rlim_max = 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    State second = first;
    second.time = 9;
    try {
      save_checkpoint(path, world, second);
    } catch (const Error& error) {
      const bool says_why = std::string(error.what()).find("File too large") != std::string::npos;
      _exit(error.kind() == ErrorKind::io && says_why ? 42 : 1);
    }
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_EQ(load_checkpoint(path, world), first);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace grouser::internal
