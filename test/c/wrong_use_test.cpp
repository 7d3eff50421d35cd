// Wrong use of the C interface: refused with a text, never a crash; and what needs several threads or C++ beside it.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "grouser/grouser.h"
#include "grouser/simulation.h"

namespace grouser {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A rover of the fast kind, a plate on sand, and handles to all there is of them.
class WrongUse : public testing::Test {
 protected:
  WrongUse() {
    EXPECT_EQ(grouser_world_builtin("terra", &rover), GROUSER_OK);
    EXPECT_EQ(grouser_world_builtin("pendulum", &pendulum), GROUSER_OK);
    EXPECT_EQ(grouser_simulation_create(rover, nullptr, 1, &simulation), GROUSER_OK);
    EXPECT_EQ(grouser_simulation_state(simulation, &state), GROUSER_OK);
    EXPECT_EQ(grouser_contacts_create(rover, 1, &contacts), GROUSER_OK);
    EXPECT_EQ(grouser_scene_create(&scene), GROUSER_OK);
    EXPECT_EQ(grouser_world_count(rover, GROUSER_BODIES, &bodies), GROUSER_OK);
    poses.assign(bodies, {{1, 0, 0, 0}, {0, 0, 1}});
    twists.resize(bodies);
    wrenches.resize(bodies);
  }
  ~WrongUse() override {
    grouser_scene_free(scene), grouser_contacts_free(contacts), grouser_state_free(state);
    grouser_simulation_free(simulation), grouser_world_free(rover), grouser_world_free(pendulum);
  }

  /// Fails unless every call is refused with a text that tells something.
  static void expect_refused(const std::vector<std::function<grouser_result()>>& calls) {
    for (std::size_t k = 0; k < calls.size(); ++k) {
      const grouser_result result = calls[k]();
      EXPECT_TRUE(result == GROUSER_USAGE || result == GROUSER_INPUT || result == GROUSER_IO)
          << "call " << k << " gave " << result;
      EXPECT_GT(std::string(grouser_error_text()).size(), 10u) << k;
      EXPECT_GE(grouser_error_count(), 1u) << k;
    }
  }

  grouser_world *rover = nullptr, *pendulum = nullptr;
  grouser_simulation* simulation = nullptr;
  grouser_state* state = nullptr;
  grouser_contacts* contacts = nullptr;
  grouser_scene* scene = nullptr;
  std::size_t bodies = 0;
  std::vector<grouser_pose> poses;
  std::vector<grouser_twist> twists;
  std::vector<grouser_wrench> wrenches;
};

TEST_F(WrongUse, OfPlacesAndHandlesThatAreNull) {
  grouser_world* world = nullptr;
  grouser_sample sample;
  double number = 0;
  std::size_t count = 0;
  const void* bytes = nullptr;
  expect_refused({
      [&] { return grouser_world_load(nullptr, &world); },
      [&] { return grouser_world_builtin("terra", nullptr); },
      [&] { return grouser_world_builtin(nullptr, &world); },
      [&] { return grouser_world_parse(nullptr, ".", &world); },
      [&] { return grouser_world_build(nullptr, ".", &world); },
      [&] { return grouser_world_build(scene, ".", nullptr); },
      [&] { return grouser_world_get_info(nullptr, nullptr); },
      [&] { return grouser_world_get_info(rover, nullptr); },
      [&] { return grouser_world_count(rover, GROUSER_BODIES, nullptr); },
      [&] { return grouser_world_find(rover, GROUSER_BODIES, nullptr, nullptr); },
      [&] { return grouser_world_ground_heights(rover, nullptr, &number, 1); },
      [&] { return grouser_simulation_create(nullptr, nullptr, 0, &simulation); },
      [&] { return grouser_simulation_create(rover, nullptr, 0, nullptr); },
      [&] { return grouser_simulation_step(nullptr, nullptr); },
      [&] { return grouser_simulation_time(simulation, nullptr); },
      [&] { return grouser_simulation_sample(nullptr, &sample); },
      [&] { return grouser_simulation_sample(simulation, nullptr); },
      [&] { return grouser_simulation_report(simulation, nullptr); },
      [&] { return grouser_simulation_restore(simulation, nullptr); },
      [&] { return grouser_simulation_set_wrench(simulation, 0, nullptr); },
      [&] { return grouser_simulation_set_contacts(simulation, nullptr, 3); },
      [&] { return grouser_simulation_add_controller(simulation, 10, 0, nullptr, nullptr); },
      [&] { return grouser_simulation_record(simulation, nullptr); },
      [&] { return grouser_state_to_bytes(state, nullptr, &count); },
      [&] { return grouser_state_to_bytes(state, &bytes, nullptr); },
      [&] { return grouser_state_from_bytes(rover, nullptr, 100, &state); },
      [&] { return grouser_state_hash(nullptr, nullptr); },
      [&] { return grouser_state_save(state, nullptr); },
      [&] { return grouser_contacts_create(nullptr, 0, &contacts); },
      [&] { return grouser_contacts_begin(contacts, 0, nullptr, nullptr, bodies); },
      [&] {
        return grouser_contacts_forces(contacts, 0, poses.data(), twists.data(), nullptr, bodies);
      },
      [&] { return grouser_contacts_set_motion(contacts, 0, nullptr, nullptr); },
      [&] { return grouser_contacts_memory_from_bytes(contacts, nullptr, 8); },
      [&] { return grouser_run_open(nullptr, nullptr); },
      [&] { return grouser_run_read(nullptr, "/time", nullptr); },
      [&] { return grouser_scene_set_text(scene, "name", nullptr); },
      [&] { return grouser_scene_set_numbers(scene, "a", nullptr, 2); },
  });
  EXPECT_EQ(grouser_world_free(nullptr), GROUSER_OK);
}

TEST_F(WrongUse, OfHandlesThatAreNone) {
  grouser_simulation* freed = nullptr;
  ASSERT_EQ(grouser_simulation_create(pendulum, nullptr, 1, &freed), GROUSER_OK);
  ASSERT_EQ(grouser_simulation_free(freed), GROUSER_OK);
  grouser_simulation* other = nullptr;  // may take its place, but not its handle
  ASSERT_EQ(grouser_simulation_create(pendulum, nullptr, 1, &other), GROUSER_OK);
  int number = 7;
  expect_refused({
      [&] { return grouser_simulation_step(freed, nullptr); },
      [&] { return grouser_simulation_free(freed); },
      [&] { return grouser_simulation_request_stop(freed); },
      [&] {
        return grouser_simulation_step(reinterpret_cast<grouser_simulation*>(&number), nullptr);
      },
      [&] {
        return grouser_simulation_step(reinterpret_cast<grouser_simulation*>(rover), nullptr);
      },
      [&] {
        return grouser_simulation_step(reinterpret_cast<grouser_simulation*>(~0ull), nullptr);
      },
      [&] { return grouser_simulation_step(reinterpret_cast<grouser_simulation*>(1), nullptr); },
      [&] { return grouser_world_free(reinterpret_cast<grouser_world*>(simulation)); },
  });
  EXPECT_EQ(grouser_simulation_step(other, nullptr), GROUSER_OK);
  EXPECT_EQ(grouser_simulation_free(other), GROUSER_OK);
}

TEST_F(WrongUse, OfNumbersAndNames) {
  const grouser_wrench nan_wrench = {{0, 0, 0}, {kNan, 0, 0}};
  const grouser_host_contact contact = {0, -1, {0, 0, 0}, {0, 0, 1}, 0, 0.5, 0};
  const char* name = nullptr;
  int index = 0;
  std::vector<grouser_pose> zero_poses(bodies);  // no rotation is all zeros
  std::vector<grouser_pose> nan_poses = poses;
  nan_poses.back().position.x = kNan;
  const grouser_ground_window window = {0, 0, -1, 2, 2};
  grouser_ground_point point;
  double height = 0;
  grouser_world *world = nullptr, *with_host = nullptr;  // whose integrator is not moreau_jean
  ASSERT_EQ(grouser_world_with_host_contacts(rover, &with_host), GROUSER_OK);
  expect_refused({
      [&] { return grouser_world_builtin("tera", &world); },
      [&] { return grouser_world_find(rover, GROUSER_BODIES, "chasis", &index); },
      [&] { return grouser_world_name(rover, GROUSER_WHEELS, 6, &name); },
      [&] { return grouser_builtin_name(GROUSER_SOILS, 10000, &name); },
      [&] { return grouser_world_ground_at(rover, kNan, 0, &point); },
      [&] { return grouser_world_ground_heights(rover, &window, &height, 1); },
      [&] { return grouser_simulation_create(with_host, nullptr, 1, &simulation); },
      [&] { return grouser_simulation_create(rover, nullptr, -1, &simulation); },
      [&] { return grouser_simulation_run_to(simulation, kNan, nullptr); },
      [&] { return grouser_simulation_run_to(simulation, -1, nullptr); },
      [&] { return grouser_simulation_set_target(simulation, 0, GROUSER_VELOCITY, kNan); },
      [&] { return grouser_simulation_set_target(simulation, 0, GROUSER_VELOCITY, kInfinity); },
      [&] { return grouser_simulation_set_target(simulation, 999, GROUSER_VELOCITY, 1); },
      [&] { return grouser_simulation_set_target(simulation, -1, GROUSER_VELOCITY, 1); },
      [&] {
        return grouser_simulation_set_target(simulation, 0, static_cast<grouser_target>(3), 1);
      },
      [&] { return grouser_simulation_release(simulation, 999); },
      [&] { return grouser_simulation_set_wrench(simulation, 0, &nan_wrench); },
      [&] { return grouser_simulation_set_wrench(simulation, -5, &nan_wrench); },
      [&] { return grouser_simulation_set_contacts(simulation, &contact, 1); },
      [&] { return grouser_simulation_record(simulation, "/proc/no/such/folder"); },
      [&] { return grouser_state_save(state, "/proc/no/such/file"); },
      [&] { return grouser_state_load(rover, "/proc/version", &state); },
      [&] { return grouser_contacts_begin(contacts, 0, poses.data(), twists.data(), bodies - 1); },
      [&] { return grouser_contacts_begin(contacts, 0, zero_poses.data(), twists.data(), bodies); },
      [&] {
        return grouser_contacts_forces(contacts, 0, nan_poses.data(), twists.data(),
                                       wrenches.data(), bodies);
      },
      [&] {
        return grouser_contacts_forces(contacts, kNan, poses.data(), twists.data(), wrenches.data(),
                                       bodies);
      },
      [&] { return grouser_contacts_set_motion(contacts, 999, poses.data(), twists.data()); },
      [&] { return grouser_contacts_wrench(contacts, 0, wrenches.data()); },  // no exchange yet
      [&] { return grouser_contacts_commit_exchange(contacts, nullptr); },
      [&] { return grouser_scene_set_number(scene, "", 1); },
      [&] { return grouser_scene_set_number(scene, "a..b", 1); },
      [&] { return grouser_scene_set_number(scene, "a[", 1); },
      [&] { return grouser_scene_set_number(scene, "a[x]", 1); },
      [&] { return grouser_scene_set_number(scene, "a[99999999999999999999999]", 1); },
      [&] { return grouser_scene_set_number(scene, "a[1]", 1); },
      [&] { return grouser_scene_set_number(scene, "a[0]b", 1); },
      [&] { return grouser_scene_set_number(scene, "a.", 1); },
      [&] { return grouser_world_build(scene, nullptr, &world); },  // an empty scene
      [&] { return grouser_world_parse("{", nullptr, &world); },
      [&] { return grouser_world_parse("grouser: 99\n", nullptr, &world); },
      [&] { return grouser_run_open("/proc/version", nullptr); },
  });
  EXPECT_EQ(grouser_simulation_run_to(simulation, 0.1, nullptr),
            GROUSER_OK);  // none of it did harm
}

TEST_F(WrongUse, OfStatesOfAnotherWorldOrDamaged) {
  const void* bytes = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(grouser_state_to_bytes(state, &bytes, &size), GROUSER_OK);
  std::vector<char> damaged(static_cast<const char*>(bytes),
                            static_cast<const char*>(bytes) + size);
  damaged[size / 2] ^= 1;
  grouser_state* made = nullptr;
  grouser_simulation* another = nullptr;
  expect_refused({
      [&] { return grouser_state_from_bytes(pendulum, bytes, size, &made); },
      [&] { return grouser_state_from_bytes(rover, bytes, size - 1, &made); },
      [&] { return grouser_state_from_bytes(rover, bytes, 0, &made); },
      [&] { return grouser_state_from_bytes(rover, damaged.data(), size, &made); },
      [&] { return grouser_contacts_memory_from_bytes(contacts, damaged.data(), size); },
      [&] { return grouser_simulation_create(pendulum, state, 1, &another); },
  });
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(another, nullptr);
}

TEST_F(WrongUse, OfOneHandleByTwoThreads) {
  std::thread runner(
      [&] { EXPECT_EQ(grouser_simulation_run_to(simulation, 1e6, nullptr), GROUSER_OK); });
  double time = 0;
  while (grouser_simulation_time(simulation, &time) == GROUSER_OK) std::this_thread::yield();
  EXPECT_NE(std::string(grouser_error_text()).find("another thread"), std::string::npos);
  EXPECT_EQ(grouser_simulation_free(simulation), GROUSER_USAGE);
  EXPECT_EQ(grouser_simulation_request_stop(simulation), GROUSER_OK);
  runner.join();
  EXPECT_EQ(grouser_simulation_time(simulation, &time), GROUSER_OK);
  EXPECT_LT(time, 1e6);
}

// Each thread has handles and a last error of its own; states agree with those of C++ to the bit.
TEST(FromC, RunsSideBySideAsCppDoes) {
  Simulation reference(World::builtin("terra"));
  reference.run_to(2.5);
  const std::uint64_t expected = reference.state().hash();
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> hashes(4);
  for (std::size_t k = 0; k < hashes.size(); ++k) {
    threads.emplace_back([&hashes, k] {
      grouser_world* world = nullptr;
      grouser_simulation* simulation = nullptr;
      grouser_state* state = nullptr;
      const std::string wrong = "none" + std::to_string(k);
      EXPECT_EQ(grouser_world_builtin(wrong.c_str(), &world), GROUSER_INPUT);
      grouser_world_builtin("terra", &world);
      grouser_simulation_create(world, nullptr, 1, &simulation);
      grouser_simulation_run_to(simulation, 2.5, nullptr);
      grouser_simulation_state(simulation, &state);
      grouser_state_hash(state, &hashes[k]);
      EXPECT_NE(std::string(grouser_error_text()).find(wrong), std::string::npos);
      grouser_state_free(state), grouser_simulation_free(simulation), grouser_world_free(world);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, expected);
}

// What C wrote is what C++ writes, byte by byte.
TEST(FromC, StatesHaveTheSameBytes) {
  const World world = World::builtin("default");
  Simulation reference(world);
  reference.run_to(0.1);
  grouser_world* handle = nullptr;
  grouser_simulation* simulation = nullptr;
  grouser_state* state = nullptr;
  const void* bytes = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(grouser_world_builtin("default", &handle), GROUSER_OK);
  ASSERT_EQ(grouser_simulation_create(handle, nullptr, 0, &simulation), GROUSER_OK);
  ASSERT_EQ(grouser_simulation_run_to(simulation, 0.1, nullptr), GROUSER_OK);
  ASSERT_EQ(grouser_simulation_state(simulation, &state), GROUSER_OK);
  ASSERT_EQ(grouser_state_to_bytes(state, &bytes, &size), GROUSER_OK);
  const auto* first = static_cast<const std::byte*>(bytes);
  EXPECT_EQ(std::vector<std::byte>(first, first + size), reference.state().to_bytes(world));
  grouser_state_free(state), grouser_simulation_free(simulation), grouser_world_free(handle);
}

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(std::string(GROUSER_SOURCE_DIR) + "/" + path).rdbuf();
  return text.str();
}

TEST(FromC, EveryFunctionIsCalledInC99) {
  const std::string header = read("include/grouser/grouser.h"), calls = read("test/c/calls.c");
  const std::regex function(R"(GROUSER_C_API [^;(]*?(grouser_\w+)\()");
  std::set<std::string> names;
  for (std::sregex_iterator it(header.begin(), header.end(), function), end; it != end; ++it) {
    names.insert((*it)[1]);
    EXPECT_NE(calls.find((*it)[1].str() + "("), std::string::npos) << (*it)[1];
  }
  EXPECT_GT(names.size(), 70u);
}

}  // namespace
}  // namespace grouser
